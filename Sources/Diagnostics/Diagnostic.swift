// SPDX-License-Identifier: GPL-3.0-or-later
// Diagnostics owns the one way in which every problem of every file is shown to the user.
// In: a location, a message, the line itself, a hint. Out: text such as `a.yaml:9:3: error: unknown key "brigthness"`.
// It knows no file format and reads no file; parsers hand it the line they stumbled on.
// It also owns the search for the nearest valid name, so that every suggestion follows one rule.
// Read first: this file, then `Diagnostic+Rendering.swift`.

/// One problem: where it is, what it is, and how to mend it.
public struct Diagnostic: Hashable, Sendable {
    /// Whether the problem stops the program.
    public enum Severity: String, Sendable {
        case error, warning
    }

    /// Whether it stops the program.
    public var severity: Severity
    /// Where it is; nil when it belongs to no location in a text.
    public var location: SourceLocation?
    /// What is wrong, as a sentence without a full stop.
    public var message: String
    /// The line the location points into, without its line end.
    public var line: String?
    /// How to mend it.
    public var hint: String?

    /// Creates a problem.
    public init(
        _ message: String, at location: SourceLocation? = nil, line: String? = nil, hint: String? = nil,
        severity: Severity = .error
    ) {
        self.severity = severity
        self.location = location
        self.message = message
        self.line = line
        self.hint = hint
    }
}

/// All problems found in one go.
public struct Diagnostics: Error, Sendable {
    /// The problems in the order in which they were found.
    public var list: [Diagnostic]

    /// Creates a collection of problems.
    public init(_ list: [Diagnostic] = []) { self.list = list }

    /// Creates a collection of one problem that belongs to no location.
    public init(_ message: String, hint: String? = nil) { list = [Diagnostic(message, hint: hint)] }

    /// Whether nothing was found.
    public var isEmpty: Bool { list.isEmpty }
    /// Whether at least one problem stops the program.
    public var hasErrors: Bool { list.contains { $0.severity == .error } }

    /// Adds a problem.
    public mutating func append(_ diagnostic: Diagnostic) { list.append(diagnostic) }
    /// Adds all problems of another collection.
    public mutating func append(contentsOf other: Diagnostics) { list += other.list }
}
