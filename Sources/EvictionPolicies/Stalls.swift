// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// How long tasks waited for memory, as the kernel's pressure stall information counts it, and what lmkd makes of it.
///
/// Source: `lmkd.cpp` (`init_psi_monitors`, `mp_event_psi`): an event when tasks waited `psi_partial_stall_ms` of a
/// second, a critical one when all of them did for `psi_complete_stall_ms`; for a second after an event memory is
/// polled. The kernel (`kernel/sched/psi.c`) averages the share of time over ten seconds. What makes tasks wait here is
/// what the phone does when memory is short: file pages that were dropped are read again, and memory goes into the
/// compressor (direct reclaim). How fast either goes, and how much of the time nobody else gets on, are assumptions.
struct Stalls: Sendable {
    /// What lmkd is woken by, and what waiting is made of.
    struct Rules: Sendable {
        /// Waiting of some task in a second that wakes lmkd.
        var partial = SimDuration.milliseconds(70)
        /// Waiting of all tasks in a second at which anybody may die.
        var complete = SimDuration.milliseconds(700)
        /// Bytes of file pages that are read again in a second; assumption, 30 to 1000 MB.
        var readRate = ByteCount(150_000_000)
        /// Bytes that go into the compressor in a second; assumption, 100 to 1000 MB.
        var compressRate = ByteCount(400_000_000)
        /// Share of the waiting in which no other task gets on; assumption, 10 to 100 %.
        var fullShare = 0.5
    }

    private static let window = SimDuration.second
    private static let averaged = SimDuration.seconds(10)
    private let rules: Rules
    private var start = SimTime.zero
    private var last = SimTime.zero
    private var lastEvent = SimTime(nanoseconds: .min / 2)
    private var compressed = ByteCount.zero
    private var refaulted = ByteCount.zero
    /// Waiting in the window, in seconds.
    private var waited = 0.0
    /// The share of the last ten seconds in which nobody got on.
    private(set) var fullAverage = 0.0

    init(_ rules: Rules) { self.rules = rules }

    /// Whether all tasks waited for too long in this second.
    var isCritical: Bool { waited * rules.fullShare >= rules.complete.seconds }

    /// Whether an event has woken lmkd in the last second.
    func isAwake(at now: SimTime) -> Bool { now - lastEvent <= Self.window }

    /// Counts what was read again and compressed up to now.
    mutating func update(_ memory: MemoryView, at now: SimTime) {
        if now - start > Self.window {
            start = now
            waited = 0
        }
        let read = max(.zero, memory.refaulted - refaulted) / rules.readRate
        let packed = max(.zero, memory.compressed - compressed) / rules.compressRate
        (refaulted, compressed) = (memory.refaulted, memory.compressed)
        let more = read + packed
        waited += more
        // What was waited for counts in full however short the time since was: it takes that time.
        let length = max((now - last).seconds, more)
        last = now
        if length > 0 {
            let weight = min(1, length / Self.averaged.seconds)
            fullAverage += (min(1, more / length) * rules.fullShare - fullAverage) * weight
        }
        if waited >= rules.partial.seconds { lastEvent = now }
    }
}
