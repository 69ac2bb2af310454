// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// The aggressive march (`memorystatus_act_aggressive`), which begins when all idle processes are relaunched within
/// seconds.
///
/// The march kills whole bands without a check of memory in between.
extension ProcessTable {
    private var isMarchDue: Bool {
        Double(book.available) <= profile.aggressiveShare * Double(memory.visible.bytes)
            && bands.candidates >= profile.aggressiveCandidates && bands.eagerCandidates == bands.candidates
    }

    /// Marches if the conditions are true; returns whether any process was killed.
    mutating func march(at now: SimTime) -> Bool {
        if bands.candidates == 0 { killer.march.reset() }
        guard isMarchDue else { return false }
        let top = killer.march.next(profile, at: now)
        let before = population.alive
        if killPinned(at: now) { return true }
        if top >= profile.foregroundBand { sortForeground() }
        sweep(through: top, at: now)
        return population.alive < before
    }

    /// Kills pinned processes one by one; returns true as soon as the shortage is over.
    private mutating func killPinned(at now: SimTime) -> Bool {
        killer.scratch.removeAll(keepingCapacity: true)
        gather(profile.elevatedBand)
        for position in killer.scratch.indices {
            let index = Int(killer.scratch[position])
            guard processes[index].isElevated else { continue }
            kill(index, .processThrashing, at: now)
            updateRanks(at: now)
            if !isShortOfPages { return true }
        }
        return false
    }

    /// Kills the processes in the bands up to `top`, lowest first.
    ///
    /// At most twice as many processes are killed as there were below `top`.
    private mutating func sweep(through top: Int16, at now: SimTime) {
        killer.scratch.removeAll(keepingCapacity: true)
        for band in 0..<top { gather(band) }
        let below = killer.scratch.count
        gather(top)
        for position in 0..<min(killer.scratch.count, 2 * below) {
            kill(Int(killer.scratch[position]), .processThrashing, at: now)
        }
    }

    /// Copies the queue of one band, because kills change it.
    private mutating func gather(_ band: Int16) {
        var process = bands.queues.head(of: band)
        while let index = process {
            killer.scratch.append(Int32(index))
            process = bands.queues.next(after: index)
        }
    }
}

/// The order of kills in the foreground band (`memorystatus_sort_by_largest_coalition_locked`).
extension ProcessTable {
    /// Sorts the foreground band by coalitions, the largest first; this is done once per wakeup.
    ///
    /// Members of a coalition are killed in this order: those without a role, extensions, services, the leader. At most
    /// ten leaders count. Members without a leader in the band are killed last. If the band has no leader, the largest
    /// process is killed first.
    mutating func sortForeground() {
        guard !killer.isForegroundSorted else { return }
        killer.isForegroundSorted = true
        sort(band: profile.foregroundBand)
    }

    mutating func sort(band: Int16) {
        let members = members(of: band)
        guard members.count > 1 else { return }
        var leaders = members.filter { controls[$0].role == .leader && controls[$0].coalition >= 0 }
            .prefix(10)
            .map { (index: $0, size: coalitionFootprint(controls[$0].coalition)) }
        leaders.sort { $0.size > $1.size }
        var ranks: [Int32: Int] = [:]
        for (rank, leader) in leaders.enumerated() { ranks[controls[leader.index].coalition] = rank }
        let hasLeaders = !leaders.isEmpty
        let order = members.sorted { left, right in
            let one = sortKey(left, ranks, hasLeaders)
            let other = sortKey(right, ranks, hasLeaders)
            return one != other
                ? one.lexicographicallyPrecedes(other) : processes[left].sequence < processes[right].sequence
        }
        for index in order {
            bands.moveToTail(index, &processes[index])
            updateLimit(index)
            markStale(index)
        }
        updateRanks(at: clock)
    }

    private func sortKey(_ index: Int, _ ranks: [Int32: Int], _ hasLeaders: Bool) -> [Int64] {
        guard hasLeaders else { return [-processes[index].footprint] }
        guard let rank = ranks[controls[index].coalition] else { return [Int64.max] }
        return [Int64(rank), Int64(controls[index].role.rawValue)]
    }

    private func coalitionFootprint(_ coalition: Int32) -> Int64 {
        var sum: Int64 = 0
        coalitions.forEach(in: coalition) { sum += processes[$0].footprint }
        return sum
    }

    /// The processes of a band in the order of its queue.
    private func members(of band: Int16) -> [Int] {
        var found: [Int] = []
        var process = bands.queues.head(of: band)
        while let index = process {
            found.append(index)
            process = bands.queues.next(after: index)
        }
        return found
    }
}
