// SPDX-License-Identifier: GPL-3.0-or-later
import CommandLineArguments
import ConfigText
import Diagnostics
import Scenario
import Scripts

/// `flotsam lab scenario`: executes a script of processes and compares the phone with the script's expectations.
enum LabScenarioVerb: Verb {
    static let name = "scenario"
    static let summary = "Runs scripts of processes and memory, and checks each expectation"
    static let example = "flotsam lab scenario Tests/ConformanceTests/scenarios/freezer-budget.yaml"

    static func run(_ arguments: ArgumentReader, _ setting: Setting) throws -> Int32 {
        let files = arguments.operands("FILE.yaml", help: "Scenario scripts", 1...Int.max)
        if let code = arguments.settled() { return code }
        var isWrong = false
        var isMissed = false
        for file in files {
            do {
                let source = try SourceText.read(path: file).get()
                try FileKind.require(.scenario, YAML.parse(source).get())
                let script = try loadScenarioScript(source)
                isMissed = try report(file, script) || isMissed
            } catch let problems as Diagnostics {
                Console.diagnose(problems)
                isWrong = true
            }
        }
        return isWrong ? ExitCode.usage : isMissed ? ExitCode.missed : ExitCode.ok
    }

    /// Prints the result of a script; returns whether an expectation was missed.
    private static func report(_ file: String, _ script: ScenarioScript) throws -> Bool {
        let outcome = Scripts.run(script)
        for missed in outcome.missed { Console.diagnose(Diagnostics([missed.diagnostic])) }
        let found =
            outcome.passed ? "ok" : "\(outcome.missed.count) of \(count(outcome.expectations, "expectation")) missed"
        Console.out(
            "\(file): \(found): \(script.name), \(count(outcome.expectations, "expectation")), "
                + "\(count(outcome.kills, "kill"))\n")
        return !outcome.passed
    }
}
