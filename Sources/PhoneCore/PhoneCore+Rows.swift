// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Power
import Processes
import Quantities
import Vocabulary

/// Rows of events of processes.
///
/// Writing a row advances no part of the phone, so a table does not change results.
extension PhoneCore {
    /// Writes a row of `events`, if that table is written.
    package mutating func record(
        _ event: EventName, _ app: AppID, from old: ProcessState, to new: ProcessState, kind: LaunchKind? = nil,
        openedBy: OpenReason? = nil, exit: ExitCategory? = nil, delay: SimDuration? = nil,
        contentAge: Double = .nan, lost: Double = .nan, trim: TrimLevel = .none,
        at time: SimTime? = nil
    ) {
        let time = time ?? now
        if old != new { book.countState(app, leaving: old, footprint: processes.footprint(of: app), at: time) }
        guard book.recordsEvents, let sink = book.sink else { return }
        var row = EventRow()
        row.time = time
        row.app = app
        row.event = event
        row.from = old
        row.to = new
        row.inState =
            old != new ? book.timeInState(app, at: time) : Int(app.index) < apps.count ? .zero : nil
        row.launchKind = kind
        row.openedBy = openedBy
        row.delaySeconds = delay?.seconds ?? .nan
        row.contentAgeSeconds = contentAge
        row.lostSeconds = lost
        row.trimLevel = trim
        row.exit = exit
        row.band = processes.band(of: app)
        row.footprintMiB = processes.footprint(of: app).mebibytes
        row.residentMiB = processes.resident(of: app).mebibytes
        row.availableBeforeMiB = processes.available.mebibytes
        row.availableAfterMiB = row.availableBeforeMiB
        row.compressorMiB = processes.accounts.compressorPool.mebibytes
        row.batteryPercent = Double(power.percent)
        sink.write(row)
    }

    /// Writes the row of a kill by jetsam, with the next candidates.
    mutating func record(_ kill: KillRecord, _ candidates: [KillCandidate]) {
        let isApp = Int(kill.app.index) < apps.count
        if isApp {
            book.countState(kill.app, leaving: kill.state, footprint: kill.footprint, at: now)
        }
        guard book.recordsEvents, let sink = book.sink else { return }
        var row = EventRow()
        row.time = now
        row.app = kill.app
        row.event = .exit
        row.from = kill.state
        row.to = .notRunning
        row.inState = book.timeInState(kill.app, at: now)
        row.exit = kill.category
        if isApp { row.lostSeconds = unsavedSeconds(of: kill.app, wasVisible: kill.state.isForeground) }
        row.reason = kill.reason
        row.band = kill.band
        row.footprintMiB = kill.footprint.mebibytes
        row.residentMiB = kill.resident.mebibytes
        row.freedMiB = kill.freed.mebibytes
        row.availableBeforeMiB = kill.availableBefore.mebibytes
        row.availableAfterMiB = kill.availableAfter.mebibytes
        row.compressorMiB = processes.accounts.compressorPool.mebibytes
        row.thresholdMiB = processes.threshold(of: kill.reason)?.mebibytes ?? .nan
        row.runnerUp = kill.runnerUp
        row.margin = kill.margin
        row.candidates = candidates
        row.batteryPercent = Double(power.percent)
        sink.write(row)
    }

    /// Writes the calls of the system into apps, if that table is written.
    package mutating func recordCallbacks() {
        for call in processes.callbacks where Int(call.app.index) < apps.count { book.sink?.write(call) }
        processes.clearCallbacks()
    }
}
