// SPDX-License-Identifier: GPL-3.0-or-later
import CommandLineArguments
import Diagnostics
import Experiments
import Measures
import Phone
import PhoneCore
import Quantities
import Recording
import Scenario

/// `flotsam check --plan`: lists the runs and estimates their time and disk space.
enum CheckPlanVerb: Verb {
    static let name = "plan"
    static let summary = "Shows which runs an experiment has, and estimates time and disk"
    static let example = "flotsam check --plan experiments/quickstart.yaml"

    static func run(_ arguments: ArgumentReader, _ setting: Setting) throws -> Int32 {
        let output = arguments.option(
            "--output", "-o", value: "DIR", help: "Directory of results (default: results/NAME)", as: String.self)
        let jobs = arguments.option(
            "--jobs", "-j", value: "N", help: "Number of runs at the same time", default: HostDescription.processors)
        let json = arguments.flag("--json", help: "Prints JSON")
        let power = arguments.option(
            "--power", value: "SHARE",
            help:
                "From finished runs: how many replications detect this difference, and the smallest detectable "
                + "difference now",
            as: String.self)
        let effect = power.flatMap { try? UnitText.parse($0, as: .fraction) }
        if let power, effect.map({ $0 > 0 }) != true {
            arguments.report("--power expects a share of the baseline such as \"2 %\", found \"\(power)\"")
        }
        let warmup = arguments.option(
            "--warmup", value: "TIME", help: "Runs a pilot of this length, and recommends a warm-up", as: String.self)
        let pilot = warmup.flatMap { try? UnitText.parse($0, as: .time) }.map { Int(max(0, min($0 / 86_400, 1e6))) }
        if let warmup, !(4...1000).contains(pilot ?? 0) {
            arguments.report("--warmup expects the length of a pilot, 4 d to 1000 d, found \"\(warmup)\"")
        }
        let overrides = arguments.settings()
        arguments.declareForeign()
        let files = arguments.inputs("EXPERIMENT.yaml", help: "Experiment file", 1...1)
        if jobs < 1 { arguments.report("--jobs expects at least 1, found \(jobs)") }
        if let code = arguments.settled() { return code }
        let experiment = try loadExperiment(path: files[0], overrides: overrides, catalog: setting.checked)
        Console.diagnose(experiment.warnings)
        for note in experiment.unchecked { Console.diagnose("note: \(note)\n") }
        let plan = Plan(experiment)
        let directory = ResultDirectory(output ?? "results/" + experiment.name)
        if pilot != nil, !experiment.unchecked.isEmpty {
            throw Diagnostics(
                "--warmup runs a pilot of all policies, and foreign ones need --allow-foreign",
                hint: "allow them, or choose other policies for the pilot: --set policies.eviction=[jetsam]")
        }
        if let pilot { return Console.out(try WarmupText(experiment, days: pilot).text) }
        if let effect { return Console.out(try PowerText(plan, directory, effect: effect).text) }
        let done = try runsDone(plan, directory)
        let estimate = try RunEstimate(experiment)
        if experiment.replicationRule.halfWidth != nil {
            Console.diagnose(
                "the experiment runs at least \(experiment.replicationRule.minimum) replications, "
                    + "and stops when the primary differences are precise enough\n"
            )
        }
        if let selection = experiment.analysis.selection {
            Console.diagnose(
                "from replication \(selection.first) on, policies that are not the best are dropped, "
                    + "so the number of runs is a maximum\n"
            )
        }
        let left = Double(plan.runs.count - done)
        let seconds = estimate.map { left * $0.seconds / Double(min(jobs, max(1, Int(left)))) }
        let bytes = estimate.map { left * $0.bytes + (left > 0 ? RunEstimate.summaries(experiment, plan) : 0) }
        if json {
            var value = ["plan": plan.json, "runs": .integer(plan.runs.count), "done": .integer(done)]
            value["estimated_seconds"] = seconds.map { .number($0) } ?? .null
            value["estimated_bytes"] = bytes.map { .number($0) } ?? .null
            value["load"] = HostDescription.load.map { .number($0) } ?? .null
            value["processors"] = .integer(HostDescription.processors)
            return Console.out(JSONValue.object(value).pretty)
        }
        let days = experiment.duration / .day
        let text = text(plan, directory, days: days, done: done) + cost(seconds, bytes)
        return Console.out(text)
    }

    /// Number of runs of the plan that the directory already contains.
    private static func runsDone(_ plan: Plan, _ directory: ResultDirectory) throws -> Int {
        guard let manifest = try directory.manifest(), manifest["name"]?.string == plan.name else { return 0 }
        return plan.runs.count - (try RunStore(plan: plan, directory: directory)).missing(in: plan).count
    }

    private static func text(
        _ plan: Plan, _ directory: ResultDirectory, days: Double, done: Int
    ) -> String {
        var text = "\(plan.name): \(count(plan.runs.count, "run")) = \(count(plan.policies.count, "policy"))"
        if !plan.axes.isEmpty { text += " x \(count(plan.points.count, "point"))" }
        text += " x \(count(plan.replications, "replication"))\n"
        if plan.people != nil {
            text += "each replication is a person: \(plan.replications) people x \(Figures.short(days)) days\n"
        }
        for (index, policy) in plan.policies.enumerated() {
            text += "  \(policy.name)\(index == plan.baseline ? "  (baseline)" : "")\n"
        }
        for point in plan.points where !plan.axes.isEmpty {
            text += "  " + zip(plan.axes, point.values).map { "\($0) = \($1)" }.joined(separator: ", ") + "\n"
        }
        return text + "\(directory.path): \(done) done, \(plan.runs.count - done) to do\n"
    }

    /// Time and disk space of the runs, estimated by a short trial.
    private static func cost(_ seconds: Double?, _ bytes: Double?) -> String {
        guard let seconds, let bytes else { return "no estimate: all policies are foreign, so there is no trial\n" }
        var text = "about \(Progress.duration(seconds)) and \(Figures.bytes(bytes)) of disk, estimated by a short trial"
        guard let load = HostDescription.load else { return text + "\n" }
        let shown = "\((load * 10).rounded() / 10)"
        text += " at load \(shown) on \(count(HostDescription.processors, "processor"))"
        return text + (load > Double(HostDescription.processors) / 2 ? "; faster on an idle machine\n" : "\n")
    }
}

/// Estimated cost of one run, from short trials.
///
/// Trials run the baseline for two and for four simulated days, and a few other policies and points for two days.
/// Foreign policies are not tried, and may take a hundred times as long. The first days differ from later ones, because
/// the phone starts empty.
struct RunEstimate {
    /// Wall-clock time of a run, in seconds.
    let seconds: Double
    /// Size of a run in segments and tables, in bytes.
    let bytes: Double

    /// Bytes on disk per byte of rows: segments contain all rows, and tables repeat them with additional columns.
    private static let copies = 1.2
    /// Largest number of policies and points tried besides the baseline.
    private static let mostOthers = 3
    /// Size in bytes of the dictionary of columns, which is written twice.
    private static let dictionary = 60_000.0

    /// Size in bytes of the manifest, the dictionary and the tables of figures, nearly independent of the number of
    /// runs.
    static func summaries(_ experiment: Experiment, _ plan: Plan) -> Double {
        let manifest = 1.15 * Double(experiment.resolvedText.utf8.count + experiment.writtenText.utf8.count)
        // A mean takes about 45 bytes; a difference between policies or points takes at least twice as many.
        let (policies, points) = (Double(plan.policies.count), Double(plan.points.count))
        let cells = 45 * policies * points + 100 * (policies - 1) * points + 110 * policies * (points - 1)
        return manifest + dictionary + Double(plan.metrics.entries.count) * cells
    }

    /// Runs the trials; returns nil if all policies of the experiment are foreign.
    init?(_ experiment: Experiment) throws {
        let days = max(1, experiment.duration.seconds / 86400)
        let short = min(days, 2)
        let long = min(days, 4)
        let runnable = experiment.policies.indices.filter { index in
            experiment.policies[index].choices.allSatisfy(\.fingerprint.isEmpty)
        }
        guard let some = runnable.contains(experiment.baselineIndex) ? experiment.baselineIndex : runnable.first else {
            return nil
        }
        let baseline = (point: 0, policy: some)
        let first = try Self.cost(of: experiment, baseline, days: short, of: days)
        let more = long > short ? try Self.cost(of: experiment, baseline, days: long, of: days) : first
        let share = try Self.share(of: experiment, first, runnable, tried: some, days: short, of: days)
        let perDay = long > short ? Double(max(0, more.rows - first.rows)) / (long - short) : 0
        seconds = more.seconds * days / long
        let rows = (Double(more.rows) + perDay * (days - long)) * share
        bytes = rows * (1 + Self.copies) + Double(more.bytes - more.rows + more.lines)
    }

    /// Average size of the rows of a run, relative to a run of the baseline at the first point.
    private static func share(
        of experiment: Experiment, _ baseline: RunCost, _ policies: [Int], tried: Int, days trial: Double,
        of days: Double
    ) throws -> Double {
        let pairs = experiment.points.indices.flatMap { point in policies.map { (point: point, policy: $0) } }
        let others = pairs.filter { $0 != (0, tried) }
        guard baseline.rows > 0, !others.isEmpty else { return 1 }
        let count = min(mostOthers, others.count)
        let sum = try (0..<count).reduce(0) { sum, index in
            let other = others[(2 * index + 1) * others.count / (2 * count)]
            return sum + (try cost(of: experiment, other, days: trial, of: days)).rows
        }
        let mean = Double(sum) / Double(count) / Double(baseline.rows)
        return (1 + mean * Double(others.count)) / Double(pairs.count)
    }

    private static func cost(
        of experiment: Experiment, _ which: (point: Int, policy: Int), days trial: Double, of days: Double
    ) throws -> RunCost {
        let folder = try ScratchFolder()
        let path = folder.path + "/trial.seg"
        var specification = experiment.specification(point: which.point, policy: which.policy, replication: 0)
        specification.duration = trial < days ? .days(trial) : experiment.duration
        if specification.warmup >= specification.duration { specification.warmup = .zero }
        return try measureRun(specification, segmentPath: path)
    }
}
