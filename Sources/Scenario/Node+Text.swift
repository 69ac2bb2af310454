// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText

extension Node {
    /// The tree as one line of JSON, every scalar as a text; remarks (`source`, `note`, `assumptions`) are left out.
    ///
    /// Equal texts mean equal models, so manifests carry it and plans are told apart by it.
    var canonical: String {
        var text = ""
        write(to: &text, keepsNull: false)
        return text
    }

    /// The same with nothing written as `null`, so that the tree can be read back from it.
    var complete: String {
        var text = ""
        write(to: &text, keepsNull: true)
        return text
    }

    /// Keys of what is said about values.
    static let remarks: Set<String> = ["source", "note", "assumptions"]

    /// The value of a map that says nothing but `value` besides remarks; nil for any other tree.
    var plainValue: Node? {
        guard let entries, let value = self["value"],
            entries.allSatisfy({ $0.key == "value" || Self.remarks.contains($0.key) })
        else { return nil }
        return value
    }

    /// The value as a user would write it, for the columns of swept axes.
    var label: String {
        switch content {
        case .scalar(let text, _): text
        case .list(let items): "[" + items.map(\.label).joined(separator: ", ") + "]"
        case .map(let entries):
            "{" + entries.map { "\($0.key): \($0.value.label)" }.joined(separator: ", ") + "}"
        }
    }

    private func write(to text: inout String, keepsNull: Bool) {
        if let plainValue { return plainValue.write(to: &text, keepsNull: keepsNull) }
        switch content {
        case .scalar where isNull && keepsNull: text += "null"
        case .scalar(let word, _): writeJSON(isNull ? "" : word, to: &text)
        case .list(let items):
            text += "["
            for (index, item) in items.enumerated() {
                if index > 0 { text += "," }
                item.write(to: &text, keepsNull: keepsNull)
            }
            text += "]"
        case .map(let entries):
            let kept = entries.filter { !Self.remarks.contains($0.key) }
            text += "{"
            for (index, entry) in kept.enumerated() {
                if index > 0 { text += "," }
                writeJSON(entry.key, to: &text)
                text += ":"
                entry.value.write(to: &text, keepsNull: keepsNull)
            }
            text += "}"
        }
    }
}

/// Writes a text as a JSON string.
func writeJSON(_ word: String, to text: inout String) {
    text += "\""
    defer { text += "\"" }
    // Nearly every word is one that needs no care.
    guard word.utf8.contains(where: { $0 < 32 || $0 == 34 || $0 == 92 }) else {
        text += word
        return
    }
    for scalar in word.unicodeScalars {
        switch scalar {
        case "\"": text += "\\\""
        case "\\": text += "\\\\"
        case "\n": text += "\\n"
        case "\t": text += "\\t"
        case "\r": text += "\\r"
        default:
            if scalar.value < 32 {
                text += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
    }
}
