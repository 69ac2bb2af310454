import Quantities
import Vocabulary

/// What the killer does in a governed table, after the kernel's order of actions (`memorystatus_pick_action`): one
/// action, then everything is looked at again.
extension ProcessTable {
    /// Kills for a cause other than a shortage of available memory, at once.
    public mutating func signal(_ signal: KillSignal, at now: SimTime) {
        govern()
        begin(at: now)
        switch signal {
        case .diskSpaceShortage: switchFreezer(on: false, at: now)
        case .vnodeLimit(let caller): _ = killForVnodes(caller, at: now)
        case .zoneMap: raiseZoneMap(at: now)
        case .compressorThrashing: governance.signals.insert(.compressorThrashing)
        case .fileCacheThrashing: governance.signals.insert(.fileCacheThrashing)
        case .pageoutStarvation: governance.signals.insert(.pageoutStarvation)
        }
        settle(at: now)
    }

    /// Kills one process on demand, as tests of the kernel do; its memory is not purged first.
    public mutating func jettison(_ app: AppID, at now: SimTime) -> RequestError? {
        govern()
        begin(at: now)
        let index = Int(app.index)
        guard processes[index].isAlive else { return .notFound }
        kill(entry(index), .jettisoned, idleOnly: false, at: now)
        settle(at: now)
        return nil
    }

    /// Whether the killer wakes at all.
    private var isWoken: Bool {
        if availableBytes < softBytes, !governance.violators.isEmpty || profile.appSwap != nil { return true }
        if availableBytes < idleBytes, !idleHeap.isEmpty || !stale.isEmpty { return true }
        return availableBytes < criticalBytes || isCompressorFull || !governance.signals.isEmpty
            || governance.isReaping || nextReap <= clock
    }

    /// Whether anybody may die for want of memory.
    var isCritical: Bool {
        availableBytes < criticalBytes
            || (profile.idleRaisesCritical && availableBytes < idleBytes && !idleHeap.isEmpty)
    }

    mutating func act(at now: SimTime) {
        guard isWoken else { return }
        governance.isForegroundSorted = false
        while actOnce(at: now) {}
    }

    /// One action; false when there is nothing more to do.
    private mutating func actOnce(at now: SimTime) -> Bool {
        updateRanks(at: now)
        let isFull = isCompressorFull
        let isUnhealthy = isCritical || isFull || !governance.signals.isEmpty
        if availableBytes < softBytes || isUnhealthy {
            if profile.appSwap != nil, swapOrKill(at: now) { return true }
            if isFull { return killLowest(.compressorSpaceShortage, at: now) }
            if let violator = governance.violators.first {
                kill(violator, .highwater, idleOnly: false, at: now)
                return true
            }
        }
        if !isUnhealthy {
            if availableBytes < idleBytes, let victim = idleHeap.first {
                kill(victim, .idleExit, idleOnly: true, at: now)
                return true
            }
            return reap(at: now)
        }
        if march(at: now) { return true }
        return killLowest(governance.signals.takeFirst() ?? (isSwapLow ? .lowSwap : .pageShortage), at: now)
    }

    private mutating func killLowest(_ reason: KillReason, at now: SimTime) -> Bool {
        if idleHeap.isEmpty, workingHeap.isEmpty { sortForeground() }
        guard let victim = lowest() else {
            totals.noVictim += 1
            return false
        }
        kill(victim, reason, idleOnly: false, at: now)
        return true
    }

    /// A process by its band and place in it.
    func entry(_ index: Int) -> VictimHeap.Entry {
        VictimHeap.Entry(
            rank: Double(processes[index].band), sequence: processes[index].sequence, process: Int32(index))
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
    mutating func takeFirst() -> KillReason? {
        guard !isEmpty else { return nil }
        if remove(.compressorThrashing) != nil { return .compressorThrashing }
        if remove(.fileCacheThrashing) != nil { return .fileCacheThrashing }
        if remove(.zoneMap) != nil { return .zoneMapExhaustion }
        self = []
        return .pageoutStarvation
    }
}

/// The reaper: once started it takes all processes that were idle for long and are rarely relaunched.
extension ProcessTable {
    /// When a sweep may begin, as far as is known now.
    var nextReap: SimTime {
        guard !isUnbounded, !policyTriggers, profile.reaperShare != nil, availableBytes < reaperBytes,
            governance.reapable.head >= 0
        else {
            return .distantFuture
        }
        let ripe = governance.controls[Int(governance.reapable.head)].entered + profile.reapedAfter
        return governance.hasSwept ? max(ripe, governance.lastSweep + profile.reaperRescan) : ripe
    }

    /// Takes one process; false when the sweep is over or none may begin.
    fileprivate mutating func reap(at now: SimTime) -> Bool {
        guard governance.isReaping || nextReap <= now else { return false }
        governance.isReaping = true
        let head = Int(governance.reapable.head)
        if head >= 0, governance.controls[head].entered + profile.reapedAfter <= now {
            kill(entry(head), .longIdleExit, idleOnly: true, at: now)
            return true
        }
        governance.isReaping = false
        governance.hasSwept = true
        governance.lastSweep = now
        return false
    }
}
