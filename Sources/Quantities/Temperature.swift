// SPDX-License-Identifier: GPL-3.0-or-later

/// A temperature, in degrees Celsius; the difference of two temperatures is in kelvins.
@frozen
public struct Temperature: Quantity {
    /// The temperature in degrees Celsius.
    public var rawValue: Double

    /// Creates a temperature from a number of degrees Celsius.
    @inlinable @inline(__always)
    public init(rawValue: Double) { self.rawValue = rawValue }

    /// A number of degrees Celsius.
    @inlinable @inline(__always)
    public static func celsius(_ value: Double) -> Temperature { Temperature(rawValue: value) }
    /// The value in degrees Celsius.
    @inlinable @inline(__always)
    public var celsius: Double { rawValue }
}
