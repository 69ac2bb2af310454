import Quantities
import Vocabulary

/// The aggressive march (`memorystatus_act_aggressive`): whole bands die without a look at memory in between, when
/// all that is idle comes back within seconds.
extension ProcessTable {
    private var isMarchDue: Bool {
        Double(availableBytes) <= profile.aggressiveShare * Double(memory.visible.bytes)
            && governance.candidates >= profile.aggressiveCandidates
            && governance.eagerCandidates == governance.candidates
    }

    /// Marches when the conditions hold; whether anybody died.
    mutating func march(at now: SimTime) -> Bool {
        if governance.candidates == 0 { governance.marches = 0 }
        guard isMarchDue else { return false }
        if governance.marches == 0 || now - governance.firstMarch > profile.aggressiveWindow {
            governance.marches = 0
            governance.firstMarch = now
        }
        let bands = profile.aggressiveBands
        let top = bands[min(governance.marches, bands.count - 1)]
        governance.marches += 1
        let before = liveCount
        if killPinned(at: now) { return true }
        if top >= profile.foregroundBand { sortForeground() }
        sweep(to: top, at: now)
        return liveCount < before
    }

    /// Pinned processes die one by one; true when the shortage is over after one.
    private mutating func killPinned(at now: SimTime) -> Bool {
        gather(profile.elevatedBand)
        for place in governance.scratch.indices {
            let entry = governance.scratch[place]
            guard governance.controls[Int(entry.process)].isElevated else { continue }
            kill(entry, .processThrashing, idleOnly: false, at: now)
            if availableBytes >= criticalBytes { return true }
        }
        return false
    }

    /// Everything up to a band dies, lowest first, at most twice as many as stood below it.
    private mutating func sweep(to top: Int16, at now: SimTime) {
        governance.scratch.removeAll(keepingCapacity: true)
        for band in 0..<top { gatherMore(band) }
        let below = governance.scratch.count
        gatherMore(top)
        for place in 0..<min(governance.scratch.count, 2 * below) {
            kill(governance.scratch[place], .processThrashing, idleOnly: false, at: now)
        }
    }

    /// Writes down the queue of one band, because kills change it.
    private mutating func gather(_ band: Int16) {
        governance.scratch.removeAll(keepingCapacity: true)
        gatherMore(band)
    }

    private mutating func gatherMore(_ band: Int16) {
        var process = governance.queues.head(of: band)
        while process >= 0 {
            governance.scratch.append(entry(process))
            process = governance.queues.next(after: process)
        }
    }
}

/// The order of death in the foreground band (`memorystatus_sort_by_largest_coalition_locked`).
extension ProcessTable {
    /// Puts whole coalitions in order of size, the largest first; done once per wakeup.
    ///
    /// In a coalition die members without a role, extensions, services, the leader. Up to ten leaders count; members
    /// without a leader in the band die last. Without any leader the largest process is first.
    mutating func sortForeground() {
        guard isGoverned, !governance.isForegroundSorted else { return }
        governance.isForegroundSorted = true
        sort(band: profile.foregroundBand)
    }

    /// Sorts any band that way, as the kernel's test of the sorter does.
    public mutating func sortBand(_ band: Int, at now: SimTime) {
        govern()
        begin(at: now)
        sort(band: Int16(band))
        settle(at: now)
    }

    private mutating func sort(band: Int16) {
        let members = members(of: band)
        guard members.count > 1 else { return }
        let controls = governance.controls
        var leaders = members.filter { controls[$0].traits.role == .leader && controls[$0].traits.coalition >= 0 }
            .prefix(10)
            .map { (index: $0, size: coalitionFootprint(controls[$0].traits.coalition)) }
        leaders.sort { $0.size > $1.size }
        var places: [Int32: Int] = [:]
        for (place, leader) in leaders.enumerated() { places[controls[leader.index].traits.coalition] = place }
        let hasLeaders = !leaders.isEmpty
        let order = members.sorted { left, right in
            let one = sortKey(left, places, hasLeaders)
            let other = sortKey(right, places, hasLeaders)
            return one != other
                ? one.lexicographicallyPrecedes(other) : processes[left].sequence < processes[right].sequence
        }
        for index in order {
            bandSets += 1
            processes[index].sequence = bandSets
            governance.queues.remove(index, from: band)
            governance.queues.append(index, to: band)
            recheckLimit(index)
            markStale(index)
        }
        updateRanks(at: clock)
    }

    private func sortKey(_ index: Int, _ places: [Int32: Int], _ hasLeaders: Bool) -> [Int64] {
        guard hasLeaders else { return [-processes[index].footprint] }
        let traits = governance.controls[index].traits
        guard let place = places[traits.coalition] else { return [Int64.max] }
        return [Int64(place), Int64(traits.role.rawValue)]
    }

    private func coalitionFootprint(_ coalition: Int32) -> Int64 {
        var sum: Int64 = 0
        governance.coalitions.forEach(in: coalition) { sum += processes[$0].footprint }
        return sum
    }

    /// The processes of a band in the order of its queue.
    private func members(of band: Int16) -> [Int] {
        var found: [Int] = []
        var process = governance.queues.head(of: band)
        while process >= 0 {
            found.append(process)
            process = governance.queues.next(after: process)
        }
        return found
    }
}
