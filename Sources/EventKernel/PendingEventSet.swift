// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// A set of pending events, at most one per slot, that are returned in the total order (key, insertion).
///
/// Scheduling a pending slot moves its event and counts as a new insertion. The two queues of this module differ in
/// speed and memory but never in order, and neither allocates per event.
public protocol PendingEventSet: ~Copyable {
    /// Creates an empty set for slots numbered from 0.
    init(slots: Int)

    /// Number of slots.
    var slots: Int { get }

    /// Number of pending events.
    var count: Int { get }

    /// Adds the event of a slot, or moves it.
    ///
    /// - Precondition: the time is not before the last event returned, and not before the last limit up to which no
    ///   event was found.
    mutating func schedule(_ slot: Int, key: EventKey)

    /// Removes the event of a slot; does nothing if it is not pending.
    mutating func cancel(_ slot: Int)

    /// The key of a slot's event, or `.never` if it is not pending.
    func key(of slot: Int) -> EventKey

    /// Removes and returns the first event, unless it is after the limit.
    ///
    /// - Returns: the event, or `.none` if nothing is pending up to and including the limit.
    mutating func popMinimum(notAfter limit: EventKey) -> DueEvent

    /// The key of the first event, or `.never`; nothing is removed, and earlier events can still be scheduled.
    mutating func minimum() -> EventKey

    /// Every pending event, in order.
    func pendingInOrder() -> [DueEvent]

    /// Adds slots.
    mutating func grow(toSlots slots: Int)
}

extension PendingEventSet where Self: ~Copyable {
    /// Adds the event of a slot, or moves it.
    @inlinable @inline(__always)
    public mutating func schedule(_ slot: Int, at time: SimTime, class eventClass: UInt8 = 0) {
        schedule(slot, key: EventKey(time: time, class: eventClass))
    }

    /// Whether a slot has a pending event.
    @inlinable @inline(__always)
    public func isPending(_ slot: Int) -> Bool { key(of: slot) != .never }

    /// When a slot is due, or nil if it is not pending.
    @inlinable @inline(__always)
    public func time(of slot: Int) -> SimTime? {
        let key = key(of: slot)
        return key == .never ? nil : key.time
    }
}
