// SPDX-License-Identifier: GPL-3.0-or-later

/// A text that is not JSON, and where it stops being it.
public struct JSONError: Error, CustomStringConvertible {
    /// Offset of the byte at which reading stopped.
    public let offset: Int

    /// One sentence with the position.
    public var description: String { "not valid JSON at byte \(offset)" }
}

extension JSONValue {
    /// Reads a value that fills the text.
    public init(parsing bytes: [UInt8]) throws(JSONError) {
        var reader = JSONReader(bytes)
        self = try reader.value(depth: 0)
        reader.skipSpace()
        guard reader.atEnd else { throw JSONError(offset: reader.offset) }
    }

    /// Reads a value that fills the text.
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
            let key = try string()
            try expect(":")
            members[key] = try value(depth: depth + 1)
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
        while let byte = next,
            byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") || byte == UInt8(ascii: ".")
                || byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") || (48...57).contains(byte)
        { offset += 1 }
        let text = String(decoding: bytes[start..<offset], as: UTF8.self)
        if let value = Int(text) { return .integer(value) }
        guard let value = Double(text) else { throw JSONError(offset: start) }
        return .number(value)
    }

    private mutating func string() throws(JSONError) -> String {
        guard next == UInt8(ascii: "\"") else { throw JSONError(offset: offset) }
        offset += 1
        let start = offset
        while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") { offset += 1 }
        // Most texts have nothing that is escaped.
        var out = bytes[start..<offset]
        while let byte = next {
            offset += 1
            if byte == UInt8(ascii: "\"") { return String(decoding: out, as: UTF8.self) }
            if byte == UInt8(ascii: "\\") { try escape(into: &out) } else { out.append(byte) }
        }
        throw JSONError(offset: offset)
    }

    private mutating func escape(into out: inout ArraySlice<UInt8>) throws(JSONError) {
        guard let byte = next else { throw JSONError(offset: offset) }
        offset += 1
        switch byte {
        case UInt8(ascii: "n"): out.append(10)
        case UInt8(ascii: "r"): out.append(13)
        case UInt8(ascii: "t"): out.append(9)
        case UInt8(ascii: "b"): out.append(8)
        case UInt8(ascii: "f"): out.append(12)
        case UInt8(ascii: "u"):
            guard offset + 4 <= bytes.count,
                let code = UInt32(String(decoding: bytes[offset..<offset + 4], as: UTF8.self), radix: 16)
            else { throw JSONError(offset: offset) }
            offset += 4
            out += String(Character(Unicode.Scalar(code) ?? "\u{fffd}")).utf8
        default: out.append(byte)
        }
    }
}
