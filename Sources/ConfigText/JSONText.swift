// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics

/// Reads JSON into the tree of nodes that YAML is read into, with positions, and writes such a tree as JSON.
///
/// This reader is stricter and faster than a YAML reader. It accepts only texts that RFC 8259 allows, and keys must be
/// unique. Several values may follow each other, as in device reports. Numbers remain text, so that no digits are lost.
public enum JSONText {
    /// Reads a file with one or more values.
    public static func load(path: String) -> Result<[Node], Diagnostics> {
        SourceText.read(path: path).flatMap(parse)
    }

    /// Reads one or more values from a text.
    ///
    /// Reading stops at the first problem.
    public static func parse(_ source: SourceText) -> Result<[Node], Diagnostics> {
        do throws(Diagnostics) {
            var reader = JSONScanner(source)
            var values: [Node] = []
            repeat { values.append(try reader.value(depth: 0)) } while !reader.isAtEnd()
            return .success(values)
        } catch {
            return .failure(error)
        }
    }

    /// The tree as JSON on one line.
    ///
    /// The keys keep their order.
    public static func text(of node: Node) -> String {
        switch node.content {
        case .scalar(let text, let quoted): quoted ? self.quoted(text) : text
        case .list(let items): "[" + items.map(text(of:)).joined(separator: ",") + "]"
        case .map(let entries):
            "{" + entries.map { quoted($0.key) + ":" + text(of: $0.value) }.joined(separator: ",") + "}"
        }
    }

    /// Text in quotes that JSON and YAML readers convert back to the original.
    public static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            default:
                // YAML requires escapes for control characters, line ends outside ASCII, and the byte-order mark.
                let isPlain =
                    (0x20...0x7E).contains(scalar.value)
                    || (0xA0...0xD7FF).contains(scalar.value)
                        && scalar.value != 0x2028 && scalar.value != 0x2029
                    || (0xE000...0xFFFD).contains(scalar.value) && scalar.value != 0xFEFF || scalar.value >= 0x10000
                if isPlain {
                    result.unicodeScalars.append(scalar)
                } else {
                    let digits = String(scalar.value, radix: 16)
                    result += "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
                }
            }
        }
        return result + "\""
    }
}

/// Scans the bytes of a text.
///
/// The offset and number of the current line are kept.
private struct JSONScanner {
    private let source: SourceText
    private let bytes: [UInt8]
    private var offset = 0
    private var line = 1
    private var lineStart = 0
    private var count = 0
    /// Last requested location on the current line: byte offset, and number of characters before it.
    ///
    /// The location is kept to save time on long lines.
    private var known = (offset: 0, column: 0)

    init(_ source: SourceText) {
        self.source = source
        bytes = Array(source.text.utf8)
    }

    private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    /// Skips white space.
    ///
    /// Returns whether the end of the text is reached.
    mutating func isAtEnd() -> Bool {
        skipSpace()
        return offset == bytes.count
    }

    private mutating func skipSpace() {
        while let byte = next, byte == 32 || byte == 10 || byte == 13 || byte == 9 {
            offset += 1
            if byte == 10 { (line, lineStart, known) = (line + 1, offset, (offset, 0)) }
        }
    }

    /// Location of a byte on the current line.
    ///
    /// Columns are counted in characters.
    private mutating func location(_ start: Int, length: Int = 1) -> Node.Location {
        if start < known.offset { known = (lineStart, 0) }
        for byte in bytes[known.offset..<start] where byte & 0xC0 != 0x80 { known.column += 1 }
        known.offset = start
        return Node.Location(source: source, line: line, column: known.column + 1, length: length)
    }

    private mutating func problem(_ message: String, at start: Int? = nil, hint: String? = nil) -> Diagnostics {
        Diagnostics([location(min(start ?? offset, bytes.count)).problem(message, hint: hint)])
    }

    /// Describes the character at the current offset, for messages.
    private var found: String {
        guard let next else { return "the end of the file" }
        let rest = String(decoding: bytes[offset..<min(bytes.count, offset + 4)], as: UTF8.self)
        guard next > 32, let first = rest.unicodeScalars.first else { return "the byte 0x" + String(next, radix: 16) }
        return "\"\(Character(first))\""
    }

    mutating func value(depth: Int) throws(Diagnostics) -> Node {
        skipSpace()
        guard depth <= Limits.depth else { throw problem("lists and maps are nested more than \(Limits.depth) deep") }
        count += 1
        guard count <= Limits.nodes else { throw problem("the file contains more than \(Limits.nodes) values") }
        let start = location(offset)
        switch next {
        case UInt8(ascii: "{"): return Node(.map(try map(depth: depth)), at: start)
        case UInt8(ascii: "["): return Node(.list(try list(depth: depth)), at: start)
        case UInt8(ascii: "\""):
            let from = offset
            let text = try string()
            return Node(.scalar(text, quoted: true), at: location(from, length: offset - from))
        default: return try word()
        }
    }

    private mutating func map(depth: Int) throws(Diagnostics) -> [Node.Entry] {
        offset += 1
        var entries: [Node.Entry] = []
        var lines: [String: Int] = [:]
        skipSpace()
        if next == UInt8(ascii: "}") {
            offset += 1
            return entries
        }
        while true {
            skipSpace()
            let start = offset
            guard next == UInt8(ascii: "\"") else { throw problem("expected a key in quotes, found \(found)") }
            let key = try string()
            let keyLocation = location(start, length: offset - start)
            if let first = lines[key] {
                throw Diagnostics([
                    keyLocation.problem("the key \"\(key.excerpt)\" appears twice", hint: "first at line \(first)")
                ]
                )
            }
            lines[key] = line
            skipSpace()
            guard next == UInt8(ascii: ":") else { throw problem("expected a colon after the key, found \(found)") }
            offset += 1
            entries.append(Node.Entry(key: key, location: keyLocation, value: try value(depth: depth + 1)))
            if try isClosed(by: UInt8(ascii: "}"), what: "map") { return entries }
        }
    }

    private mutating func list(depth: Int) throws(Diagnostics) -> [Node] {
        offset += 1
        var items: [Node] = []
        skipSpace()
        if next == UInt8(ascii: "]") {
            offset += 1
            return items
        }
        while true {
            items.append(try value(depth: depth + 1))
            if try isClosed(by: UInt8(ascii: "]"), what: "list") { return items }
        }
    }

    /// Reads a comma or the closing bracket.
    ///
    /// Returns whether the character is the bracket.
    private mutating func isClosed(by bracket: UInt8, what: String) throws(Diagnostics) -> Bool {
        skipSpace()
        let isClosed = next == bracket
        guard isClosed || next == UInt8(ascii: ",") else {
            throw problem("expected a comma or the end of the \(what), found \(found)")
        }
        offset += 1
        return isClosed
    }

    /// Reads a number, `true`, `false` or `null`.
    private mutating func word() throws(Diagnostics) -> Node {
        let start = offset
        while let byte = next, byte > 32, byte < 127, !",:[]{}\"".utf8.contains(byte) { offset += 1 }
        let text = String(decoding: bytes[start..<offset], as: UTF8.self)
        if text.isEmpty { throw problem("expected a value, found \(found)") }
        guard ["true", "false", "null"].contains(text) || JSONScanner.isNumber(bytes[start..<offset]) else {
            throw problem("expected a value, found \"\(text.prefix(40))\"", at: start)
        }
        return Node(.scalar(text, quoted: false), at: location(start, length: offset - start))
    }

    // -?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?
    private static func isNumber(_ text: ArraySlice<UInt8>) -> Bool {
        var rest = text
        func digits(_ rest: inout ArraySlice<UInt8>) -> Int {
            let run = rest.prefix { (48...57).contains($0) }
            rest = rest.dropFirst(run.count)
            return run.count
        }
        if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
        let startsWithZero = rest.first == 48
        let whole = digits(&rest)
        guard whole > 0, whole == 1 || !startsWithZero else { return false }
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            if digits(&rest) == 0 { return false }
        }
        if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
            rest = rest.dropFirst()
            if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
            if digits(&rest) == 0 { return false }
        }
        return rest.isEmpty
    }

    private mutating func string() throws(Diagnostics) -> String {
        let start = offset
        offset += 1
        var out: [UInt8] = []
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                offset += 1
                return String(decoding: out, as: UTF8.self)
            case UInt8(ascii: "\\"): out += Array(String(Character(try escape())).utf8)
            case 0..<32: throw problem("the text that begins here is not closed on its line", at: start)
            default:
                out.append(byte)
                offset += 1
            }
        }
        throw problem("the text that begins here is not closed", at: start)
    }

    private mutating func escape() throws(Diagnostics) -> Unicode.Scalar {
        let start = offset
        offset += 2
        guard offset <= bytes.count else { throw problem("the file ends in the middle of a text", at: start) }
        switch bytes[offset - 1] {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{c}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try unicodeEscape(from: start)
        default: throw problem("not a valid escape in JSON", at: start)
        }
    }

    /// Reads `\uXXXX`, or a pair of them that encodes one character.
    private mutating func unicodeEscape(from start: Int) throws(Diagnostics) -> Unicode.Scalar {
        let first = try hexadecimal(from: start)
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, next == UInt8(ascii: "\\"), offset + 1 < bytes.count,
            bytes[offset + 1] == UInt8(ascii: "u")
        else { throw problem("half of a surrogate pair", at: start) }
        offset += 2
        let second = try hexadecimal(from: start)
        guard (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw problem("half of a surrogate pair", at: start) }
        return scalar
    }

    private mutating func hexadecimal(from start: Int) throws(Diagnostics) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 128 else {
                throw problem("expected four hexadecimal digits", at: start)
            }
            value = value << 4 + UInt32(digit)
            offset += 1
        }
        return value
    }
}
