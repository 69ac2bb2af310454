// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics

/// A table in separated text, read row by row; a field is a range of the file's bytes until somebody wants its text.
///
/// The format is that of RFC 4180, except that a field ends at the end of its line. Fields may be parted by commas,
/// semicolons or tabs; lines end with LF, CR LF or CR.
struct ForeignTable {
    /// One field: a range of bytes, without its quotes.
    struct Field: Equatable {
        var bytes: Range<Int>
        var isQuoted = false
        /// Whether quotes inside it are doubled.
        var isEscaped = false
    }

    /// One line.
    struct Row {
        /// Number of the line, from 1; 0 before the first.
        var number = 0
        /// The line in the file's bytes, without its end.
        var line = 0..<0
        /// Where the next line begins.
        fileprivate var next = 0
        var fields: [Field] = []
    }

    /// The file as the user named it.
    let name: String
    /// Its text in UTF-8.
    let bytes: [UInt8]
    /// What parts the fields.
    let separator: UInt8

    /// Reads a file.
    static func read(path: String) throws(Diagnostics) -> ForeignTable {
        try ForeignTable(name: path, bytes: ForeignInput.bytes(of: path))
    }

    /// Takes a file's bytes; the separator is the most frequent of the first line unless it is given.
    init(name: String, bytes: [UInt8], separator: UInt8? = nil) throws(Diagnostics) {
        self.name = name
        self.bytes = try ForeignInput.text(bytes, from: name)
        self.separator = separator ?? Self.separator(in: self.bytes)
    }

    private static func separator(in bytes: [UInt8]) -> UInt8 {
        var counts = [UInt8(ascii: ","): 0, UInt8(ascii: ";"): 0, UInt8(ascii: "\t"): 0]
        var isQuoted = false
        var hasText = false
        for byte in bytes {
            if byte == 10 || byte == 13, hasText { break }
            hasText = hasText || byte > 32
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if !isQuoted, let count = counts[byte] { counts[byte] = count + 1 }
        }
        return [UInt8(ascii: ","), UInt8(ascii: "\t"), UInt8(ascii: ";")].max { (counts[$0] ?? 0) < (counts[$1] ?? 0) }
            .flatMap { counts[$0] == counts[UInt8(ascii: ",")] ? nil : $0 } ?? UInt8(ascii: ",")
    }

    /// Moves a row on to the next line that is not empty; false after the last.
    func next(_ row: inout Row) -> Bool {
        bytes.withUnsafeBufferPointer { bytes in
            while row.next < bytes.count {
                let start = row.next
                let end = split(bytes, from: start, into: &row.fields)
                row.number += 1
                row.next = end + 1
                if end + 1 < bytes.count, bytes[end] == 13, bytes[end + 1] == 10 { row.next = end + 2 }
                if bytes[start..<end].allSatisfy({ $0 == 32 || $0 == 9 }) { continue }
                row.line = start..<end
                return true
            }
            return false
        }
    }

    /// The first row; nil of an empty file.
    var header: Row? {
        var row = Row()
        return next(&row) ? row : nil
    }

    /// Finds the fields of the line that begins at an index, in one pass; where the line ends.
    private func split(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int, into fields: inout [Field]) -> Int {
        let quote = UInt8(ascii: "\"")
        fields.removeAll(keepingCapacity: true)
        func isInLine(_ index: Int) -> Bool { index < bytes.count && bytes[index] != 10 && bytes[index] != 13 }
        var index = start
        while true {
            var field = Field(bytes: index..<index)
            if isInLine(index), bytes[index] == quote {
                field.isQuoted = true
                var end = index + 1
                while isInLine(end) {
                    if bytes[end] == quote {
                        guard isInLine(end + 1), bytes[end + 1] == quote else { break }
                        field.isEscaped = true
                        end += 1
                    }
                    end += 1
                }
                field.bytes = (index + 1)..<end
                // What follows the closing quote up to the separator belongs to no field.
                index = isInLine(end) ? end + 1 : end
                while isInLine(index), bytes[index] != separator { index += 1 }
            } else {
                while isInLine(index), bytes[index] != separator { index += 1 }
                field.bytes = field.bytes.lowerBound..<index
            }
            fields.append(field)
            guard isInLine(index) else { return index }
            index += 1
        }
    }

    // MARK: Text and problems

    /// The text of a field.
    func text(_ field: Field) -> String {
        let text = String(decoding: bytes[field.bytes], as: UTF8.self)
        return field.isEscaped ? text.replacing("\"\"", with: "\"") : text
    }

    /// Whether a field holds exactly this text.
    func matches(_ field: Field, _ text: StaticString) -> Bool {
        guard field.bytes.count == text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { bytes[field.bytes].elementsEqual($0) }
    }

    /// A problem with a field.
    func problem(_ message: String, _ field: Field, in row: Row, hint: String? = nil) -> Diagnostic {
        let before = String(decoding: bytes[row.line.lowerBound..<field.bytes.lowerBound], as: UTF8.self)
        let column = before.count + (field.isQuoted ? 0 : 1)
        return problem(message, row, column: column, length: text(field).count + (field.isQuoted ? 2 : 0), hint)
    }

    /// A problem with a line.
    func problem(_ message: String, in row: Row, hint: String? = nil) -> Diagnostic {
        problem(message, row, column: 1, length: row.line.count, hint)
    }

    /// Lines that no screen holds are not shown.
    private func problem(
        _ message: String, _ row: Row, column: Int, length: Int, _ hint: String?
    ) -> Diagnostic {
        let isShown = row.line.count < 10_000
        return Diagnostic(
            message, at: SourceLocation(file: name, line: row.number, column: column, length: max(1, length)),
            line: isShown ? String(decoding: bytes[row.line], as: UTF8.self) : nil, hint: hint)
    }
}
