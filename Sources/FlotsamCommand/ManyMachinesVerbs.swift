// SPDX-License-Identifier: GPL-3.0-or-later
import CommandLineArguments
import Diagnostics
import Experiments
import Phone
import Recording
import Scenario

/// `flotsam cluster init`: prepares a directory of results for other machines, without running anything.
enum ClusterInitVerb: Verb {
    static let name = "init"
    static let summary = "Prepares a directory of results for runs on other machines"
    static let example = "flotsam cluster init experiments/quickstart.yaml -o results/shared"

    static func run(_ arguments: ArgumentReader, _ setting: Setting) throws -> Int32 {
        let output = arguments.option(
            "--output", "-o", value: "DIR", help: "Directory of results (default: results/NAME)", as: String.self)
        let overrides = arguments.settings()
        arguments.declareForeign()
        let files = arguments.inputs("EXPERIMENT.yaml", help: "Experiment file", 1...1)
        if let code = arguments.settled() { return code }
        let experiment = try loadExperiment(
            path: files[0], overrides: overrides, catalog: setting.policies, recordsValues: true)
        Console.diagnose(experiment.warnings)
        let directory = ResultDirectory(output ?? "results/" + experiment.name)
        let session = RunSession(
            plan: Plan(experiment), rule: StoppingRule(experiment), directory: directory,
            content: ManifestContent(experiment, overrides: overrides))
        let outcome = try session.collect { Console.diagnose($0 + "\n") }
        try Bundle.write(experiment, overrides: overrides, policies: setting.policies, to: directory)
        let word = shellWord(directory.path)
        return Console.out(
            "\(directory.path): \(count(outcome.total, "run")) prepared, \(outcome.done) done; "
                + "next, run on any machines:\n"
                + "  flotsam cluster exec \(word) --shard 1/N    (to N/N)\nand when all have ended:\n"
                + "  flotsam cluster merge \(word)\n"
        )
    }
}

/// `flotsam cluster exec`: does some runs of a directory that `init` prepared, on any machine.
enum ClusterExecVerb: Verb {
    static let name = "exec"
    static let summary = "Executes a part of the runs of a prepared directory, on any machine"
    static let example =
        "flotsam cluster exec results/shared --shard 1/2 && flotsam cluster exec results/shared --shard 2/2"

    static func run(_ arguments: ArgumentReader, _ setting: Setting) throws -> Int32 {
        let shard = arguments.option(
            "--shard", value: "I/N", help: "The I-th of N parts, I from 1 (default: all runs)", as: String.self)
        let runs = arguments.option(
            "--runs", value: "LIST|FILE|-",
            help:
                "Numbers of runs such as 3,7-9, a file of numbers, or - to read one such list per line of standard "
                + "input",
            as: String.self)
        let condition = arguments.condition()
        let jobs = arguments.option("--jobs", "-j", value: "N", help: "Number of runs at the same time", default: 1)
        let quiet = arguments.flag("--quiet", "-q", help: "Prints no progress and no result")
        let printer = arguments.progress(isQuiet: quiet)
        let watching = arguments.supervision()
        arguments.declareForeign()
        let paths = arguments.operands("DIR", help: "Directory that flotsam cluster init prepared", 1...1)
        if jobs < 1 { arguments.report("--jobs expects at least 1, found \(jobs)") }
        if [shard != nil, runs != nil, condition != nil].count(where: { $0 }) > 1 {
            arguments.report("--shard, --runs and --where exclude each other")
        }
        let part = shard.flatMap { RunSelection(shard: $0) }
        if let shard, part == nil {
            arguments.report("--shard expects I/N with I from 1 to N, found \"\(shard)\"", hint: "for instance 2/8")
        }
        if let code = arguments.settled() { return code }
        let directory = ResultDirectory(paths[0])
        let bundle = try Bundle(in: directory)
        let experiment = try bundle.experiment(policies: setting.policies)
        let plan = try directory.plan()
        // The plan of the manifest matches its own hash; to hash both again would take longer than a few runs.
        let again = Plan(experiment, replications: plan.replications)
        guard again.runs == plan.runs, again.recorded == plan.recorded else {
            throw Diagnostics(
                "the bundle in \(directory.path) does not match the plan in its manifest",
                hint: "flotsam cluster init \(shellWord(bundle.path)) -o \(shellWord(directory.path)) writes both")
        }
        let worker = WorkerVerb.command(experiment, models: bundle.models)
        if runs == "-" {
            let service = try ShareService(
                plan: plan, directory: directory, supervision: watching(experiment.onError), jobs: jobs, worker: worker)
            var lines = SlowLines(0)
            return try service.serve(next: { try lines.next() }, answer: { _ = Console.out($0 + "\n") })
        }
        let session = ShardSession(
            plan: plan, directory: directory,
            selection: try runs.map(RunSelection.init(runs:)) ?? condition.map { .meeting($0) } ?? part ?? .all,
            supervision: watching(experiment.onError))
        let outcome = try session.carryOut(
            jobs: jobs, worker: worker, report: { printer.show($0) }, notice: { printer.interrupt(with: $0) })
        printer.clear()
        if let problem = outcome.coordinator.problem {
            Console.diagnose(problem.hasSuffix("\n") ? problem : problem + "\n")
        }
        let written = quiet ? ExitCode.ok : Console.out(text(outcome, directory))
        return outcome.exitCode == ExitCode.ok ? written : outcome.exitCode
    }

    private static func text(_ outcome: ShardOutcome, _ directory: ResultDirectory) -> String {
        let fresh = outcome.total - outcome.doneBefore - outcome.missing.count
        var text = "\(directory.path): \(count(outcome.total, "run")) requested; \(outcome.doneBefore) done before, "
        text += "\(fresh) done now, \(outcome.missing.count) missing"
        if !outcome.missing.isEmpty { text += " (\(RunSelection.text(outcome.missing)))" }
        return text + "\n"
    }
}

/// `flotsam cluster merge`: merges the results of `exec` from all machines, and writes the tables.
enum ClusterMergeVerb: Verb {
    static let name = "merge"
    static let summary = "Merges results of flotsam cluster exec, checks duplicates, writes the tables"
    static let example = "flotsam cluster merge results/shared"

    static func run(_ arguments: ArgumentReader, _ setting: Setting) throws -> Int32 {
        let quiet = arguments.flag("--quiet", "-q", help: "No table")
        arguments.declareForeign()
        let paths = arguments.operands("DIR", help: "Directory that flotsam cluster init prepared", 1...1)
        if let code = arguments.settled() { return code }
        let directory = ResultDirectory(paths[0])
        let bundle = try Bundle(in: directory)
        let experiment = try bundle.experiment(policies: setting.policies)
        var content = ManifestContent(experiment, overrides: bundle.overrides)
        content.path = bundle.path
        let session = RunSession(
            plan: Plan(experiment), rule: StoppingRule(experiment), directory: directory, content: content)
        let outcome = try session.collect { Console.diagnose($0 + "\n") }
        var written = ExitCode.ok
        if !quiet, let judgement = outcome.judgement {
            written = Console.out(
                ComparisonText(judgement, store: outcome.store, in: directory).text(after: directory))
        }
        for failure in outcome.failures { Console.diagnose(failure.text(plan: outcome.plan) + "\n") }
        if !outcome.missing.isEmpty {
            Console.diagnose(
                "\(count(outcome.missing.count, "run")) of \(outcome.total) missing: "
                    + "\(RunSelection.text(outcome.missing)); flotsam cluster exec \(shellWord(directory.path)) does "
                    + "the missing runs\n")
        }
        return outcome.exitCode == ExitCode.ok ? written : outcome.exitCode
    }
}
