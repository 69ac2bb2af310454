// SPDX-License-Identifier: GPL-3.0-or-later
import CommandLineArguments
import Diagnostics
import Experiments
import ForeignPolicies
import Recording
import Scenario

/// `flotsam run`: does the missing runs, writes the tables and prints the comparison.
enum RunVerb: Verb {
    static let name = "run"
    static let summary = "Runs or resumes an experiment, and compares its policies"
    static let example = "flotsam run experiments/quickstart.yaml -o results/first -j 2"
    static var modes: [(flag: String, verb: any Verb.Type)] { [("--status", RunStatusVerb.self)] }

    static func run(_ arguments: ArgumentReader, _ setting: Setting) throws -> Int32 {
        let output = arguments.option(
            "--output", "-o", value: "DIR", help: "Directory of results (default: results/NAME)", as: String.self)
        let jobs = arguments.option(
            "--jobs", "-j", value: "N", help: "Number of runs at the same time", default: HostDescription.processors)
        let quiet = arguments.flag("--quiet", "-q", help: "Prints no progress and no table")
        let opens = arguments.flag("--open", help: "Also writes the page (flotsam report), and opens it in the browser")
        let isColored = arguments.color()
        let printer = arguments.progress(isQuiet: quiet)
        let watching = arguments.supervision()
        let condition = arguments.condition()
        let overrides = arguments.settings()
        arguments.declareForeign()
        arguments.declareModes(Self.self)
        let files = arguments.inputs("EXPERIMENT.yaml", help: "Experiment file", 1...1)
        if jobs < 1 { arguments.report("--jobs expects at least 1, found \(jobs)") }
        if let code = arguments.settled() { return code }
        let experiment = try loadExperiment(
            path: files[0], overrides: overrides, catalog: setting.policies, recordsValues: true)
        if !quiet { Console.diagnose(experiment.warnings) }
        let directory = ResultDirectory(output ?? "results/" + experiment.name)
        let resume = resumeCommand(files[0], directory.path, overrides)
        let plan = Plan(experiment)
        let session = RunSession(
            plan: plan, rule: StoppingRule(experiment), directory: directory,
            content: ManifestContent(experiment, overrides: overrides),
            supervision: watching(experiment.onError), selection: condition.map { .meeting($0) } ?? .all)
        let worker = WorkerVerb.command(experiment)
        let outcome = try session.carryOut(
            jobs: jobs, worker: worker, report: { printer.show($0) }, notice: { printer.interrupt(with: $0) })
        printer.clear()
        let code = try conclude(
            outcome, directory, quiet: quiet, isColored: isColored, resume: resume,
            notes: experiment.fillings + experiment.cautions)
        guard opens, code == ExitCode.ok else { return code }
        let foreign = setting.allowsForeign ? [ForeignGate.option] : []
        return try PlotScript.handOver("report", [directory.path, "--open"] + foreign)
    }

    private static func conclude(
        _ outcome: SessionOutcome, _ directory: ResultDirectory, quiet: Bool, isColored: Bool, resume: String,
        notes: [String]
    ) throws -> Int32 {
        if outcome.interrupted {
            Console.diagnose(
                "interrupted: \(outcome.done) of \(count(outcome.total, "run")) done; continue with\n  \(resume)\n")
            return outcome.exitCode
        }
        if let problem = outcome.problem {
            Console.diagnose(problem.hasSuffix("\n") ? problem : problem + "\n")
            Console.diagnose(
                "\(outcome.done) of \(count(outcome.total, "run")) done and kept; continue with\n  \(resume)\n")
            return outcome.exitCode
        }
        var written = ExitCode.ok
        if !quiet, let judgement = outcome.judgement {
            let text = ComparisonText(judgement, store: outcome.store, in: directory, isColored: isColored)
            written = Console.out(text.text(after: directory, notes: notes), isColored: isColored)
        }
        if !outcome.failures.isEmpty {
            Console.diagnose(
                "\(count(outcome.failures.count, "run")) failed: see \(directory.file("failures.jsonl"))\n")
        }
        if outcome.stoppedByFailure {
            Console.diagnose(
                "stopped at the first failure: \(outcome.done) of \(count(outcome.total, "run")) done; continue with\n"
                    + "  \(resume)\n")
        }
        if let selected = outcome.selected, outcome.failures.isEmpty {
            Console.diagnose(
                "\(outcome.done) of \(count(outcome.total, "run")) done; "
                    + "all \(selected) that meet the condition are done\n")
            return written
        }
        if outcome.failures.isEmpty, outcome.exitCode != ExitCode.ok {
            Console.diagnose(
                "error: \(outcome.done) of \(count(outcome.total, "run")) done, though no worker reported a failure; "
                    + "continue with\n  \(resume)\n")
        }
        return outcome.exitCode == ExitCode.ok ? written : outcome.exitCode
    }

    private static func resumeCommand(_ file: String, _ directory: String, _ overrides: [String]) -> String {
        let words = ["flotsam", "run", file, "-o", directory] + overrides.flatMap { ["--set", $0] }
        return words.map(shellWord).joined(separator: " ")
    }
}

/// `flotsam worker`: does the runs that `flotsam run` assigns to it, in a separate process.
enum WorkerVerb: Verb {
    static let name = "worker"
    static let summary = "Does runs for flotsam run"
    static let example = ""

    /// Command that starts a worker of an experiment; the worker inherits the text of the experiment.
    ///
    /// - Parameter models: The only folder from which models are read; nil for the folders around the file.
    static func command(_ experiment: Experiment, models: String? = nil) -> WorkerCommand {
        var words = [name]
        for permission in experiment.permissions { words += ["--permission", permission] }
        if let models { words.append("--models=\(models)") }
        words += ["--", experiment.path, hexadecimal(Plan(experiment).hash)]
        return WorkerCommand(arguments: words, text: InheritedText(experiment.resolvedText))
    }

    static func run(_ arguments: ArgumentReader, _ setting: Setting) throws -> Int32 {
        let models = arguments.option("--models", value: "FOLDER", help: "Folder of models", as: String.self)
        let permissions: [String] = arguments.options(
            "--permission", value: "HASH", help: "Hash of the foreign code that the worker may start")
        let words = arguments.operands("WORD", help: "Experiment, hash of the plan, segment", 3...3)
        if let code = arguments.settled() { return code }
        guard let text = InheritedText.inherited() else {
            throw Diagnostics("a worker can be started only by flotsam run, which passes the experiment")
        }
        let experiment = try loadExperiment(
            resolved: text, path: words[0], catalog: setting.inheriting(permissions),
            library: models.map { ModelLibrary(folders: [$0]) })
        let executor = ExperimentExecutor(experiment)
        guard hexadecimal(executor.plan.hash) == words[1] else {
            throw Diagnostics("\(words[0]), or a model that it names, changed during the run", hint: "run it again")
        }
        if !experiment.foreignCode.isEmpty { ForeignLimits.applyToWorker() }
        return WorkerLoop.serve(executor: TwiceExecutor(executor), segmentPath: words[2])
    }
}
