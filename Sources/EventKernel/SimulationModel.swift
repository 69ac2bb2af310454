// SPDX-License-Identifier: GPL-3.0-or-later

/// The state of a model and its reaction to events.
///
/// Only the run loop is generic over the model, so a model's `handle` is inlined into the loop in the model's module.
public protocol SimulationModel: ~Copyable {
    /// The kind of queue that the model uses; normally `TimingWheel`.
    associatedtype Queue: PendingEventSet & ~Copyable

    /// Handles the event of a slot at the engine's current instant; the slot is no longer pending.
    ///
    /// - Parameters:
    ///   - slot: the due timer; `SlotLayout` gives its entity and kind.
    ///   - engine: schedules, moves and cancels events, and provides the time.
    mutating func handle(_ slot: Int, in engine: inout Engine<Queue>)
}
