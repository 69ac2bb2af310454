// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Experiments
import Files
import Glibc
import Measures
import Phone
import PhoneCore
import Quantities
import Recording
import Scenario
import TestSupport
import Workload

func smallPlan(
    name: String = "small", replications: Int = 4, policies: [String] = ["lru", "jetsam"],
    tables: TableSet = .deviceHours, seed: UInt64 = 1
) -> Plan {
    Plan(
        name: name, question: "which?", schema: 1, seed: seed, axes: ["device.memory.ram"],
        points: [PlannedPoint(values: ["3 GiB"], configuration: 3), PlannedPoint(values: ["4 GiB"], configuration: 4)],
        policies: policies.map { PlannedPolicy(eviction: $0, scheduling: "immediate") }, baseline: 0,
        replications: replications, tables: tables, analysis: Analysis(primary: "relaunches_per_day", correction: .maxT)
    )
}

extension Plan {
    /// A plan whose definition says no more than this; a warm-up that needs no remark.
    init(
        name: String, question: String = "", schema: Int = 1, seed: UInt64, axes: [String] = [],
        points: [PlannedPoint], policies: [PlannedPolicy], baseline: Int, replications: Int, tables: TableSet,
        analysis: Analysis, appMetrics: [MetricRequest] = [], kept: TableSet = [], isCompressed: Bool = false,
        people: PlannedPeople? = nil, doubts: [PlannedDoubt] = [], lengths: [Int]? = nil, warmup: Double = 30 * 86400,
        isRecorded: Bool = false
    ) {
        var definition = ExperimentDefinition(name: name, seed: seed)
        definition.question = question
        definition.schema = schema
        definition.axes = axes
        definition.analysis = analysis
        definition.appMetrics = appMetrics
        definition.warmup = .seconds(warmup)
        definition.duration = .seconds(60 * 86400)
        definition.output.tables = tables
        definition.output.kept = kept
        definition.output.form = isCompressed ? .gzip : .csv
        var layout = PlanLayout(points: points, policies: policies, baseline: baseline, replications: replications)
        layout.people = people
        layout.doubts = doubts
        layout.isRecorded = isRecorded
        let plan = Plan(definition, layout)
        self = lengths.map { plan.with(replications: replications, lengths: $0) } ?? plan
    }

    /// The text that a manifest would keep of its definition.
    var resolvedText: String {
        func names(_ set: TableSet) -> JSONValue {
            .array(PhoneTables.list.tables(in: set).map { .string($0.name) })
        }
        var tree: [String: JSONValue] = [
            "schema": .string("1"), "name": .string(definition.name), "question": .string(definition.question),
            "seed": .string(String(definition.seed)), "start": .string(definition.start.text),
            "duration": .string("60 d"), "warmup": .string("30 d"),
            "metrics": .object([
                "primary": .string(definition.analysis.primary),
                "shown": .array((definition.analysis.shown + appMetricNames).map { .string($0) }),
            ]),
            "output": .object([
                "tables": names(definition.output.tables), "keep": names(definition.output.kept),
                "compress": .string(definition.output.form == .gzip ? "gzip" : "no"),
            ]),
        ]
        if let rule = definition.analysis.selection {
            tree["select"] = .object([
                "indifference": .string("\(rule.indifference * 100) %"), "level": .string("\(rule.level * 100) %"),
                "first": .string(String(rule.first)),
            ])
        }
        if !definition.axes.isEmpty {
            let points = layout.points.map { point in
                JSONValue.object(
                    Dictionary(uniqueKeysWithValues: zip(definition.axes, point.values.map { .string($0) })))
            }
            tree["sweep"] = .object(["mode": .string("list"), "points": .array(points)])
        }
        return JSONValue.object(["experiment": .object(tree)]).compact
    }

    private var appMetricNames: [String] { definition.appMetrics.map { $0.text(in: MetricCatalog.catalogue) } }

    /// What a manifest says of it.
    var manifest: JSONValue {
        .object([
            "plan": json, "experiment": .object(["path": .string("small.yaml"), "resolved": .string(resolvedText)]),
        ])
    }
}

extension Analysis {
    /// Rules that decide by one metric; by Holm, whose figures follow from a table of Student's t.
    init(
        primary: String, shown: [String] = [], equivalenceByMetric: [String: Double] = [:],
        correction: Correction = .holm, sweepBaseline: [String: String] = [:],
        design: SweepDesign? = nil
    ) {
        self.init()
        self.primary = primary
        self.shown = shown
        self.equivalenceByMetric = equivalenceByMetric
        self.correction = correction
        self.sweepBaseline = sweepBaseline
        self.design = design
    }
}

/// A store in which every run of a plan is done, with these metrics, all of them, in the order of the catalogue.
///
/// - Parameter fingerprint: Of the events of a run; every replication's own by default.
func finishedStore(
    _ plan: Plan, fingerprint: (PlannedRun) -> UInt64 = { UInt64($0.replication) + 1 },
    metrics: (PlannedRun) -> [Double]
) throws -> RunStore {
    let folder = try TemporaryFolder()
    let directory = ResultDirectory(folder.path)
    try createDirectory(directory.segments)
    let segment = try SegmentWriter(path: directory.segments + "/1.seg", build: Build.current)
    for run in plan.runs {
        let recorder = try RunRecorder(run: run.identity, names: RowNames(apps: []), segment: segment)
        let outcome = RunOutcome(
            metrics: metrics(run), events: 1, userActions: 1, fingerprint: fingerprint(run),
            workloadFingerprint: fingerprint(run))
        try recorder.finish(outcome, tables: [], seconds: 0)
    }
    return try RunStore(plan: plan, directory: directory)
}

/// The judgement of a plan whose runs have these metrics.
func judge(_ plan: Plan, metrics: (PlannedRun) -> [Double]) throws -> Judgement {
    Judgement(plan: plan, store: try finishedStore(plan, metrics: metrics))
}

/// The judgement of a plan whose runs have one value for every metric.
func judge(_ plan: Plan, value: (PlannedRun) -> Double) throws -> Judgement {
    try judge(plan) { run in MetricCatalog.catalogue.metrics.map { _ in value(run) } }
}

/// An experiment in a folder of its own, run by workers that obey orders.
struct Laboratory {
    let folder: TemporaryFolder
    var plan: Plan
    var orders: [String] = []
    var rule: StoppingRule?
    var supervision = Supervision()

    init(plan: Plan = smallPlan()) throws {
        folder = try TemporaryFolder()
        self.plan = plan
    }

    var results: String { folder.path + "/results" }

    @discardableResult
    func run(
        jobs: Int = 1, report: @escaping (Progress) -> Void = { _ in }, notice: @escaping (String) -> Void = { _ in }
    ) throws -> SessionOutcome {
        try session().carryOut(jobs: jobs, worker: worker(), report: report, notice: notice)
    }

    func session() -> RunSession {
        RunSession(
            plan: plan, rule: rule, directory: ResultDirectory(results),
            content: ManifestContent(path: "small.yaml", written: "name: small\n", resolved: plan.resolvedText),
            supervision: supervision)
    }

    /// The command of the obedient worker, with the plan written where it reads it.
    func worker() throws -> WorkerCommand {
        let planPath = folder.path + "/plan.json"
        try replaceFile(planPath, with: plan.manifest.pretty)
        var worker = WorkerCommand(program: Self.workerProgram, arguments: [planPath] + orders)
        if let other = orders.first(where: { $0.hasPrefix("build=") }) {
            worker.build = UInt64(other.dropFirst(6)) ?? 0
        }
        return worker
    }

    /// The paths of its segments.
    var segments: [String] {
        directoryEntries(results + "/segments").filter { $0.hasSuffix(".seg") }.map { results + "/segments/" + $0 }
    }

    func text(_ name: String) throws -> String {
        String(decoding: try readFile(results + "/" + name), as: UTF8.self)
    }

    /// The program stands beside the tests.
    private static var workerProgram: String {
        let resolved = realpath("/proc/self/exe", nil)
        defer { free(resolved) }
        let program = resolved.map { String(cString: $0) } ?? ""
        let folder = program[..<(program.lastIndex(of: "/") ?? program.startIndex)]
        return folder + "/experiments-test-worker"
    }
}
