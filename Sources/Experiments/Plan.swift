// SPDX-License-Identifier: GPL-3.0-or-later
// Experiments contains all steps between an experiment and its tables: the plan, the worker processes, the store of
// finished runs, the merge and the comparison.
// In: a `Plan` and a `RunExecutor` that executes one planned run. Out: a directory of results.
// The module neither reads experiments (`Scenario`) nor models phones (`Phone`). It never sums in order of arrival.
// Read first: this file, then `RunSession.swift` (steps of a session), `Coordinator.swift` (workers and their runs).

import Files
import Measures
import Phone
import Recording
import Scenario

/// All runs of an experiment, in the order in which they are carried out.
///
/// The order is replication-major: each replication is completed for all policies and sweep points before the next one
/// begins. Paired results are therefore available early, and the estimate of the remaining time is realistic.
@dynamicMemberLookup
public struct Plan: Sendable, Equatable {
    /// Definition of the experiment.
    public let definition: ExperimentDefinition
    /// Layout of policies, points and replications.
    public let layout: PlanLayout
    /// Swept values of each axis, written as in the tables.
    let axisValues: [AxisValues]
    /// Metrics of every run, in the order of its values.
    public let metrics: MetricList
    /// Runs in their order.
    public let runs: PlannedRuns

    /// Lays out the runs.
    public init(_ definition: ExperimentDefinition, _ layout: PlanLayout) { self.init(definition, layout, runs: nil) }

    /// Lays out the runs, or reuses the runs of another plan that differs only in the number of replications.
    private init(_ definition: ExperimentDefinition, _ layout: PlanLayout, runs: PlannedRuns?) {
        guard layout.fits(definition) else {
            fatalError("a sweep point needs one value per axis, and the baseline must be among the policies")
        }
        self.definition = definition
        self.layout = layout
        axisValues = definition.axes.enumerated().map { index, axis in
            AxisValues(axis, layout.points.map { $0.values[index] })
        }
        metrics = MetricList(MetricCatalog.catalogue, ofApps: definition.appMetrics)
        self.runs =
            runs?.with(replications: layout.replications)
            ?? PlannedRuns(
                metrics: metrics.names.joined(separator: " "), seed: definition.seed, points: layout.points,
                policies: layout.policies, replications: layout.replications)
    }

    /// Property of the definition.
    public subscript<Value>(dynamicMember path: KeyPath<ExperimentDefinition, Value>) -> Value {
        definition[keyPath: path]
    }

    /// Property of the layout.
    public subscript<Value>(dynamicMember path: KeyPath<PlanLayout, Value>) -> Value { layout[keyPath: path] }

    /// Run of a replication, sweep point and policy.
    public func run(replication: Int, point: Int, policy: Int) -> PlannedRun {
        runs[index(replication: replication, point: point, policy: policy)]
    }

    /// Number, in the plan, of the run with a given replication, sweep point and policy.
    func index(replication: Int, point: Int, policy: Int) -> Int {
        (replication * layout.points.count + point) * layout.policies.count + policy
    }

    /// Tables of which a run records rows.
    public var recorded: TableSet { definition.output.recorded }

    /// Whether a run is to be carried out; false if a selection dropped its policy before this replication.
    func wants(_ run: PlannedRun) -> Bool {
        layout.lengths.map { run.replication < $0[run.policy * layout.points.count + run.point] } ?? true
    }

    /// Number of runs that are to be carried out.
    public var wantedRuns: Int { layout.lengths?.reduce(0) { $0 + min($1, layout.replications) } ?? runs.count }

    /// Hash of the whole plan; a worker uses it to detect that a file was changed.
    public var hash: UInt64 {
        var checksum = Checksum()
        runs.add(to: &checksum)
        checksum.add(part: String(recorded.rawValue))
        return checksum.value
    }

    /// Hash as in manifests of earlier versions, which included every run.
    private var earlierHash: UInt64 {
        var checksum = Checksum()
        for run in runs { checksum.add(part: hexadecimal(run.identity)) }
        checksum.add(part: String(recorded.rawValue))
        return checksum.value
    }

    /// Plan with another number of replications, and with fewer of them for some policies.
    ///
    /// Runs keep their numbers.
    public func with(replications: Int, lengths: [Int]? = nil) -> Plan {
        var layout = layout
        layout.replications = replications
        layout.lengths = lengths
        return Plan(definition, layout, runs: runs)
    }
}

extension Plan {
    /// Lays out the runs of an experiment.
    public init(_ experiment: Experiment, replications: Int? = nil) {
        var layout = PlanLayout(
            points: experiment.points.map { point in
                PlannedPoint(
                    values: point.axes.map(\.value), configuration: Checksum.of(point.resolvedText.utf8))
            },
            policies: experiment.policies.map(PlannedPolicy.init), baseline: experiment.baselineIndex,
            replications: replications ?? experiment.replications)
        layout.isRecorded = experiment.points.contains { $0.user.recording != nil }
        layout.people = PlannedPeople(experiment)
        layout.doubts = PlannedDoubt.all(of: experiment)
        self.init(experiment.definition, layout)
    }

    /// The plan in a manifest, without the definition; it makes a directory of results self-explanatory.
    ///
    /// Fields of the definition that readers of the tables need most are repeated here.
    public var json: JSONValue {
        var members = layout.members
        members["axes"] = definition.axes.json
        members["primary"] = definition.analysis.primary.json
        members["seed"] = String(definition.seed).json
        members["design"] = definition.analysis.design.map { design in
            .object([
                "kind": .string(design.kind.rawValue), "rows": design.rows.json,
                "low": design.ranges.map(\.lowerBound).json, "high": design.ranges.map(\.upperBound).json,
            ])
        }
        members["hash"] = hash.json
        return .object(members)
    }

    /// Error if a manifest has more runs than an experiment may have; otherwise nil.
    static func excess(_ json: JSONValue) -> String? {
        RunLimit.excess(
            points: json["points"]?.array?.count ?? 0, policies: json["policies"]?.array?.count ?? 0,
            replications: json["replications"]?.integer ?? 0)
    }

    /// Reads the plan of a manifest; nil when the manifest is incomplete, or when the plan's hash differs.
    public init?(manifest: JSONValue) {
        guard let json = manifest["plan"], Self.excess(json) == nil, let layout = PlanLayout(json: json),
            let resolved = manifest["experiment"]?["resolved"]?.string,
            let definition = try? ExperimentDefinition(
                resolved: resolved, path: manifest["experiment"]?["path"]?.string ?? "",
                policies: layout.policies.map(\.name)),
            layout.fits(definition)
        else { return nil }
        self.init(definition, layout)
        let stored = json["hash"]?.string
        guard stored == hexadecimal(hash) || stored == hexadecimal(earlierHash) else { return nil }
    }

    /// Lines of `plan.jsonl`, one for each run in a range.
    public func lines(of numbers: Range<Int>) -> [UInt8] {
        var out = ByteBuffer()
        for run in runs[numbers] where wants(run) {
            var members: [String: JSONValue] = [
                "run": .integer(run.number), "policy": .string(layout.policies[run.policy].name),
                "replication": .integer(run.replication), "identity": .string(hexadecimal(run.identity)),
            ]
            for (axis, value) in zip(definition.axes, layout.points[run.point].values) {
                members[axis] = .string(value)
            }
            out.append(text: JSONValue.object(members).compact)
            out.newline()
        }
        return out.bytes
    }
}
