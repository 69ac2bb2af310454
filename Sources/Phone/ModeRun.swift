import Power
import Quantities
import Workload

/// Why an app runs in the background without a limit of time; music and navigation are among `Continuing`.
enum Mode: UInt8 {
    case none, call
}

/// A mode that holds an app running, with what it draws.
struct ModeRun {
    var mode = Mode.none
    var began = SimTime.zero
    /// When the user stops it.
    var until = SimTime.distantFuture
    var processor = LoadHandle.none
    var parts = ActivityLoads.none
    var holdsAwake = false
    /// Which mode of the app it is: the agenda's entries for earlier ones are stale.
    var token: UInt32 = 0
}

/// How a call goes, drawn when it comes.
struct CallPlan {
    var isReported = true
    var isAnswered = true
    var talk = SimDuration.zero
}

/// The user's movements: the day at hand, and what comes next in it.
struct Movements {
    var schedule: MovementSchedule
    var day: [SimTime] = []
    var next = 0
}
