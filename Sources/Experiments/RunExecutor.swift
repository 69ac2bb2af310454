// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Phone
import PhoneCore

/// Carries out the runs of a plan in the current process.
public protocol RunExecutor {
    /// Plan of the runs.
    var plan: Plan { get }

    /// Names of the apps in a run, in the order of their identifiers.
    func appNames(in run: PlannedRun) -> [String]

    /// Carries out one run; the sink receives its rows, and the watch its position.
    func execute(_ run: PlannedRun, sink: any RowSink, watch: RunWatch?) throws -> RunOutcome
}
