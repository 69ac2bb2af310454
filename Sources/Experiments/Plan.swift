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
    /// Policies in the order of the experiment.
    public let policies: [PlannedPolicy]
    /// Index of the policies the others are compared with.
    public let baseline: Int
    /// Number of replications.
    public let replications: Int
    /// Tables to write besides the runs.
    public let tables: TableSet
    /// How results are judged.
    public let analysis: Analysis
    /// The metrics of every run, in the order of its values.
    public let metrics: MetricList
    /// The runs.
    public let runs: [PlannedRun]

    /// Lays out the runs.
    public init(
        name: String, question: String = "", schema: Int, seed: UInt64, axes: [String] = [], points: [PlannedPoint],
        policies: [PlannedPolicy], baseline: Int, replications: Int, tables: TableSet, analysis: Analysis,
        metrics: MetricList = MetricList(MetricCatalog.catalogue)
    ) {
        precondition(points.allSatisfy { $0.values.count == axes.count }, "a sweep point has one value per axis")
        precondition(policies.indices.contains(baseline), "the baseline is one of the policies")
        self.name = name
        self.question = question
        self.schema = schema
        self.seed = seed
        self.axes = axes
        self.points = points
        self.policies = policies
        self.baseline = baseline
        self.replications = replications
        self.tables = tables
        self.analysis = analysis
        self.metrics = metrics
        let names = metrics.names.joined(separator: " ")
        var runs: [PlannedRun] = []
        runs.reserveCapacity(replications * points.count * policies.count)
        for replication in 0..<replications {
            for point in points.indices {
                for policy in policies.indices {
                    let identity = Self.identity(
                        metrics: names, seed: seed, point: points[point], policy: policies[policy],
                        replication: replication)
                    runs.append(
                        PlannedRun(
                            number: runs.count, replication: replication, point: point, policy: policy,
                            identity: identity))
                }
            }
        }
        self.runs = runs
    }

    /// The run of a replication, sweep point and policy.
    public func run(replication: Int, point: Int, policy: Int) -> PlannedRun {
        runs[(replication * points.count + point) * policies.count + policy]
    }

    /// Hash of the whole plan: a worker that reads a changed file notices.
    public var hash: UInt64 {
        var checksum = Checksum()
        for run in runs { checksum.add(part: hexadecimal(run.identity)) }
        checksum.add(part: String(tables.rawValue))
        return checksum.value
    }

    private static func identity(
        metrics: String, seed: UInt64, point: PlannedPoint, policy: PlannedPolicy, replication: Int
    ) -> UInt64 {
        var checksum = Checksum()
        checksum.add(part: "flotsam run 1")
        checksum.add(part: modelVersion)
        checksum.add(part: metrics)
        checksum.add(part: String(seed))
        checksum.add(part: hexadecimal(point.configuration))
        checksum.add(part: policy.name)
        checksum.add(part: policy.eviction)
        checksum.add(part: policy.scheduling)
        checksum.add(part: String(replication))
        return checksum.value
    }
}
