// SPDX-License-Identifier: GPL-3.0-or-later
import CommandLineArguments
import Diagnostics
import Experiments
import Phone
import PhoneCore
import Quantities
import Recording
import Scenario
import Vocabulary

/// `flotsam why`: does one run again and says why work waited and why processes died.
enum WhyVerb: Verb {
    static let name = "why"
    static let summary = "Says why an app's background work ran or waited, and why its process was killed"
    static let example = "flotsam why results/quickstart#0 --app messages --at 2d14:05"

    static func run(_ arguments: ArgumentReader, _ setting: Setting) throws -> Int32 {
        let app = arguments.option(
            "--app", "-a", value: "A", help: "App (default: an overview of all)", as: String.self)
        let at = arguments.option("--at", value: "T", help: "Instant, for instance 2d14:05", as: Moment.self)
        let kind = arguments.option(
            "--kind", value: "K", help: "Kind of work: refresh or processing", default: "refresh")
        let experiment = arguments.experimentFile()
        let json = arguments.flag("--json", help: "Print JSON")
        let references = arguments.operands("DIR#RUN", help: "Directory of results and number or token of a run", 1...1)
        if kind != "refresh", kind != "processing" {
            arguments.report("--kind expects refresh or processing, found \(kind)")
        }
        if at != nil, app == nil { arguments.report("--at needs --app: say whose work it is about") }
        if let code = arguments.settled() { return code }
        let replay = try RunReplay(references[0], policies: setting.policies, experimentPath: experiment)
        let id = try app.map { try Self.app($0, in: replay) }
        let recorder = StoryRecorder(app: id)
        let outcome = try replay.carryOut(tables: StoryRecorder.tables, sink: recorder)
        let end = SimTime.zero + replay.experiment.duration
        if let at, at.time > end {
            throw Diagnostics("\(at.text) lies behind the end of the run, \(Moment(end).text)")
        }
        guard let id else {
            let overview = WhyOverview(recorder, names: replay.appNames, end: end)
            return Console.out(json ? overview.json.pretty : head(replay, outcome) + overview.text)
        }
        let why = WhyText(
            recorder, replay, app: id, kind: kind == "refresh" ? .refresh : .processing, at: at?.time)
        return Console.out(json ? why.json.pretty : head(replay, outcome) + why.text)
    }

    private static func head(_ replay: RunReplay, _ outcome: RunOutcome) -> String {
        replay.headline(hexadecimal(outcome.fingerprint)) + "\n\n"
    }

    private static func app(_ name: String, in replay: RunReplay) throws(Diagnostics) -> AppID {
        if let index = replay.appNames.firstIndex(of: name) { return AppID(index) }
        let near = nearest(to: name, in: replay.appNames).map { "did you mean \($0)?" }
        throw Diagnostics(
            "the run has no app \"\(name)\"", hint: near ?? "flotsam why without --app lists all apps")
    }
}
