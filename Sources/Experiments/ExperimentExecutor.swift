// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Phone
import PhoneCore
import Recording
import Scenario
import Vocabulary

/// Carries out the runs of an experiment by simulating them.
public struct ExperimentExecutor: RunExecutor {
    private let experiment: Experiment
    /// Plan of the runs.
    public let plan: Plan

    /// Creates an executor.
    public init(_ experiment: Experiment) {
        self.experiment = experiment
        plan = Plan(experiment)
    }

    /// Names of the apps in a run, in the order of their identifiers; empty if no rows are recorded.
    ///
    /// Names are drawn only if they are needed, because this takes an eighth of the time of a short run.
    public func appNames(in run: PlannedRun) -> [String] {
        plan.recorded.isEmpty ? [] : experiment.points[run.point].processNames(replication: run.replication)
    }

    /// Simulates one run.
    public func execute(_ run: PlannedRun, sink: any RowSink, watch: RunWatch?) -> RunOutcome {
        let specification = experiment.specification(
            point: run.point, policy: run.policy, replication: run.replication)
        guard !plan.recorded.isEmpty else { return simulate(specification, watch: watch) }
        return simulate(specification, sink: sink, watch: watch)
    }
}
