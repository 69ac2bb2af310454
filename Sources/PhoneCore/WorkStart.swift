// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// State of the phone at the start of any background work; for work that never started, the defaults apply.
package struct WorkStart: BitwiseCopyable {
    /// Whether the phone was on a charger.
    package var onPower = false
    /// Whether Low Power Mode was on.
    var inLowPower = false
    /// Time for which the phone had been locked; negative if it was unlocked.
    var idle = SimDuration.seconds(-1)
    /// Background energy of the app before the work started, in joules; only for the table of requests.
    var joules = Double.nan

    /// Creates the state of work that never started.
    package init() {}
}

extension PhoneCore {
    /// State of the phone at present, for work of an app that starts now.
    package func workStart(of app: AppID) -> WorkStart {
        var start = WorkStart()
        start.onPower = conditions.pluggedIn
        start.inLowPower = conditions.lowPowerMode
        if conditions.locked { start.idle = now - conditions.lockedSince }
        start.joules = backgroundEnergy(of: app)
        return start
    }

    /// Sets the fields of a row from the state at the start of the work, and the app's background energy since then.
    package func fill(_ row: inout RequestRow, from start: WorkStart) {
        row.pluggedIn = start.onPower
        row.lowPower = start.inLowPower
        row.idle = start.idle
        row.joules = backgroundEnergy(of: row.app) - start.joules
    }
}
