// SPDX-License-Identifier: GPL-3.0-or-later
import LifeCycle
import Power
import Quantities
import Vocabulary

/// What goes wrong with an app in the foreground.
package enum ForegroundFault: UInt8 {
    case none, crash, hang
}

/// What the next launch finds of the last visit.
package enum LeftState: UInt8 {
    /// There was none.
    case none
    /// Everything the user did in it is saved, or will be if its process lives on.
    case saved
    /// Something was lost with the process.
    case lost
}

/// The part of an app's state that its life cycle needs: the system's clocks, and what was drawn for a visit or work.
package struct AppLife {
    /// Grace, task assertions, watchdogs, the processor's limit.
    package var clock = LifeCycleClock()
    /// Whether it is in its grace, what it puts on the processor then, and whether it keeps the phone awake meanwhile.
    var isInGrace = false
    var load = LoadHandle.none
    var holdsAwake = false
    /// When its state was last saved.
    package var lastSave = SimTime.zero
    /// When jetsam last killed it; the distant past when never.
    package var killed = SimTime(nanoseconds: .min / 2)
    /// Whether it never ends the task assertion of this visit.
    var leaksTask = false
    /// Whether it locks a shared file in this visit and does not let go of it.
    var locksFile = false
    /// What will go wrong in this visit, after how much time on screen, and when that is.
    var fault = ForegroundFault.none
    var faultDelay = SimDuration.zero
    var faultAt = SimTime.distantFuture
    /// How a crash of this visit or work shows.
    package var crash = ExitCategory.abnormal
    /// Whether the background work under way will crash.
    package var crashesInWork = false
    /// What a relaunch finds of the last visit.
    package var state = LeftState.none
    /// Whether the user opens it no more.
    package var isGivenUp = false
    /// The window of the present visit.
    package var window = 0
    /// The save that goes on since it was left, if it has not ended.
    package var save = LongSave.none
    /// Whether there is no room for what it would save.
    package var saveFails = false
    /// What its process has leaked.
    package var leaked = ByteCount.zero
    /// Whether its process was told that its own limit is near.
    package var isNearLimit = false

    /// The process is gone, and with it what went wrong or would have.
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
