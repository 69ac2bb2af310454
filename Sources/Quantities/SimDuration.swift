// SPDX-License-Identifier: GPL-3.0-or-later

/// A length of simulated time, in whole nanoseconds.
@frozen
public struct SimDuration: Comparable, Hashable, Sendable, BitwiseCopyable {
    /// Nanoseconds; negative if a later instant was subtracted from an earlier one.
    public var nanoseconds: Int64

    /// Creates a length of time from nanoseconds.
    @inlinable @inline(__always)
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// Zero length.
    @inlinable @inline(__always)
    public static var zero: SimDuration { SimDuration(nanoseconds: 0) }
    /// One second.
    @inlinable @inline(__always)
    public static var second: SimDuration { SimDuration(nanoseconds: 1_000_000_000) }
    /// One minute.
    @inlinable @inline(__always)
    public static var minute: SimDuration { SimDuration(nanoseconds: 60_000_000_000) }
    /// One hour.
    @inlinable @inline(__always)
    public static var hour: SimDuration { SimDuration(nanoseconds: 3_600_000_000_000) }
    /// One day of 24 hours.
    @inlinable @inline(__always)
    public static var day: SimDuration { SimDuration(nanoseconds: 86_400_000_000_000) }
    /// Longest length of time that fits (292 years).
    @inlinable @inline(__always)
    public static var max: SimDuration { SimDuration(nanoseconds: .max) }

    /// A number of seconds, rounded to the nearest nanosecond; saturates at the longest length.
    @inlinable @inline(__always)
    public static func seconds(_ value: Double) -> SimDuration {
        let nanoseconds = value * 1e9
        return SimDuration(nanoseconds: nanoseconds >= 9.2e18 ? .max : Int64(rounding: nanoseconds))
    }
    /// A number of milliseconds, rounded to the nearest nanosecond.
    @inlinable @inline(__always)
    public static func milliseconds(_ value: Double) -> SimDuration { .seconds(value / 1000) }
    /// A number of minutes.
    @inlinable @inline(__always)
    public static func minutes(_ value: Double) -> SimDuration { .seconds(value * 60) }
    /// A number of hours.
    @inlinable @inline(__always)
    public static func hours(_ value: Double) -> SimDuration { .seconds(value * 3600) }
    /// A number of days of 24 hours.
    @inlinable @inline(__always)
    public static func days(_ value: Double) -> SimDuration { .seconds(value * 86400) }

    /// Seconds of a year, the longest time that a file may state for most keys.
    ///
    /// Sums of such times, and their multiples up to 292, are in the range of a duration.
    public static let longestStated = 365.0 * 86400

    /// The length in seconds.
    @inlinable @inline(__always)
    public var seconds: Double { Double(nanoseconds) / 1e9 }

    /// Orders by value.
    @inlinable @inline(__always)
    public static func < (left: SimDuration, right: SimDuration) -> Bool { left.nanoseconds < right.nanoseconds }
    /// The sum of two lengths; traps on overflow.
    @inlinable @inline(__always)
    public static func + (left: SimDuration, right: SimDuration) -> SimDuration {
        SimDuration(nanoseconds: left.nanoseconds + right.nanoseconds)
    }
    /// The difference of two lengths; traps on overflow.
    @inlinable @inline(__always)
    public static func - (left: SimDuration, right: SimDuration) -> SimDuration {
        SimDuration(nanoseconds: left.nanoseconds - right.nanoseconds)
    }
    /// Adds a length to this one.
    @inlinable @inline(__always)
    public static func += (left: inout SimDuration, right: SimDuration) { left = left + right }
    /// A multiple of a length, rounded to the nearest nanosecond.
    @inlinable @inline(__always)
    public static func * (left: SimDuration, right: Double) -> SimDuration {
        SimDuration(nanoseconds: Int64(rounding: Double(left.nanoseconds) * right))
    }
    /// The ratio of two lengths.
    @inlinable
    public static func / (left: SimDuration, right: SimDuration) -> Double {
        Double(left.nanoseconds) / Double(right.nanoseconds)
    }
}
