// SPDX-License-Identifier: GPL-3.0-or-later

/// A reader of protocol buffers that shares nothing with the writer: fields by number, each with its bytes or its bits.
public struct ProtobufFields {
    /// What a field holds, by its wire type.
    public enum Value: Equatable {
        case varint(UInt64)
        case fixed(UInt64)
        case bytes([UInt8])
    }

    /// The fields in order.
    public private(set) var fields: [(number: Int, value: Value)] = []

    /// Reads the bytes of a message.
    public init(_ bytes: [UInt8]) throws {
        struct Broken: Error {}
        var offset = 0
        func varint() throws -> UInt64 {
            var (result, factor): (UInt64, UInt64) = (0, 1)
            while true {
                guard offset < bytes.count else { throw Broken() }
                let byte = UInt64(bytes[offset])
                offset += 1
                result &+= (byte % 128) &* factor
                if byte < 128 { return result }
                factor &*= 128
            }
        }
        while offset < bytes.count {
            let key = try varint()
            switch key % 8 {
            case 0: fields.append((Int(key / 8), .varint(try varint())))
            case 1:
                guard offset + 8 <= bytes.count else { throw Broken() }
                let bits = (0..<8).reversed().reduce(UInt64(0)) { $0 * 256 + UInt64(bytes[offset + $1]) }
                fields.append((Int(key / 8), .fixed(bits)))
                offset += 8
            case 2:
                let count = Int(try varint())
                guard offset + count <= bytes.count else { throw Broken() }
                fields.append((Int(key / 8), .bytes(Array(bytes[offset..<offset + count]))))
                offset += count
            default: throw Broken()
            }
        }
    }

    /// The first varint of a field.
    public func number(_ field: Int) -> UInt64? {
        for (number, value) in fields where number == field { if case .varint(let found) = value { return found } }
        return nil
    }

    /// The first eight bytes of a field.
    public func fixed(_ field: Int) -> UInt64? {
        for (number, value) in fields where number == field { if case .fixed(let found) = value { return found } }
        return nil
    }

    /// The messages of a field.
    public func messages(_ field: Int) throws -> [ProtobufFields] {
        try fields.compactMap { number, value in
            guard number == field, case .bytes(let bytes) = value else { return nil }
            return try ProtobufFields(bytes)
        }
    }

    /// The first text of a field.
    public func text(_ field: Int) -> String? {
        for (number, value) in fields where number == field {
            if case .bytes(let bytes) = value { return String(decoding: bytes, as: UTF8.self) }
        }
        return nil
    }
}
