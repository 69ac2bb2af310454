// SPDX-License-Identifier: GPL-3.0-or-later
import CommandLineArguments
import ConfigText
import Diagnostics
import Experiments
import Files
import PhoneCore
import Recording
import Scenario
import Vocabulary

/// `flotsam check`: reports all errors of an experiment or a bench at once.
enum CheckVerb: Verb {
    static let name = "check"
    static let summary = "Shows every error of an experiment; --plan: its runs and cost"
    static let example = "flotsam check experiments/quickstart.yaml"
    static var modes: [(flag: String, verb: any Verb.Type)] { [("--plan", CheckPlanVerb.self)] }

    static func run(_ arguments: ArgumentReader, _ setting: Setting) throws -> Int32 {
        let overrides = arguments.settings()
        arguments.declareForeign()
        let complete = arguments.option(
            "--emit-config", value: "FILE", help: "Writes the experiment with its models and settings as one file",
            as: String.self)
        let isForced = arguments.flag("--force", help: "With --emit-config: replaces a file of any kind")
        let forms = CheckReport.Form.allCases.map(\.rawValue)
        let format = arguments.option(
            "--format", value: "FORM", help: "text; or json, sarif or github on standard output, for editors and CI",
            choices: forms, default: "text")
        let json = arguments.flag("--json", help: "Like --format json")
        arguments.declareModes(Self.self)
        let files = arguments.inputs("EXPERIMENT.yaml", help: "Experiment files or benches", 1...Int.max)
        let form = CheckReport.Form(rawValue: json ? "json" : format)
        if form == nil { arguments.report("--format expects \(forms.joined(separator: ", ")), found \(format)") }
        if complete != nil, files.count > 1 { arguments.report("--emit-config takes one experiment") }
        if let code = arguments.settled() { return code }
        if let complete {
            let target = OutputTarget(complete, isForced: isForced)
            return try emit(files[0], overrides: overrides, setting, to: target)
        }
        var code = ExitCode.ok
        var report = CheckReport()
        let isText = form == .text
        for file in files {
            do throws(Diagnostics) {
                let (found, warnings) = try check(file, overrides: overrides, setting)
                report.add(file, found: found, problems: warnings)
                guard isText else { continue }
                Console.diagnose(warnings)
                let lines = found.split(separator: "\n")
                // Programs read one line per note; only a screen has a width.
                let notes = lines.dropFirst().map { line in
                    Console.width.map { wrapped(String(line), width: $0, indent: "  ") } ?? line + "\n"
                }.joined()
                code = max(code, Console.out("\(file): ok: \(lines[0])\n" + notes))
            } catch {
                if isText { Console.diagnose(error) }
                report.add(file, found: nil, problems: error)
                code = max(code, ExitCode.usage)
            }
        }
        return isText ? code : max(code, Console.out(report.text(form ?? .text)))
    }

    /// Writes an experiment as one file, after checking that the file gives the same runs.
    private static func emit(
        _ file: String, overrides: [String], _ setting: Setting, to target: OutputTarget
    ) throws -> Int32 {
        let experiment = try loadExperiment(
            path: file, overrides: overrides, catalog: setting.checked, recordsValues: true)
        let text = experiment.oneFileText
        // Paths of recordings are relative to the file.
        let path = FilePath.join(FilePath.folder(of: file), FilePath.name(of: target.path))
        let again = try loadExperiment(
            SourceText(name: path, text: text), catalog: setting.checked, library: .located(experiment: file))
        guard Plan(again).hash == Plan(experiment).hash else {
            throw Diagnostics("\(file) cannot be written as one file: that file would describe other runs")
        }
        try target.write(Array(text.utf8), mark: Experiment.oneFileMark)
        var said = "\(target.path): \(experiment.name) as one file, \(count(experiment.runCount, "run"))\n"
        if !again.inputs.isEmpty { said += "  the file still reads \(again.inputs.joined(separator: ", "))\n" }
        return Console.out(said)
    }

    /// Summary of a file without errors, with its warnings.
    private static func check(
        _ file: String, overrides: [String], _ setting: Setting
    ) throws(Diagnostics) -> (found: String, warnings: Diagnostics) {
        if FilePath.name(of: file) == KnownMissFile.name {
            return (count(try KnownMissFile.load(path: file).count, "known miss"), Diagnostics())
        }
        guard isBench(path: file) else {
            let experiment = try loadExperiment(path: file, overrides: overrides, catalog: setting.checked)
            let evidence = Evidence(ModelLibrary.located(experiment: file)).sentences(of: experiment.phones)
            let notes = (experiment.cautions + experiment.unchecked + evidence).map { "\n  note: \($0)" }.joined()
            return ("\(experiment.name), \(count(experiment.runCount, "run"))" + notes, experiment.warnings)
        }
        if !overrides.isEmpty { throw Diagnostics("\(file): a bench takes no --set") }
        let bench = try loadBench(path: file)
        let found = "\(bench.name), \(count(bench.cases.count, "case")), \(count(bench.targets.count, "target"))"
        return (found, Diagnostics())
    }
}

/// `flotsam run --status`: counts the runs of a directory that are done, failed or missing.
enum RunStatusVerb: Verb {
    static let name = "status"
    static let summary = "Shows how many runs of a directory are done, failed and missing"
    static let example = "flotsam run --status results/quickstart"

    static func run(_ arguments: ArgumentReader, _ setting: Setting) throws -> Int32 {
        let json = arguments.flag("--json", help: "Prints JSON")
        let paths = arguments.operands("DIR", help: "Directory of results", 1...1)
        if let code = arguments.settled() { return code }
        let directory = ResultDirectory(paths[0])
        let plan = try directory.plan()
        let store = try RunStore(plan: plan, directory: directory)
        let missing = store.missing(in: plan)
        let remembered = try RememberedFailures(in: directory, plan: plan)
        let failed = Set(remembered.runs.map(\.run.number))
        let failures = missing.filter { failed.contains($0.number) }.count
        let done = plan.wantedRuns - missing.count
        let outdated = store.outdated(in: plan)
        var report = Report()
        report.give([
            "name": .string(plan.name), "runs": .integer(plan.wantedRuns), "done": .integer(done),
            "failed": .integer(failures), "missing": .integer(missing.count - failures),
            "other_build": .integer(outdated), "damaged_bytes": .integer(store.tornBytes),
            "damaged_failures": .integer(remembered.damagedLines),
            "not_done": .string(RunSelection.text(missing.map(\.number))),
        ])
        report.say("\(plan.name): \(count(plan.wantedRuns, "run")): \(done) done, \(failures) failed, ")
        report.say("\(missing.count - failures) missing\n")
        if outdated > 0 { report.say(SessionNotices.otherBuilds(outdated, "are run again by flotsam run") + "\n") }
        if let damage = remembered.damage { report.say(damage + "\n") }
        if store.tornBytes > 0, !missing.isEmpty {
            report.say("segments: \(count(store.tornBytes, "byte")) damaged or cut off; flotsam run repairs them\n")
        }
        return report.out(json: json)
    }
}

extension ArgumentReader {
    /// The condition that runs must meet; nil for all runs.
    func condition() -> RunCondition? {
        let text = option(
            "--where", value: "CONDITION",
            help: "Only runs that meet this condition, for instance 'policy == lru && replication < 10'",
            as: String.self)
        guard let text else { return nil }
        do throws(Diagnostics) {
            return try RunCondition(text)
        } catch {
            for problem in error.list { report("--where: \(problem.message)", hint: problem.hint) }
            return nil
        }
    }

    /// Files and folders to read; a missing path of the source folder is replaced by its installed copy.
    func inputs(_ name: String, help: String, _ count: ClosedRange<Int>) -> [String] {
        operands(name, help: help, count).map { path in
            guard let shipped = FilePath.shipped(path) else { return path }
            Console.diagnose("note: \(path) is not here; reading the installed copy, \(shipped)\n")
            return shipped
        }
    }

    /// The settings that override an experiment's values.
    func settings() -> [String] {
        options("--set", value: "KEY=VALUE", help: "Overrides a value, for instance device.memory.ram='3 GiB'")
    }
}

/// Number with its noun, in the plural if necessary.
func count(_ number: Int, _ noun: String) -> String {
    if number == 1 { return "1 \(noun)" }
    let isLikePolicy = noun.hasSuffix("y") && !noun.hasSuffix("ay")
    return "\(number) " + (isLikePolicy ? noun.dropLast() + "ies" : noun + (noun.hasSuffix("s") ? "es" : "s"))
}
