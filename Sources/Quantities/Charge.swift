// SPDX-License-Identifier: GPL-3.0-or-later

/// An electric charge, in coulombs.
@frozen
public struct Charge: Quantity {
    /// The charge in coulombs.
    public var rawValue: Double

    /// Creates a charge from a number of coulombs.
    @inlinable @inline(__always)
    public init(rawValue: Double) { self.rawValue = rawValue }

    /// A number of coulombs.
    @inlinable @inline(__always)
    public static func coulombs(_ value: Double) -> Charge { Charge(rawValue: value) }
    /// The value in coulombs.
    @inlinable @inline(__always)
    public var coulombs: Double { rawValue }

    /// A number of ampere-hours.
    @inlinable @inline(__always)
    public static func ampereHours(_ value: Double) -> Charge { Charge(rawValue: value * 3600) }
    /// The value in ampere-hours.
    @inlinable @inline(__always)
    public var ampereHours: Double { rawValue / 3600 }

    /// A number of milliampere-hours.
    @inlinable @inline(__always)
    public static func milliampereHours(_ value: Double) -> Charge { Charge(rawValue: value * 3.6) }
    /// The value in milliampere-hours.
    @inlinable @inline(__always)
    public var milliampereHours: Double { rawValue / 3.6 }
}
