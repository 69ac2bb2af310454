// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Structures
import Vocabulary

/// The `oom_score_adj` that Android's activity manager would give each process; the highest dies first.
///
/// Source: AOSP `ProcessList.java` for the values; `OomAdjuster.assignCachedAdjIfNecessary` for cached processes.
/// Cached processes get 900, 910, 920 …, the most recent first. Those started for an event that show nothing get 905,
/// 915, 925 … instead. There are ten slots of each kind; with more processes, several share a slot.
///
/// The mapping of states to Android's states is a choice of this project. Work in the background counts as a service.
/// The app that the user left last counts as the previous app for 60 s.
struct AdjustmentScores: Sendable {
    /// Score of music and the like; at this score and below, the heaviest process dies.
    static let perceptible = 200
    /// Score of the app used just before.
    static let previous = 700
    private static let visible = 100
    private static let service = 500
    private static let cached = 900
    private static let empty = 905
    private static let slots = 10
    private static let step = 10
    /// `MAX_PREVIOUS_TIME` of `ActivityManagerConstants.java`.
    private static let previousTime = SimDuration.minutes(1)
    /// First band of processes that the user sees or hears, and first band of those that the user only hears.
    private static let visibleBand: Int16 = 100
    private static let audibleBand: Int16 = 120
    /// Band from which a process in the background counts as working.
    fileprivate static let workingBand: Int16 = 40

    private var scores = GrowingAppTable(0)
    /// Waiting processes to be sorted, without the other properties of a candidate.
    private var cachedApps: [Aged] = []
    private var emptyApps: [Aged] = []

    subscript(app: AppID) -> Int { scores[app] }

    /// Scores all processes of the phone.
    mutating func assign(to candidates: [EvictionCandidate], at now: SimTime) {
        cachedApps.removeAll(keepingCapacity: true)
        emptyApps.removeAll(keepingCapacity: true)
        for candidate in candidates {
            if let score = Self.score(whileWorking: candidate) {
                scores[candidate.app] = score
            } else if candidate.showsNothing {
                emptyApps.append(Aged(seen: candidate.launched, bandSet: candidate.bandSet, app: candidate.app))
            } else {
                cachedApps.append(Aged(seen: candidate.lastForeground, bandSet: candidate.bandSet, app: candidate.app))
            }
        }
        cachedApps.sort(by: >)
        emptyApps.sort(by: >)
        if let last = cachedApps.first, now - last.seen <= Self.previousTime {
            scores[last.app] = Self.previous
            cachedApps.removeFirst()
        }
        spread(cachedApps, from: Self.cached)
        spread(emptyApps, from: Self.empty)
    }

    /// Spreads processes over the slots, most recent first.
    private mutating func spread(_ processes: [Aged], from first: Int) {
        let perSlot = max(1, processes.count / Self.slots)
        for (rank, process) in processes.enumerated() {
            scores[process.app] = first + Self.step * min(rank / perSlot, Self.slots - 1)
        }
    }

    /// The score of a process that is not cached; nil for a cached process or one that waits to be frozen.
    private static func score(whileWorking candidate: EvictionCandidate) -> Int? {
        if candidate.state.isForeground { return 0 }
        if candidate.band >= audibleBand { return perceptible }
        if candidate.band >= visibleBand { return visible }
        return candidate.isCached || candidate.waitsToBeFrozen ? nil : service
    }
}

/// A waiting process with the time at which the user last saw it or, if it shows nothing, with its launch time.
private struct Aged: Comparable, BitwiseCopyable {
    let seen: SimTime
    let bandSet: SimTime
    let app: AppID

    static func < (left: Aged, right: Aged) -> Bool {
        (left.seen, left.bandSet, left.app) < (right.seen, right.bandSet, right.app)
    }
}

extension EvictionCandidate {
    /// Whether the process is not an app, or was started for an event and has not been seen by the user since.
    fileprivate var showsNothing: Bool { isSystem || launched > lastForeground }

    /// Whether the app is cached and not frozen yet: it executes although it has no work.
    fileprivate var waitsToBeFrozen: Bool {
        !isSystem && state == .background && band < AdjustmentScores.workingBand
    }
}
