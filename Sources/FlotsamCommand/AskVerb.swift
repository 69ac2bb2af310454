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
        let answers = AppAnswers(try AppStudy(experiment))
        return Console.out(json ? answers.json.pretty : answers.text)
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
    /// Questions and answers as people read them.
    var text: String {
        var text = heading + "\n"
        for answer in answers {
            text += "\n\(answer.question)\n" + answer.sentences.map { wrapped($0, width: 100, indent: "  ") }.joined()
            var table = TextTable([.right, .left, .left])
            for (reason, percent) in zip(answer.reasons, wholePercents(answer.reasons.map(\.share))) {
                table.add(["    \(percent) %", reason.name, reason.sentence])
            }
            text += table.text
        }
        return text
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

    /// The same for programs.
    var json: JSONValue {
        .object([
            "what": .string(heading),
            "answers": .array(
                answers.map { answer in
                    .object([
                        "question": .string(answer.question),
                        "answer": .string(answer.sentences.joined(separator: " ")),
                        "reasons": .array(
                            answer.reasons.map {
                                .object([
                                    "reason": .string($0.name), "sentence": .string($0.sentence),
                                    "share": .number($0.share),
                                ])
                            }),
                        "without_value": .object(answer.withoutValue.mapValues { .integer($0) }),
                    ])
                }),
        ])
    }
}
