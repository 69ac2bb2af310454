// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Structures
import Vocabulary

/// Kills of one process, and their records.
extension ProcessTable {
    /// Smallest capacity of the snapshot of kills until it is read: a twentieth of all processes, but at least this
    /// many.
    static var leastSnapshot: Int { 16 }

    mutating func recordFreezerSnapshot(_ index: Int, _ reason: KillReason) {
        guard processes[index].isManaged else { return }
        freezer.recordKill(
            FreezerSnapshotEntry(
                app: AppID(index), isFrozen: processes[index].isFrozen, thaws: Int(controls[index].thaws),
                reason: reason),
            most: max(Self.leastSnapshot, processes.count / 20))
    }

    /// Kills a process, unless it is enough to reclaim its volatile memory or to disconnect a window.
    ///
    /// The default of `rank` is the band of the process.
    ///
    /// - Returns: Whether the process was killed.
    @discardableResult
    mutating func kill(
        _ index: Int, rank: Double? = nil, _ reason: KillReason, idleOnly: Bool = false, at now: SimTime
    ) -> Bool {
        let before = book.available
        let rank = rank ?? Double(processes[index].band)
        if reason.reclaimsFirst, purgeSaves(index, reason) || disconnectWindow(of: index, at: now) { return false }
        let app = AppID(index)
        let seen = view(of: app)
        let record = processes[index]
        let category = exitCategory(reason, record.state)
        kernel.recordKill(app, band: record.band)
        recordFreezerSnapshot(index, reason)
        if reason == .perProcessLimit { keepCorpse(of: index, at: now) }
        end(index, category, isOrderly: false, at: now)
        trims?.recordKill()
        releaseCorpses(afterKillIn: record.band, reason)
        totals.kills[Int(reason.rawValue)] += 1
        let isChosen = reason.isChosenByPolicy || (killer.reaper.isRanked && reason == .longIdleExit)
        let next = reason == .perProcessLimit ? nil : (idleOnly ? ranking.lowestIdle : ranking.lowest)
        killLog.append(
            KillRecord(
                time: now, app: app, reason: reason, category: category, band: record.band, state: record.state,
                footprint: seen.footprint, resident: seen.resident, freed: ByteCount(record.resident + record.pool),
                availableBefore: ByteCount(before), availableAfter: available, rank: rank,
                runnerUp: next.map { AppID($0.member) } ?? .system,
                margin: next.map { $0.key.rank - rank } ?? .infinity, launched: record.launched,
                lastForeground: record.lastForeground,
                isChosenByPolicy: isChosen && ranking.ranks(isSystem: facts[index].isSystem)))
        if candidatesKept > 0 {
            killLog.append(
                candidates: reason == .perProcessLimit ? [] : nextCandidates(candidatesKept, idleOnly: idleOnly))
        }
        if reason != .perProcessLimit, ranking.ranks(isSystem: facts[index].isSystem) {
            ranking.policy.didEvict(seen, at: now)
        }
        return true
    }

    /// The exit category of a kill.
    ///
    /// MetricKit has no category for memory pressure in the foreground; counting such a kill as a limit is an
    /// assumption.
    func exitCategory(_ reason: KillReason, _ state: ProcessState) -> ExitCategory {
        reason == .perProcessLimit || state.isForeground ? .memoryLimit : .memoryPressure
    }

    /// Reclaims the victim's volatile memory; returns whether this saves the victim (`memorystatus_kill_proc`).
    ///
    /// A kill at a high-water mark is cancelled if the footprint is then within the limit. Any other kill for lack of
    /// memory is cancelled if available memory is then at or above the soft threshold.
    mutating func purgeSaves(_ index: Int, _ reason: KillReason) -> Bool {
        guard controls[index].volatile > 0 else { return false }
        totals.purged += ByteCount(controls[index].volatile)
        setVolatile(index, 0)
        if reason == .highwater { return processes[index].ledgerFootprint <= limit(index).size.bytes }
        return book.available >= thresholdBytes.soft
    }
}

extension KillReason {
    /// Whether a victim can first free expendable memory; false in an aggressive march.
    fileprivate var reclaimsFirst: Bool {
        switch self {
        case .vnodeLimit, .zoneMapExhaustion, .perProcessLimit, .jettisoned, .diskSpaceShortage, .processThrashing:
            false
        default: true
        }
    }
}
