// SPDX-License-Identifier: GPL-3.0-or-later
import LifeCycle
import Quantities
import Vocabulary

/// What a scenario knows of an app with windows besides its process.
struct ScriptLife {
    /// The clocks that the system runs over it, the same as on a phone.
    var clock = LifeCycleClock()
    /// How many processors it keeps busy.
    var load = 0.0
    /// The window that is on its way to the screen.
    var window = 0
    /// How its process ended last.
    var exit: ExitCategory?

    /// The save that it began when it was left, and the share of the last one that was done.
    var save = LongSave.none
    var saved = 1.0

    /// The process is gone.
    mutating func end(_ category: ExitCategory, at now: SimTime) {
        cutSave(at: now)
        let saved = saved
        self = ScriptLife()
        self.saved = saved
        exit = category
    }

    /// The process executes no more.
    mutating func cutSave(at now: SimTime) {
        guard save.goesOn else { return }
        saved = save.doneShare(at: now)
        save = .none
    }
}
