// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Structures
import Vocabulary

/// Actions of the killer on processes with traits, in the kernel's order (`memorystatus_pick_action`).
///
/// After one action all conditions are checked again.
extension ProcessTable {
    /// Kills one process at once, for a cause other than a shortage of available memory.
    public mutating func signal(_ signal: KillSignal, at now: SimTime) {
        advance(to: now)
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

    /// Kills one process on demand, as tests of the kernel do; its memory is not purged before.
    public mutating func jettison(_ app: AppID, at now: SimTime) -> RequestError? {
        advance(to: now)
        let index = Int(app.index)
        guard processes[index].isAlive else { return .notFound }
        kill(index, .jettisoned, at: now)
        rebalance(at: now)
        return nil
    }

    /// The process that would be killed next if memory were short, among idle processes only or among all.
    public mutating func nextVictim(idleOnly: Bool, at now: SimTime) -> AppID? {
        advance(to: now)
        updateRanks(at: now)
        return (idleOnly ? ranking.lowestIdle : ranking.lowest).map { AppID($0.member) }
    }

    /// Sorts any band as the killer sorts the foreground band, like the kernel's test of the sorter.
    public mutating func sortBand(_ band: Int, at now: SimTime) {
        advance(to: now)
        sort(band: Int16(band))
        rebalance(at: now)
    }
}

/// A cause for one kill other than the shortage of available memory.
public enum KillSignal: Sendable, Equatable {
    /// The kernel's zone map is nearly full.
    case zoneMap
    /// Pages are compressed and decompressed repeatedly.
    case compressorThrashing
    /// File pages are read again repeatedly.
    case fileCacheThrashing
    /// The pageout thread was stuck and had to be freed by a kill.
    case pageoutStarvation
    /// No vnode can be recycled for this caller.
    case vnodeLimit(caller: AppID?)
    /// Storage is short, so the freezer is switched off.
    case diskSpaceShortage
}

/// Causes that wait for their kill; each cause ends after one kill that names it.
///
/// If there are several causes, the kernel's order determines which one is named (`memorystatus_pick_kill_cause`).
struct PendingSignals: OptionSet, Sendable {
    let rawValue: UInt8

    static let compressorThrashing = PendingSignals(rawValue: 1)
    static let fileCacheThrashing = PendingSignals(rawValue: 2)
    static let zoneMap = PendingSignals(rawValue: 4)
    static let pageoutStarvation = PendingSignals(rawValue: 8)

    /// Removes the first cause and returns its name; nil if there is none.
    mutating func removeFirst() -> KillReason? {
        guard !isEmpty else { return nil }
        if remove(.compressorThrashing) != nil { return .compressorThrashing }
        if remove(.fileCacheThrashing) != nil { return .fileCacheThrashing }
        if remove(.zoneMap) != nil { return .zoneMapExhaustion }
        self = []
        return .pageoutStarvation
    }
}
