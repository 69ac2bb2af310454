// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// What the phone was like when background work started, of whatever kind; work that never did has the defaults.
package struct WorkStart: BitwiseCopyable {
    /// Whether the phone was on power.
    package var onPower = false
    /// Whether Low Power Mode was on.
    var inLowPower = false
    /// How long the phone had been locked; negative when it was not.
    var idle = SimDuration.seconds(-1)
    /// What the app's background had used by then, in joules; kept for the table of requests only.
    var joules = Double.nan

    /// Work that never started.
    package init() {}
}

extension PhoneCore {
    /// What the phone is like for work of an app that starts now.
    package func workStart(of app: AppID) -> WorkStart {
        var start = WorkStart()
        start.onPower = conditions.pluggedIn
        start.inLowPower = conditions.lowPowerMode
        if conditions.locked { start.idle = now - conditions.lockedSince }
        start.joules = backgroundEnergy(of: app)
        return start
    }

    /// Enters in a row what the phone was like at the start of the work, and what the app's background has used since.
    package func fill(_ row: inout RequestRow, from start: WorkStart) {
        row.pluggedIn = start.onPower
        row.lowPower = start.inLowPower
        row.idle = start.idle
        row.joules = backgroundEnergy(of: row.app) - start.joules
    }
}
