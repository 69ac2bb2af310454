// SPDX-License-Identifier: GPL-3.0-or-later
import CommandLineArguments
import ForeignPolicies
import Vocabulary

/// Exit codes of the program.
enum ExitCode {
    static let ok: Int32 = 0
    static let usage: Int32 = 1
    static let missed: Int32 = 2
    static let output: Int32 = 3
    static let nonDeterminism: Int32 = 4

    /// Meanings of the codes, for help and manual.
    static let meanings: [(code: Int32, meaning: String)] = [
        (ok, "done"), (usage, "usage or configuration"), (missed, "a gate, target or expectation was missed"),
        (output, "some runs failed, or output could not be written"),
        (nonDeterminism, "results contradict each other: not deterministic"),
        (130, "interrupted; the command that continues is printed"),
    ]
}

/// Settings that every verb receives.
struct Setting {
    /// The policies that experiments may name.
    var policies: PolicyCatalog
    /// Whether this command line allows all foreign policies; programs that it starts inherit this permission.
    var allowsForeign = false

    /// Creates a setting with these policies.
    init(policies: PolicyCatalog) { self.policies = policies }

    /// The policies for checks of experiments; the code of foreign policies starts only if the command line allows it.
    var checked: PolicyCatalog {
        guard !allowsForeign else { return policies }
        var catalog = policies
        if catalog.foreign != nil { catalog.foreign = UncheckedPolicies() }
        return catalog
    }

    /// The policies for another process of the program, with the given permissions for foreign ones.
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
    /// The word that the user types.
    static var name: String { get }
    /// Summary of the verb, without a full stop.
    static var summary: String { get }
    /// Example command line that works.
    static var example: String { get }
    /// Flags that select another verb.
    static var modes: [(flag: String, verb: any Verb.Type)] { get }
    /// Carries out the verb; returns the exit code.
    static func run(_ arguments: ArgumentReader, _ setting: Setting) throws -> Int32
}

extension Verb {
    static var modes: [(flag: String, verb: any Verb.Type)] { [] }
}

extension ArgumentReader {
    /// Exit code after help or a usage error; nil if the verb continues.
    ///
    /// Call this method after all arguments have been read.
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
    /// The option for coloured verdicts; by default they are coloured on a terminal, unless NO_COLOR is set.
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
