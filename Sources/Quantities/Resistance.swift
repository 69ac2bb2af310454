// SPDX-License-Identifier: GPL-3.0-or-later

/// An electric resistance, in ohms.
@frozen
public struct Resistance: Quantity {
    /// The resistance in ohms.
    public var rawValue: Double

    /// Creates a resistance from a number of ohms.
    @inlinable @inline(__always)
    public init(rawValue: Double) { self.rawValue = rawValue }

    /// A number of ohms.
    @inlinable @inline(__always)
    public static func ohms(_ value: Double) -> Resistance { Resistance(rawValue: value) }
    /// The value in ohms.
    @inlinable @inline(__always)
    public var ohms: Double { rawValue }

    /// A number of milliohms.
    @inlinable @inline(__always)
    public static func milliohms(_ value: Double) -> Resistance { Resistance(rawValue: value / 1000) }
    /// The value in milliohms.
    @inlinable @inline(__always)
    public var milliohms: Double { rawValue * 1000 }
}
