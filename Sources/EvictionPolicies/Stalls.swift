// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// What lmkd makes of the time for which tasks waited for memory (`MemoryStalls`).
///
/// Source: `lmkd.cpp` (`init_psi_monitors`, `mp_event_psi`): an event when tasks waited `psi_partial_stall_ms` of a
/// second, a critical one when all of them did for `psi_complete_stall_ms`; for a second after an event memory is
/// polled. The kernel (`kernel/sched/psi.c`) averages the share of time over ten seconds.
struct Stalls: Sendable {
    /// What lmkd is woken by, and what waiting is made of.
    struct Rules: Sendable {
        /// Waiting of some task in a second that wakes lmkd.
        var partial = SimDuration.milliseconds(70)
        /// Waiting of all tasks in a second at which anybody may die.
        var complete = SimDuration.milliseconds(700)
        /// What waiting is made of.
        var rates = MemoryStalls.Rates()
    }

    private static let averaged = SimDuration.seconds(10)
    private let rules: Rules
    private var counted: MemoryStalls
    private var last = SimTime.zero
    private var lastEvent = SimTime(nanoseconds: .min / 2)
    /// The share of the last ten seconds in which nobody got on.
    private(set) var fullAverage = 0.0

    init(_ rules: Rules) {
        self.rules = rules
        counted = MemoryStalls(rules.rates)
    }

    /// Whether all tasks waited for too long in this second.
    var isCritical: Bool { counted.fullyWaited >= rules.complete.seconds }

    /// Whether an event has woken lmkd in the last second.
    func isAwake(at now: SimTime) -> Bool { now - lastEvent <= MemoryStalls.window }

    /// Counts what was read again and compressed up to now.
    mutating func update(_ memory: MemoryView, at now: SimTime) {
        let more = counted.update(memory, at: now)
        // What was waited for counts in full however short the time since was: it takes that time.
        let length = max((now - last).seconds, more)
        last = now
        if length > 0 {
            let weight = min(1, length / Self.averaged.seconds)
            fullAverage += (min(1, more / length) * rules.rates.fullShare - fullAverage) * weight
        }
        if counted.waited >= rules.partial.seconds { lastEvent = now }
    }
}
