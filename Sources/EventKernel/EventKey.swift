// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// The declared part of an event's position in the total order: time, then class, in one word.
///
/// Bits 63 to 4 are the time in nanoseconds, bits 3 to 0 the class. Insertion, the last criterion, belongs to the
/// queue. The timing wheel keeps entries of one key in a list in insertion order. The heap counts insertions in a
/// second word (bits 63 to 24) next to the slot (bits 23 to 0). Each queue thus spends 16 bytes on a pending entry. The
/// entity and the timer kind are not stored: the slot number implies them (`SlotLayout`).
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
        guard eventClass <= Self.maximumClass else { fatalError("an event class is 0 to 15") }
        rawValue = UInt64(truncatingIfNeeded: time.nanoseconds) &<< 4 | UInt64(truncatingIfNeeded: eventClass)
    }

    /// The highest class.
    @inlinable @inline(__always)
    public static var maximumClass: UInt8 { 15 }

    /// The first instant that cannot be scheduled, 36 years after the start; stands for "never".
    @inlinable @inline(__always)
    public static var horizon: SimTime { SimTime(nanoseconds: (1 << 60) - 1) }

    /// The key of no event, after every event.
    @inlinable @inline(__always)
    public static var never: EventKey { EventKey(rawValue: .max) }

    /// The last possible key of an event.
    @inlinable @inline(__always)
    public static var last: EventKey { EventKey(rawValue: .max - 1) }

    /// The time.
    @inlinable @inline(__always)
    public var time: SimTime { SimTime(nanoseconds: Int64(truncatingIfNeeded: rawValue &>> 4)) }

    /// The class: lower comes first within one instant.
    @inlinable @inline(__always)
    public var eventClass: UInt8 { UInt8(truncatingIfNeeded: rawValue & 15) }

    /// Orders by time, then class.
    @inlinable @inline(__always)
    public static func < (left: EventKey, right: EventKey) -> Bool { left.rawValue < right.rawValue }
}
