// SPDX-License-Identifier: GPL-3.0-or-later

/// A location in a user's text: file, line, column and number of characters.
public struct SourceLocation: Hashable, Sendable {
    /// Path of the file, as the user entered it.
    public var file: String
    /// Line, from 1.
    public var line: Int
    /// Column in characters, from 1.
    public var column: Int
    /// Number of marked characters, at least 1.
    public var length: Int

    /// Creates a location.
    public init(file: String, line: Int, column: Int, length: Int = 1) {
        self.file = file
        self.line = line
        self.column = column
        self.length = length
    }
}
