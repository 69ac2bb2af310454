// SPDX-License-Identifier: GPL-3.0-or-later
import CommandLineArguments
import ForeignPolicies
import Vocabulary

/// The exit codes of the contract.
enum ExitCode {
    static let ok: Int32 = 0
    static let usage: Int32 = 1
    static let missed: Int32 = 2
    static let output: Int32 = 3
    static let nonDeterminism: Int32 = 4

    /// What each says, for help and manual.
    static let meanings: [(code: Int32, meaning: String)] = [
        (ok, "done"), (usage, "usage or configuration"), (missed, "a gate, target or expectation was missed"),
        (output, "some runs failed, or output could not be written"),
        (nonDeterminism, "results contradict each other: not deterministic"),
        (130, "interrupted; the command that goes on is printed"),
    ]
}

/// What every verb may use.
struct Setting {
    /// The policies that experiments may name.
    var policies: PolicyCatalog
    /// Whether this command line allows all foreign policies; what is handed over to another program says so, too.
    var allowsForeign = false

    /// A setting with policies.
    init(policies: PolicyCatalog) { self.policies = policies }

    /// The same policies, but for foreign ones, which are named and not started unless the command line allows it.
    var checked: PolicyCatalog {
        guard !allowsForeign else { return policies }
        var catalog = policies
        if catalog.foreign != nil { catalog.foreign = UncheckedPolicies() }
        return catalog
    }

    /// The same policies, and of foreign ones those that another process of the program may start.
    func inheriting(_ permissions: [String]) -> PolicyCatalog {
        var catalog = policies
        var gate = ForeignGate()
        gate.inherited = Set(permissions)
        if catalog.foreign != nil { catalog.foreign = ForeignPolicies(gate) }
        return catalog
    }
}

/// One verb of the command line.
protocol Verb {
    /// The word the user types.
    static var name: String { get }
    /// What it does, without a full stop.
    static var summary: String { get }
    /// A command line that works.
    static var example: String { get }
    /// The flags that make another verb of it.
    static var modes: [(flag: String, verb: any Verb.Type)] { get }
    /// Does it; returns the exit code.
    static func run(_ arguments: ArgumentReader, _ setting: Setting) throws -> Int32
}

extension Verb {
    static var modes: [(flag: String, verb: any Verb.Type)] { [] }
}

extension ArgumentReader {
    /// The exit code when there is nothing more to do: help was asked for, or something is wrong.
    ///
    /// Call it when everything has been read.
    func settled() -> Int32? {
        if isDescribed { return ExitCode.ok }
        if wantsHelp { return Console.page(Console.named(help(width: Console.terminal?.columns ?? 80))) }
        if let problem {
            Console.diagnose(problem)
            return ExitCode.usage
        }
        return nil
    }
}

extension ArgumentReader {
    /// The option that says whether verdicts have colours; without it they do on a terminal, unless NO_COLOR is set.
    func color() -> Bool {
        let when = option(
            "--color", value: "WHEN", help: "Colour verdicts", choices: ["auto", "always", "never"],
            default: "auto")
        if !["always", "never", "auto"].contains(when) {
            report("--color expects always, never or auto, found \(when)")
        }
        return when == "always" || when == "auto" && Console.wantsColor(on: 1)
    }
}
