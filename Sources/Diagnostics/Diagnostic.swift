// SPDX-License-Identifier: GPL-3.0-or-later
// Diagnostics owns the one way in which every problem of every file is shown to the user.
// In: a location, a message, the line itself, a hint. Out: text such as `a.yaml:9:3: error: unknown key "brigthness"`.
// It knows no file format and reads no file; parsers hand it the line they stumbled on.
// It also owns the search for the nearest valid name, so that every suggestion follows one rule.
// However broken a file is, a bounded number of problems of bounded length is kept, and foreign text is shown by
// characters that move no cursor.
// Read first: this file, then `Diagnostics.swift`, `Diagnostic+Rendering.swift` and `VisibleText.swift`.

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
    /// What is wrong, as a sentence without a full stop; the middle of a very long one is left out.
    public let message: String
    /// The line the location points into, without its line end.
    public var line: String?
    /// How to mend it; the middle of a very long hint is left out.
    public var hint: String? { didSet { hint = hint?.shortened } }

    /// The key that is missing, where that is the problem: several of one map are said in one message.
    public var missing: MissingKey?

    /// A key that has to be in a map.
    public struct MissingKey: Hashable, Sendable {
        let key: String
        let section: String
        let example: String?

        /// Creates one.
        ///
        /// - Parameters:
        ///   - section: What stands behind the message to say which map it is; empty for that of the whole file.
        ///   - example: A value that it may have.
        public init(_ key: String, in section: String, example: String?) {
            (self.key, self.section, self.example) = (key, section, example)
        }
    }

    /// Creates a problem.
    public init(
        _ message: String, at location: SourceLocation? = nil, line: String? = nil, hint: String? = nil,
        severity: Severity = .error
    ) {
        self.severity = severity
        self.location = location
        self.message = message.shortened
        self.line = line
        self.hint = hint?.shortened
    }
}
