// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Platform

/// A table in separated text that is read row by row.
///
/// A field is a range of bytes, which is converted to text on request.
///
/// The format is RFC 4180, except that a field ends at the end of its line. Separators are commas, semicolons or tabs.
/// Lines end with LF, CR LF or CR. Only the lines around a row are in memory, so a row is valid until the next row is
/// read. A copy of a table starts at the first row if no row was read before.
struct ForeignTable {
    /// A field, as a range of bytes without its quotes.
    struct Field: Equatable {
        var bytes: Range<Int>
        var isQuoted = false
        /// Whether the field contains doubled quotes.
        var isEscaped = false
    }

    /// A line of the table.
    struct Row {
        /// Line number, from 1; 0 before the first line.
        var number = 0
        /// Range of the line in the table's bytes, without the line end.
        var line = 0..<0
        /// Index at which the next line begins.
        fileprivate var next = 0
        /// Index of the first known line feed at or after `next`.
        fileprivate var feed = 0
        var fields: [Field] = []
    }

    /// Path of the file, as the user entered it.
    let name: String
    /// Lines in memory, in UTF-8, followed by unused bytes.
    private(set) var bytes: [UInt8]
    /// Separator of the fields; 0 if a line is one field.
    let separator: UInt8

    /// Number of used bytes.
    private var end: Int
    /// Source of the lines.
    private let file: TextFile
    /// Offset in the file of the first line after the lines in memory.
    private var offset: Int

    /// Opens a file, and unpacks it if needed.
    static func read(path: String, separator: UInt8? = nil) throws(Diagnostics) -> ForeignTable {
        try ForeignTable(name: path, source: ForeignInput.open(path), separator: separator)
    }

    /// Opens a file, or some tables of a database.
    static func read(
        path: String, orOf pick: (SQLiteTables) throws(Diagnostics) -> [ForeignTable]
    ) throws(Diagnostics) -> [ForeignTable] {
        let source = try ForeignInput.open(path)
        if ForeignInput.kind(of: try source.head()) == .sqlite {
            return try pick(SQLiteTables(name: path, source: source))
        }
        return [try ForeignTable(name: path, source: source)]
    }

    /// Creates a table from the bytes of a file.
    init(name: String, bytes: [UInt8], separator: UInt8? = nil) throws(Diagnostics) {
        try self.init(name: name, source: HeldBytes(bytes), separator: separator)
    }

    /// Creates a table from bytes that are read in blocks.
    ///
    /// If no separator is given, the most frequent separator of the first line is used.
    init(name: String, source: any ByteSource, separator: UInt8? = nil) throws(Diagnostics) {
        self.name = name
        file = try TextFile(source, path: name)
        var bytes: [UInt8] = []
        end = file.fill(&bytes, from: file.start)
        offset = file.start + end
        self.separator = separator ?? Self.separator(in: bytes[..<end])
        self.bytes = bytes
    }

    /// Throws if the file could not be read to its end.
    func check() throws(Diagnostics) {
        if let failure = file.failure { throw failure }
    }

    private static func separator(in bytes: ArraySlice<UInt8>) -> UInt8 {
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

    /// Moves a row to the next non-empty line; returns false after the last line.
    mutating func next(_ row: inout Row) -> Bool {
        while true {
            if nextInMemory(&row) { return true }
            end = file.fill(&bytes, from: offset)
            guard end > 0 else { return false }
            offset += end
            (row.next, row.feed) = (0, 0)
        }
    }

    private func nextInMemory(_ row: inout Row) -> Bool {
        bytes.withUnsafeBufferPointer { all in
            let bytes = UnsafeBufferPointer(rebasing: all[..<end])
            while row.next < end {
                let start = row.next
                let lineEnd = Self.lineEnd(bytes, from: start, feed: &row.feed)
                row.number += 1
                row.next = lineEnd + 1
                if lineEnd + 1 < end, bytes[lineEnd] == 13, bytes[lineEnd + 1] == 10 { row.next = lineEnd + 2 }
                var first = start
                while first < lineEnd, bytes[first] == 32 || bytes[first] == 9 { first += 1 }
                if first == lineEnd { continue }
                row.line = start..<lineEnd
                row.fields.removeAll(keepingCapacity: true)
                if separator == 0 {
                    row.fields.append(Field(bytes: row.line))
                } else {
                    split(bytes, row.line, into: &row.fields)
                }
                return true
            }
            return false
        }
    }

    /// End of the line that begins at an index.
    ///
    /// `feed` is the index of the next line feed, once it is known.
    private static func lineEnd(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int, feed: inout Int) -> Int {
        func first(_ byte: Int32, in range: Range<Int>) -> Int {
            guard let base = bytes.baseAddress, let found = memchr(base + range.lowerBound, byte, range.count) else {
                return range.upperBound
            }
            return UnsafeRawPointer(found) - UnsafeRawPointer(base)
        }
        if feed < start || start == 0 { feed = first(10, in: start..<bytes.count) }
        return first(13, in: start..<feed)
    }

    /// Finds the fields of a line.
    private func split(_ bytes: UnsafeBufferPointer<UInt8>, _ line: Range<Int>, into fields: inout [Field]) {
        let quote = UInt8(ascii: "\"")
        let end = line.upperBound
        var index = line.lowerBound
        while true {
            var field = Field(bytes: index..<index)
            if index < end, bytes[index] == quote {
                field.isQuoted = true
                var close = index + 1
                while close < end {
                    if bytes[close] == quote {
                        guard close + 1 < end, bytes[close + 1] == quote else { break }
                        field.isEscaped = true
                        close += 1
                    }
                    close += 1
                }
                field.bytes = (index + 1)..<close
                // Characters between the closing quote and the separator are ignored.
                index = min(close + 1, end)
                while index < end, bytes[index] != separator { index += 1 }
            } else {
                while index < end, bytes[index] != separator { index += 1 }
                field.bytes = field.bytes.lowerBound..<index
            }
            fields.append(field)
            guard index < end else { return }
            index += 1
        }
    }

    // MARK: Text and problems

    /// The text of a field.
    func text(_ field: Field) -> String {
        let text = String(decoding: bytes[field.bytes], as: UTF8.self)
        return field.isEscaped ? text.replacing("\"\"", with: "\"") : text
    }

    /// Whether a field contains exactly this text.
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

    /// Problem with a line.
    ///
    /// Lines that are too long for a screen are not quoted in the message.
    private func problem(
        _ message: String, _ row: Row, column: Int, length: Int, _ hint: String?
    ) -> Diagnostic {
        let isShown = row.line.count < 10_000
        return Diagnostic(
            message, at: SourceLocation(file: name, line: row.number, column: column, length: max(1, length)),
            line: isShown ? String(decoding: bytes[row.line], as: UTF8.self) : nil, hint: hint)
    }
}
