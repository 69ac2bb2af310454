// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics

/// Verbs of a program, for choosing a verb and for the overview of all verbs.
public struct VerbTable: Sendable {
    /// Verb with its summary.
    public struct Verb: Sendable {
        /// Name that the user types.
        public let name: String
        /// Summary of the verb.
        public let summary: String

        /// Creates a verb.
        public init(_ name: String, _ summary: String) {
            self.name = name
            self.summary = summary
        }
    }

    /// Meaning of the words of a command line.
    public enum Choice: Equatable, Sendable {
        /// Verb, and the words after it.
        case verb(String, words: [String])
        /// Request for the overview.
        case help
        /// Request for the version.
        case version
        /// Old name of a verb, with the words that replace it and the words after it.
        case renamed([String], words: [String])
        /// Unknown verb or option; the text is the message with a hint.
        case problem(String)
    }

    /// The program's name.
    public let program: String
    /// Sentence at the top of the overview.
    public let summary: String
    /// Verbs in the order of the overview.
    public let verbs: [Verb]
    /// Number of verbs that the overview lists under "Main commands, in order of use"; 0 for an overview in one group.
    public let road: Int
    /// Old names, with the words that replace them.
    public let renamed: [String: [String]]

    /// Creates a table.
    public init(
        program: String, summary: String, verbs: [Verb], road: Int = 0, renamed: [String: [String]] = [:]
    ) {
        (self.program, self.summary, self.verbs) = (program, summary, verbs)
        (self.road, self.renamed) = (road, renamed)
    }

    /// Chooses a verb according to the first word.
    public func choose(_ words: [String]) -> Choice {
        guard let first = words.first else { return .help }
        if first == "help", words.count > 1 { return choose(words.dropFirst() + ["--help"]) }
        if ["-h", "--help", "help"].contains(first) { return .help }
        if first == "--version" || first == "version" { return .version }
        if verbs.contains(where: { $0.name == first }) { return .verb(first, words: Array(words.dropFirst())) }
        if let new = renamed[first] { return .renamed(new, words: Array(words.dropFirst())) }
        if first.hasPrefix("-") {
            let near =
                nearest(to: first, in: ["--help", "--version"]) ?? (first.lowercased() == "-v" ? "--version" : nil)
            let hint = near.map { "hint: did you mean \($0)?\n" } ?? ""
            return .problem("\(program): unknown option \(first)\n\(hint)Try '\(program) --help'.\n")
        }
        let near = nearest(to: first, in: verbs.map(\.name) + renamed.keys.sorted())
        let new = near.flatMap { renamed[$0] }.map { program + " " + $0.joined(separator: " ") }
        let hint = (new ?? near).map { "hint: did you mean \($0)?\n" } ?? ""
        return .problem("\(program): unknown command \(first)\n\(hint)Try '\(program) --help'.\n")
    }

    /// The overview of all verbs.
    public var help: String { help(width: 80) }

    /// Overview of all verbs on lines of the given width.
    public func help(width: Int) -> String {
        let left = verbs.map(\.name.count).max() ?? 0
        let lines = verbs.map { tableLine($0.name, $0.summary, left: left, width: width) }
        let usage = "Usage: \(program) COMMAND [options]; for details, add --help\n\n"
        // An overview of 24 lines fits on a screen.
        let head = road > 0 ? "\(summary)\n\(usage)" : "\(summary)\n\n\(usage)"
        guard road > 0 else { return head + "Commands:\n" + lines.joined() }
        return head + "Main commands, in order of use:\n" + lines.prefix(road).joined()
            + "Other commands:\n" + lines.dropFirst(road).joined()
    }
}
