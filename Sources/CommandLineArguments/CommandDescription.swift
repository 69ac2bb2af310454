// SPDX-License-Identifier: GPL-3.0-or-later

/// Options and operands of a command, collected from the calls that read them, for help, completions and manual pages.
public struct CommandDescription: Sendable {
    /// One option or operand.
    public struct Row: Sendable {
        /// Name of an option, such as `--output`, or of an operand, in capitals.
        public let name: String
        /// Short name of an option, such as `-o`; nil if it has none.
        public let short: String?
        /// Placeholder for an option's value; nil for flags and operands.
        public let value: String?
        /// Help text.
        public let help: String
        /// Valid or usual values; empty if there are none.
        public let choices: [String]
        /// Values of the first operand for which the option is valid; empty for all.
        public let scope: [String]
        /// Whether the row is an operand.
        public let isOperand: Bool

        init(operand name: String, help: String, choices: [String] = []) {
            (self.name, self.help, self.choices) = (name, help, choices)
            (short, value, scope, isOperand) = (nil, nil, [], true)
        }

        init(
            option name: String, _ short: String?, value: String?, help: String, choices: [String] = [],
            scope: [String] = []
        ) {
            (self.name, self.short, self.value, self.help) = (name, short, value, help)
            (self.choices, self.scope, isOperand) = (choices, scope, false)
        }

        /// Names and placeholder as shown in the help: `-o, --output DIR`.
        public var spelled: String {
            isOperand ? name : (short.map { "\($0), " } ?? "    ") + name + (value.map { " \($0)" } ?? "")
        }
    }

    /// Name that the user types.
    public let name: String
    /// Summary of the command, as a sentence.
    public let summary: String
    /// Usage line.
    public let usage: String
    /// Example of a working command line; empty if there is none.
    public let example: String
    /// Options and operands, in the order of the help.
    public let rows: [Row]
    /// Valid words after certain words of this command, such as after an option.
    public var following: [(word: String, choices: [String])] = []

    /// The options, without operands.
    public var options: [Row] { rows.filter { !$0.isOperand } }
    /// Valid values of the first operand; empty if any value is valid.
    public var choices: [String] { rows.first { $0.isOperand }?.choices ?? [] }

    /// Adds the options of another command.
    ///
    /// These options are valid after `word`, a word or flag of this command.
    public func adding(_ other: CommandDescription, under word: String) -> CommandDescription {
        var all = rows
        for row in other.options {
            guard let index = all.firstIndex(where: { $0.name == row.name }) else {
                all.append(row.under([word]))
                continue
            }
            if !all[index].scope.isEmpty { all[index] = all[index].under(all[index].scope + [word]) }
        }
        var whole = CommandDescription(name: name, summary: summary, usage: usage, example: example, rows: all)
        whole.following = following + (other.choices.isEmpty ? [] : [(word, other.choices)])
        return whole
    }
}

extension CommandDescription.Row {
    fileprivate func under(_ words: [String]) -> CommandDescription.Row {
        CommandDescription.Row(
            option: name, short, value: value, help: help, choices: choices, scope: words)
    }
}
