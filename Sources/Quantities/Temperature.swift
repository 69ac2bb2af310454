// SPDX-License-Identifier: GPL-3.0-or-later

/// A temperature, in degrees Celsius; the difference of two temperatures is in kelvins.
@frozen
public struct Temperature: Quantity {
    /// The value in the unit named above.
    public var rawValue: Double

    /// Creates a value from the unit named above.
    @inlinable @inline(__always)
    public init(rawValue: Double) { self.rawValue = rawValue }

    /// A number of degrees Celsius.
    @inlinable @inline(__always)
    public static func celsius(_ value: Double) -> Temperature { Temperature(rawValue: value) }
    /// The value in degrees Celsius.
    @inlinable @inline(__always)
    public var celsius: Double { rawValue }
}
