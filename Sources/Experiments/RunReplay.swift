// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Files
import Measures
import Phone
import PhoneCore
import Recording
import Scenario
import Vocabulary

/// One run of a directory of results, repeated according to the manifest.
///
/// The experiment is loaded from the file that the manifest names. If that file is missing or no longer describes the
/// run, the bundle or the text in the manifest is used.
public struct RunReplay {
    /// The directory of results.
    public let directory: ResultDirectory
    /// The plan of the directory.
    public let plan: Plan
    /// The run to repeat.
    public let run: PlannedRun
    /// The experiment, which was loaded again.
    public let experiment: Experiment
    private let store: RunStore

    /// Finds the run of a reference `DIR#RUN`.
    ///
    /// RUN is a number, a token, or a policy and a replication, such as `lru/3`. For a sweep point other than the
    /// first, the number of the point follows: `lru/3/1`.
    public init(_ reference: String, policies: PolicyCatalog, experimentPath: String? = nil) throws {
        let reference = try Self.located(reference)
        guard let mark = reference.lastIndex(of: "#"), mark != reference.startIndex else {
            guard isDirectory(reference) else { throw Diagnostics("there is no directory \(reference)") }
            throw Diagnostics(
                "expected DIR#RUN, found \"\(reference)\"",
                hint: "for instance results/quickstart#0; runs.csv lists the runs")
        }
        let directory = ResultDirectory(String(reference[..<mark]))
        let plan = try directory.plan()
        let run = try Self.run(String(reference[reference.index(after: mark)...]), in: plan)
        func describes(_ experiment: Experiment) -> Bool {
            let again = Plan(experiment, replications: plan.replications)
            return again.runs.indices.contains(run.number) && again.runs[run.number].identity == run.identity
        }
        experiment = try directory.experiment(policies: policies, path: experimentPath, describes: describes)
        guard describes(experiment) else {
            throw Diagnostics(
                "\(experiment.path), or a model it names, no longer describes run \(run.number) of \(directory.path)",
                hint: "\(directory.file("manifest.json")) contains the experiment and every value of that run")
        }
        self.directory = directory
        self.plan = plan
        self.run = run
        store = try RunStore(plan: plan, directory: directory)
    }

    private init(_ run: PlannedRun, of other: RunReplay) {
        directory = other.directory
        plan = other.plan
        experiment = other.experiment
        store = other.store
        self.run = run
    }

    /// Another run of the same directory.
    package func sibling(_ run: PlannedRun) -> RunReplay { RunReplay(run, of: self) }

    /// The run of the same replication and sweep point under another policy.
    public func sibling(policy: Int) -> RunReplay {
        sibling(plan.run(replication: run.replication, point: run.point, policy: policy))
    }

    /// Stored result of the run by this build; nil when there is none.
    public var stored: RunOutcome? { store[run.number]?.outcome }

    /// Adds the directory to a reference that is only a token; returns any other text unchanged.
    ///
    /// The search covers directories of results in the working folder and up to three levels below it.
    private static func located(_ reference: String) throws(Diagnostics) -> String {
        guard !reference.contains("#"), reference.hasPrefix("m"), let dash = reference.lastIndex(of: "-"),
            let identity = UInt64(reference[reference.index(after: dash)...], radix: 16)
        else { return reference }
        var looked = 0
        for path in resultFolders(below: ".", depth: 3) {
            looked += 1
            guard let plan = try? ResultDirectory(path).plan() else { continue }
            if plan.runs.contains(where: { $0.identity == identity }) { return path + "#" + reference }
        }
        throw Diagnostics(
            "none of the \(looked) directories of results here and below has a run \(reference)",
            hint: "name its directory: DIR#\(reference)")
    }

    /// Directories of results in a folder and below, in order of their names.
    private static func resultFolders(below folder: String, depth: Int) -> [String] {
        if FilePath.exists(folder + "/manifest.json") { return [folder == "." ? folder : String(folder.dropFirst(2))] }
        guard depth > 0 else { return [] }
        return directoryEntries(folder).filter { !$0.hasPrefix(".") && isDirectory(folder + "/" + $0) }
            .flatMap { resultFolders(below: folder + "/" + $0, depth: depth - 1) }
    }

    private static func run(_ name: String, in plan: Plan) throws(Diagnostics) -> PlannedRun {
        if let number = Int(name), plan.runs.indices.contains(number) { return plan.runs[number] }
        if let run = plan.runs.first(where: { $0.token(modelVersion: modelVersion) == name }) { return run }
        if name.contains("/") { return try runOfPolicy(name, in: plan) }
        throw Diagnostics(
            "the plan has no run \"\(name)\"",
            hint:
                "name a run by its number, 0 to \(plan.runs.count - 1), or as \(plan.policies[0].name)/0; runs.csv "
                + "lists all runs"
        )
    }

    private static func runOfPolicy(_ name: String, in plan: Plan) throws(Diagnostics) -> PlannedRun {
        let words = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let policy = try plan.policy(words[0])
        let numbers = words.dropFirst().map { Int($0) ?? -1 }
        let limits = [plan.replications, plan.points.count]
        guard numbers.count <= 2, zip(numbers, limits).allSatisfy({ $0 >= 0 && $0 < $1 }) else {
            throw Diagnostics(
                "\"\(name)\" does not name a run",
                hint: "expected POLICY/REPLICATION, with a replication from 0 to \(plan.replications - 1)"
                    + (plan.points.count > 1 ? ", and /POINT from 0 to \(plan.points.count - 1)" : ""))
        }
        return plan.run(replication: numbers[0], point: numbers.count > 1 ? numbers[1] : 0, policy: policy)
    }

    /// Names of the apps of the run.
    public var appNames: [String] { experiment.points[run.point].processNames(replication: run.replication) }

    /// Name of the run's policies.
    public var policyName: String { plan.policies[run.policy].name }

    /// Specification of the run, which determines its result.
    public var specification: RunSpecification {
        experiment.specification(point: run.point, policy: run.policy, replication: run.replication)
    }

    /// Repeats the run; the sink receives rows of these tables.
    ///
    /// - Throws: `NonDeterminism` when any bit of the result differs from the stored one.
    public func carryOut(tables: TableSet = [], sink: (any RowSink)? = nil) throws(NonDeterminism) -> RunOutcome {
        var specification = specification
        specification.tables = tables
        let outcome = simulate(specification, sink: sink)
        try hold(outcome)
        return outcome
    }

    /// Compares an outcome of the run with the stored one.
    ///
    /// - Throws: `NonDeterminism` when they differ in any bit.
    func hold(_ outcome: RunOutcome) throws(NonDeterminism) {
        let differences = stored.map { Self.differences(between: $0, and: outcome, metrics: plan.metrics) } ?? []
        guard differences.isEmpty else {
            throw NonDeterminism(
                description: "run \(run.number) of \(directory.path) differs: "
                    + differences.prefix(6).joined(separator: ", "))
        }
    }

    /// Differences between two outcomes, which should be equal bit for bit.
    static func differences(
        between stored: RunOutcome, and outcome: RunOutcome, metrics: MetricList
    ) -> [String] {
        var differences: [String] = []
        if outcome.fingerprint != stored.fingerprint {
            differences.append(
                "the events (\(hexadecimal(stored.fingerprint)) then, \(hexadecimal(outcome.fingerprint)) now)")
        }
        if outcome.workloadFingerprint != stored.workloadFingerprint { differences.append("the workload") }
        if outcome.events != stored.events { differences.append("the number of events") }
        for (metric, values) in zip(metrics.entries, zip(outcome.metrics, stored.metrics))
        where values.0.bitPattern != values.1.bitPattern {
            differences.append(metric.name)
        }
        return differences
    }
}
