// SPDX-License-Identifier: GPL-3.0-or-later
// FlotsamCommand owns the command line: verbs, their options, what is printed and the exit codes.
// In: the words of a command line and a catalogue of policies. Out: text on stdout, diagnostics on stderr, an exit
// code. It decides nothing about simulation or statistics; it calls `Scenario`, `Experiments`, `Importers` and prints.
// A user's own executable is three lines: import this, add policies to `PolicyCatalog.builtIn`, call `run`.
// Read first: this file, then `Verb.swift`, then the verb's own file.

import CommandLineArguments
import Diagnostics
import Experiments
import Files
import Glibc
import Phone
import Recording
import Scenario
import Vocabulary

/// The `flotsam` program, with whatever policies an executable brings.
///
///     import FlotsamCommand
///     import Scenario
///
///     @main struct MyPhone {
///         static func main() { FlotsamCommand.run(policies: .builtIn.adding(MyPolicy.entry)) }
///     }
public enum FlotsamCommand {
    /// The program's version.
    public static let version = "0.1.0"

    private static var verbs: [any Verb.Type] {
        [
            CheckVerb.self, PlanVerb.self, RunVerb.self, StatusVerb.self, CompareVerb.self, CoverageVerb.self,
            ValidateVerb.self, ListVerb.self, NewVerb.self,
            WorkloadVerb.self, AskVerb.self, ReplayVerb.self, WhyVerb.self, TraceVerb.self, ScenarioVerb.self,
            ImportVerb.self,
            WeighVerb.self, BatteryVerb.self, WouldKillVerb.self, InitVerb.self, ExecVerb.self, MergeVerb.self,
            VerifyVerb.self, GateVerb.self, ReportVerb.self, ReproduceVerb.self, SubmitVerb.self, TuneVerb.self,
        ]
    }

    /// Does what the command line says and ends the process with the exit code of the contract.
    public static func run(
        policies: PolicyCatalog = .builtIn, arguments: [String] = CommandLine.arguments
    ) -> Never {
        exit(perform(Array(arguments.dropFirst()), Setting(policies: policies)))
    }

    /// Does what the words say; returns the exit code.
    static func perform(_ words: [String], _ setting: Setting) -> Int32 {
        // A file-size limit becomes an error of the write that hits it instead of a death.
        signal(SIGXFSZ, SIG_IGN)
        if words.first == WorkerVerb.name {
            return perform(WorkerVerb.self, Array(words.dropFirst()), setting)
        }
        let table = VerbTable(
            program: "flotsam", summary: "Simulates a phone and says which policy is better, and by how much.",
            verbs: verbs.map { VerbTable.Verb($0.name, $0.summary) })
        switch table.choose(words) {
        case .help: return Console.out(table.help)
        case .version: return Console.out("flotsam \(version) (model \(modelVersion))\n")
        case .problem(let text):
            Console.diagnose(text)
            return ExitCode.usage
        case .verb(let name, let words):
            guard let verb = verbs.first(where: { $0.name == name }) else { return ExitCode.usage }
            return perform(verb, words, setting)
        }
    }

    private static func perform(_ verb: any Verb.Type, _ words: [String], _ setting: Setting) -> Int32 {
        let arguments = ArgumentReader(
            "flotsam " + verb.name, summary: verb.summary + ".", example: verb.example, words: words)
        do {
            return try verb.run(arguments, setting)
        } catch let problems as Diagnostics {
            Console.diagnose(problems.description)
            return ExitCode.usage
        } catch let error as NonDeterminism {
            Console.diagnose("error: not deterministic: \(error)\n")
            return ExitCode.nonDeterminism
        } catch let error as FileError {
            Console.diagnose(error.description + "\n")
            if error.isOutOfSpace { Console.diagnose("  hint: make room and run the same command again\n") }
            if error.action != "read", error.code == ENOENT { Console.diagnose("  hint: make its directory first\n") }
            return error.action == "read" ? ExitCode.usage : ExitCode.output
        } catch {
            Console.diagnose("error: \(error)\n")
            return ExitCode.usage
        }
    }
}
