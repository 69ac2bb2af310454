// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// State of an engine at one moment: clock, counts, fingerprint and every pending event in order.
///
/// A snapshot does not depend on the kind of queue and can be restored into any kind.
public struct EngineSnapshot: Equatable, Sendable {
    /// Number of slots of the engine.
    public var slots: Int
    /// Current instant of the clock.
    public var now: SimTime
    /// Number of events handled.
    public var eventsProcessed: UInt64
    /// The order fingerprint.
    public var fingerprint: UInt64
    /// The pending events, in the order in which they will be handled.
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
    /// Copies the state of clock and queue; the engine stays unchanged.
    @inlinable
    public func save() -> EngineSnapshot {
        EngineSnapshot(
            slots: queue.slots, now: clock, eventsProcessed: processed, fingerprint: order.value,
            pending: queue.pendingInOrder())
    }

    /// Creates an engine that continues exactly as the saved one would have.
    @inlinable
    public init(restoring snapshot: EngineSnapshot) {
        self.init(slots: snapshot.slots)
        for event in snapshot.pending { queue.schedule(event.slot, key: event.key) }
        clock = snapshot.now
        processed = snapshot.eventsProcessed
        order = OrderFingerprint(value: snapshot.fingerprint)
    }
}
