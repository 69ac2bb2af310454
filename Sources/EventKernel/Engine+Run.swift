// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// Why a run ended.
@frozen
public enum RunEnd: Sendable, BitwiseCopyable {
    /// Every event up to the limit was handled, and the clock is at the limit.
    case limitReached
    /// No event is pending any more.
    case exhausted
    /// The model requested a stop; events up to the limit can still be pending.
    case stopped
}

extension Engine where Queue: ~Copyable {
    /// Handles events in order up to and including the limit, then moves the clock to the limit.
    ///
    /// With the limit `.distantFuture`, the clock stays at the last event. A later run continues from the new clock,
    /// and events may be scheduled at any instant from there on.
    /// - Returns: why the run ended.
    @inlinable
    @discardableResult
    public mutating func run<Model: SimulationModel & ~Copyable>(
        _ model: inout Model, until limit: SimTime
    ) -> RunEnd where Model.Queue == Queue {
        guard limit >= clock else { fatalError("a run cannot end before the current time") }
        stopRequested = false
        let lastKey = limit >= EventKey.horizon ? EventKey.last : EventKey(time: limit, class: EventKey.maximumClass)
        while true {
            let event = queue.popMinimum(notAfter: lastKey)
            guard event.slot >= 0 else { break }
            dispatch(event, to: &model)
            if stopRequested { return .stopped }
        }
        if limit < EventKey.horizon { clock = limit }
        return queue.count == 0 ? .exhausted : .limitReached
    }

    /// Handles the earliest pending event, if there is one.
    ///
    /// - Returns: whether an event was handled.
    @inlinable
    @discardableResult
    public mutating func step<Model: SimulationModel & ~Copyable>(
        _ model: inout Model
    ) -> Bool where Model.Queue == Queue {
        let event = queue.popMinimum(notAfter: .last)
        guard event.slot >= 0 else { return false }
        dispatch(event, to: &model)
        return true
    }

    @inlinable @inline(__always)
    mutating func dispatch<Model: SimulationModel & ~Copyable>(
        _ event: DueEvent, to model: inout Model
    ) where Model.Queue == Queue {
        clock = event.key.time
        processed &+= 1
        order.add(event)
        model.handle(event.slot, in: &self)
    }
}
