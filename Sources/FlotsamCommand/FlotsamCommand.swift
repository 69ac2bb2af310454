// SPDX-License-Identifier: GPL-3.0-or-later
// FlotsamCommand contains the command line: verbs, their options, what is printed and the exit codes.
// In: the words of a command line and a catalogue of policies. Out: text on stdout, diagnostics on stderr, an exit
// code. It decides nothing about simulation or statistics; it calls `Scenario`, `Experiments`, `Importers` and prints.
// A user's own executable needs three lines: import this, add policies to `PolicyCatalog.builtIn`, call `run`.
// Read first: this file, then `Verb.swift`, then the verb's own file.

import CommandLineArguments
import Diagnostics
import Experiments
import Files
import ForeignPolicies
import Phone
import Platform
import Recording
import Scenario
import Vocabulary

/// The `flotsam` program, with the policies that an executable adds.
///
///     import FlotsamCommand
///     import Scenario
///
///     @main struct MyPhone {
///         static func main() { FlotsamCommand.run(policies: .builtIn.adding(MyPolicy.entry)) }
///     }
public enum FlotsamCommand {
    /// The program's version.
    public static let version = programVersion

    /// Sentence above the overview of commands.
    static let summary = "Simulates a phone and shows which policy is better, and by how much."
    /// Executes the command line and ends the process with its exit code.
    ///
    /// - Parameters:
    ///   - policies: The policies that an experiment may name.
    ///   - arguments: The command line with the program's name first.
    ///   - source: Source of the program; nil if the program contains code from outside Flotsam.
    public static func run(
        policies: PolicyCatalog = .builtIn, arguments: [String] = CommandLine.arguments, source: Source? = nil
    ) -> Never {
        if let source { Build.begin(source) }
        Offspring.own()
        let (words, setting) = ForeignOptions.apply(Array(arguments.dropFirst()), policies)
        let code = perform(words, setting)
        Offspring.endAll()
        exit(code)
    }

    /// Executes the words; returns the exit code.
    static func perform(_ words: [String], _ setting: Setting) -> Int32 {
        // A file-size limit then fails the write that reaches it, and does not end the process.
        signal(SIGXFSZ, SIG_IGN)
        if words.first == WorkerVerb.name {
            return perform(WorkerVerb.self, WorkerVerb.name, Array(words.dropFirst()), setting)
        }
        let (road, others) = (Commands.road.map(entry), Commands.others.map(entry))
        let table = VerbTable(
            program: "flotsam", summary: summary, verbs: road + others, road: road.count, renamed: Commands.renamed)
        switch table.choose(words) {
        case .help: return Console.page(table.help(width: Console.terminal?.columns ?? 80))
        case .version:
            let commit = Build.commit.map { ", commit \($0.prefix(12))" } ?? ""
            return Console.out(
                "flotsam \(version) (model \(modelVersion), build \(hexadecimal(Build.current))\(commit))\n")
        case .problem(let text):
            Console.diagnose(text)
            return ExitCode.usage
        case .renamed(let new, let rest):
            let line = (["flotsam"] + new).joined(separator: " ")
            Console.diagnose(
                Console.named("note: \(words.first ?? "") is now \(line); the old name works in this version only\n"))
            return perform(new + rest, setting)
        case .verb(let name, let words):
            guard let command = Commands.all.first(where: { $0.name == name }) else { return ExitCode.usage }
            let (verb, typed, left) = Commands.verb(command, words)
            return perform(verb, typed, left, setting)
        }
    }

    private static func entry(_ verb: any Verb.Type) -> VerbTable.Verb { VerbTable.Verb(verb.name, verb.summary) }

    private static func perform(
        _ verb: any Verb.Type, _ typed: String, _ words: [String], _ setting: Setting
    ) -> Int32 {
        let arguments = ArgumentReader(
            "flotsam " + typed, summary: verb.summary + ".", example: verb.example, words: words)
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
            if error.isOutOfSpace { Console.diagnose("  hint: free some space and run the same command again\n") }
            if error.action != "read", error.code == ENOENT {
                let isThere = isDirectory(FilePath.folder(of: error.path))
                Console.diagnose("  hint: \(isThere ? "nothing can be written there" : "create its directory first")\n")
            }
            return error.action == "read" ? ExitCode.usage : ExitCode.output
        } catch {
            Console.diagnose("error: \(error)\n")
            return ExitCode.usage
        }
    }
}
