// SPDX-License-Identifier: GPL-3.0-or-later
// ConfigText converts YAML text to typed values. It keeps positions, and reports all problems of a file together.
// In: a file or a text. Out: a tree of `Node`s, from which `MapReader` and `ValueReader` read typed values.
// The module uses units (`Quantities`), but no devices, apps or experiments. Its callers define the keys and ranges.
// Only `YAMLParser.swift` calls libyaml. A malicious file causes an error, and cannot exhaust memory.
// Read first: this file, then `MapReader.swift`, then `ValueReader.swift`.

import Diagnostics

/// A value in a configuration text, with its location.
public struct Node: Sendable {
    /// Content of a node.
    public enum Content: Sendable {
        /// A word, number or text; `quoted` is true if it is in quotes.
        case scalar(String, quoted: Bool)
        /// A list of nodes.
        case list([Node])
        /// A map, in the order of the file.
        case map([Entry])
    }

    /// A key of a map with its value.
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
        /// Number of characters that messages underline.
        public var length: Int

        /// Creates a position.
        public init(source: SourceText, line: Int, column: Int, length: Int) {
            self.source = source
            self.line = line
            self.column = column
            self.length = length
        }

        /// Location as diagnostics represent it.
        public var sourceLocation: SourceLocation {
            SourceLocation(file: source.name, line: line, column: column, length: length)
        }

        /// Creates a problem at this location.
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

    /// Whether the node has no value.
    public var isNull: Bool {
        if case .scalar(let text, quoted: false) = content { return text.isEmpty || text == "~" || text == "null" }
        return false
    }

    /// Text of a scalar; nil for a null, a list or a map.
    public var scalar: String? {
        if case .scalar(let text, _) = content, !isNull { return text }
        return nil
    }

    /// Entries of a map; nil for any other node.
    public var entries: [Entry]? {
        if case .map(let entries) = content { return entries }
        return nil
    }

    /// Items of a list; nil for any other node.
    public var items: [Node]? {
        if case .list(let items) = content { return items }
        return nil
    }

    /// Value of a key in a map; nil if there is none.
    public subscript(_ key: String) -> Node? { entries?.first { $0.key == key }?.value }

    /// Description of the content for messages: `"three"`, `a list`, `a map`, `nothing`.
    public var found: String {
        switch content {
        case .scalar(let text, _): isNull ? "nothing" : "\"\(text.excerpt)\""
        case .list(let items): items.isEmpty ? "an empty list" : "a list"
        case .map(let entries): entries.isEmpty ? "an empty map" : "a map"
        }
    }
}
