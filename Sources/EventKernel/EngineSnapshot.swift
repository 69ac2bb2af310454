// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// An engine at one moment: clock, counts, fingerprint and every pending event in order.
///
/// It does not depend on the kind of queue: a snapshot taken from one restores into any other.
public struct EngineSnapshot: Equatable, Sendable {
    /// How many slots the engine has.
    public var slots: Int
    /// The clock.
    public var now: SimTime
    /// How many events were handled.
    public var eventsProcessed: UInt64
    /// The order fingerprint.
    public var fingerprint: UInt64
    /// The pending events, in the order they will be handled.
    public var pending: [DueEvent]

    /// Creates a snapshot from its parts.
    public init(slots: Int, now: SimTime, eventsProcessed: UInt64, fingerprint: UInt64, pending: [DueEvent]) {
        self.slots = slots
        self.now = now
        self.eventsProcessed = eventsProcessed
        self.fingerprint = fingerprint
        self.pending = pending
    }
}

extension Engine where Queue: ~Copyable {
    /// Copies the state of clock and queue; the engine goes on undisturbed.
    @inlinable
    public func save() -> EngineSnapshot {
        EngineSnapshot(
            slots: queue.slots, now: clock, eventsProcessed: processed, fingerprint: order.value,
            pending: queue.pendingInOrder())
    }

    /// Creates an engine that goes on exactly as the saved one would have.
    @inlinable
    public init(restoring snapshot: EngineSnapshot) {
        self.init(slots: snapshot.slots)
        for event in snapshot.pending { queue.schedule(event.slot, key: event.key) }
        clock = snapshot.now
        processed = snapshot.eventsProcessed
        order = OrderFingerprint(value: snapshot.fingerprint)
    }
}
