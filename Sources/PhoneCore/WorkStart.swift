// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// State of the phone at the start of background work of any kind; work that never started has the defaults.
package struct WorkStart: BitwiseCopyable {
    /// Whether the phone was on power.
    package var onPower = false
    /// Whether Low Power Mode was on.
    var inLowPower = false
    /// Time for which the phone had been locked; negative if it was not.
    var idle = SimDuration.seconds(-1)
    /// Energy of the app's background until then, in joules; kept for the table of requests only.
    var joules = Double.nan

    /// Creates the state of work that never started.
    package init() {}
}

extension PhoneCore {
    /// State of the phone for work of an app that starts now.
    package func workStart(of app: AppID) -> WorkStart {
        var start = WorkStart()
        start.onPower = conditions.pluggedIn
        start.inLowPower = conditions.lowPowerMode
        if conditions.locked { start.idle = now - conditions.lockedSince }
        start.joules = backgroundEnergy(of: app)
        return start
    }

    /// Fills a row with the state at the start of the work, and with the energy of the app's background since.
    package func fill(_ row: inout RequestRow, from start: WorkStart) {
        row.pluggedIn = start.onPower
        row.lowPower = start.inLowPower
        row.idle = start.idle
        row.joules = backgroundEnergy(of: row.app) - start.joules
    }
}
