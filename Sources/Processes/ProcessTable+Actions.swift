import Quantities
import Structures
import Vocabulary

/// What the killer does in a governed table, after the kernel's order of actions (`memorystatus_pick_action`): one
/// action, then everything is looked at again.
extension ProcessTable {
    /// Kills for a cause other than a shortage of available memory, at once.
    public mutating func signal(_ signal: KillSignal, at now: SimTime) {
        beginGoverned(at: now)
        switch signal {
        case .diskSpaceShortage: switchFreezer(on: false, at: now)
        case .vnodeLimit(let caller): _ = killForVnodes(caller, at: now)
        case .zoneMap: relieveZoneMap(at: now)
        case .compressorThrashing: killer.signals.insert(.compressorThrashing)
        case .fileCacheThrashing: killer.signals.insert(.fileCacheThrashing)
        case .pageoutStarvation: killer.signals.insert(.pageoutStarvation)
        }
        rebalance(at: now)
    }

    /// Kills one process on demand, as tests of the kernel do; its memory is not purged first.
    public mutating func jettison(_ app: AppID, at now: SimTime) -> RequestError? {
        beginGoverned(at: now)
        let index = Int(app.index)
        guard processes[index].isAlive else { return .notFound }
        kill(index, .jettisoned, at: now)
        rebalance(at: now)
        return nil
    }

    /// Whether the killer wakes at all.
    var isKillerWoken: Bool {
        let available = book.available
        if available < thresholdBytes.soft, !killer.violators.isEmpty || profile.appSwap != nil { return true }
        if available < thresholdBytes.idle, ranking.mayHaveIdle { return true }
        return available < thresholdBytes.critical || book.isCompressorFull || !killer.signals.isEmpty
            || killer.reaper.isSweeping || (profile.reaperShare != nil && nextReap <= clock)
    }

    /// Whether anybody may die for want of memory.
    private var isCritical: Bool {
        book.available < thresholdBytes.critical
            || (profile.idleRaisesCritical && book.available < thresholdBytes.idle && !ranking.idle.isEmpty)
    }

    /// One action; false when there is nothing more to do.
    mutating func act(at now: SimTime) -> Bool {
        updateRanks(at: now)
        let isFull = book.isCompressorFull
        let isUnhealthy = isCritical || isFull || !killer.signals.isEmpty
        if book.available < thresholdBytes.soft || isUnhealthy {
            if profile.appSwap != nil, swapOrKill(at: now) { return true }
            if isFull { return killLowest(.compressorSpaceShortage, at: now) }
            if let violator = killer.violators.first {
                kill(violator.member, rank: violator.key.rank, .highwater, at: now)
                return true
            }
        }
        if !isUnhealthy {
            if book.available < thresholdBytes.idle, let victim = ranking.idle.first {
                kill(victim.member, rank: victim.key.rank, .idleExit, idleOnly: true, at: now)
                return true
            }
            return reap(at: now)
        }
        if march(at: now) { return true }
        return killLowest(killer.signals.removeFirst() ?? (isSwapLow ? .lowSwap : .pageShortage), at: now)
    }

    private mutating func killLowest(_ reason: KillReason, at now: SimTime) -> Bool {
        if ranking.idle.isEmpty, ranking.working.isEmpty { sortForeground() }
        guard let victim = ranking.lowest else {
            totals.noVictim += 1
            return false
        }
        kill(victim.member, rank: victim.key.rank, reason, at: now)
        return true
    }
}

/// A cause for one kill besides the shortage of available memory.
public enum KillSignal: Sendable, Equatable {
    /// The kernel's zone map is nearly full.
    case zoneMap
    /// Pages are compressed and decompressed over and over.
    case compressorThrashing
    /// File pages are read again over and over.
    case fileCacheThrashing
    /// The pageout thread had to be freed by force.
    case pageoutStarvation
    /// No vnode can be recycled for this caller.
    case vnodeLimit(caller: AppID?)
    /// Storage is short, so that the freezer is switched off.
    case diskSpaceShortage
}

/// Causes that wait for their kill; each is over with one kill under its name.
///
/// Which of several is named follows the kernel's order of causes (`memorystatus_pick_kill_cause`).
struct PendingSignals: OptionSet, Sendable {
    let rawValue: UInt8

    static let compressorThrashing = PendingSignals(rawValue: 1)
    static let fileCacheThrashing = PendingSignals(rawValue: 2)
    static let zoneMap = PendingSignals(rawValue: 4)
    static let pageoutStarvation = PendingSignals(rawValue: 8)

    /// Ends the first cause and names it; nil when none waits.
    mutating func removeFirst() -> KillReason? {
        guard !isEmpty else { return nil }
        if remove(.compressorThrashing) != nil { return .compressorThrashing }
        if remove(.fileCacheThrashing) != nil { return .fileCacheThrashing }
        if remove(.zoneMap) != nil { return .zoneMapExhaustion }
        self = []
        return .pageoutStarvation
    }
}

/// The reaper: once started it kills all processes that were idle for long and are rarely relaunched.
extension ProcessTable {
    /// When a sweep may begin, as far as is known now.
    var nextReap: SimTime {
        guard !isUnbounded, !ranking.policyTriggers, profile.reaperShare != nil,
            book.available < thresholdBytes.reaper, let first = killer.reaper.reapable.first
        else {
            return .distantFuture
        }
        let ripe = processes[first].entered + profile.reapedAfter
        return killer.reaper.nextSweep(ripe: ripe, rescan: profile.reaperRescan)
    }

    /// Kills one process; false when the sweep is over or none may begin.
    private mutating func reap(at now: SimTime) -> Bool {
        guard killer.reaper.isSweeping || nextReap <= now else { return false }
        killer.reaper.beginSweep()
        if let index = killer.reaper.reapable.first, processes[index].entered + profile.reapedAfter <= now {
            kill(index, .longIdleExit, idleOnly: true, at: now)
            return true
        }
        killer.reaper.endSweep(at: now)
        return false
    }
}
