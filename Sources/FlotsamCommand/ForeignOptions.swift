// SPDX-License-Identifier: GPL-3.0-or-later
import CommandLineArguments
import Vocabulary

/// The option that refuses libraries and processes as policies; every verb knows it.
enum NoForeign {
    static let name = "--no-foreign"

    /// The words without the option, and the policies that may be named with it.
    static func apply(_ words: [String], _ policies: PolicyCatalog) -> (words: [String], policies: PolicyCatalog) {
        let end = words.firstIndex(of: "--") ?? words.count
        guard words[..<end].contains(name) else { return (words, policies) }
        var policies = policies
        policies.foreign = nil
        return (words[..<end].filter { $0 != name } + words[end...], policies)
    }
}

extension ArgumentReader {
    /// Names the option in the help; it was taken from the command line before.
    func declareNoForeign() {
        _ = flag(NoForeign.name, help: "Refuses policies of libraries and processes, which run their authors' code")
    }
}
