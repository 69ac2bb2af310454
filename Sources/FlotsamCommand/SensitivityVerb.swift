// SPDX-License-Identifier: GPL-3.0-or-later
import CommandLineArguments
import ConfigText
import Diagnostics
import Experiments
import Files
import Measures
import Phone
import Quantities
import Recording
import Scenario
import Statistics

/// `flotsam why --sensitivity`: measures the sensitivity of the answer to each unmeasured assumption.
enum SensitivityVerb: Verb {
    static let name = "weigh"
    static let summary = "Shows how sensitive the answer is to each unmeasured assumption"
    static let example = "flotsam why --sensitivity experiments/quickstart.yaml --replications 5 --only device.memory"

    /// Name of the file of results, which the report reads.
    private static let file = "weights.json"

    static func run(_ arguments: ArgumentReader, _ setting: Setting) throws -> Int32 {
        var question = AssumptionStudy.Question()
        let by = arguments.option(
            "--by", value: "SHARE", help: "Varies assumptions without a stated interval by this share, up and down",
            default: "30 %")
        question.replications = arguments.option(
            "--replications", value: "N", help: "Replications (default: the experiment's minimum)", as: Int.self)
        question.policy = arguments.option(
            "--policy", value: "NAME", help: "Policy to compare with the baseline (default: the best)",
            as: String.self)
        question.only = arguments.option(
            "--only", value: "PATH", help: "Varies only paths that begin with this, for instance device.display",
            default: "")
        let most = arguments.option("--most", value: "N", help: "Number of assumptions to print", default: 20)
        let overrides = arguments.settings()
        let asJSON = arguments.flag("--json", help: "Prints JSON")
        arguments.declareForeign()
        let paths = arguments.inputs(
            "FILE|DIR",
            help: "Experiment, or directory of its results; a directory also stores the answer for flotsam report",
            1...1)
        let share = (try? UnitText.parse(by, as: .fraction)) ?? 0
        if !(share > 0 && share < 1) { arguments.report("--by expects a share between 0 and 100 %, found \"\(by)\"") }
        if let count = question.replications, count < 1 {
            arguments.report("--replications expects at least 1, found \(count)")
        }
        if most < 1 { arguments.report("--most expects at least 1, found \(most)") }
        if let code = arguments.settled() { return code }
        question.share = share
        let subject = try Subject(paths[0], overrides)
        let study = try AssumptionStudy(
            subject.source, overrides: subject.overrides, catalog: setting.policies,
            library: .located(experiment: subject.source.name), question)
        let report = report(study, subject, most: most, by: by)
        if let directory = subject.directory, question.only.isEmpty {
            try replaceFile(directory.file(file), with: report.json.pretty)
        }
        return report.out(json: asJSON)
    }

    /// The experiment of the call.
    private struct Subject {
        let source: SourceText
        let overrides: [String]
        let directory: ResultDirectory?

        init(_ path: String, _ more: [String]) throws {
            guard isDirectory(path) else {
                (source, overrides, directory) = (try SourceText.read(path: path).get(), more, nil)
                return
            }
            let directory = ResultDirectory(path)
            _ = try directory.plan()
            guard more.isEmpty else {
                throw Diagnostics("--set changes an experiment, but \(path) contains results", hint: "name its file")
            }
            let experiment = try directory.manifest()?["experiment"]
            guard let name = experiment?["path"]?.string, let written = experiment?["written"]?.string else {
                throw Diagnostics("\(path) does not name its experiment")
            }
            source = SourceText(name: name, text: written)
            overrides = (experiment?["overrides"]?.array ?? []).compactMap(\.string)
            self.directory = directory
        }
    }

    private static func report(_ study: AssumptionStudy, _ subject: Subject, most: Int, by: String) -> Report {
        let names = [study.policy, study.experiment.baselineIndex].map { study.experiment.policies[$0].name }
        var report = Report()
        report.give([
            "written": .string(subject.source.text), "overrides": .array(subject.overrides.map { .string($0) }),
            "model": .string(modelVersion), "metric": .string(study.metric.name), "unit": .string(study.metric.unit),
            "policy": .string(names[0]), "baseline": .string(names[1]),
            "replications": .number(Double(study.replications)), "relative": .number(study.paired.relative),
            "verdict": .string(study.verdict.rawValue),
        ])
        report.say(sentence: heading(study))
        report.say("\n")
        // The rows are sorted by weight.
        report.table(
            "assumptions", study.rows, most: min(most, study.rows.count { $0.weight > 0 }),
            [
                .right("moves it by", "weight") {
                    Report.Cell(Figures.short($0.weight * 100, digits: 2) + " points", $0.weight)
                },
                .left("", "told") { Report.Cell($0.isTold ? "" : "?", .bool($0.isTold)) },
                .left("assumption", "path") {
                    let value = $0.value.written.isEmpty ? "" : " = \($0.value.written)"
                    return Report.Cell($0.value.path + value, .string($0.value.path))
                },
                .left("made smaller", "low") { side($0.low, study) },
                .left("made larger", "high") { side($0.high, study) },
                .data("file") { .string($0.value.assumption.file) }, .data("key") { .string($0.value.assumption.key) },
                .data("reason") { .string($0.value.assumption.reason) }, .data("value") { .string($0.value.written) },
            ])
        report.table(
            "not_varied", study.others + study.refused.map(\.value.assumption),
            [
                .data("file") { .string($0.file) }, .data("key") { .string($0.key) },
                .data("reason") { .string($0.reason) },
            ])
        report.say("\n")
        let silent = study.others.count + study.refused.count
        report.say(
            sentence: "\(study.rows.count(where: \.isTold)) of \(count(study.rows.count, "assumption")), each varied "
                + "alone by \(by) or within its stated interval, move the difference by more than sampling noise "
                + "(the others are marked ?).")
        report.say(sentence: deciding(study))
        if silent > 0 {
            report.say(
                sentence: "\(count(silent, "assumption")) could not be varied (words, tables, temperatures, zeros).")
        }
        return report
    }

    private static func heading(_ study: AssumptionStudy) -> String {
        let names = [study.policy, study.experiment.baselineIndex].map { study.experiment.policies[$0].name }
        return "\(study.metric.name), \(names[0]) minus \(names[1]): \(Figures.interval(study.paired)) "
            + "\(study.metric.unit), \(Figures.percent(study.paired.relative)), \(study.verdict.rawValue), "
            + "\(count(study.replications, "replication"))"
    }

    private static func deciding(_ study: AssumptionStudy) -> String {
        func list(_ rows: [AssumptionStudy.Row]) -> String {
            let more = rows.count > 6 ? ["\(rows.count - 6) more"] : []
            return Figures.list(rows.prefix(6).map(\.value.path) + more)
        }
        let (sure, perhaps) = (study.deciding, study.perhapsDeciding)
        let first =
            sure.isEmpty ? "None of them significantly changes the verdict." : "The verdict changes with \(list(sure))."
        guard !perhaps.isEmpty else { return sure.isEmpty ? "None of them changes the verdict." : first }
        return first + " It also changes with \(list(perhaps)), where the shift may be sampling noise."
    }

    private static func side(_ side: AssumptionStudy.Side?, _ study: AssumptionStudy) -> Report.Cell {
        guard let side else { return Report.Cell("-", .null) }
        let verdict = side.verdict == study.verdict ? "" : " " + side.verdict.rawValue
        return Report.Cell(
            "\(side.text): \(Figures.percent(side.paired.relative))\(verdict)",
            .object([
                "value": .string(side.text), "relative": .number(side.paired.relative),
                "shift": .number(side.shift.difference), "shift_low": .number(side.shift.low),
                "shift_high": .number(side.shift.high), "verdict": .string(side.verdict.rawValue),
            ]))
    }
}
