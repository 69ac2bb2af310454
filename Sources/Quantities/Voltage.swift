// SPDX-License-Identifier: GPL-3.0-or-later

/// An electric potential difference, in volts.
@frozen
public struct Voltage: Quantity {
    /// The voltage in volts.
    public var rawValue: Double

    /// Creates a voltage from a number of volts.
    @inlinable @inline(__always)
    public init(rawValue: Double) { self.rawValue = rawValue }

    /// A number of volts.
    @inlinable @inline(__always)
    public static func volts(_ value: Double) -> Voltage { Voltage(rawValue: value) }
    /// The value in volts.
    @inlinable @inline(__always)
    public var volts: Double { rawValue }

    /// A number of millivolts.
    @inlinable @inline(__always)
    public static func millivolts(_ value: Double) -> Voltage { Voltage(rawValue: value / 1000) }
    /// The value in millivolts.
    @inlinable @inline(__always)
    public var millivolts: Double { rawValue * 1000 }
}
