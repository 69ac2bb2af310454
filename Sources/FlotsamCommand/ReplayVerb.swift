// SPDX-License-Identifier: GPL-3.0-or-later
import CommandLineArguments
import Experiments
import Phone
import Recording

/// `flotsam replay`: does one run again and holds it against the stored one, bit for bit.
enum ReplayVerb: Verb {
    static let name = "replay"
    static let summary = "Does one run of a directory again, bit for bit; exit code 4 when it comes out different"
    static let example = "flotsam replay results/quickstart#0"

    static func run(_ arguments: ArgumentReader, _ setting: Setting) throws -> Int32 {
        let experiment = arguments.experimentFile()
        let json = arguments.flag("--json", help: "Print JSON")
        let references = arguments.operands("DIR#RUN", help: "Directory of results and number or token of a run", 1...1)
        if let code = arguments.settled() { return code }
        let replay = try RunReplay(references[0], policies: setting.policies, experimentPath: experiment)
        let outcome = try replay.carryOut()
        if json {
            return Console.out(
                JSONValue.object([
                    "run": .integer(replay.run.number), "policy": .string(replay.policyName),
                    "replication": .integer(replay.run.replication),
                    "fingerprint": .string(hexadecimal(outcome.fingerprint)),
                    "events": .integer(Int(outcome.events)), "compared": .bool(replay.stored != nil),
                ]).pretty)
        }
        return Console.out(replay.headline(hexadecimal(outcome.fingerprint)) + "\n")
    }
}

extension ArgumentReader {
    /// The option for a directory that was moved away from its experiment.
    func experimentFile() -> String? {
        option(
            "--experiment", value: "FILE", help: "Experiment file (default: the one the manifest names)",
            as: String.self)
    }
}

extension RunReplay {
    /// One line: which run it was, and whether it came out as stored.
    func headline(_ fingerprint: String) -> String {
        var text = "run \(run.number) of \(directory.path): \(policyName), replication \(run.replication)"
        for (axis, value) in zip(plan.axes, plan.points[run.point].values) { text += ", \(axis) \(value)" }
        return text
            + (stored == nil
                ? "; done again, but there is no result of this build to hold it against"
                : "; done again, bit for bit as stored (\(fingerprint))")
    }
}
