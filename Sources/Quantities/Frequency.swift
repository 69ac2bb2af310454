// SPDX-License-Identifier: GPL-3.0-or-later

/// A rate of repetition, in hertz.
@frozen
public struct Frequency: Quantity {
    /// The frequency in hertz.
    public var rawValue: Double

    /// Creates a frequency from a number of hertz.
    @inlinable @inline(__always)
    public init(rawValue: Double) { self.rawValue = rawValue }

    /// A number of hertz.
    @inlinable @inline(__always)
    public static func hertz(_ value: Double) -> Frequency { Frequency(rawValue: value) }
    /// The value in hertz.
    @inlinable @inline(__always)
    public var hertz: Double { rawValue }

    /// A number of megahertz.
    @inlinable @inline(__always)
    public static func megahertz(_ value: Double) -> Frequency { Frequency(rawValue: value * 1e6) }
    /// The value in megahertz.
    @inlinable @inline(__always)
    public var megahertz: Double { rawValue / 1e6 }
}
