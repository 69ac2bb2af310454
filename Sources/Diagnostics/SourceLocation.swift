// SPDX-License-Identifier: GPL-3.0-or-later

/// A location in a text that a user wrote: file, line, column and how many characters are meant.
public struct SourceLocation: Hashable, Sendable {
    /// The file as the user named it.
    public var file: String
    /// Line, from 1.
    public var line: Int
    /// Column in characters, from 1.
    public var column: Int
    /// Number of characters meant, at least 1.
    public var length: Int

    /// Creates a location.
    public init(file: String, line: Int, column: Int, length: Int = 1) {
        self.file = file
        self.line = line
        self.column = column
        self.length = length
    }
}
