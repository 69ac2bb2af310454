// SPDX-License-Identifier: GPL-3.0-or-later
import CommandLineArguments
import ConfigText
import Diagnostics
import Experiments
import Files
import Phone
import Recording
import Quantities
import Scenario
import Synchronization

/// `flotsam ask`: answers the questions of app teams about their app, in words.
enum AskVerb: Verb {
    static let name = "ask"
    static let summary = "Answers the questions of app teams about their app"
    static let example = "flotsam new --app my-app.yaml && flotsam ask my-app.yaml --quick"

    static func run(_ arguments: ArgumentReader, _ setting: Setting) throws -> Int32 {
        let output = arguments.option(
            "--output", "-o", value: "DIR", help: "Directory of results (default: results/NAME)", as: String.self)
        let jobs = arguments.option(
            "--jobs", "-j", value: "N", help: "Number of runs at the same time", default: HostDescription.processors)
        let baseline = arguments.option(
            "--against", value: "FILE|DIR",
            help: "Earlier answers to compare with; exit code 2 if a figure is worse by more than the limit",
            as: String.self)
        let limit = arguments.option(
            "--limit", value: "SHARE", help: "With --against: largest allowed worsening", default: "5 %")
        let isQuick = arguments.flag("--quick", help: "Skips the runs that test changes to the app (most of the runs)")
        let quiet = arguments.flag("--quiet", "-q", help: "Prints no progress")
        let overrides = arguments.settings()
        let json = arguments.flag("--json", help: "Prints JSON")
        arguments.declareForeign()
        let share = try? UnitText.parse(limit, as: .fraction)
        if share.map({ $0 >= 0 }) != true {
            arguments.report("--limit expects a share such as \"5 %\", found \"\(limit)\"")
        }
        if jobs < 1 { arguments.report("--jobs expects at least 1, found \(jobs)") }
        let files = arguments.inputs(
            "APP.yaml", help: "Experiment with the key app:, or a file that describes only an app", 1...1)
        if let code = arguments.settled() { return code }
        // Errors in the earlier answers are reported before the runs.
        let before = try baseline.map { try EarlierAnswers($0) }
        let experiment = try load(files[0], overrides, setting)
        Console.diagnose(experiment.warnings)
        if experiment.app == nil { _ = try AppStudy(experiment) }
        let directory = ResultDirectory(output ?? "results/" + experiment.name)
        let stored = try store(experiment, overrides, directory, jobs: jobs, ProgressPrinter(isQuiet: quiet))
        guard stored == ExitCode.ok else { return stored }
        // Only figures that both sets of answers contain are compared.
        let isGated = before != nil
        let study = try self.study(
            experiment, isGated || isQuick ? nil : (files[0], overrides), setting, isQuiet: quiet)
        let answers = AppAnswers(study)
        let report = answers.report
        try replaceFile(directory.file(file), with: report.json.pretty)
        let code = report.out(json: json)
        if let before {
            let comparison = try AnswersComparison(answers, before)
            let text = comparison.text(limit: share ?? 0)
            if json { Console.diagnose(text) } else { Console.out(text) }
            return comparison.exceeds(share ?? 0) ? ExitCode.missed : code
        }
        if !json { Console.out("\nresults: \(directory.path); next: flotsam why \(shellWord(directory.path))#0\n") }
        return code
    }

    /// Name of the file of answers in a directory of results.
    static let file = "answers.json"

    /// Carries out the runs that the answers need, as `flotsam run` does; returns the exit code.
    private static func store(
        _ experiment: Experiment, _ overrides: [String], _ directory: ResultDirectory, jobs: Int,
        _ printer: ProgressPrinter
    ) throws -> Int32 {
        let plan = Plan(experiment)
        let numbers = plan.runs.filter { $0.point == 0 && $0.policy == experiment.baselineIndex }.map(\.number)
        let session = RunSession(
            plan: plan, directory: directory, content: ManifestContent(experiment, overrides: overrides),
            selection: numbers.count == plan.runs.count ? .all : .ranges(numbers.map { $0...$0 }))
        let outcome = try session.carryOut(
            jobs: jobs, worker: WorkerVerb.command(experiment), report: { printer.show($0) },
            notice: { printer.interrupt(with: $0) })
        printer.clear()
        if let problem = outcome.problem { Console.diagnose(problem + "\n") }
        if outcome.interrupted { Console.diagnose("interrupted: run the same command again to continue\n") }
        let isDone = outcome.failures.isEmpty && outcome.problem == nil && !outcome.interrupted
        return isDone ? ExitCode.ok : outcome.exitCode
    }

    /// Studies the app in each run, and tries all changes if the experiment can be read again.
    private static func study(
        _ experiment: Experiment, _ again: (path: String, overrides: [String])?, _ setting: Setting,
        isQuiet: Bool
    ) throws -> AppStudy {
        let printer = Mutex(ProgressPrinter(isQuiet: isQuiet))
        @Sendable func show(_ done: Int, _ total: Int) {
            printer.withLock { $0.show(Progress(done: done, of: total)) }
        }
        defer { printer.withLock { $0.clear() } }
        guard let again else { return try AppStudy(experiment, progress: { show($0, $1) }) }
        func variant(_ more: [String]) throws(Diagnostics) -> Experiment {
            try load(again.path, again.overrides + more, setting)
        }
        return try AppStudy(experiment, variant: variant, progress: { show($0, $1) })
    }

    /// Reads the experiment; if a file contains only an app, reads the experiment that `flotsam new --app` would write.
    private static func load(
        _ path: String, _ overrides: [String], _ setting: Setting
    ) throws(Diagnostics) -> Experiment {
        let source = try SourceText.read(path: path).get()
        let root = try YAML.parse(source).get()
        // A catalogue lists apps but is not an app.
        if root["schema"] != nil { try FileKind.require(.experiment, root) }
        guard root["name"] != nil, root["device"] == nil, root["policies"] == nil, root["app"] == nil else {
            return try loadExperiment(
                path: path, overrides: overrides, catalog: setting.policies, recordsValues: true)
        }
        let around = SourceText(
            name: FilePath.join(FilePath.folder(of: path), "flotsam-ask.yaml"),
            text: ExperimentTemplate.text(asking: FilePath.name(of: path)))
        return try loadExperiment(
            around, overrides: overrides, catalog: setting.policies, library: .located(experiment: path),
            recordsValues: true)
    }
}

extension AppAnswers {
    /// Questions and answers.
    var report: Report {
        var report = Report()
        report.say(heading + "\n")
        report.give([
            "app": .string(study.app), "policy": .string(study.policy), "replications": .integer(study.facts.count),
            "days": .number(days), "level": .number(study.experiment.analysis.level),
            "seed": .string(String(study.experiment.seed)), "model": .string(modelVersion),
            "users": .object(study.users.mapValues { .string($0) }),
        ])
        let answers = answers
        for answer in answers {
            report.say("\n\(answer.question)\n")
            for sentence in answer.sentences { report.say(sentence: sentence, indent: "  ") }
            let reasons = Array(zip(answer.reasons, wholePercents(answer.reasons.map(\.share))))
            report.table(
                nil, reasons, isHeaded: false,
                [.right { "    \($1) %" }, .left { Report.Cell($0.0.name) }, .left { Report.Cell($0.0.sentence) }])
            for effect in answer.changes {
                let texts = zip(Self.judged, effect.changes).map { judged, change in
                    change.map { $0.isNone ? "no change in \(judged.words)" : "\($0.text) \(judged.words)" }
                        ?? "\(judged.words): nothing to compare"
                }
                report.say(sentence: effect.sentence, indent: "    ")
                report.say(sentence: texts.joined(separator: ", "), indent: "        ")
            }
        }
        report.table(
            "answers", answers,
            [
                .data("question") { .string($0.name) }, .data("figures") { Report.json($0.figures) },
                .data("reasons") {
                    Report.json(
                        $0.reasons, [.data("reason") { .string($0.name) }, .data("share") { .number($0.share) }])
                },
                .data("changes") {
                    Report.json(
                        $0.changes,
                        [
                            .data("change") { .string($0.name) }, .data("is_yours") { .bool($0.isTeams) },
                            .data("helps") { .bool($0.helps) }, .data("figures") { Report.json($0.figures) },
                        ])
                },
            ])
        return report
    }

    /// Shares of a whole as whole percentages that sum to 100: the largest remainders are rounded up.
    private func wholePercents(_ shares: [Double]) -> [Int] {
        var percents = shares.map { Int(($0 * 100).rounded(.down)) }
        let order = shares.indices.sorted { left, right in
            let (one, other) = (
                shares[left] * 100 - Double(percents[left]), shares[right] * 100 - Double(percents[right])
            )
            return one == other ? left < right : one > other
        }
        for index in order.prefix(max(0, 100 - percents.reduce(0, +))) { percents[index] += 1 }
        return percents
    }
}
