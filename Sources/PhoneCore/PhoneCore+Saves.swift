// SPDX-License-Identifier: GPL-3.0-or-later
import LifeCycle
import Measures
import Processes
import Quantities
import Vocabulary

/// Saves that can last longer than the app executes after the user left it.
extension PhoneCore {
    /// Starts the save of an app that the user left; a save without duration is completed at once.
    package mutating func beginSave(of app: AppID) {
        let index = Int(app.index)
        guard apps[index].saveTime > .zero else {
            lives[index].lastSave = now
            return
        }
        lives[index].save = LongSave(
            began: now, length: apps[index].saveTime, pending: unsavedSeconds(of: app, wasVisible: true))
    }

    /// Stops the save of an app that stops executing or ends; the rest is not saved.
    package mutating func cutSave(of app: AppID) {
        let index = Int(app.index)
        let save = lives[index].save
        guard save.goesOn else { return }
        lives[index].save = .none
        let done = save.doneShare(at: now)
        lives[index].lastSave = save.began - .seconds(save.pending * (1 - done))
        guard done < 1 else { return }
        measures.add(handles.cutSaves, of: app)
        let state = processes.state(of: app)
        record(.saveCut, app, from: state, to: state, lost: save.pending * (1 - done))
    }
}
