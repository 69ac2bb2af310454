// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import PhoneCore
import Power
import Quantities

/// A running continued task: work that the user began in an app and that continues in the background (iOS 26).
struct ContinuedRun {
    var task: ContinuedTask
    var assertion: Assertion
    /// Total number of progress reports of the task, and the number made so far.
    var steps: Int
    var done = 0
    /// Time from one report of progress to the next, and the bytes sent in that time.
    var step = SimDuration.zero
    var bytes = ByteCount.zero
    /// When the system ends the task, whatever its progress.
    var lastInstant = SimTime.distantFuture
    /// State of the phone when the task started.
    var start = WorkStart()
    /// Bytes that the task has sent, by radio.
    var sent = RadioTable<Int64>(0)

    init(task: ContinuedTask, assertion: Assertion, steps: Int) {
        self.task = task
        self.assertion = assertion
        self.steps = steps
    }
}
