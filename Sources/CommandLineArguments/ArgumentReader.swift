// SPDX-License-Identifier: GPL-3.0-or-later
// CommandLineArguments contains the typed reading of command lines: flags, options, operands and verbs.
// In: the words of a command line. Out: typed values, and texts of help and errors from the same declarations.
// A call that reads an option also declares it, so the help always matches what is read.
// The module has no verb of the simulator, prints nothing and ends no process; its callers do.
// Read first: this file, then `ArgumentReader+Help.swift`.

import Diagnostics

/// Reads the command line of one verb: first each option, then the operands.
///
///     let arguments = ArgumentReader("flotsam run", summary: "Runs an experiment.", words: words)
///     let jobs = arguments.option("--jobs", "-j", value: "N", help: "Runs at once", default: 1)
///     let files = arguments.operands("EXPERIMENT", help: "Experiment file", 1...1)
///     if arguments.wantsHelp { print(arguments.help); return 0 }
///     if let problem = arguments.problem { … }
public final class ArgumentReader {
    let command: String
    let summary: String
    let example: String
    private(set) var rows: [CommandDescription.Row] = []
    private(set) var usage: [String] = []
    private var words: [String?]
    private let end: Int
    private var names: [String] = ["--help", "-h"]
    private var problems: [String] = []

    /// Whether the command line contains `--help` or `-h`.
    public private(set) var wantsHelp = false
    /// Whether ``operands(_:help:_:choices:)`` found an unknown option.
    public private(set) var hasUnknown = false
    /// Whether the reader only collects declarations, for completions and manual pages.
    public let isDescribed: Bool
    /// First operand, if it selects one of the command's functions; the help then covers only that function.
    private(set) var chosen: String?

    /// Creates a reader for the words after the program and the verb.
    public init(
        _ command: String, summary: String, example: String = "", words: [String], isDescribed: Bool = false
    ) {
        self.command = command
        self.isDescribed = isDescribed
        self.summary = summary
        self.example = example
        self.words = words
        end = words.firstIndex(of: "--") ?? words.count
        for index in 0..<end where words[index] == "-h" || words[index] == "--help" {
            wantsHelp = true
            self.words[index] = nil
        }
    }

    /// Whether a flag is given.
    ///
    /// - Parameter scope: values of the first operand for which the flag is valid; empty for all.
    public func flag(_ name: String, _ short: String? = nil, help: String, scope: [String] = []) -> Bool {
        declare(name, short, nil, help, scope: scope)
        var found = false
        for index in 0..<end where words[index] == name || short != nil && words[index] == short {
            words[index] = nil
            found = true
        }
        for index in 0..<end {
            guard let word = words[index], word.hasPrefix(name + "=") else { continue }
            problems.append("\(name) takes no value, found \"\(word)\"")
            words[index] = nil
        }
        return found
    }

    /// Value of an option; nil when it is not given.
    ///
    /// - Parameters:
    ///   - choices: usual values, for shell completion.
    ///   - scope: values of the first operand for which the option is valid; empty for all.
    public func option<T: ArgumentValue>(
        _ name: String, _ short: String? = nil, value: String, help: String, choices: [String] = [],
        scope: [String] = [], as type: T.Type = T.self
    ) -> T? {
        declare(name, short, value, help, choices: choices, scope: scope)
        let values: [T] = values(name, short, value)
        if values.count > 1 { problems.append("\(name) is given \(values.count) times, expected once") }
        return values.last
    }

    /// Value of an option, or its default.
    public func option<T: ArgumentValue>(
        _ name: String, _ short: String? = nil, value: String, help: String, choices: [String] = [],
        scope: [String] = [], default fallback: T
    ) -> T {
        let help = "\(help) (default: \(fallback))"
        return option(name, short, value: value, help: help, choices: choices, scope: scope, as: T.self) ?? fallback
    }

    /// Values of an option that may be given several times.
    public func options<T: ArgumentValue>(
        _ name: String, _ short: String? = nil, value: String, help: String, choices: [String] = [],
        as type: T.Type = T.self
    ) -> [T] {
        declare(name, short, value, help + " (may be repeated)", choices: choices)
        return values(name, short, value)
    }

    /// Remaining words; reports unknown options and a wrong number of operands.
    ///
    /// Call this method last.
    ///
    /// - Parameter choices: valid values of the first operand, if it selects one of the command's functions.
    public func operands(
        _ name: String, help: String, _ count: ClosedRange<Int> = 0...0, choices: [String] = []
    ) -> [String] {
        if count.upperBound > 0 {
            rows.append(.init(operand: name, help: help, choices: choices))
            let more = count.upperBound > 1 ? "\(name)..." : name
            usage.append(count.lowerBound == 0 ? "[\(more)]" : more)
        }
        var found: [String] = []
        for (index, word) in words.enumerated() {
            guard let word, index != end else { continue }
            if index < end, Self.isOption(word) {
                hasUnknown = true
                reportUnknown(word)
            } else {
                found.append(word)
            }
        }
        chosen = found.first.flatMap { choices.contains($0) ? $0 : nil }
        if found.count < count.lowerBound { problems.append("\(name) is missing") }
        // After an unknown option, a surplus word is most likely that option's value.
        if found.count > count.upperBound, !hasUnknown {
            problems.append("unexpected argument \"\(found[count.upperBound])\"")
        }
        return found
    }

    /// Remaining words, unchanged, for another program to read.
    ///
    /// Problems in these words are not reported.
    ///
    /// Call this method last. The words exclude `--help` and `-h`.
    public func rest(_ name: String, help: String) -> [String] {
        rows.append(.init(operand: name, help: help))
        usage.append("[\(name)...]")
        return words.compactMap { $0 }
    }

    /// Reports a problem that the caller found, in the same form as other problems.
    public func report(_ problem: String, hint: String? = nil) {
        problems.append(problem + (hint.map { "\nhint: \($0)" } ?? ""))
    }

    /// All errors in the command line; nil when there are none.
    public var problem: String? {
        if problems.isEmpty { return nil }
        return problems.map { "\(command): \($0)\n" }.joined() + "Try '\(command) --help'.\n"
    }

    private func declare(
        _ name: String, _ short: String?, _ value: String?, _ help: String, choices: [String] = [],
        scope: [String] = []
    ) {
        names.append(name)
        if let short { names.append(short) }
        rows.append(.init(option: name, short, value: value, help: help, choices: choices, scope: scope))
    }

    private func values<T: ArgumentValue>(_ name: String, _ short: String?, _ value: String) -> [T] {
        var values: [T] = []
        for index in 0..<end {
            guard let word = words[index], isSpelling(word, of: name, short) else { continue }
            words[index] = nil
            guard let text = valueText(of: word, at: index, name, short) else {
                problems.append("\(name) needs a value \(value)")
                continue
            }
            if let parsed = T(argument: text) {
                values.append(parsed)
            } else {
                problems.append("\(name) expects \(T.expectation), found \"\(text)\"")
            }
        }
        return values
    }

    /// Whether a word is `--name`, `--name=value`, `-n` or `-nvalue`.
    private func isSpelling(_ word: String, of name: String, _ short: String?) -> Bool {
        if word == name || word.hasPrefix(name + "=") { return true }
        guard let short else { return false }
        return word.hasPrefix(short) && !word.hasPrefix("--")
    }

    /// Value of an option, from the same word or the next; nil when it is missing.
    private func valueText(of word: String, at index: Int, _ name: String, _ short: String?) -> String? {
        if word.hasPrefix(name + "=") { return String(word.dropFirst(name.count + 1)) }
        if let short, word != name, word != short { return String(word.dropFirst(short.count)) }
        guard index + 1 < end, let next = words[index + 1], !Self.isOption(next) else { return nil }
        words[index + 1] = nil
        return next
    }

    private func reportUnknown(_ word: String) {
        let name = String(word.prefix { $0 != "=" })
        let near = nearest(to: name, in: names.filter { $0.hasPrefix("--") })
        report("unknown option \(name)", hint: near.map { "did you mean \($0)?" })
    }

    /// Whether a word looks like an option.
    ///
    /// A number, a time zone such as `-06:00` and a single hyphen do not look like options.
    private static func isOption(_ word: String) -> Bool {
        guard word.hasPrefix("-"), let next = word.utf8.dropFirst().first else { return false }
        return !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(next) && Double(word) == nil
    }
}
