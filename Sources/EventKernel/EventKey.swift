// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// The stored part of an event's position in the total order: time and class, in one word.
///
/// Bits 63 to 4 are the time in nanoseconds; bits 3 to 0 are the class. Insertion order is the last criterion; each
/// queue implements it. The timing wheel keeps entries with equal keys in a list in insertion order. The heap has a
/// second word with the insertion number (bits 63 to 24) and the slot (bits 23 to 0). Each queue thus uses 16 bytes per
/// pending entry. The entity and the timer kind are not stored, because they follow from the slot number
/// (`SlotLayout`).
@frozen
public struct EventKey: Comparable, Hashable, Sendable, BitwiseCopyable {
    /// Time and class in one comparable word.
    public var rawValue: UInt64

    /// Creates a key from its raw value.
    @inlinable @inline(__always)
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Creates a key from a time from zero up to the horizon and a class from 0 to 15.
    @inlinable @inline(__always)
    public init(time: SimTime, class eventClass: UInt8) {
        guard eventClass <= Self.maximumClass else { fatalError("an event class must be from 0 to 15") }
        rawValue = UInt64(truncatingIfNeeded: time.nanoseconds) &<< 4 | UInt64(truncatingIfNeeded: eventClass)
    }

    /// The highest class.
    @inlinable @inline(__always)
    public static var maximumClass: UInt8 { 15 }

    /// The first instant that cannot be scheduled, 36 years after the start; it means "never".
    @inlinable @inline(__always)
    public static var horizon: SimTime { SimTime(nanoseconds: (1 << 60) - 1) }

    /// The key of no event; it is greater than every event's key.
    @inlinable @inline(__always)
    public static var never: EventKey { EventKey(rawValue: .max) }

    /// The last possible key of an event.
    @inlinable @inline(__always)
    public static var last: EventKey { EventKey(rawValue: .max - 1) }

    /// The time.
    @inlinable @inline(__always)
    public var time: SimTime { SimTime(nanoseconds: Int64(truncatingIfNeeded: rawValue &>> 4)) }

    /// The class: at equal times, the lower class comes first.
    @inlinable @inline(__always)
    public var eventClass: UInt8 { UInt8(truncatingIfNeeded: rawValue & 15) }

    /// Orders by time, then by class.
    @inlinable @inline(__always)
    public static func < (left: EventKey, right: EventKey) -> Bool { left.rawValue < right.rawValue }
}
