// SPDX-License-Identifier: GPL-3.0-or-later
import CommandLineArguments
import Diagnostics
import Experiments
import Files
import Recording
import Scenario

/// `flotsam validate`: does the missing runs of experiments with targets, and reports which targets are met.
enum ValidateVerb: Verb {
    static let name = "validate"
    static let summary = "Compares experiments with their targets"
    static let example = "flotsam validate experiments/validation/energy-radio.yaml"

    static func run(_ arguments: ArgumentReader, _ setting: Setting) throws -> Int32 {
        let output = arguments.option(
            "--output", "-o", value: "DIR", help: "Folder of the results, one directory per experiment",
            default: "results/validation")
        let jobs = arguments.option(
            "--jobs", "-j", value: "N", help: "Number of runs at the same time", default: HostDescription.processors)
        let quiet = arguments.flag("--quiet", "-q", help: "Prints no progress")
        let json = arguments.flag("--json", help: "Prints JSON")
        let page = arguments.option("--page", value: "FILE.md", help: "Writes the table as a page", as: String.self)
        let evidence = arguments.option(
            "--evidence", value: "FILE.csv", help: "Writes a table of the phones compared with predictions",
            as: String.self)
        let list = arguments.option(
            "--known-misses", value: "FILE",
            help: "File of known misses (default: \(KnownMissFile.name) next to each experiment file)", as: String.self)
        arguments.declareForeign()
        let paths = arguments.inputs(
            "PATH", help: "Experiment files, benches, folders of them, or directories of results", 1...Int.max)
        if jobs < 1 { arguments.report("--jobs expects at least 1, found \(jobs)") }
        if let code = arguments.settled() { return code }
        let subjects = try subjects(paths, setting, quiet: quiet)
        var report = ValidationReport()
        report.isWhole = paths.allSatisfy { isDirectory($0) }
        for file in list.map({ [$0] }) ?? missFiles(beside: paths) { report.add(try KnownMissFile.load(path: file)) }
        var code = ExitCode.ok
        for subject in subjects {
            switch subject {
            case .results(let directory): try report.add(directory)
            case .bench(let bench): try report.add(bench)
            case .experiment(let file, let experiment):
                let folder = output + "/" + experiment.name
                let session = ValidationSession(file: file, experiment: experiment, jobs: jobs, quiet: quiet)
                let ending = try session.carryOut(in: ResultDirectory(folder))
                if ending == 130 { return ending }
                code = max(code, ending)
                try report.add(experiment, ResultDirectory(folder))
            }
        }
        let validation = report.validation
        let text = ValidationText(validation: validation)
        if subjects.contains(where: \.isExperiment) {
            try replaceFile(output + "/validation.csv") { file in try file.write(text.csv) }
        }
        let written = text.report.out(json: json)
        if code != ExitCode.ok { return code }
        if let page {
            try replaceFile(page, with: ValidationPage(validation: validation, misses: report.misses).text)
        }
        if let evidence { try replaceFile(evidence, with: validation.evidence.text) }
        return validation.isFailure ? ExitCode.missed : written
    }

    /// Paths of the lists of known misses, next to the experiments or in the given folders.
    private static func missFiles(beside paths: [String]) -> [String] {
        var files: [String] = []
        for path in paths {
            let folder = isDirectory(path) ? path : FilePath.folder(of: path)
            let file = FilePath.join(folder, KnownMissFile.name)
            if FilePath.exists(file), !files.contains(file) { files.append(file) }
        }
        return files
    }

    /// Path on the command line: an experiment to run, a directory of results, or a bench.
    private enum Subject {
        case experiment(String, Experiment)
        case results(ResultDirectory)
        case bench(Bench)

        var isExperiment: Bool { if case .experiment = self { true } else { false } }
    }

    /// Reads and checks all paths before any run; problems of all files are reported at once.
    private static func subjects(
        _ paths: [String], _ setting: Setting, quiet: Bool
    ) throws(Diagnostics) -> [Subject] {
        var subjects: [Subject] = []
        var problems = Diagnostics()
        for path in paths {
            let directory = ResultDirectory(path)
            let isFolder = isDirectory(path)
            if isFolder, try directory.manifest() != nil {
                subjects.append(.results(directory))
                continue
            }
            let files = isFolder ? directoryEntries(path).filter(isExperiment) : [path]
            if files.isEmpty { problems.append(Diagnostic("\(path) contains neither experiments nor results")) }
            for name in files {
                let file = isFolder ? directory.file(name) : name
                do throws(Diagnostics) {
                    if isBench(path: file) {
                        subjects.append(.bench(try loadBench(path: file)))
                        continue
                    }
                    let experiment = try loadExperiment(path: file, overrides: [], catalog: setting.policies)
                    if !quiet { Console.diagnose(experiment.warnings) }
                    if !experiment.targets.isEmpty {
                        subjects.append(.experiment(file, experiment))
                    } else if isFolder {
                        Console.diagnose("\(file) has no targets and is skipped\n")
                    } else {
                        problems.append(
                            Diagnostic(
                                "\(file) has no targets",
                                hint: "for instance targets: [{id: one, metric: energy_wh_per_day, band: [2, 9]}]"))
                    }
                } catch {
                    problems.append(contentsOf: error)
                }
            }
        }
        try refuseTwins(subjects, &problems)
        if !problems.isEmpty { throw problems }
        return subjects
    }

    /// Whether the name of a file in a folder shows that it contains an experiment or a bench.
    private static func isExperiment(_ name: String) -> Bool { name.hasSuffix(".yaml") && name != KnownMissFile.name }

    /// Refuses two experiments of one name, because they would share a directory.
    private static func refuseTwins(_ subjects: [Subject], _ problems: inout Diagnostics) throws(Diagnostics) {
        var names: [String: String] = [:]
        for subject in subjects {
            guard case .experiment(let file, let experiment) = subject else { continue }
            if let other = names[experiment.name] {
                problems.append(Diagnostic("\(file) and \(other) have the same name, \"\(experiment.name)\""))
            }
            names[experiment.name] = file
        }
    }
}

/// Runs that one validated experiment still needs.
struct ValidationSession {
    let file: String
    let experiment: Experiment
    let jobs: Int
    let quiet: Bool

    /// Does the missing runs; returns the exit code.
    func carryOut(in directory: ResultDirectory) throws -> Int32 {
        let plan = Plan(experiment)
        let resume = ["flotsam", "run", file, "-o", directory.path].map(shellWord).joined(separator: " ")
        let session = RunSession(
            plan: plan, rule: StoppingRule(experiment), directory: directory,
            content: ManifestContent(experiment, overrides: []), supervision: Supervision(onError: experiment.onError))
        let printer = ProgressPrinter(isQuiet: quiet)
        let outcome = try session.carryOut(
            jobs: jobs, worker: WorkerVerb.command(experiment), report: { printer.show($0) },
            notice: { printer.interrupt(with: $0) })
        printer.clear()
        if let problem = outcome.problem { Console.diagnose(problem.hasSuffix("\n") ? problem : problem + "\n") }
        if outcome.exitCode != ExitCode.ok {
            Console.diagnose(
                "\(experiment.name): \(outcome.done) of \(count(outcome.total, "run")) done; "
                    + "continue with\n  \(resume)\n")
        }
        return outcome.exitCode
    }
}
