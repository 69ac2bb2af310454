// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics

/// A table in comma-separated text, with the location of every field.
///
/// The format is that of RFC 4180, except that a field ends at the end of its line.
struct ForeignTable {
    /// One field.
    struct Field {
        var text: String
        /// Column of its first character, from 1.
        var column: Int
        var isQuoted: Bool
    }

    /// One line.
    struct Row {
        /// Number of the line, from 1.
        var number: Int
        /// The line as it stands in the file.
        var line: String
        var fields: [Field]
    }

    /// The file as the user named it.
    let name: String
    /// Every line that is not empty.
    let rows: [Row]

    /// Reads a file.
    static func read(path: String) throws(Diagnostics) -> ForeignTable {
        try ForeignTable(name: path, bytes: readBytes(of: path))
    }

    init(name: String, bytes: [UInt8]) throws(Diagnostics) {
        let text = try validText(bytes, from: name)
        self.name = name
        var rows: [Row] = []
        var number = 0
        let byteOrderMark: Character = "\u{FEFF}"
        let body = text.first == byteOrderMark ? text.dropFirst() : text[...]
        for line in body.split(omittingEmptySubsequences: false, whereSeparator: { $0 == "\n" || $0 == "\r\n" }) {
            number += 1
            if line.allSatisfy({ $0 == " " || $0 == "\t" }) { continue }
            rows.append(Row(number: number, line: String(line), fields: Self.fields(of: line)))
        }
        self.rows = rows
    }

    /// A problem with a field.
    func problem(_ message: String, _ field: Field, in row: Row, hint: String? = nil) -> Diagnostic {
        Diagnostic(
            message,
            at: SourceLocation(
                file: name, line: row.number, column: field.column,
                length: max(1, field.text.count + (field.isQuoted ? 2 : 0))),
            line: row.line, hint: hint)
    }

    /// A problem with a line.
    func problem(_ message: String, in row: Row, hint: String? = nil) -> Diagnostic {
        let location = SourceLocation(file: name, line: row.number, column: 1, length: max(1, row.line.count))
        return Diagnostic(message, at: location, line: row.line, hint: hint)
    }

    private static func fields(of line: Substring) -> [Field] {
        var fields: [Field] = []
        var field = Field(text: "", column: 1, isQuoted: false)
        var isInside = false
        var column = 0
        var mayClose = false
        for character in line {
            column += 1
            if character == "\"" {
                if mayClose, isInside { field.text.append("\"") }
                if !isInside, field.text.isEmpty, !field.isQuoted {
                    (isInside, field.isQuoted) = (true, true)
                } else {
                    mayClose.toggle()
                }
            } else if character == ",", !isInside || mayClose {
                fields.append(field)
                field = Field(text: "", column: column + 1, isQuoted: false)
                (isInside, mayClose) = (false, false)
            } else {
                field.text.append(character)
            }
        }
        fields.append(field)
        return fields
    }
}
