// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Structures

/// State of the killer between its wakeups.
struct Killer: Sendable {
    /// Processes above their present limit, lowest band first.
    private(set) var violators: IndexedHeap<VictimKey>
    /// Causes other than available memory; each requests one kill.
    var signals = PendingSignals()
    var march = March()
    var reaper: Reaper
    /// Whether the foreground band has been sorted since the killer woke.
    var isForegroundSorted = false
    /// Copies of lists of processes, because kills change the lists.
    var scratch: [Int32] = []

    init(capacity: Int) {
        violators = IndexedHeap(capacity: capacity)
        reaper = Reaper(capacity: capacity)
        scratch.reserveCapacity(capacity)
    }

    /// Adds a process to the list of processes above their limit, or removes it.
    mutating func setViolation(_ index: Int, _ record: inout ProcessRecord, _ isAbove: Bool) {
        guard isAbove || record.isAboveLimit else { return }
        record.isAboveLimit = isAbove
        if isAbove {
            violators.set(index, key: record.victimKey)
        } else {
            violators.remove(index)
        }
    }
}

/// The aggressive marches of one window (`memorystatus_act_aggressive`).
struct March: Sendable {
    private var count = 0
    private var begin = SimTime.zero

    mutating func reset() { count = 0 }

    /// The highest band that the next march reaches.
    mutating func next(_ profile: OSProfile, at now: SimTime) -> Int16 {
        if count == 0 || now - begin > profile.aggressiveWindow {
            count = 0
            begin = now
        }
        let bands = profile.aggressiveBands
        defer { count += 1 }
        return bands[min(count, bands.count - 1)]
    }
}

/// Idle processes that are rarely relaunched, and the earliest time of their next sweep.
struct Reaper: Sendable {
    /// Idle processes that the reaper may take, the longest idle first.
    var reapable: IndexedList
    /// Whether the reaper kills in the policy's order, and only as many processes as memory requires.
    ///
    /// Otherwise, it kills all long idle processes.
    var isRanked = false
    private(set) var isSweeping = false
    private var lastSweep: SimTime?

    init(capacity: Int) { reapable = IndexedList(capacity: capacity) }

    /// When a sweep can begin if its first process has been idle long enough at `ripe`.
    func nextSweep(ripe: SimTime, rescan: SimDuration) -> SimTime { lastSweep.map { max(ripe, $0 + rescan) } ?? ripe }

    mutating func beginSweep() { isSweeping = true }

    mutating func endSweep(at now: SimTime) {
        isSweeping = false
        lastSweep = now
    }
}
