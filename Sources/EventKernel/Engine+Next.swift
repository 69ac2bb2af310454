// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

extension Engine where Queue: ~Copyable {
    /// Removes the earliest event up to a limit and moves the clock to the event.
    ///
    /// If there is no such event, the clock moves to the limit. This function is for a model that owns its engine and
    /// handles the event itself.
    ///
    /// - Returns: the due slot; nil if no event is pending up to the limit.
    @inlinable @inline(__always)
    public mutating func next(notAfter limit: SimTime) -> Int? {
        let last = limit >= EventKey.horizon ? EventKey.last : EventKey(time: limit, class: EventKey.maximumClass)
        let event = queue.popMinimum(notAfter: last)
        guard event.slot >= 0 else {
            if limit < EventKey.horizon { clock = limit }
            return nil
        }
        clock = event.key.time
        processed &+= 1
        order.add(event)
        return event.slot
    }
}
