// SPDX-License-Identifier: GPL-3.0-or-later
import LifeCycle
import Quantities
import Vocabulary

/// State of an app with windows, in addition to its process.
struct ScriptLife {
    /// Clocks that the system runs for the app, as on a phone.
    var clock = LifeCycleClock()
    /// Number of processors that the app keeps busy.
    var load = 0.0
    /// The window that is on its way to the screen.
    var window = 0
    /// Category of the last end of the process.
    var exit: ExitCategory?

    /// Save that began when the user left the app, and the completed share of the last save.
    var save = LongSave.none
    var saved = 1.0

    /// Records the end of the process.
    mutating func end(_ category: ExitCategory, at now: SimTime) {
        cutSave(at: now)
        let saved = saved
        self = ScriptLife()
        self.saved = saved
        exit = category
    }

    /// Stops the save because the process no longer executes.
    mutating func cutSave(at now: SimTime) {
        guard save.goesOn else { return }
        saved = save.doneShare(at: now)
        save = .none
    }
}
