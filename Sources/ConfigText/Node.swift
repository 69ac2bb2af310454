// SPDX-License-Identifier: GPL-3.0-or-later
// ConfigText owns the way from YAML text to typed values: positions kept, all problems of a file at once.
// In: a file or a text. Out: a tree of `Node`s; `MapReader` and `ValueReader` take typed values from it.
// It knows units (`Quantities`) but no device, app or experiment; keys and ranges come from its callers.
// libyaml is touched in `YAMLParser.swift` only. A hostile file ends in an error, never in a full memory.
// Read first: this file, then `MapReader.swift`, then `ValueReader.swift`.

import Diagnostics

/// Value of a configuration text with its location.
public struct Node: Sendable {
    /// Content of a node.
    public enum Content: Sendable {
        /// Word, number or text; `quoted` when it is in quotes.
        case scalar(String, quoted: Bool)
        /// List of nodes.
        case list([Node])
        /// Map, in the order of the file.
        case map([Entry])
    }

    /// One key of a map with its value.
    public struct Entry: Sendable {
        /// Name of the key.
        public var key: String
        /// Location of the key.
        public var location: Location
        /// Value of the key.
        public var value: Node

        /// Creates an entry.
        public init(key: String, location: Location, value: Node) {
            self.key = key
            self.location = location
            self.value = value
        }
    }

    /// A position in a text.
    public struct Location: Sendable {
        /// The text.
        public var source: SourceText
        /// Line, from 1.
        public var line: Int
        /// Column in characters, from 1.
        public var column: Int
        /// Number of marked characters.
        public var length: Int

        /// Creates a position.
        public init(source: SourceText, line: Int, column: Int, length: Int) {
            self.source = source
            self.line = line
            self.column = column
            self.length = length
        }

        /// Location in the form of problems.
        public var sourceLocation: SourceLocation {
            SourceLocation(file: source.name, line: line, column: column, length: length)
        }

        /// Creates a problem at this position.
        public func problem(
            _ message: String, hint: String? = nil, severity: Diagnostic.Severity = .error
        ) -> Diagnostic {
            Diagnostic(message, at: sourceLocation, line: source.line(line), hint: hint, severity: severity)
        }
    }

    /// Content of the node.
    public var content: Content
    /// Location of the content.
    public var location: Location

    /// Creates a node.
    public init(_ content: Content, at location: Location) {
        self.content = content
        self.location = location
    }

    /// Whether the node is empty.
    public var isNull: Bool {
        if case .scalar(let text, quoted: false) = content { return text.isEmpty || text == "~" || text == "null" }
        return false
    }

    /// The text of a scalar.
    public var scalar: String? {
        if case .scalar(let text, _) = content, !isNull { return text }
        return nil
    }

    /// The entries of a map.
    public var entries: [Entry]? {
        if case .map(let entries) = content { return entries }
        return nil
    }

    /// The items of a list.
    public var items: [Node]? {
        if case .list(let items) = content { return items }
        return nil
    }

    /// The value of a key of a map.
    public subscript(_ key: String) -> Node? { entries?.first { $0.key == key }?.value }

    /// Description of the content for a message: `"three"`, `a list`, `a map`, `nothing`.
    public var found: String {
        switch content {
        case .scalar(let text, _): isNull ? "nothing" : "\"\(text.excerpt)\""
        case .list(let items): items.isEmpty ? "an empty list" : "a list"
        case .map(let entries): entries.isEmpty ? "an empty map" : "a map"
        }
    }
}
