// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// What lmkd makes of the time for which tasks waited for memory (`MemoryStalls`).
///
/// Source: `lmkd.cpp` (`init_psi_monitors`, `mp_event_psi`): an event when tasks waited `psi_partial_stall_ms` of a
/// second, a critical one when all of them did for `psi_complete_stall_ms`; for a second after an event memory is
/// polled. The kernel (`kernel/sched/psi.c`) averages the share of time over ten seconds, and sends an event once in a
/// second at the most.
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
    private var hasLooked = false
    private var lastEvent = SimTime(nanoseconds: .min / 2)
    private var lastKill = SimTime(nanoseconds: .min / 2)
    /// What all tasks had waited in this second when somebody died for it.
    private var answered = 0.0
    /// The share of the last ten seconds in which nobody got on.
    private(set) var fullAverage = 0.0

    init(_ rules: Rules) {
        self.rules = rules
        counted = MemoryStalls(rules.rates)
    }

    /// Whether all tasks waited for too long in this second, and the last death is a second ago.
    func isCritical(at now: SimTime) -> Bool {
        now - lastKill >= MemoryStalls.window && counted.fullyWaited - answered >= rules.complete.seconds
    }

    /// Whether an event has woken lmkd in the last second.
    func isAwake(at now: SimTime) -> Bool { now - lastEvent <= MemoryStalls.window }

    /// Counts what was read again and compressed up to now.
    mutating func update(_ memory: MemoryView, at now: SimTime) {
        let before = counted.waited
        let more = counted.update(memory, at: now)
        // Another second began.
        if counted.waited < before + more { answered = 0 }
        // What was compressed before the first look made nobody wait.
        guard hasLooked else {
            hasLooked = true
            answered = counted.fullyWaited
            last = now
            return
        }
        // What was waited for counts in full however short the time since was: it takes that time.
        let length = max((now - last).seconds, more)
        last = now
        if length > 0 {
            let weight = min(1, length / Self.averaged.seconds)
            fullAverage += (min(1, more / length) * rules.rates.fullShare - fullAverage) * weight
        }
        if counted.waited >= rules.partial.seconds { lastEvent = now }
    }

    /// Somebody died: waiting is counted anew.
    mutating func didKill(at now: SimTime) {
        lastKill = now
        answered = counted.fullyWaited
    }

    /// How long lmkd waits after a kill until it looks at memory again (`PSI_POLL_PERIOD_SHORT_MS`).
    private static let poll = SimDuration.milliseconds(10)

    /// Whether lmkd looks at memory, and not away until it polls again after a kill.
    func isLooking(at now: SimTime) -> Bool { isAwake(at: now) && now - lastKill >= Self.poll }
}
