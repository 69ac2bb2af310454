// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// Notices of memory pressure, at the times of `Notices`.
extension ProcessTable {
    /// Updates the level after a change of memory.
    mutating func updatePressure(at now: SimTime) {
        // On a system with trim levels, these determine the level.
        guard trims == nil, let share = book.changedLevelShare(), !isUnbounded else { return }
        let old = pressureWatch.update(share: share, isCompressorFull: isCompressorShort)
        if pressure != old { pressureWatch.armTimer(from: old, at: now) }
        guard pressure != old || pressure != notices.level else { return }
        if notices.follow(pressure, at: now) { announce(isRising: true, at: now) }
    }

    /// Announces a drop that has lasted long enough, or notifies the next process.
    mutating func runNotices(at now: SimTime) {
        if notices.endDrop(at: now) {
            announce(isRising: false, at: now)
        } else if notices.next <= now {
            sendNotices(at: now)
        }
    }

    private mutating func announce(isRising: Bool, at now: SimTime) {
        notices.announce(pressure, isRising: isRising, spacing: noticeSpacing, at: now)
        if notices.next <= now { sendNotices(at: now) }
    }

    /// Time between notices; zero if available memory is at most midway between the soft and the critical threshold.
    private var noticeSpacing: SimDuration {
        2 * book.available <= thresholdBytes.soft + thresholdBytes.critical ? .zero : profile.noticeSpacing
    }

    private mutating func sendNotices(at now: SimTime) {
        notices.beginRound(at: now)
        while let index = notices.nextListener(&processes, bands.queues) {
            notify(index, at: now)
            notices.recordNotice(spacing: noticeSpacing, at: now)
            if notices.next > now { return }
        }
        notices.rest(at: now)
    }

    /// Notifies a process of the level; if the notice is a warning, the process drops its share of memory.
    private mutating func notify(_ index: Int, at now: SimTime) {
        let app = AppID(index)
        guard notices.notifyLevel(to: index, &processes[index]) else { return notices.recordRelief(app, at: now) }
        let footprint = processes[index].footprint
        let dropped = Int64(rounding: Double(footprint) * facts[index].warningDrop)
        resize(index, to: footprint - dropped)
        totals.warnings += 1
        if recordsCallbacks { recordCallback(.didReceiveMemoryWarning, of: index, window: nil, at: now) }
        notices.recordWarning(app, dropped: dropped, at: now)
    }
}
