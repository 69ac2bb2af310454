// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText

extension Node {
    /// Creates a text, a list of texts or a map, with a location for messages.
    init(_ text: String, at location: Location) { self.init(.scalar(text, quoted: true), at: location) }
    init(_ texts: [String], at location: Location) {
        self.init(.list(texts.map { Node($0, at: location) }), at: location)
    }
    init(_ members: [(String, Node)], at location: Location) {
        self.init(.map(members.map { Entry(key: $0, location: location, value: $1) }), at: location)
    }

    /// The tree as one line of JSON.
    ///
    /// Every scalar is a text, and remarks (`source`, `note`, `assumptions`) are omitted.
    ///
    /// Equal texts mean equal models, so manifests contain this text, and plans are identified by it.
    var canonical: String { json(keepsNull: false) }

    /// The tree as one line of JSON that can be read again, with `null` and with the sources of targets.
    var complete: String { json(keepsNull: true) }

    /// Keys of remarks about values.
    static let remarks = ["source", "note", "assumptions"]

    /// Value of a map that, except for remarks, has only the key `value`; nil for any other tree.
    var plainValue: Node? {
        guard let entries, let value = self["value"],
            entries.allSatisfy({ $0.key == "value" || Self.remarks.contains($0.key) })
        else { return nil }
        return value
    }

    /// Value in the form for users, for the columns of swept axes.
    var label: String {
        switch content {
        case .scalar(let text, _): text
        case .list(let items): "[" + items.map(\.label).joined(separator: ", ") + "]"
        case .map(let entries):
            "{" + entries.map { "\($0.key): \($0.value.label)" }.joined(separator: ", ") + "}"
        }
    }

    private func json(keepsNull: Bool) -> String {
        var text: [UInt8] = []
        write(to: &text, keepsNull: keepsNull)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the tree as bytes.
    ///
    /// Strings would be slow for the thousands of short words of a catalogue.
    private func write(to text: inout [UInt8], keepsNull: Bool, keepsRemarks: Bool = false) {
        if let plainValue { return plainValue.write(to: &text, keepsNull: keepsNull) }
        switch content {
        case .scalar where isNull && keepsNull: text += "null".utf8
        case .scalar(let word, _): writeJSON(isNull ? "" : word, to: &text)
        case .list(let items):
            text.append(UInt8(ascii: "["))
            for (index, item) in items.enumerated() {
                if index > 0 { text.append(UInt8(ascii: ",")) }
                item.write(to: &text, keepsNull: keepsNull, keepsRemarks: keepsRemarks)
            }
            text.append(UInt8(ascii: "]"))
        case .map(let entries):
            text.append(UInt8(ascii: "{"))
            var isFirst = true
            for entry in entries where keepsRemarks || !Self.remarks.contains(entry.key) {
                if !isFirst { text.append(UInt8(ascii: ",")) }
                isFirst = false
                writeJSON(entry.key, to: &text)
                text.append(UInt8(ascii: ":"))
                let isTargets = keepsNull && entry.key == "targets"
                entry.value.write(to: &text, keepsNull: keepsNull, keepsRemarks: keepsRemarks || isTargets)
            }
            text.append(UInt8(ascii: "}"))
        }
    }
}

/// Appends a text as a JSON string.
func writeJSON(_ word: String, to text: inout [UInt8]) {
    text.append(UInt8(ascii: "\""))
    for byte in word.utf8 {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): text += [UInt8(ascii: "\\"), byte]
        case UInt8(ascii: "\n"): text += "\\n".utf8
        case UInt8(ascii: "\t"): text += "\\t".utf8
        case UInt8(ascii: "\r"): text += "\\r".utf8
        case ..<32: text += ("\\u00" + (byte < 16 ? "0" : "") + String(byte, radix: 16)).utf8
        default: text.append(byte)
        }
    }
    text.append(UInt8(ascii: "\""))
}
