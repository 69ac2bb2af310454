// SPDX-License-Identifier: GPL-3.0-or-later

/// A physical quantity, stored as one `Double` in its SI base unit.
///
/// Only `Quantities` and the code that writes files use `rawValue`. All other code builds values with the named
/// factories and combines them with the physical operators of `ProductRules.swift`.
public protocol Quantity: Comparable, Hashable, Sendable, BitwiseCopyable {
    /// The value in the SI base unit of its dimension.
    var rawValue: Double { get set }
    /// Creates a value from the SI base unit of its dimension.
    init(rawValue: Double)
}

extension Quantity {
    /// Zero of the quantity.
    @inlinable @inline(__always)
    public static var zero: Self { Self(rawValue: 0) }
    /// Orders by value.
    @inlinable @inline(__always)
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    /// The sum of two like quantities.
    @inlinable @inline(__always)
    public static func + (left: Self, right: Self) -> Self { Self(rawValue: left.rawValue + right.rawValue) }
    /// The difference of two like quantities.
    @inlinable @inline(__always)
    public static func - (left: Self, right: Self) -> Self { Self(rawValue: left.rawValue - right.rawValue) }
    /// Negative of a quantity.
    @inlinable @inline(__always)
    public static prefix func - (value: Self) -> Self { Self(rawValue: -value.rawValue) }
    /// Adds a like quantity to this one.
    @inlinable @inline(__always)
    public static func += (left: inout Self, right: Self) { left.rawValue += right.rawValue }
    /// Subtracts a like quantity from this one.
    @inlinable @inline(__always)
    public static func -= (left: inout Self, right: Self) { left.rawValue -= right.rawValue }
    /// A multiple of a quantity.
    @inlinable @inline(__always)
    public static func * (left: Self, right: Double) -> Self { Self(rawValue: left.rawValue * right) }
    /// A fraction of a quantity.
    @inlinable @inline(__always)
    public static func / (left: Self, right: Double) -> Self { Self(rawValue: left.rawValue / right) }
    /// The ratio of two like quantities.
    @inlinable @inline(__always)
    public static func / (left: Self, right: Self) -> Double { left.rawValue / right.rawValue }
}
