// SPDX-License-Identifier: GPL-3.0-or-later
// Experiments owns what happens between an experiment and its tables: the plan, the worker processes, the store of
// finished runs, the merge and the comparison.
// In: a `Plan` and something that can execute one planned run (`RunExecutor`). Out: a directory of results.
// It knows neither how a file is read (`Scenario`) nor how a phone works (`Phone`); it never folds in order of arrival.
// Read first: this file, then `RunSession.swift` (the whole way), `Coordinator.swift` (who runs what, where).

import Files
import Measures
import Phone
import PhoneCore
import Recording

/// Every run of an experiment, in the order in which they are done.
///
/// The order is replication-major: each replication is complete over all policies and sweep points before the next
/// begins, so that paired results come early and the estimate of the time left is honest.
public struct Plan: Sendable, Equatable {
    /// Name of the experiment.
    public let name: String
    /// The question it answers; empty when the file asks none.
    public let question: String
    /// Schema version of the experiment file.
    public let schema: Int
    /// Seed of all random streams.
    public let seed: UInt64
    /// Paths of the swept values.
    public let axes: [String]
    /// Sweep points; one without values when nothing is swept.
    public let points: [PlannedPoint]
    /// The swept values as tables hold them, by axis.
    let axisValues: [AxisValues]
    /// Policies in the order of the experiment.
    public let policies: [PlannedPolicy]
    /// Index of the policies the others are compared with.
    public let baseline: Int
    /// Number of replications.
    public let replications: Int
    /// Tables to write besides the runs.
    public let tables: TableSet
    /// Tables whose rows are kept in the segments, so that they can be written later without running anything.
    public let kept: TableSet
    /// Whether the tables of rows are written compressed.
    public let isCompressed: Bool
    /// How results are judged.
    public let analysis: Analysis
    /// The metrics of every run, in the order of its values.
    public let metrics: MetricList
    /// The people, replication by replication; nil without a population.
    public let people: PlannedPeople?
    /// The constants that are drawn for each sample of its `uncertainty`; empty without.
    public let doubts: [PlannedDoubt]
    /// The runs.
    public let runs: PlannedRuns
    /// Replications of each policy at each point, `policy * points.count + point`, where a selection left some out.
    let lengths: [Int]?

    /// Lays out the runs.
    public init(
        name: String, question: String = "", schema: Int, seed: UInt64, axes: [String] = [], points: [PlannedPoint],
        policies: [PlannedPolicy], baseline: Int, replications: Int, tables: TableSet, analysis: Analysis,
        metrics: MetricList = MetricList(MetricCatalog.catalogue), kept: TableSet = [], isCompressed: Bool = false,
        people: PlannedPeople? = nil, lengths: [Int]? = nil, doubts: [PlannedDoubt] = []
    ) {
        self.init(
            name: name, question: question, schema: schema, seed: seed, axes: axes, points: points,
            policies: policies, baseline: baseline, replications: replications, tables: tables, analysis: analysis,
            metrics: metrics, kept: kept, isCompressed: isCompressed, people: people, lengths: lengths,
            doubts: doubts, runs: nil)
    }

    /// Lays out the runs, or takes those of a plan that differs in nothing that a run depends on.
    private init(
        name: String, question: String, schema: Int, seed: UInt64, axes: [String], points: [PlannedPoint],
        policies: [PlannedPolicy], baseline: Int, replications: Int, tables: TableSet, analysis: Analysis,
        metrics: MetricList, kept: TableSet, isCompressed: Bool, people: PlannedPeople?, lengths: [Int]?,
        doubts: [PlannedDoubt], runs: PlannedRuns?
    ) {
        self.lengths = lengths
        precondition(points.allSatisfy { $0.values.count == axes.count }, "a sweep point has one value per axis")
        precondition(policies.indices.contains(baseline), "the baseline is one of the policies")
        self.name = name
        self.question = question
        self.schema = schema
        self.seed = seed
        self.axes = axes
        self.points = points
        axisValues = axes.indices.map { axis in AxisValues(axes[axis], points.map { $0.values[axis] }) }
        self.policies = policies
        self.baseline = baseline
        self.replications = replications
        self.tables = tables
        self.kept = kept
        self.isCompressed = isCompressed
        self.analysis = analysis
        self.metrics = metrics
        self.people = people
        self.doubts = doubts
        self.runs =
            runs?.prefix(replications: replications)
            ?? PlannedRuns(
                metrics: metrics.names.joined(separator: " "), seed: seed, points: points, policies: policies,
                replications: replications)
    }

    /// The run of a replication, sweep point and policy.
    public func run(replication: Int, point: Int, policy: Int) -> PlannedRun {
        runs[index(replication: replication, point: point, policy: policy)]
    }

    /// The number of the run of a replication, sweep point and policy.
    func index(replication: Int, point: Int, policy: Int) -> Int {
        (replication * points.count + point) * policies.count + policy
    }

    /// The tables whose rows a run records: those that are written, and those that are kept.
    public var recorded: TableSet { tables.union(kept) }

    /// Whether a run is to be done: a selection leaves out those of the policies that it dropped.
    func wants(_ run: PlannedRun) -> Bool {
        lengths.map { run.replication < $0[run.policy * points.count + run.point] } ?? true
    }

    /// Number of the runs that are to be done.
    public var wantedRuns: Int { lengths?.reduce(0) { $0 + min($1, replications) } ?? runs.count }

    /// Hash of the whole plan: a worker that reads a changed file notices.
    public var hash: UInt64 {
        var checksum = Checksum()
        for run in runs { checksum.add(part: hexadecimal(run.identity)) }
        checksum.add(part: String(recorded.rawValue))
        return checksum.value
    }

    /// The plan with another number of replications; runs keep their indices.
    public func with(replications: Int) -> Plan { with(replications: replications, lengths: nil) }

    /// The plan with another number of replications, some policies with fewer of them.
    func with(replications: Int, lengths: [Int]?) -> Plan {
        Plan(
            name: name, question: question, schema: schema, seed: seed, axes: axes, points: points, policies: policies,
            baseline: baseline, replications: replications, tables: tables, analysis: analysis, metrics: metrics,
            kept: kept, isCompressed: isCompressed, people: people, lengths: lengths, doubts: doubts, runs: runs)
    }
}
