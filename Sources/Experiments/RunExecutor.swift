// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Phone
import PhoneCore

/// Executor of the runs of a plan, in the current process.
public protocol RunExecutor {
    /// Plan of the runs.
    var plan: Plan { get }

    /// The names of the apps in a run, in the order of their identifiers.
    func appNames(in run: PlannedRun) -> [String]

    /// Carries out one run; rows go to the sink, the position to the watch.
    func execute(_ run: PlannedRun, sink: any RowSink, watch: RunWatch?) throws -> RunOutcome
}
