import Background
import Power
import Quantities

/// A continued task under way: what the user began in an app and left to go on (iOS 26).
struct ContinuedRun {
    var task: ContinuedTask
    /// Which run its errands are for.
    var token: UInt32
    /// Time from one report of progress to the next, and what is sent meanwhile.
    var step = SimDuration.zero
    var bytes = ByteCount.zero
    var steps = 1
    var done = 0
    var load = LoadHandle.none
    var onPower = false
    /// What it has sent.
    var cellularBytes: Int64 = 0
    var wifiBytes: Int64 = 0
    /// What the app's background had used when it started, in joules; kept for the table of requests only.
    var joules = 0.0
}
