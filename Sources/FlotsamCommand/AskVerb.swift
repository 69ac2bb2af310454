// SPDX-License-Identifier: GPL-3.0-or-later
import CommandLineArguments
import ConfigText
import Diagnostics
import Experiments
import Files
import Recording
import Scenario

/// `flotsam ask`: what app teams ask about their app, in words.
enum AskVerb: Verb {
    static let name = "ask"
    static let summary = "Answers what app teams ask: cold launches, life after leaving, nights, pushes, footprint"
    static let example = "flotsam new --app my-app.yaml && flotsam ask my-app.yaml"

    static func run(_ arguments: ArgumentReader, _ setting: Setting) throws -> Int32 {
        let overrides = arguments.settings()
        let json = arguments.flag("--json", help: "Print JSON")
        arguments.declareForeign()
        let files = arguments.operands("APP.yaml", help: "Experiment with app:, or the file of an app alone", 1...1)
        if let code = arguments.settled() { return code }
        let experiment = try load(files[0], overrides, setting)
        Console.diagnose(experiment.warnings)
        return try AppAnswers(AppStudy(experiment)).report.out(json: json)
    }

    /// Reads the experiment; the file of an app alone stands in the one that `flotsam new --app` writes.
    private static func load(_ path: String, _ overrides: [String], _ setting: Setting) throws -> Experiment {
        let source = try SourceText.read(path: path).get()
        let root = try YAML.parse(source).get()
        guard root["name"] != nil, root["device"] == nil, root["policies"] == nil, root["app"] == nil else {
            return try loadExperiment(path: path, overrides: overrides, catalog: setting.policies)
        }
        let around = SourceText(
            name: FilePath.join(FilePath.folder(of: path), "flotsam-ask.yaml"),
            text: ExperimentTemplate.text(asking: FilePath.name(of: path)))
        return try loadExperiment(
            around, overrides: overrides, catalog: setting.policies, library: .located(experiment: path))
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
        ])
        let answers = answers
        for answer in answers {
            report.say("\n\(answer.question)\n")
            for sentence in answer.sentences { report.say(sentence: sentence, indent: "  ") }
            let reasons = Array(zip(answer.reasons, wholePercents(answer.reasons.map(\.share))))
            report.table(
                nil, reasons, isHeaded: false,
                [.right { "    \($1) %" }, .left { Report.Cell($0.0.name) }, .left { Report.Cell($0.0.sentence) }])
        }
        report.table(
            "answers", answers,
            [
                .data("question") { .string($0.name) }, .data("figures") { Report.json($0.figures) },
                .data("reasons") {
                    Report.json(
                        $0.reasons, [.data("reason") { .string($0.name) }, .data("share") { .number($0.share) }])
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
