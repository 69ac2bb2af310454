// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import PhoneCore
import Power
import Quantities

/// A continued task under way: what the user began in an app and left to go on (iOS 26).
struct ContinuedRun {
    var task: ContinuedTask
    var assertion: Assertion
    /// How many reports of progress it will make, and how many it has made.
    var steps: Int
    var done = 0
    /// Time from one report of progress to the next, and what is sent meanwhile.
    var step = SimDuration.zero
    var bytes = ByteCount.zero
    /// When the system ends it, however far it is.
    var lastInstant = SimTime.distantFuture
    /// What the phone was like when it started.
    var start = WorkStart()
    /// What it has sent, in bytes.
    var sent = RadioTable<Int64>(0)

    init(task: ContinuedTask, assertion: Assertion, steps: Int) {
        self.task = task
        self.assertion = assertion
        self.steps = steps
    }
}
