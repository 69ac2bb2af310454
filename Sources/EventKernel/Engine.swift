// SPDX-License-Identifier: GPL-3.0-or-later
// EventKernel owns the simulated clock, the set of pending events, their order and the loop that dispatches them.
// In: slot numbers (entity and timer kind in one integer) with an instant and a class; a model that handles a slot.
// Out: calls of the model in the total order (time, class, insertion), and a fingerprint of that order.
// It does not depend on phones. It allocates nothing per event, stores no closure and leaves no obsolete entries.
// Read first: this file, then `PendingEventSet.swift` (the contract of a queue) and `TimingWheel.swift` (the default).

import Quantities

/// A simulated clock with its pending events, and all operations on future events that a model can use.
///
/// A slot is one timer. It is pending at most once, so scheduling a pending slot moves it. Example of a model:
///
/// ```swift
/// struct Metronome: SimulationModel {
///     var ticks = 0
///     mutating func handle(_ slot: Int, in engine: inout Engine<TimingWheel>) {
///         ticks += 1
///         engine.schedule(slot, after: .seconds(1))
///     }
/// }
/// var engine = Engine<TimingWheel>(slots: 1)
/// var model = Metronome()
/// engine.schedule(0, at: .zero)
/// engine.run(&model, until: .seconds(60))
/// ```
///
/// The type is frozen and inlinable, because a call across modules would otherwise cost more than the event.
@frozen
public struct Engine<Queue: PendingEventSet & ~Copyable>: ~Copyable {
    @usableFromInline var queue: Queue
    @usableFromInline var clock: SimTime
    @usableFromInline var processed: UInt64
    @usableFromInline var order: OrderFingerprint
    @usableFromInline var stopRequested: Bool

    /// Creates an engine at time zero without pending events.
    ///
    /// - Parameter slots: number of timers of the model; slot numbers run from 0 to one less.
    @inlinable
    public init(slots: Int) {
        queue = Queue(slots: slots)
        clock = .zero
        processed = 0
        order = OrderFingerprint()
        stopRequested = false
    }

    /// The current instant: the time of the event being handled, or the limit that the last run reached.
    @inlinable @inline(__always)
    public var now: SimTime { clock }

    /// Number of events handled since the engine was created.
    @inlinable @inline(__always)
    public var eventsProcessed: UInt64 { processed }

    /// A hash of the time, class and slot of every handled event, in order.
    @inlinable @inline(__always)
    public var fingerprint: UInt64 { order.value }

    /// Number of pending events.
    @inlinable @inline(__always)
    public var pendingCount: Int { queue.count }

    /// Number of slots.
    @inlinable @inline(__always)
    public var slots: Int { queue.slots }

    /// Schedules a slot, or moves it if it is pending; an instant at or beyond the kernel's horizon means never.
    ///
    /// - Parameters:
    ///   - slot: the timer, below the engine's number of slots.
    ///   - time: the due time, not before `now`.
    ///   - eventClass: 0 to 15; at equal times, the lower class is handled first.
    /// - Complexity: O(1) with the timing wheel.
    @inlinable @inline(__always)
    public mutating func schedule(_ slot: Int, at time: SimTime, class eventClass: UInt8 = 0) {
        guard time >= clock else { fatalError("an event was scheduled before the current time") }
        if time >= EventKey.horizon {
            queue.cancel(slot)
        } else {
            queue.schedule(slot, key: EventKey(time: time, class: eventClass))
        }
    }

    /// Schedules a slot at a duration after now, or moves it if it is pending.
    @inlinable @inline(__always)
    public mutating func schedule(_ slot: Int, after delay: SimDuration, class eventClass: UInt8 = 0) {
        schedule(slot, at: clock + delay, class: eventClass)
    }

    /// Removes a slot from the pending events; does nothing if it is not pending.
    @inlinable @inline(__always)
    public mutating func cancel(_ slot: Int) { queue.cancel(slot) }

    /// Whether a slot is pending.
    @inlinable @inline(__always)
    public func isPending(_ slot: Int) -> Bool { queue.isPending(slot) }

    /// When a slot is due, or nil if it is not pending.
    @inlinable @inline(__always)
    public func time(of slot: Int) -> SimTime? { queue.time(of: slot) }

    /// The time of the earliest pending event, or nil if there is none; the clock does not move.
    @inlinable
    public mutating func nextTime() -> SimTime? {
        let key = queue.minimum()
        return key == .never ? nil : key.time
    }

    /// Adds slots; the existing slots keep their numbers and pending events.
    @inlinable
    public mutating func grow(toSlots slots: Int) { queue.grow(toSlots: slots) }

    /// Ends the current run after the event being handled; the next run continues from there.
    @inlinable @inline(__always)
    public mutating func stop() { stopRequested = true }
}

extension Engine where Queue == TimingWheel {
    /// Copies an engine at any instant; original and copy continue with the same events in the same order.
    ///
    /// - Complexity: linear in the number of slots, without an allocation for each pending event as in `save()`.
    public init(copying other: borrowing Engine) {
        queue = TimingWheel(copying: other.queue)
        clock = other.clock
        processed = other.processed
        order = other.order
        stopRequested = other.stopRequested
    }
}
