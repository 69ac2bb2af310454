// SPDX-License-Identifier: GPL-3.0-or-later
import CommandLineArguments
import Diagnostics
import Experiments
import PhoneCore
import Recording
import Scenario

/// `flotsam check`: everything that is wrong with an experiment, at once.
enum CheckVerb: Verb {
    static let name = "check"
    static let summary = "Shows all errors of an experiment with file, line and column"
    static let example = "flotsam check experiments/quickstart.yaml"

    static func run(_ arguments: ArgumentReader, _ setting: Setting) throws -> Int32 {
        let overrides = arguments.settings()
        let files = arguments.operands("EXPERIMENT.yaml", help: "Experiment files", 1...Int.max)
        if let code = arguments.settled() { return code }
        var code = ExitCode.ok
        for file in files {
            do {
                let experiment = try loadExperiment(path: file, overrides: overrides, catalog: setting.policies)
                Console.diagnose(experiment.warnings.description)
                let text = "\(file): ok: \(experiment.name), \(count(experiment.runCount, "run"))\n"
                code = max(code, Console.out(text))
            } catch {
                Console.diagnose(error.description)
                code = max(code, ExitCode.usage)
            }
        }
        return code
    }
}

/// `flotsam status`: how far a directory of results is.
enum StatusVerb: Verb {
    static let name = "status"
    static let summary = "Shows how many runs of a directory are done, failed and missing"
    static let example = "flotsam status results/quickstart"

    static func run(_ arguments: ArgumentReader, _ setting: Setting) throws -> Int32 {
        let json = arguments.flag("--json", help: "Print JSON")
        let paths = arguments.operands("DIR", help: "Directory of results", 1...1)
        if let code = arguments.settled() { return code }
        let directory = ResultDirectory(paths[0])
        let plan = try directory.plan()
        let store = try RunStore(plan: plan, directory: directory)
        let missing = store.missing(in: plan)
        let failed = Set(FailedRun.remembered(in: directory, plan: plan).map(\.run.number))
        let failures = missing.filter { failed.contains($0.number) }.count
        let done = plan.runs.count - missing.count
        if json {
            let value = JSONValue.object([
                "name": .string(plan.name), "runs": .integer(plan.runs.count), "done": .integer(done),
                "failed": .integer(failures), "missing": .integer(missing.count - failures),
                "other_build": .integer(store.outdated(in: plan)), "damaged_bytes": .integer(store.tornBytes),
            ])
            return Console.out(value.pretty)
        }
        var text = "\(plan.name): \(count(plan.runs.count, "run")): \(done) done, \(failures) failed, "
        text += "\(missing.count - failures) missing\n"
        let outdated = store.outdated(in: plan)
        if outdated > 0 { text += SessionNotices.otherBuilds(outdated, "are run again by flotsam run") + "\n" }
        if store.tornBytes > 0, !missing.isEmpty {
            text += "segments: \(count(store.tornBytes, "byte")) damaged or torn; flotsam run mends it\n"
        }
        return Console.out(text)
    }
}

extension ArgumentReader {
    /// The settings that override an experiment's values.
    func settings() -> [String] {
        options("--set", value: "KEY=VALUE", help: "Overrides a value, for instance device.memory.ram='3 GiB'")
    }
}

/// A number with its noun, in the plural where it needs it.
func count(_ number: Int, _ noun: String) -> String {
    if number == 1 { return "1 \(noun)" }
    let isLikePolicy = noun.hasSuffix("y") && !noun.hasSuffix("ay")
    return "\(number) " + (isLikePolicy ? noun.dropLast() + "ies" : noun + (noun.hasSuffix("s") ? "es" : "s"))
}
