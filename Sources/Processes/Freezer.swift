// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// What the freezer remembers: its slots, its budget and its interval.
struct Freezer: Sendable {
    /// The rules; nil without a freezer.
    let rules: FreezerRules?
    var isEnabled = true
    /// Whether somebody was frozen against the rules, whom slots do not bind.
    var hasForced = false
    private(set) var frozen = 0
    /// Frozen processes that have been thawed since, and may be frozen again.
    private(set) var refreezable = 0
    /// When it may run next.
    var nextRun = SimTime.zero
    /// What may still be written in this interval.
    var budget: Int64
    private(set) var intervalEnd = SimTime.zero + .days(1)
    /// Thaws of different processes in this interval.
    private(set) var thawedInInterval = 0
    /// Managed processes that were killed since the snapshot was last read.
    private var snapshot: [FreezerSnapshotEntry] = []

    init(_ rules: FreezerRules?) {
        self.rules = rules
        budget = rules?.budget.bytes ?? 0
    }

    /// Whether a slot and some budget are left.
    var hasRoom: Bool { frozen < (rules?.slots ?? 0) && budget > 0 }

    /// Share of this interval's frozen processes that were thawed in it.
    var thawShare: Double { frozen == 0 ? 0 : Double(thawedInInterval) / Double(frozen) }

    /// Whether a run may do anything, with so much available memory and so many suspended processes.
    func canRun(available: Int64, visible: Int64, suspended: Int) -> Bool {
        guard let rules else { return false }
        return Double(available) <= rules.belowShare * Double(visible) && isEnabled
            && suspended - frozen > rules.spared
            && (frozen < rules.slots || refreezable >= rules.refrozenFrom) && (budget > 0 || refreezable > 0)
    }

    /// A new interval: what is left stays, and missed days count to a hundredth.
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

    /// Keeps a killed process in the snapshot, which holds so many before it is read.
    mutating func recordKill(_ entry: FreezerSnapshotEntry, most: Int) {
        if snapshot.count < most { snapshot.append(entry) }
    }

    /// Reads the snapshot and empties it.
    mutating func readSnapshot() -> [FreezerSnapshotEntry] {
        defer { snapshot.removeAll(keepingCapacity: true) }
        return snapshot
    }
}
