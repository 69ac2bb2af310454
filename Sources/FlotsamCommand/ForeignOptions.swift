// SPDX-License-Identifier: GPL-3.0-or-later
import CommandLineArguments
import ForeignPolicies
import Platform
import Vocabulary

/// Options for policies in libraries and processes, common to all verbs.
enum ForeignOptions {
    static let refusal = "--no-foreign"

    /// The words without these options, and the setting for the verb.
    static func apply(_ words: [String], _ policies: PolicyCatalog) -> (words: [String], setting: Setting) {
        let end = words.firstIndex(of: "--") ?? words.count
        let own = words[..<end]
        var setting = Setting(policies: policies)
        var gate = ForeignGate()
        gate.words = words
        gate.allowsAll = own.contains(ForeignGate.option)
        gate.trusted = .ofUser
        if isatty(0) == 1, isatty(2) == 1 { gate.ask = ask }
        setting.allowsForeign = gate.allowsAll
        let isRefused = own.contains(refusal) || policies.foreign == nil
        setting.policies.foreign = isRefused ? nil : ForeignPolicies(gate)
        let rest = own.filter { $0 != refusal && $0 != ForeignGate.option } + words[end...]
        return (Array(rest), setting)
    }

    /// Shows the code that would run and asks for permission.
    private static func ask(_ code: ForeignCode) -> Bool {
        Console.diagnose(
            "a policy of the experiment is foreign, and its author's code would run with your rights:\n"
                + "  \(code.shown)\nallow it, now and until the code changes? [y/N] ")
        return ["y", "yes"].contains((readLine() ?? "").lowercased())
    }
}

extension ArgumentReader {
    /// Adds the options that allow and refuse foreign policies to the help; their values have already been read.
    func declareForeign() {
        _ = flag(
            ForeignGate.option,
            help: "Allows policies from libraries and processes for this call; their authors' code then runs")
        declareNoForeign()
    }

    /// Adds the option that refuses foreign policies to the help; for verbs that start no foreign code.
    func declareNoForeign() {
        _ = flag(ForeignOptions.refusal, help: "Refuses policies from libraries and processes")
    }
}
