import Quantities
import Structures
import Vocabulary

/// Who dies, after the kernel's order of actions (`memorystatus_pick_action`), reduced to what is modelled.
///
/// Below the critical threshold the lowest rank of all dies, below the idle threshold the lowest rank of band 0; one
/// kill, then everything is looked at again. Strictly below: at a threshold nobody dies.
extension ProcessTable {
    /// Who would die next if memory ran short: among idle processes only, or among all.
    public mutating func nextVictim(idleOnly: Bool, at now: SimTime) -> AppID? {
        advance(to: now)
        updateRanks(at: now)
        return (idleOnly ? ranking.idle.first : ranking.lowest).map { AppID($0.member) }
    }

    mutating func killWhileShort(at now: SimTime) {
        if ranking.policyTriggers { return killWhileTriggered(at: now) }
        guard !isUnbounded, isKillerWoken else { return }
        killer.isForegroundSorted = false
        while act(at: now) {}
    }

    /// Kills as long as the policy says so, and whatever it says when there is no memory left.
    private mutating func killWhileTriggered(at now: SimTime) {
        while true {
            let isOut = book.available < 0
            guard let limit = isOut ? .infinity : ranking.policy.highestRankToDie(memoryView, at: now) else { return }
            updateRanks(at: now)
            guard let victim = ranking.lowest, victim.key.rank <= limit else {
                totals.noVictim += isOut ? 1 : 0
                return
            }
            kill(victim.member, rank: victim.key.rank, .pageShortage, at: now)
        }
    }

    /// Kills a process above its own limit, at any level of memory.
    mutating func killAtLimit(_ index: Int, at now: SimTime) -> Bool {
        guard exceedsFatalLimit(index) else { return false }
        kill(index, rank: 0, .perProcessLimit, at: now)
        rebalance(at: now)
        return true
    }

    /// Kills a process, unless reclaiming its volatile memory or a window is enough; its rank is its band by default.
    mutating func kill(
        _ index: Int, rank: Double? = nil, _ reason: KillReason, idleOnly: Bool = false, at now: SimTime
    ) {
        let before = book.available
        let rank = rank ?? Double(processes[index].band)
        if purgeSaves(index, reason) || disconnectWindow(of: index, reason, at: now) { return }
        let app = AppID(index)
        let seen = view(of: app)
        let record = processes[index]
        let category = exitCategory(reason, record.state)
        kernel.recordKill(app, band: record.band)
        recordFreezerSnapshot(index)
        end(index, category, isOrderly: false, at: now)
        totals.kills[Int(reason.rawValue)] += 1
        let next = reason == .perProcessLimit ? nil : (idleOnly ? ranking.idle.first : ranking.lowest)
        killLog.append(
            KillRecord(
                time: now, app: app, reason: reason, category: category, band: record.band, state: record.state,
                footprint: seen.footprint, resident: seen.resident, freed: ByteCount(record.resident + record.pool),
                availableBefore: ByteCount(before), availableAfter: available, rank: rank,
                runnerUp: next.map { AppID($0.member) } ?? .system,
                margin: next.map { $0.key.rank - rank } ?? .infinity, launched: record.launched,
                lastForeground: record.lastForeground))
        if candidatesKept > 0 {
            killLog.append(
                candidates: reason == .perProcessLimit ? [] : nextCandidates(candidatesKept, idleOnly: idleOnly))
        }
        if reason != .perProcessLimit { ranking.policy.didEvict(seen, at: now) }
    }

    /// MetricKit has no category for pressure in the foreground; that such a death counts there as a limit is an
    /// assumption.
    private func exitCategory(_ reason: KillReason, _ state: ProcessState) -> ExitCategory {
        reason == .perProcessLimit || state.isForeground ? .memoryLimit : .memoryPressure
    }
}
