// SPDX-License-Identifier: GPL-3.0-or-later

/// An electric current, in amperes; positive out of the battery.
@frozen
public struct Current: Quantity {
    /// The current in amperes.
    public var rawValue: Double

    /// Creates a current from a number of amperes.
    @inlinable @inline(__always)
    public init(rawValue: Double) { self.rawValue = rawValue }

    /// A number of amperes.
    @inlinable @inline(__always)
    public static func amperes(_ value: Double) -> Current { Current(rawValue: value) }
    /// The value in amperes.
    @inlinable @inline(__always)
    public var amperes: Double { rawValue }

    /// A number of milliamperes.
    @inlinable @inline(__always)
    public static func milliamperes(_ value: Double) -> Current { Current(rawValue: value / 1000) }
    /// The value in milliamperes.
    @inlinable @inline(__always)
    public var milliamperes: Double { rawValue * 1000 }
}
