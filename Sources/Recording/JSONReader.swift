// SPDX-License-Identifier: GPL-3.0-or-later

/// Error for a text that is not JSON, with its position.
public struct JSONError: Error, CustomStringConvertible {
    /// Offset in bytes at which reading stopped.
    public let offset: Int
    /// Reason of the error; nil if the position is sufficient.
    public let reason: String?

    init(offset: Int, _ reason: String? = nil) {
        self.offset = offset
        self.reason = reason
    }

    /// Sentence with the position and the reason.
    public var description: String { "not valid JSON at byte \(offset)" + (reason.map { ": \($0)" } ?? "") }
}

extension JSONValue {
    /// Reads a text that consists of one value.
    ///
    /// Only texts that RFC 8259 allows are accepted: UTF-8, complete characters, unique keys, and numbers in the range
    /// of `Double`.
    public init(parsing bytes: [UInt8]) throws(JSONError) {
        var reader = JSONReader(bytes)
        self = try reader.value(depth: 0)
        reader.skipSpace()
        guard reader.atEnd else { throw JSONError(offset: reader.offset) }
    }

    /// Reads a text that consists of one value.
    public init(parsing text: String) throws(JSONError) { try self.init(parsing: Array(text.utf8)) }
}

private struct JSONReader {
    let bytes: [UInt8]
    var offset = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var atEnd: Bool { offset == bytes.count }
    private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    mutating func skipSpace() {
        while let byte = next, byte == 32 || byte == 10 || byte == 13 || byte == 9 { offset += 1 }
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        skipSpace()
        guard next == UInt8(ascii: character) else { return false }
        offset += 1
        return true
    }

    private mutating func expect(_ character: Unicode.Scalar) throws(JSONError) {
        guard skip(character) else { throw JSONError(offset: offset) }
    }

    mutating func value(depth: Int) throws(JSONError) -> JSONValue {
        guard depth < 64 else { throw JSONError(offset: offset) }
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try number()
        }
    }

    private mutating func object(depth: Int) throws(JSONError) -> JSONValue {
        try expect("{")
        var members: [String: JSONValue] = [:]
        if skip("}") { return .object(members) }
        repeat {
            skipSpace()
            let start = offset
            let key = try string()
            try expect(":")
            let value = try value(depth: depth + 1)
            guard members.updateValue(value, forKey: key) == nil else {
                throw JSONError(offset: start, "duplicate key")
            }
        } while skip(",")
        try expect("}")
        return .object(members)
    }

    private mutating func array(depth: Int) throws(JSONError) -> JSONValue {
        try expect("[")
        var elements: [JSONValue] = []
        if skip("]") { return .array(elements) }
        repeat { elements.append(try value(depth: depth + 1)) } while skip(",")
        try expect("]")
        return .array(elements)
    }

    private mutating func word(_ text: String, _ value: JSONValue) throws(JSONError) -> JSONValue {
        guard bytes[offset...].starts(with: text.utf8) else { throw JSONError(offset: offset) }
        offset += text.utf8.count
        return value
    }

    private mutating func number() throws(JSONError) -> JSONValue {
        let start = offset
        _ = skipByte { $0 == UInt8(ascii: "-") }
        let first = next
        let whole = skipDigits()
        guard whole == 1 || whole > 1 && first != UInt8(ascii: "0") else { throw JSONError(offset: start) }
        var isWhole = true
        if skipByte({ $0 == UInt8(ascii: ".") }) {
            isWhole = false
            guard skipDigits() > 0 else { throw JSONError(offset: offset) }
        }
        if skipByte({ $0 | 32 == UInt8(ascii: "e") }) {
            isWhole = false
            _ = skipByte { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }
            guard skipDigits() > 0 else { throw JSONError(offset: offset) }
        }
        let text = String(decoding: bytes[start..<offset], as: UTF8.self)
        if isWhole, text != "-0", let value = Int(text) { return .integer(value) }
        guard let value = Double(text), value.isFinite else {
            throw JSONError(offset: start, "the number is too large")
        }
        return .number(value)
    }

    /// Skips the next byte if it passes a test.
    ///
    /// Returns whether it was skipped.
    private mutating func skipByte(_ isWanted: (UInt8) -> Bool) -> Bool {
        guard let byte = next, isWanted(byte) else { return false }
        offset += 1
        return true
    }

    /// Skips digits and returns their number.
    private mutating func skipDigits() -> Int {
        let start = offset
        while skipByte({ (48...57).contains($0) }) {}
        return offset - start
    }

    private mutating func string() throws(JSONError) -> String {
        let start = offset
        guard next == UInt8(ascii: "\"") else { throw JSONError(offset: offset) }
        offset += 1
        var from = offset
        // Most texts contain no escapes.
        var out: [UInt8] = []
        while let byte = next, byte != UInt8(ascii: "\"") {
            guard byte >= 32 else { throw JSONError(offset: offset, "a control character in a text must be escaped") }
            offset += 1
            guard byte == UInt8(ascii: "\\") else { continue }
            out += bytes[from..<offset - 1]
            out += String(Character(try escape())).utf8
            from = offset
        }
        guard !atEnd else { throw JSONError(offset: offset) }
        out += bytes[from..<offset]
        offset += 1
        guard let text = String(validating: out, as: UTF8.self) else {
            throw JSONError(offset: start, "the text that begins here is not UTF-8")
        }
        return text
    }

    /// Reads the character of an escape, beginning after the backslash.
    private mutating func escape() throws(JSONError) -> Unicode.Scalar {
        guard let byte = next else { throw JSONError(offset: offset) }
        offset += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{c}"
        case UInt8(ascii: "u"): return try unicodeEscape(from: offset - 2)
        default: throw JSONError(offset: offset - 2, "not a valid escape in JSON")
        }
    }

    /// Reads `\uXXXX`, or a pair of them that encodes one character.
    private mutating func unicodeEscape(from start: Int) throws(JSONError) -> Unicode.Scalar {
        let first = try codeUnit()
        if let scalar = Unicode.Scalar(first) { return scalar }
        if first < 0xDC00, bytes[offset...].starts(with: "\\u".utf8) {
            offset += 2
            let second = try codeUnit()
            let halves = (UInt32(first) & 0x3FF) << 10 | UInt32(second) & 0x3FF
            if second & 0xFC00 == 0xDC00, let scalar = Unicode.Scalar(0x10000 + halves) { return scalar }
        }
        throw JSONError(offset: start, "half of a surrogate pair")
    }

    private mutating func codeUnit() throws(JSONError) -> UInt16 {
        var value: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = next, byte < 128, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw JSONError(offset: offset, "expected four hexadecimal digits")
            }
            value = value << 4 | UInt16(digit)
            offset += 1
        }
        return value
    }
}
