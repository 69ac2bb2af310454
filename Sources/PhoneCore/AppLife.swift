// SPDX-License-Identifier: GPL-3.0-or-later
import LifeCycle
import Power
import Quantities
import Vocabulary

/// Fault of an app while it is on screen.
package enum ForegroundFault: UInt8 {
    case none, crash, hang
}

/// What remains of the last visit at the next launch.
package enum LeftState: UInt8 {
    /// There was no last visit.
    case none
    /// All work of the visit is saved, or will be saved if the process stays alive.
    case saved
    /// Some work was lost with the process.
    case lost
}

/// Life-cycle state of an app: the system's clocks, and the random draws for a visit or for work.
package struct AppLife {
    /// Grace time, task assertions, watchdogs, and the limit of processor time.
    package var clock = LifeCycleClock()
    /// Whether the app is in its grace, its processor load during the grace, and whether the app keeps the phone awake.
    var isInGrace = false
    var load = LoadHandle.none
    var holdsAwake = false
    /// When the app last saved its state.
    package var lastSave = SimTime.zero
    /// When jetsam last killed the app; the distant past if never.
    package var killed = SimTime(nanoseconds: .min / 2)
    /// Whether the app never ends the task assertion of this visit.
    var leaksTask = false
    /// Whether the app locks a shared file in this visit and does not release it.
    var locksFile = false
    /// Fault of this visit, the time on screen until the fault, and the instant of the fault.
    var fault = ForegroundFault.none
    var faultDelay = SimDuration.zero
    var faultAt = SimTime.distantFuture
    /// Exit category of a crash during this visit or this work.
    package var crash = ExitCategory.abnormal
    /// Whether the running background work will crash.
    package var crashesInWork = false
    /// What remains of the last visit at a relaunch.
    package var state = LeftState.none
    /// Whether the user has given up the app.
    package var isGivenUp = false
    /// The window of the present visit.
    package var window = 0
    /// The save in progress since the user left the app.
    package var save = LongSave.none
    /// Whether saves fail for lack of space.
    package var saveFails = false
    /// Memory that the process has leaked.
    package var leaked = ByteCount.zero
    /// Whether the process was notified that its own limit is near.
    package var isNearLimit = false

    /// Clears the state that ends with the process, including pending faults.
    mutating func end() {
        clock.end()
        fault = .none
        crashesInWork = false
        leaked = .zero
        isNearLimit = false
        saveFails = false
        save = .none
    }
}
