import Power
import Processes
import Quantities
import Vocabulary

/// How far an app is with what it does on its way to suspension.
package enum TaskPhase: UInt8 {
    /// Nothing holds it but the grace.
    case none
    /// It works under a task assertion.
    case working
    /// Its work is done, and it has forgotten to end the assertion.
    case leaking
    /// Its time is over, and nobody has ended the assertion.
    case expired
    /// It does not answer the system any more.
    case hung
}

/// What goes wrong with an app in the foreground.
package enum ForegroundFault: UInt8 {
    case none, crash, hang
}

/// What an ended process has left for the next launch.
package enum LeftState: UInt8 {
    /// It has never run.
    case none
    /// Everything the user did was saved.
    case saved
    /// Something was lost.
    case lost
}

/// The part of an app's state that its life cycle needs: task assertions, faults, watchdogs.
package struct AppLife {
    /// What it puts on the processor within its grace, and whether it keeps the phone awake meanwhile.
    var load = LoadHandle.none
    var holdsAwake = false
    /// When its state was last saved.
    package var lastSave = SimTime.zero
    /// When jetsam last killed it; the distant past when never.
    package var killed = SimTime(nanoseconds: .min / 2)
    package var task = TaskPhase.none
    /// When the time of all task assertions of this stay in the background is over.
    var taskEnds = SimTime.distantFuture
    /// Whether it never ends the task assertion of this visit.
    var leaksTask = false
    /// Whether it holds a lock on a shared file when it is suspended after this visit.
    var holdsLock = false
    /// What will go wrong in this visit, after how much time on screen, and when that is.
    var fault = ForegroundFault.none
    var faultDelay = SimDuration.zero
    var faultAt = SimTime.distantFuture
    /// How a crash of this visit or work shows.
    package var crash = ExitCategory.abnormal
    /// Whether the background work under way will crash.
    package var crashesInWork = false
    /// Whether the launch under way takes longer than the watchdog allows.
    package var isLaunchTooLong = false
    /// What it uses of the processor in the background, and when that is too much.
    package var monitor = ProcessorMonitor()
    package var processorLimit = SimTime.distantFuture
    /// What a relaunch finds of the last visit.
    package var state = LeftState.none
    /// The window of the present visit.
    package var window = 0

    /// The process is gone, and with it what went wrong or would have.
    mutating func end() {
        task = .none
        fault = .none
        crashesInWork = false
        isLaunchTooLong = false
        monitor = ProcessorMonitor()
        processorLimit = .distantFuture
    }
}
