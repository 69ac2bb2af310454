// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// State of the freezer: its slots, its budget and its interval.
struct Freezer: Sendable {
    /// Rules of the freezer; nil if there is no freezer.
    let rules: FreezerRules?
    /// Whether the freezer is switched on.
    var isOn = true
    /// Whether any process may be frozen at all.
    var isWanted = true
    /// Whether a process was frozen despite the rules; slots do not limit such processes.
    var hasForced = false
    private(set) var frozen = 0
    /// Number of frozen processes that have been thawed and can be frozen again.
    private(set) var refreezable = 0
    /// When the freezer may run next.
    var nextRun = SimTime.zero
    /// Bytes that may still be written in this interval.
    var budget: Int64
    private(set) var intervalEnd = SimTime.zero + .days(1)
    /// Number of different processes thawed in this interval.
    private(set) var thawedInInterval = 0
    /// Managed processes that were killed since the snapshot was last read.
    private var snapshot: [FreezerSnapshotEntry] = []

    init(_ rules: FreezerRules?) {
        self.rules = rules
        budget = rules?.budget.bytes ?? 0
    }

    @inline(__always)
    var isEnabled: Bool { isOn && isWanted }

    /// Whether a slot and some budget are left.
    var hasRoom: Bool { frozen < (rules?.slots ?? 0) && budget > 0 }

    /// Share of the frozen processes that were thawed in this interval.
    var thawShare: Double { frozen == 0 ? 0 : Double(thawedInInterval) / Double(frozen) }

    /// Whether a run can do anything at this available memory and number of suspended processes.
    func canRun(available: Int64, visible: Int64, suspended: Int) -> Bool {
        guard let rules else { return false }
        return Double(available) <= rules.belowShare * Double(visible) && isEnabled
            && suspended - frozen > rules.spared
            && (frozen < rules.slots || refreezable >= rules.refrozenFrom) && (budget > 0 || refreezable > 0)
    }

    /// Begins a new interval: the budget grows by a day's amount, and in proportion to the missed time.
    ///
    /// The missed time is rounded down to hundredths of a day.
    mutating func beginInterval(missed: SimDuration, _ rules: FreezerRules, at now: SimTime) {
        let page = 16384.0
        let daily = (Double(rules.budget.bytes) / page).rounded(.down)
        let hundredths = (missed / .days(1) * 100).rounded(.down)
        let credit = (daily * hundredths / 100).rounded(.down)
        budget = max(0, budget) + Int64((daily + credit) * page)
        intervalEnd = now + .days(1)
        thawedInInterval = 0
    }

    mutating func changeFrozen(by change: Int) { frozen += change }
    mutating func changeRefreezable(by change: Int) { refreezable += change }
    mutating func changeThawed(by change: Int) { thawedInInterval += change }

    /// Adds a killed process to the snapshot, which has at most `most` entries until it is read.
    mutating func recordKill(_ entry: FreezerSnapshotEntry, most: Int) {
        if snapshot.count < most { snapshot.append(entry) }
    }

    /// Reads the snapshot and empties it.
    mutating func readSnapshot() -> [FreezerSnapshotEntry] {
        defer { snapshot.removeAll(keepingCapacity: true) }
        return snapshot
    }
}
