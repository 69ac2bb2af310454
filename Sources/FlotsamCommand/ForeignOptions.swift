// SPDX-License-Identifier: GPL-3.0-or-later
import CommandLineArguments
import ForeignPolicies
import Platform
import Vocabulary

/// The options about libraries and processes as policies; every verb knows them.
enum ForeignOptions {
    static let refusal = "--no-foreign"

    /// The words without the options, and what a verb may use.
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

    /// Shows what would run, and takes a yes for a yes.
    private static func ask(_ code: ForeignCode) -> Bool {
        Console.diagnose(
            "a policy of the experiment is foreign: it runs the code of its author with your rights, namely\n"
                + "  \(code.shown)\nallow it, now and whenever it has not changed? [y/N] ")
        return ["y", "yes"].contains((readLine() ?? "").lowercased())
    }
}

extension ArgumentReader {
    /// Names the options in the help; they were taken from the command line before.
    func declareForeign() {
        _ = flag(
            ForeignGate.option, help: "For this call, starts policies of libraries and processes, their authors' code")
        declareNoForeign()
    }

    /// Names the option of a verb that starts no foreign code anyway.
    func declareNoForeign() {
        _ = flag(ForeignOptions.refusal, help: "Refuses policies of libraries and processes")
    }
}
