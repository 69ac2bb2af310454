// SPDX-License-Identifier: GPL-3.0-or-later
import CommandLineArguments
import Experiments
import Files

/// Command with several verbs; the first word or the form of the operand selects the verb.
protocol VerbGroup: Verb {
    /// Verbs of the group, each with its word in the overview.
    static var members: [(word: String, verb: any Verb.Type)] { get }
    /// The verb that the words select, and the remaining words; nil if they select no verb.
    static func member(of words: [String]) -> (verb: any Verb.Type, typed: String, words: [String])?
}

extension VerbGroup {
    static func member(of words: [String]) -> (verb: any Verb.Type, typed: String, words: [String])? {
        guard let first = words.first, let found = members.first(where: { $0.word == first }) else { return nil }
        return (found.verb, "\(name) \(first)", Array(words.dropFirst()))
    }

    /// Verbs of the group, for the selection and the overview.
    static var table: VerbTable {
        VerbTable(
            program: "flotsam \(name)", summary: summary + ".",
            verbs: members.map { VerbTable.Verb($0.word, $0.verb.summary) })
    }

    static func run(_ arguments: ArgumentReader, _ setting: Setting) throws -> Int32 {
        let words = arguments.operands(
            "WHAT", help: members.map(\.word).joined(separator: ", "), 1...1, choices: members.map(\.word))
        if arguments.isDescribed { return ExitCode.ok }
        if arguments.wantsHelp || words.isEmpty && !arguments.hasUnknown {
            let text = table.help(width: Console.terminal?.columns ?? 80) + "\nExample:\n  \(example)\n"
            return Console.page(Console.named(text))
        }
        if let problem = arguments.problem {
            Console.diagnose(problem)
        } else if case .problem(let text) = table.choose(words) {
            Console.diagnose(Console.named(text))
        }
        return ExitCode.usage
    }
}

/// `flotsam repeat`: repeats a sample, one run or the runs of a page, depending on the operand.
enum RepeatVerb: VerbGroup {
    static let name = "repeat"
    static let summary = "Repeats runs bit for bit: a sample, one run, or those of a page"
    static let example = "flotsam repeat results/quickstart#0"
    static var members: [(word: String, verb: any Verb.Type)] {
        [
            ("DIR", RepeatSampleVerb.self), ("DIR#RUN", RepeatRunVerb.self), ("report.html", RepeatPageVerb.self),
        ]
    }

    static func member(of words: [String]) -> (verb: any Verb.Type, typed: String, words: [String])? {
        let operands = words.filter { !$0.hasPrefix("-") }
        guard !operands.isEmpty else { return nil }
        let index =
            operands.contains { $0.hasSuffix(".html") }
            ? 2
            : operands.contains { $0.contains("#") }
                ? 1
                : operands.contains("DIR") || operands.contains(where: isDirectory) ? 0 : 1
        return (members[index].verb, name, words)
    }
}

/// `flotsam cluster`: runs one experiment on many machines.
enum ClusterVerb: VerbGroup {
    static let name = "cluster"
    static let summary = "Runs an experiment on many machines: init, exec, merge, submit"
    static let example = "flotsam cluster init experiments/quickstart.yaml -o results/shared"
    static var members: [(word: String, verb: any Verb.Type)] {
        [
            ("init", ClusterInitVerb.self), ("exec", ClusterExecVerb.self), ("merge", ClusterMergeVerb.self),
            ("submit", ClusterSubmitVerb.self),
        ]
    }
}

/// `flotsam lab`: tests one part of the phone or of the method separately.
enum LabVerb: VerbGroup {
    static let name = "lab"
    static let summary = "Tests one part: battery, scenario, would-kill, coverage, environment"
    static let example = "flotsam lab scenario Tests/ConformanceTests/scenarios/freezer-budget.yaml"
    static var members: [(word: String, verb: any Verb.Type)] {
        [
            ("battery", LabBatteryVerb.self), ("scenario", LabScenarioVerb.self), ("would-kill", LabWouldKillVerb.self),
            ("coverage", LabCoverageVerb.self), ("environment", LabEnvironmentVerb.self),
        ]
    }
}

/// `flotsam data`: reads recordings and writes workloads.
enum DataVerb: VerbGroup {
    static let name = "data"
    static let summary = "Imports recordings of phones; generates and fits workloads"
    static let example = "flotsam data workload generate --persona average --days 7 --seed 1 -o week.csv"
    static var members: [(word: String, verb: any Verb.Type)] {
        [
            ("import", DataImportVerb.self), ("workload", DataWorkloadVerb.self),
        ]
    }
}

/// `flotsam shell`: completions and manual pages.
enum ShellVerb: VerbGroup {
    static let name = "shell"
    static let summary = "Prints completions and manual pages"
    static let example = "flotsam shell completion bash"
    static var members: [(word: String, verb: any Verb.Type)] {
        [
            ("completion", ShellCompletionVerb.self), ("man", ShellManVerb.self),
        ]
    }
}

/// Commands of the program, and their old names.
enum Commands {
    /// Commands from the first file to the answer, in the order of their use.
    static var road: [any Verb.Type] {
        [
            NewVerb.self, CheckVerb.self, RunVerb.self, CompareVerb.self, WhyVerb.self, AskVerb.self, TwinVerb.self,
            ReportVerb.self,
        ]
    }
    /// All other commands.
    static var others: [any Verb.Type] {
        [
            ListVerb.self, ValidateVerb.self, RepeatVerb.self, ClusterVerb.self, LabVerb.self, DataVerb.self,
            TuneVerb.self, GateVerb.self, CiteVerb.self, ShellVerb.self,
        ]
    }
    /// All commands, in the order of the overview.
    static var all: [any Verb.Type] { road + others }

    /// New words for each old name.
    static let renamed: [String: [String]] = {
        var found = ["show": [ListVerb.name, ListVerb.whole]]
        for case let group as any VerbGroup.Type in all {
            for member in group.members {
                let isForm = member.word != member.verb.name
                found[member.verb.name] = [group.name] + (isForm ? [] : [member.word])
            }
        }
        for verb in all { for mode in verb.modes { found[mode.verb.name] = [verb.name, mode.flag] } }
        return found
    }()

    /// Verb that the words after a command select, with the words that the user typed for it and the remaining words.
    static func verb(
        _ command: any Verb.Type, _ words: [String]
    ) -> (verb: any Verb.Type, typed: String, words: [String]) {
        if let group = command as? any VerbGroup.Type, let found = group.member(of: words) { return found }
        let end = words.firstIndex(of: "--") ?? words.count
        for mode in command.modes {
            guard let index = words[..<end].firstIndex(of: mode.flag) else { continue }
            var left = words
            left.remove(at: index)
            return (mode.verb, "\(command.name) \(mode.flag)", left)
        }
        return (command, command.name, words)
    }

    /// Options and operands of every command, as declared by the code that reads them.
    static func descriptions(_ setting: Setting) -> [CommandDescription] {
        all.map { verb in
            let modes = verb.modes.map { ($0.flag, description($0.verb, setting)) }
            let members = ((verb as? any VerbGroup.Type)?.members ?? []).map {
                ($0.word, description($0.verb, setting))
            }
            return (modes + members).reduce(description(verb, setting)) { $0.adding($1.1, under: $1.0) }
        }
    }

    private static func description(_ verb: any Verb.Type, _ setting: Setting) -> CommandDescription {
        let arguments = ArgumentReader(
            "flotsam " + verb.name, summary: verb.summary + ".", example: verb.example, words: [], isDescribed: true)
        // The verb declares its options and stops before doing anything; problems with missing words are dropped.
        _ = try? verb.run(arguments, setting)
        return arguments.description
    }
}

extension ArgumentReader {
    /// Declares the flags that select another verb; the verb has been selected before.
    func declareModes(_ verb: any Verb.Type) {
        for mode in verb.modes { _ = flag(mode.flag, help: mode.verb.summary + " (options: \(mode.flag) -h)") }
    }
}
