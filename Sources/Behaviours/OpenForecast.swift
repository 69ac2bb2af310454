// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import Processes
import Quantities
import Vocabulary
import Workload

/// The user's next open of each app, read in advance from the same workload, for policies that know the future.
///
/// The forecast has its own source, with random streams in the same state, so the phone's own workload is not affected.
/// The whole run is read at once and uses eight bytes per open.
struct OpenForecast {
    private var opens: [[SimTime]]
    /// For each app, the number of its `opens` that are in the past.
    private var passed: [Int]

    /// Reads all days of a workload.
    init(of workload: consuming WorkloadSource, apps: Int) {
        opens = Array(repeating: [], count: apps)
        passed = Array(repeating: 0, count: apps)
        var intents: [Intent] = []
        while workload.nextDay(into: &intents) {
            for intent in intents where intent.kind == .open { opens[Int(intent.app.index)].append(intent.time) }
        }
    }

    /// The first open of an app after an instant, or `distantFuture`.
    ///
    /// The instant must not decrease from call to call.
    mutating func next(of app: AppID, after now: SimTime) -> SimTime {
        let index = Int(app.index)
        while passed[index] < opens[index].count, opens[index][passed[index]] <= now { passed[index] += 1 }
        return passed[index] < opens[index].count ? opens[index][passed[index]] : .distantFuture
    }
}
