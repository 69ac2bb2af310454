// SPDX-License-Identifier: GPL-3.0-or-later
import CommandLineArguments
import Diagnostics
import Experiments
import Files
import Phone
import PhoneCore
import Quantities
import Recording
import Scenario
import Vocabulary

/// `flotsam why`: repeats one run and explains why work waited and why processes died.
enum WhyVerb: Verb {
    static let name = "why"
    static let summary = "Explains why work waited and why processes died"
    static let example = "flotsam why results/quickstart#0 --app pigeon --at 2d14:05"
    static var modes: [(flag: String, verb: any Verb.Type)] { [("--sensitivity", SensitivityVerb.self)] }

    static func run(_ arguments: ArgumentReader, _ setting: Setting) throws -> Int32 {
        let app = arguments.option(
            "--app", "-a", value: "A", help: "App (default: an overview of all)", as: String.self)
        let at = arguments.option(
            "--at", value: "T", help: "Instant, for instance 2d14:05 or 2026-03-05T03:00", as: Moment.self)
        let work = arguments.backgroundWork()
        let policy = arguments.option(
            "--policy", value: "P",
            help: "With --app: policy to explain over all runs; with --against: the better of the two policies",
            as: String.self)
        let against = arguments.option("--against", value: "P", help: "The policy to compare with", as: String.self)
        let decisions = arguments.option(
            "--decisions", value: "N", help: "The N decisions with the largest effect; each was reversed in a trial",
            as: Int.self)
        let trials = arguments.option(
            "--trials", value: "N", help: "Largest number of decisions to try, evenly spaced", default: 400)
        let experiment = arguments.experimentFile()
        let json = arguments.flag("--json", help: "Prints JSON")
        arguments.declareForeign()
        arguments.declareModes(Self.self)
        let references = arguments.operands(
            "DIR#RUN", help: "A run by number, token or policy/replication; DIR alone with --app or --against", 1...1)
        if at != nil, app == nil { arguments.report("--at needs --app: name the app") }
        if against != nil, policy == nil { arguments.report("--against needs --policy: name the better one") }
        let isWhole = !references.isEmpty && !references[0].contains("#")
        if isWhole, !isDirectory(references[0]) {
            arguments.report(
                "there is no directory \(references[0])", hint: "expected DIR#RUN, for instance results/quickstart#0")
        } else if isWhole, app == nil, against == nil {
            arguments.report(
                "\(references[0]) contains many runs",
                hint: "name one, for instance \(references[0])#0; or give --app A, or --policy A --against B")
        }
        if isWhole, at != nil { arguments.report("--at needs one run", hint: "\(references[0])#0 --at 2d14:05") }
        if isWhole, decisions != nil { arguments.report("--decisions needs one run", hint: "\(references[0])#0") }
        if decisions.map({ $0 < 1 }) == true || trials < 1 {
            arguments.report("--decisions and --trials expect at least 1")
        }
        if let code = arguments.settled() { return code }
        guard !isWhole else {
            let replay = try RunReplay(references[0] + "#0", policies: setting.policies, experimentPath: experiment)
            return try overRuns(replay, app: app, policy: policy, against: against, json: json)
        }
        let replay = try RunReplay(references[0], policies: setting.policies, experimentPath: experiment)
        if let decisions {
            let text = DecisionText(
                try DecisionStudy(replay, most: trials), names: replay.appNames, most: decisions,
                reference: "\(replay.directory.path)#\(replay.run.number)")
            return text.report.out(json: json)
        }
        let id = try app.map { try replay.app($0) }
        let instant = try at.map { try replay.instant($0) }
        let recorder = StoryRecorder(app: id)
        let outcome = try replay.carryOut(tables: StoryRecorder.tables, sink: recorder)
        let end = SimTime.zero + replay.experiment.duration
        var report = Report()
        report.say(head(replay, outcome))
        guard let id else {
            WhyOverview(recorder, names: replay.appNames, of: replay.specification, end: end).add(to: &report)
            return report.out(json: json)
        }
        guard let kind = RequestKind(work) else {
            OtherWorkText(recorder, replay, app: id, work: work, at: instant).add(to: &report)
            return report.out(json: json)
        }
        let why = WhyText(recorder, replay, app: id, kind: kind, at: instant)
        return Console.out(json ? why.json.pretty : head(replay, outcome) + why.text)
    }

    /// Explanation over all replications, for one app under a policy, or for one policy compared with another.
    private static func overRuns(
        _ replay: RunReplay, app: String?, policy: String?, against: String?, json: Bool
    ) throws -> Int32 {
        let chosen = try policy.map { try replay.plan.policy($0) }
        if let chosen, let against {
            let contrast = PolicyContrast(
                replay.experiment, policy: chosen, against: try replay.plan.policy(against),
                replications: replay.plan.replications)
            return ContrastText(contrast: contrast, path: replay.directory.path).report.out(json: json)
        }
        if let app { _ = try replay.app(app) }
        let study = try AppStudy(
            replay.experiment, app: app, policy: chosen, replications: replay.plan.replications)
        return AppAnswers(study).report.out(json: json)
    }

    private static func head(_ replay: RunReplay, _ outcome: RunOutcome) -> String {
        replay.headline(hexadecimal(outcome.fingerprint)) + "\n\n"
    }

}

extension RunReplay {
    /// The app with a name.
    func app(_ name: String) throws(Diagnostics) -> AppID {
        if let index = appNames.firstIndex(of: name) { return AppID(index) }
        throw Diagnostics(
            "the run has no app \"\(name)\"",
            hint: nameHint(name, in: appNames, prefix: "its apps: ", all: "flotsam why \(directory.path)#0"))
    }

    /// The instant as a time of the run.
    func instant(_ moment: Moment) throws(Diagnostics) -> SimTime {
        try moment.time(start: experiment.start, length: experiment.duration)
    }
}
