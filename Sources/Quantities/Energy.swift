// SPDX-License-Identifier: GPL-3.0-or-later

/// An amount of energy, in joules.
@frozen
public struct Energy: Quantity {
    /// The energy in joules.
    public var rawValue: Double

    /// Creates an energy from a number of joules.
    @inlinable @inline(__always)
    public init(rawValue: Double) { self.rawValue = rawValue }

    /// A number of joules.
    @inlinable @inline(__always)
    public static func joules(_ value: Double) -> Energy { Energy(rawValue: value) }
    /// The value in joules.
    @inlinable @inline(__always)
    public var joules: Double { rawValue }

    /// A number of watt-hours.
    @inlinable @inline(__always)
    public static func wattHours(_ value: Double) -> Energy { Energy(rawValue: value * 3600) }
    /// The value in watt-hours.
    @inlinable @inline(__always)
    public var wattHours: Double { rawValue / 3600 }
}
