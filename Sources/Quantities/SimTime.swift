// SPDX-License-Identifier: GPL-3.0-or-later
// Quantities contains the typed numbers of the simulator: time, energy, power, charge, bytes, temperature.
// In: numbers with a unit, from code (named factories) or from text (`UnitText`).
// Out: values of types that cannot be mixed up; each is one machine word and costs as much as the raw number.
// It contains nothing about phones, apps or files, and imports nothing.
// Read first: this file (instants and lengths of time), then `Quantity.swift`, then `ProductRules.swift`.

/// An instant of simulated time, in whole nanoseconds since midnight of the run's first day.
@frozen
public struct SimTime: Comparable, Hashable, Sendable, BitwiseCopyable {
    /// Nanoseconds since the run's midnight.
    public var nanoseconds: Int64

    /// Creates an instant from nanoseconds since the run's midnight.
    @inlinable @inline(__always)
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// The run's first midnight.
    @inlinable @inline(__always)
    public static var zero: SimTime { SimTime(nanoseconds: 0) }

    /// Instant that no run reaches; it means "never".
    @inlinable @inline(__always)
    public static var distantFuture: SimTime { SimTime(nanoseconds: .max) }

    /// Creates an instant from seconds since the run's midnight, rounded to the nearest nanosecond.
    @inlinable @inline(__always)
    public static func seconds(_ value: Double) -> SimTime { .zero + .seconds(value) }

    /// Seconds since the run's midnight.
    @inlinable @inline(__always)
    public var seconds: Double { Double(nanoseconds) / 1e9 }

    /// Whole days since the run's first midnight (0 on the first day).
    @inlinable
    public var day: Int { Int(nanoseconds / SimDuration.day.nanoseconds) }

    /// Hour of the day, 0 up to but not including 24, with its fraction.
    @inlinable
    public var hourOfDay: Double { Double(nanoseconds % SimDuration.day.nanoseconds) / 3.6e12 }

    /// Whole hours since the run's first midnight.
    @inlinable
    public var hour: Int { Int(nanoseconds / SimDuration.hour.nanoseconds) }

    /// Orders by value.
    @inlinable @inline(__always)
    public static func < (left: SimTime, right: SimTime) -> Bool { left.nanoseconds < right.nanoseconds }

    /// The instant that is later by a length of time; traps on overflow.
    @inlinable @inline(__always)
    public static func + (left: SimTime, right: SimDuration) -> SimTime {
        SimTime(nanoseconds: left.nanoseconds + right.nanoseconds)
    }

    /// The instant that is earlier by a length of time; traps on overflow.
    @inlinable @inline(__always)
    public static func - (left: SimTime, right: SimDuration) -> SimTime {
        SimTime(nanoseconds: left.nanoseconds - right.nanoseconds)
    }

    /// The length of time between two instants.
    @inlinable @inline(__always)
    public static func - (left: SimTime, right: SimTime) -> SimDuration {
        SimDuration(nanoseconds: left.nanoseconds - right.nanoseconds)
    }

    /// Moves the instant by a length of time.
    @inlinable @inline(__always)
    public static func += (left: inout SimTime, right: SimDuration) { left = left + right }
}
