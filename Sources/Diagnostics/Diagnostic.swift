// SPDX-License-Identifier: GPL-3.0-or-later
// Diagnostics owns the one way in which every problem of every file is shown to the user.
// In: a location, a message, the line itself, a hint. Out: text such as `a.yaml:9:3: error: unknown key "brigthness"`.
// It knows no file format and reads no file; parsers hand it the line they stumbled on.
// It also owns the search for the nearest valid name, so that every suggestion follows one rule.
// However broken a file is, a bounded number of problems of bounded length is kept, and foreign text is shown by
// characters that move no cursor.
// Read first: this file, then `Diagnostics.swift`, `Diagnostic+Rendering.swift` and `VisibleText.swift`.

/// One problem: its location, its message and a hint.
public struct Diagnostic: Hashable, Sendable {
    /// Whether the problem stops the program.
    public enum Severity: String, Sendable {
        case error, warning
    }

    /// Whether it stops the program.
    public var severity: Severity
    /// Location in a text; nil when the problem belongs to none.
    public var location: SourceLocation?
    /// Message of the problem, a sentence without a full stop; a very long one is shortened in the middle.
    public let message: String
    /// Line of the location, without its line end.
    public var line: String?
    /// Hint for the user; a very long one is shortened in the middle.
    public var hint: String? { didSet { hint = hint?.shortened } }

    /// Missing key, where that is the problem; several missing keys of one map share one message.
    public var missing: MissingKey?

    /// Key that is required in a map.
    public struct MissingKey: Hashable, Sendable {
        let key: String
        let section: String
        let example: String?

        /// Creates a missing key.
        ///
        /// - Parameters:
        ///   - section: text after the message that names the map; empty for the top level of a file.
        ///   - example: a valid value of the key.
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
