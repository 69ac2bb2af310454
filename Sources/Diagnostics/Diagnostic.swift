// SPDX-License-Identifier: GPL-3.0-or-later
// Diagnostics defines how problems of all files are shown to the user.
// In: a location, a message, the line of the location, a hint. Out: text such as `a.yaml:9:3: error: unknown key
// "brigthness"`.
// The module reads no files and contains no file formats. Parsers provide the line.
// The module also searches for the nearest valid name, so that all suggestions follow one rule.
// For every file, the number and the length of the kept problems are limited. Characters of foreign text that would
// move the cursor are made visible.
// Read first: this file, then `Diagnostics.swift`, `Diagnostic+Rendering.swift` and `VisibleText.swift`.

/// A problem with its location, its message and a hint.
public struct Diagnostic: Hashable, Sendable {
    /// Whether the problem stops the program.
    public enum Severity: String, Sendable {
        case error, warning
    }

    /// Whether the problem stops the program.
    public var severity: Severity
    /// Location in a text; nil if the problem has none.
    public var location: SourceLocation?
    /// Message of the problem: a sentence without a full stop.
    ///
    /// A very long message is shortened in the middle.
    public let message: String
    /// Text of the line at the location, without its line end.
    public var line: String?
    /// Hint for the user.
    ///
    /// A very long hint is shortened in the middle.
    public var hint: String? { didSet { hint = hint?.shortened } }

    /// The missing key, if the problem is a missing key.
    ///
    /// Several missing keys of one map are shown in one message.
    public var missing: MissingKey?

    /// A required key that a map does not contain.
    public struct MissingKey: Hashable, Sendable {
        let key: String
        let section: String
        let example: String?

        /// Creates a missing key.
        ///
        /// - Parameters:
        ///   - section: Text after the message that names the map; empty for the top level of a file.
        ///   - example: A valid value of the key.
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
