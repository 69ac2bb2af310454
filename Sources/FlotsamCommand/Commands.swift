// SPDX-License-Identifier: GPL-3.0-or-later
import CommandLineArguments
import Experiments
import Files

/// A command that stands for several verbs: its first word chooses one, or the form of its operand does.
protocol VerbGroup: Verb {
    /// Its verbs, each with the word of the overview that stands for it.
    static var members: [(word: String, verb: any Verb.Type)] { get }
    /// The verb that the words mean, and the words that are left for it; nil when they name none.
    static func member(of words: [String]) -> (verb: any Verb.Type, typed: String, words: [String])?
}

extension VerbGroup {
    static func member(of words: [String]) -> (verb: any Verb.Type, typed: String, words: [String])? {
        guard let first = words.first, let found = members.first(where: { $0.word == first }) else { return nil }
        return (found.verb, "\(name) \(first)", Array(words.dropFirst()))
    }

    /// The verbs of the group, for choosing one and for its overview.
    static var table: VerbTable {
        VerbTable(
            program: "flotsam \(name)", summary: summary + ".",
            verbs: members.map { VerbTable.Verb($0.word, $0.verb.summary) })
    }

    static func run(_ arguments: ArgumentReader, _ setting: Setting) throws -> Int32 {
        let words = arguments.operands(
            "WHAT", help: members.map(\.word).joined(separator: ", "), 1...1, choices: members.map(\.word))
        if arguments.isDescribed { return ExitCode.ok }
        if words.isEmpty || arguments.wantsHelp {
            let text = table.help(width: Console.terminal?.columns ?? 80) + "\nExample:\n  \(example)\n"
            return Console.page(Console.named(text))
        }
        if case .problem(let text) = table.choose(words) { Console.diagnose(Console.named(text)) }
        return ExitCode.usage
    }
}

/// `flotsam repeat`: what was run, run again; what the operand is says how.
enum RepeatVerb: VerbGroup {
    static let name = "repeat"
    static let summary = "Runs again, bit for bit: a sample, one run, or what a page shows"
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

/// `flotsam cluster`: the runs of one experiment on many machines.
enum ClusterVerb: VerbGroup {
    static let name = "cluster"
    static let summary = "Spreads an experiment over machines: init, exec, merge, submit"
    static let example = "flotsam cluster init experiments/quickstart.yaml -o results/shared"
    static var members: [(word: String, verb: any Verb.Type)] {
        [
            ("init", ClusterInitVerb.self), ("exec", ClusterExecVerb.self), ("merge", ClusterMergeVerb.self),
            ("submit", ClusterSubmitVerb.self),
        ]
    }
}

/// `flotsam lab`: parts of the phone, and of the method, tried alone.
enum LabVerb: VerbGroup {
    static let name = "lab"
    static let summary = "Tries one part alone: battery, scenario, would-kill, coverage"
    static let example = "flotsam lab scenario Tests/ConformanceTests/scenarios/freezer-budget.yaml"
    static var members: [(word: String, verb: any Verb.Type)] {
        [
            ("battery", LabBatteryVerb.self), ("scenario", LabScenarioVerb.self), ("would-kill", LabWouldKillVerb.self),
            ("coverage", LabCoverageVerb.self), ("environment", LabEnvironmentVerb.self),
        ]
    }
}

/// `flotsam data`: recordings in, workloads out.
enum DataVerb: VerbGroup {
    static let name = "data"
    static let summary = "Reads recordings of phones; generates, counts and fits workloads"
    static let example = "flotsam data workload generate --persona average --days 7 --seed 1 -o week.csv"
    static var members: [(word: String, verb: any Verb.Type)] {
        [
            ("import", DataImportVerb.self), ("workload", DataWorkloadVerb.self),
        ]
    }
}

/// `flotsam shell`: what a shell and `man` need.
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

/// The commands of the program, and the names that they had before.
enum Commands {
    /// From the first file to the answer.
    static var road: [any Verb.Type] {
        [
            NewVerb.self, CheckVerb.self, RunVerb.self, CompareVerb.self, WhyVerb.self, AskVerb.self, TwinVerb.self,
            ReportVerb.self,
        ]
    }
    /// The others.
    static var others: [any Verb.Type] {
        [
            ListVerb.self, ValidateVerb.self, RepeatVerb.self, ClusterVerb.self, LabVerb.self, DataVerb.self,
            TuneVerb.self, GateVerb.self, CiteVerb.self, ShellVerb.self,
        ]
    }
    /// All, in the order of the overview.
    static var all: [any Verb.Type] { road + others }

    /// The words that stand for an old name.
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

    /// The verb that the words behind a command mean, what was typed of it, and the words that are left.
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

    /// What every command takes, as its reading declares it.
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
        // It declares, and ends before it does anything; what it says of missing words is dropped.
        _ = try? verb.run(arguments, setting)
        return arguments.description
    }
}

extension ArgumentReader {
    /// Declares the flags by which a verb becomes another one; reading chose already.
    func declareModes(_ verb: any Verb.Type) {
        for mode in verb.modes { _ = flag(mode.flag, help: mode.verb.summary + " (options: \(mode.flag) -h)") }
    }
}
