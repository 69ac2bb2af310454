import Quantities
import Vocabulary

/// Who dies, after the kernel's order of actions (`memorystatus_pick_action`), reduced to what is modelled.
///
/// Below the critical threshold the lowest rank of all dies, below the idle threshold the lowest rank of band 0; one
/// kill, then everything is looked at again. Strictly below: at a threshold nobody dies.
extension ProcessTable {
    /// Who would die next if memory ran short: among idle processes only, or among all.
    public mutating func nextVictim(idleOnly: Bool, at now: SimTime) -> AppID? {
        begin(at: now)
        updateRanks(at: now)
        return (idleOnly ? idleHeap.first : lowest()).map { AppID(Int($0.process)) }
    }

    mutating func killWhileShort(at now: SimTime) {
        if policyTriggers { return killWhileTriggered(at: now) }
        guard !isUnbounded else { return }
        if isGoverned { return act(at: now) }
        guard availableBytes < idleBytes || isCompressorFull else { return }
        while true {
            updateRanks(at: now)
            let isFull = isCompressorFull
            if isCritical || isFull {
                guard let victim = lowest() else {
                    totals.noVictim += 1
                    return
                }
                kill(victim, isFull ? .compressorSpaceShortage : .pageShortage, idleOnly: false, at: now)
            } else if availableBytes < idleBytes, let victim = idleHeap.first {
                kill(victim, .idleExit, idleOnly: true, at: now)
            } else {
                return
            }
        }
    }

    /// Kills as long as the policy says so, and whatever it says when there is no memory left.
    private mutating func killWhileTriggered(at now: SimTime) {
        while true {
            let isOut = availableBytes < 0
            guard let limit = isOut ? .infinity : policy.highestRankToDie(memoryView, at: now) else { return }
            updateRanks(at: now)
            guard let victim = lowest(), victim.rank <= limit else {
                totals.noVictim += isOut ? 1 : 0
                return
            }
            kill(victim, .pageShortage, idleOnly: false, at: now)
        }
    }

    /// Kills a process above its own limit, at any level of memory.
    mutating func killAtLimit(_ index: Int, at now: SimTime) -> Bool {
        guard exceedsFatalLimit(index) else { return false }
        let entry = VictimHeap.Entry(rank: 0, sequence: processes[index].sequence, process: Int32(index))
        kill(entry, .perProcessLimit, idleOnly: false, at: now)
        settle(at: now)
        return true
    }

    /// Kills a process, unless taking its volatile memory is enough.
    mutating func kill(_ entry: VictimHeap.Entry, _ reason: KillReason, idleOnly: Bool, at now: SimTime) {
        let index = Int(entry.process)
        let before = availableBytes
        if isGoverned, purgeSaves(index, reason) { return }
        if disconnectWindow(of: index, reason, at: now) { return }
        let seen = view(of: AppID(index))
        let record = processes[index]
        let category = exitCategory(reason, record.state)
        if isGoverned { noteSnapshots(index, band: record.band) }
        end(index, category, isOrderly: false, at: now)
        totals.kills[Int(reason.rawValue)] += 1
        let next = reason == .perProcessLimit ? nil : (idleOnly ? idleHeap.first : lowest())
        kills.append(
            KillRecord(
                time: now, app: seen.app, reason: reason, category: category, band: record.band, state: record.state,
                footprint: seen.footprint, resident: seen.resident, freed: ByteCount(record.resident + record.pool),
                availableBefore: ByteCount(before), availableAfter: available, rank: entry.rank,
                runnerUp: next.map { AppID(Int($0.process)) } ?? .system,
                margin: next.map { $0.rank - entry.rank } ?? .infinity, launched: record.launched,
                lastForeground: record.lastForeground))
        if candidatesKept > 0 {
            killCandidates.append(
                reason == .perProcessLimit ? [] : nextCandidates(candidatesKept, idleOnly: idleOnly))
        }
        if reason != .perProcessLimit { policy.didEvict(seen, at: now) }
    }

    /// MetricKit has no category for pressure in the foreground; that such a death counts there as a limit is an
    /// assumption.
    private func exitCategory(_ reason: KillReason, _ state: ProcessState) -> ExitCategory {
        reason == .perProcessLimit || state.isForeground ? .memoryLimit : .memoryPressure
    }

    /// The lowest rank of all that may die: what the user sees or hears only when nothing else is left.
    func lowest() -> VictimHeap.Entry? {
        guard let idle = idleHeap.first else { return workingHeap.first ?? protectedHeap.first }
        guard let working = workingHeap.first else { return idle }
        return working < idle ? working : idle
    }
}

extension ProcessTable {
    /// Notes that something the policy sees has changed; it is asked again before the next victim is chosen.
    @inline(__always)
    mutating func markStale(_ index: Int) {
        guard !processes[index].isStale else { return }
        processes[index].isStale = true
        stale.append(Int32(index))
    }

    /// Brings the ranks up to date: of all processes when the ranks' lifetime is over, otherwise of those that changed.
    mutating func updateRanks(at now: SimTime) {
        if let rankLifetime, now >= ranksExpire {
            ranksExpire = now + rankLifetime
            surveyAll(at: now)
        }
        rankStale(at: now)
    }

    /// Shows the policy all processes at once and notes that each must be ranked.
    private mutating func surveyAll(at now: SimTime) {
        for entry in idleHeap.entries { markStale(Int(entry.process)) }
        for entry in workingHeap.entries { markStale(Int(entry.process)) }
        for entry in protectedHeap.entries { markStale(Int(entry.process)) }
        surveyed.removeAll(keepingCapacity: true)
        for index in stale where processes[Int(index)].isAlive { surveyed.append(view(of: AppID(Int(index)))) }
        policy.survey(surveyed, at: now)
    }

    /// Asks the policy for the rank of every process whose view changed, in the order of the first change.
    private mutating func rankStale(at now: SimTime) {
        for place in stale.indices {
            let index = Int(stale[place])
            processes[index].isStale = false
            guard processes[index].isAlive else { continue }
            let rank = policy.rank(view(of: AppID(index)), at: now)
            precondition(!rank.isNaN, "the eviction policy ranked app \(index) with a NaN")
            insert(index, rank: rank)
        }
        stale.removeAll(keepingCapacity: true)
    }

    private mutating func insert(_ index: Int, rank: Double) {
        let queue = profile.victimClass(of: processes[index].band)
        if processes[index].queue != queue { removeFromHeap(index) }
        processes[index].queue = queue
        let sequence = processes[index].sequence
        switch queue {
        case .none: break
        case .idle: idleHeap.set(index, rank: rank, sequence: sequence)
        case .working: workingHeap.set(index, rank: rank, sequence: sequence)
        case .protected: protectedHeap.set(index, rank: rank, sequence: sequence)
        }
    }

    mutating func removeFromHeap(_ index: Int) {
        switch processes[index].queue {
        case .none: break
        case .idle: idleHeap.remove(index)
        case .working: workingHeap.remove(index)
        case .protected: protectedHeap.remove(index)
        }
        processes[index].queue = .none
    }
}
