// SPDX-License-Identifier: GPL-3.0-or-later

/// A number of bytes, exact.
@frozen
public struct ByteCount: Comparable, Hashable, Sendable, BitwiseCopyable {
    /// The bytes; negative for a difference.
    public var bytes: Int64

    /// Creates a count from bytes.
    @inlinable @inline(__always)
    public init(_ bytes: Int64) { self.bytes = bytes }

    /// Zero bytes.
    @inlinable @inline(__always)
    public static var zero: ByteCount { ByteCount(0) }
    /// A number of kibibytes, rounded to whole bytes.
    @inlinable
    public static func kibibytes(_ value: Double) -> ByteCount { ByteCount(Int64(rounding: value * 1024)) }
    /// A number of mebibytes, rounded to whole bytes.
    @inlinable
    public static func mebibytes(_ value: Double) -> ByteCount { ByteCount(Int64(rounding: value * 1_048_576)) }
    /// A number of gibibytes, rounded to whole bytes.
    @inlinable
    public static func gibibytes(_ value: Double) -> ByteCount { ByteCount(Int64(rounding: value * 1_073_741_824)) }
    /// The count in mebibytes.
    @inlinable
    public var mebibytes: Double { Double(bytes) / 1_048_576 }

    /// Orders by value.
    @inlinable @inline(__always)
    public static func < (left: ByteCount, right: ByteCount) -> Bool { left.bytes < right.bytes }
    /// The sum of two counts; traps on overflow.
    @inlinable @inline(__always)
    public static func + (left: ByteCount, right: ByteCount) -> ByteCount { ByteCount(left.bytes + right.bytes) }
    /// The difference of two counts; traps on overflow.
    @inlinable @inline(__always)
    public static func - (left: ByteCount, right: ByteCount) -> ByteCount { ByteCount(left.bytes - right.bytes) }
    /// Adds a count to this one.
    @inlinable @inline(__always)
    public static func += (left: inout ByteCount, right: ByteCount) { left = left + right }
    /// Subtracts a count from this one.
    @inlinable @inline(__always)
    public static func -= (left: inout ByteCount, right: ByteCount) { left = left - right }
    /// A multiple of a count, rounded to whole bytes.
    @inlinable
    public static func * (left: ByteCount, right: Double) -> ByteCount {
        ByteCount(Int64(rounding: Double(left.bytes) * right))
    }
    /// The ratio of two counts.
    @inlinable
    public static func / (left: ByteCount, right: ByteCount) -> Double { Double(left.bytes) / Double(right.bytes) }
}
