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
import ForeignPolicies
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
            NewVerb.self, CheckVerb.self, PlanVerb.self, RunVerb.self, StatusVerb.self, CompareVerb.self,
            CoverageVerb.self, ValidateVerb.self, ListVerb.self, ShowVerb.self,
            WorkloadVerb.self, AskVerb.self, ReplayVerb.self, WhyVerb.self, TraceVerb.self, ScenarioVerb.self,
            ImportVerb.self,
            WeighVerb.self, BatteryVerb.self, WouldKillVerb.self, InitVerb.self, ExecVerb.self, MergeVerb.self,
            VerifyVerb.self, GateVerb.self, ReportVerb.self, ReproduceVerb.self, SubmitVerb.self, TuneVerb.self,
            CompletionVerb.self, ManVerb.self,
        ]
    }

    /// What the program is for.
    static let summary = "Simulates a phone and says which policy is better, and by how much."
    /// The words of the command line, in the order of the overview.
    static let verbNames: [String] = verbs.map { $0.name }

    /// What every verb takes, as its reading declares it.
    static func descriptions(_ setting: Setting) -> [CommandDescription] {
        verbs.map { verb in
            let arguments = ArgumentReader(
                "flotsam " + verb.name, summary: verb.summary + ".", example: verb.example, words: [],
                isDescribed: true)
            // It declares, and ends before it does anything; what it says of the missing words is nobody's.
            _ = try? verb.run(arguments, setting)
            return arguments.description
        }
    }

    /// Does what the command line says and ends the process with the exit code of the contract.
    public static func run(
        policies: PolicyCatalog = .builtIn, arguments: [String] = CommandLine.arguments
    ) -> Never {
        Offspring.own()
        let (words, setting) = ForeignOptions.apply(Array(arguments.dropFirst()), policies)
        let code = perform(words, setting)
        Offspring.endAll()
        exit(code)
    }

    /// Does what the words say; returns the exit code.
    static func perform(_ words: [String], _ setting: Setting) -> Int32 {
        // A file-size limit becomes an error of the write that hits it instead of a death.
        signal(SIGXFSZ, SIG_IGN)
        if words.first == WorkerVerb.name {
            return perform(WorkerVerb.self, Array(words.dropFirst()), setting)
        }
        if words.first == EnvironmentVerb.name {
            return perform(EnvironmentVerb.self, Array(words.dropFirst()), setting)
        }
        let table = VerbTable(
            program: "flotsam", summary: summary, verbs: verbs.map { VerbTable.Verb($0.name, $0.summary) },
            foot: "Exit codes:\n" + ExitCode.meanings.map { "  \($0.code)  \($0.meaning)\n" }.joined())
        switch table.choose(words) {
        case .help: return Console.page(table.help(width: Console.terminal?.columns ?? 80))
        case .version:
            return Console.out("flotsam \(version) (model \(modelVersion), build \(hexadecimal(Build.current)))\n")
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
            Console.diagnose(problems)
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
