// SPDX-License-Identifier: GPL-3.0-or-later

/// What a command takes, as its reading declared it: help, completions and manual pages are made of this.
public struct CommandDescription: Sendable {
    /// One option or operand.
    public struct Row: Sendable {
        /// `--output` of an option, the name in capitals of an operand.
        public let name: String
        /// `-o` of an option that has one.
        public let short: String?
        /// What stands for an option's value; nil for flags and operands.
        public let value: String?
        /// What it does.
        public let help: String
        /// The words that it takes; empty where it takes any.
        public let choices: [String]
        /// The words of the first operand that it belongs to; empty for all.
        public let scope: [String]
        /// Whether it is no option.
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

        /// As help shows it: `-o, --output DIR`.
        public var spelled: String {
            isOperand ? name : (short.map { "\($0), " } ?? "    ") + name + (value.map { " \($0)" } ?? "")
        }
    }

    /// The word the user types.
    public let name: String
    /// What it does, a sentence.
    public let summary: String
    /// The line of usage.
    public let usage: String
    /// A command line that works; empty where there is none.
    public let example: String
    /// Options and operands, in the order in which help shows them.
    public let rows: [Row]
    /// The words that may follow a word of this command, where they are known.
    public var following: [(word: String, choices: [String])] = []

    /// The options alone.
    public var options: [Row] { rows.filter { !$0.isOperand } }
    /// The words that the first operand may be; empty where it may be any.
    public var choices: [String] { rows.first { $0.isOperand }?.choices ?? [] }

    /// The same with the options of another command, which go with a word or flag of this one.
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
