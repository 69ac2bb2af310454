// SPDX-License-Identifier: GPL-3.0-or-later

/// A protocol buffers message that is written field by field.
///
/// Source of the wire format: Google, "Protocol Buffers: Encoding" (protobuf.dev/programming-guides/encoding).
public struct ProtobufMessage: Sendable {
    /// Bytes of the fields so far.
    public private(set) var bytes: [UInt8] = []

    /// Creates an empty message.
    public init() {}

    /// Adds an unsigned integer, an enumeration value or a flag.
    public mutating func add(_ field: Int, _ value: UInt64) {
        key(field, wire: 0)
        bytes.append(varint: value)
    }

    /// Adds a signed integer (`int32`, `int64`).
    ///
    /// Negative integers take ten bytes.
    public mutating func add(_ field: Int, signed value: Int64) { add(field, UInt64(bitPattern: value)) }

    /// Adds eight bytes in little-endian order (`fixed64`).
    public mutating func add(_ field: Int, fixed value: UInt64) {
        key(field, wire: 1)
        bytes.append(littleEndian: value)
    }

    /// Adds a floating-point number (`double`).
    public mutating func add(_ field: Int, _ value: Double) { add(field, fixed: value.bitPattern) }

    /// Adds a text.
    public mutating func add(_ field: Int, _ text: String) {
        key(field, wire: 2)
        bytes.append(varint: UInt64(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }

    /// Adds a message inside this message.
    public mutating func add(_ field: Int, _ message: ProtobufMessage) {
        key(field, wire: 2)
        bytes.append(varint: UInt64(message.bytes.count))
        bytes.append(contentsOf: message.bytes)
    }

    private mutating func key(_ field: Int, wire: UInt64) { bytes.append(varint: UInt64(field) << 3 | wire) }
}

extension [UInt8] {
    /// Adds a varint: seven bits at a time, beginning with the lowest, as in protocol buffers, Thrift and Parquet.
    mutating func append(varint value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }

    /// Adds a number in little-endian order with the given number of bytes.
    mutating func append(littleEndian value: UInt64, bytes: Int = 8) {
        for index in 0..<UInt64(bytes) { append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
    }
}
