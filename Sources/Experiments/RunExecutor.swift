// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Phone
import PhoneCore

/// Whatever can carry out the runs of a plan, in the process it lives in.
public protocol RunExecutor {
    /// The plan whose runs it carries out.
    var plan: Plan { get }

    /// The names of the apps in a run, in the order of their identifiers.
    func appNames(in run: PlannedRun) -> [String]

    /// Carries out one run, hands its rows to the sink and its position to the watch.
    func execute(_ run: PlannedRun, sink: any RowSink, watch: RunWatch?) throws -> RunOutcome
}
