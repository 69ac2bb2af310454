// SPDX-License-Identifier: GPL-3.0-or-later

/// A rate of energy, in watts.
@frozen
public struct Power: Quantity {
    /// The power in watts.
    public var rawValue: Double

    /// Creates a power from a number of watts.
    @inlinable @inline(__always)
    public init(rawValue: Double) { self.rawValue = rawValue }

    /// A number of watts.
    @inlinable @inline(__always)
    public static func watts(_ value: Double) -> Power { Power(rawValue: value) }
    /// The value in watts.
    @inlinable @inline(__always)
    public var watts: Double { rawValue }

    /// A number of milliwatts.
    @inlinable @inline(__always)
    public static func milliwatts(_ value: Double) -> Power { Power(rawValue: value / 1000) }
    /// The value in milliwatts.
    @inlinable @inline(__always)
    public var milliwatts: Double { rawValue * 1000 }
}
