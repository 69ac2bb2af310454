// SPDX-License-Identifier: GPL-3.0-or-later
import CommandLineArguments
import Experiments
import Phone
import PhoneCore
import Recording
import Scenario
import Vocabulary

/// `flotsam repeat`: repeats one run and compares it with the stored one, bit for bit.
///
/// The run may also continue with one decision reversed, or under other policies from an instant on.
enum RepeatRunVerb: Verb {
    static let name = "replay"
    static let summary =
        "Repeats one run bit for bit (exit code 4 if it differs), or changes a decision or its policies"
    static let example = "flotsam repeat results/quickstart#0"

    static func run(_ arguments: ArgumentReader, _ setting: Setting) throws -> Int32 {
        let experiment = arguments.experimentFile()
        let flips = FlipRequest.Change.allCases.compactMap { change in
            arguments.option("--" + change.rawValue, value: "APP", help: change.help, as: String.self).map {
                (change, $0)
            }
        }
        let policy = arguments.option(
            "--policy", value: "NAME", help: "Continues the run under this pair of the experiment's policies",
            as: String.self)
        let at = arguments.option(
            "--at", value: "T", help: "Instant of the decision, or of the change of policies", as: Moment.self)
        let kind = arguments.requestKind()
        let json = arguments.flag("--json", help: "Prints JSON")
        arguments.declareForeign()
        let references = arguments.operands(
            "DIR#RUN", help: "Directory of results with the number or token of a run, or a token alone", 1...1)
        if flips.count > 1 { arguments.report("one decision at a time: name one of --spare, --kill, --grant, --deny") }
        if !flips.isEmpty, policy != nil { arguments.report("one change at a time: a decision, or --policy") }
        if (flips.isEmpty && policy == nil) != (at == nil) {
            arguments.report("--at needs --policy, --spare, --kill, --grant or --deny, and each of these needs --at")
        }
        if let code = arguments.settled() { return code }
        let replay = try RunReplay(references[0], policies: setting.policies, experimentPath: experiment)
        if let (change, app) = flips.first, let at {
            let request = FlipRequest(change, try replay.app(app), at: try replay.instant(at), kind: kind)
            let text = FlipText(try FlipStudy(request, in: replay), names: replay.appNames)
            return text.report.out(json: json)
        }
        if let policy, let at {
            let fork = try PolicyFork(replay, under: try replay.plan.policy(policy), from: try replay.instant(at))
            return fork.report(of: replay).out(json: json)
        }
        let outcome = try replay.carryOut()
        let fingerprint = hexadecimal(outcome.fingerprint)
        var report = Report()
        report.say(replay.headline(fingerprint) + "\n")
        report.give([
            "run": .integer(replay.run.number), "policy": .string(replay.policyName),
            "replication": .integer(replay.run.replication), "fingerprint": .string(fingerprint),
            "events": .integer(Int(outcome.events)), "compared": .bool(replay.stored != nil),
        ])
        return report.out(json: json)
    }
}

extension FlipRequest.Change {
    /// Help text of the option for this change.
    fileprivate var help: String {
        switch self {
        case .spare: "Undoes the kill of this app"
        case .kill: "Kills the process of this app"
        case .grant: "Starts the pending request of this app"
        case .deny: "Delays the start of this app's work"
        }
    }
}

extension RequestKind {
    /// The kind of request for a kind of work; nil for work without a scheduling policy.
    init?(_ work: BackgroundWork) {
        guard let kind = RequestKind.allCases.first(where: { BackgroundWork($0) == work }) else {
            return nil
        }
        self = kind
    }
}

extension ArgumentReader {
    /// The option for the kind of the request.
    func requestKind() -> RequestKind {
        let kinds = BackgroundWork.allCases.filter { RequestKind($0) != nil }
        return RequestKind(kindOfWork("refresh or processing", kinds)) ?? .refresh
    }

    /// Reads the option with the kind of work, which may be any kind in the table `requests`.
    func backgroundWork() -> BackgroundWork {
        kindOfWork("refresh, processing, silent-push, transfer, alarm and more", BackgroundWork.allCases)
    }

    private func kindOfWork(_ help: String, _ kinds: [BackgroundWork]) -> BackgroundWork {
        let name = option("--kind", value: "K", help: "Kind of work: \(help)", default: "refresh")
        if let work = kinds.first(where: { $0.name == name }) { return work }
        // Visible work behind another app is a continued task on iOS and a foreground service on Android.
        if name == "service", kinds.contains(.continued) { return .continued }
        let names = kinds.map(\.name)
        report("--kind expects one of \(names.joined(separator: ", ")), found \(name)")
        return .refresh
    }

    /// Path of the experiment's file, for a directory that was moved away from its experiment.
    func experimentFile() -> String? {
        option(
            "--experiment", value: "FILE", help: "Experiment file (default: the one the manifest names)",
            as: String.self)
    }
}

extension RunReplay {
    /// One line that names the run and states whether it matches the stored one.
    func headline(_ fingerprint: String) -> String {
        var text = "run \(run.number) of \(directory.path): \(policyName), replication \(run.replication)"
        for (axis, value) in zip(plan.axes, plan.points[run.point].values) { text += ", \(axis) \(value)" }
        return text
            + (stored == nil
                ? "; repeated, but there is no stored result of this build to compare with"
                : "; repeated, and the result matches bit for bit (\(fingerprint))")
    }
}
