// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// Events of lmkd, derived from the time for which tasks waited for memory (`MemoryStalls`).
///
/// Source: `lmkd.cpp` (`init_psi_monitors`, `mp_event_psi`). An event comes when some task waited for
/// `psi_partial_stall_ms` of a second. A critical event comes when all tasks waited for `psi_complete_stall_ms`. For a
/// second after an event, lmkd polls memory. The kernel (`kernel/sched/psi.c`) averages the share of time spent waiting
/// over ten seconds, and sends at most one event a second.
struct Stalls: Sendable {
    /// Thresholds of events, and rates that convert memory traffic into waiting time.
    struct Rules: Sendable {
        /// If some task waits for at least this time in a second, lmkd wakes.
        var partial = SimDuration.milliseconds(70)
        /// If all tasks wait for at least this time in a second, any process may die.
        var complete = SimDuration.milliseconds(700)
        /// Rates that convert memory traffic into waiting time.
        var rates = MemoryStalls.Rates()
    }

    private static let averaged = SimDuration.seconds(10)
    private let rules: Rules
    private var counted: MemoryStalls
    private var last = SimTime.zero
    private var hasLooked = false
    private var lastEvent = SimTime(nanoseconds: .min / 2)
    private var lastKill = SimTime(nanoseconds: .min / 2)
    /// Time in the present second for which all tasks waited before the last kill, or before the first check.
    private var answered = 0.0
    /// Share of the last ten seconds in which no task made progress.
    private(set) var fullAverage = 0.0

    init(_ rules: Rules) {
        self.rules = rules
        counted = MemoryStalls(rules.rates)
    }

    /// Whether all tasks have waited too long in this second since the last kill, which was at least a second ago.
    func isCritical(at now: SimTime) -> Bool {
        now - lastKill >= MemoryStalls.window && counted.fullyWaited - answered >= rules.complete.seconds
    }

    /// Whether an event has woken lmkd in the last second.
    func isAwake(at now: SimTime) -> Bool { now - lastEvent <= MemoryStalls.window }

    /// Counts the memory that was read again or compressed up to now.
    mutating func update(_ memory: MemoryView, at now: SimTime) {
        let before = counted.waited
        let more = counted.update(memory, at: now)
        // A new second has begun.
        if counted.waited < before + more { answered = 0 }
        // Memory that was compressed before the first check made no task wait.
        guard hasLooked else {
            hasLooked = true
            answered = counted.fullyWaited
            last = now
            return
        }
        // All waiting counts, even if the last check was less long ago, because waiting takes that time.
        let length = max((now - last).seconds, more)
        last = now
        if length > 0 {
            let weight = min(1, length / Self.averaged.seconds)
            fullAverage += (min(1, more / length) * rules.rates.fullShare - fullAverage) * weight
        }
        if counted.waited >= rules.partial.seconds { lastEvent = now }
    }

    /// Starts counting from zero after a kill.
    mutating func didKill(at now: SimTime) {
        lastKill = now
        answered = counted.fullyWaited
    }

    /// Time after a kill until lmkd checks memory again (`PSI_POLL_PERIOD_SHORT_MS`).
    private static let poll = SimDuration.milliseconds(10)

    /// Whether lmkd checks memory: it is awake, and the poll after the last kill is due.
    func isLooking(at now: SimTime) -> Bool { isAwake(at: now) && now - lastKill >= Self.poll }
}
