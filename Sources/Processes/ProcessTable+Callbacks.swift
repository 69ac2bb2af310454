// SPDX-License-Identifier: GPL-3.0-or-later
import LifeCycle
import Quantities
import Structures
import Vocabulary

/// Calls of the system into apps.
extension ProcessTable {
    /// Records the call that warns an app of the end of its task assertions.
    public mutating func recordTaskExpiration(_ app: AppID, at now: SimTime) {
        guard recordsCallbacks else { return }
        recordCallback(.taskExpiration, of: Int(app.index), window: nil, at: now)
    }

    mutating func recordCallback(_ callback: AppCallback, of index: Int, window: Int?, at now: SimTime) {
        callbacks.append(
            CallbackRecord(
                time: now, app: AppID(index), window: Int32(window ?? -1), callback: callback,
                state: processes[index].state))
    }

    /// The calls that a move of the life cycle causes.
    func callbacks(of move: LifeCycleMove, _ index: Int, at now: SimTime) -> [CallbackRecord] {
        let life = processes[index].life
        var after = life
        after.apply(move)
        var result: [CallbackRecord] = []
        life.forEachCallback(of: move, hasScenes: profile.lifeCycle.hasScenes) { callback, window in
            result.append(
                CallbackRecord(
                    time: now, app: AppID(index), window: Int32(window ?? -1), callback: callback, state: after.state))
        }
        return result
    }
}
