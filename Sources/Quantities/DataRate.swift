// SPDX-License-Identifier: GPL-3.0-or-later

/// A rate of data, in bits per second.
@frozen
public struct DataRate: Quantity {
    /// The rate in bits per second.
    public var rawValue: Double

    /// Creates a rate from a number of bits per second.
    @inlinable @inline(__always)
    public init(rawValue: Double) { self.rawValue = rawValue }

    /// A number of bits per second.
    @inlinable @inline(__always)
    public static func bitsPerSecond(_ value: Double) -> DataRate { DataRate(rawValue: value) }
    /// The value in bits per second.
    @inlinable @inline(__always)
    public var bitsPerSecond: Double { rawValue }

    /// A number of megabits per second.
    @inlinable @inline(__always)
    public static func megabitsPerSecond(_ value: Double) -> DataRate { DataRate(rawValue: value * 1e6) }
    /// The value in megabits per second.
    @inlinable @inline(__always)
    public var megabitsPerSecond: Double { rawValue / 1e6 }
}
