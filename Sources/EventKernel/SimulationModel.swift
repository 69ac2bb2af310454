// SPDX-License-Identifier: GPL-3.0-or-later

/// The state of a model and its reaction to an event.
///
/// Only the run loop is generic over the model, so a model's `handle` is inlined into the loop of its own module.
public protocol SimulationModel: ~Copyable {
    /// The kind of queue the model runs on; `TimingWheel` unless there is a reason.
    associatedtype Queue: PendingEventSet & ~Copyable

    /// Reacts to the event of a slot, at the engine's current instant; the slot is no longer pending.
    ///
    /// - Parameters:
    ///   - slot: the timer that came due; see `SlotLayout` for its entity and kind.
    ///   - engine: schedules, moves and cancels events, and has the time.
    mutating func handle(_ slot: Int, in engine: inout Engine<Queue>)
}
