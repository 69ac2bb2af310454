// SPDX-License-Identifier: GPL-3.0-or-later
import CZlib
import Files
import Measures
import Platform

/// Writes a table as an Apache Parquet file, row by row.
///
/// Every column may have missing values. Values are stored without encoding, and pages are compressed by gzip. Source:
/// https://parquet.apache.org/docs/file-format/. The structures are those of parquet.thrift.
public struct ParquetFile {
    /// Number of rows in a row group.
    ///
    /// One row group is in memory.
    private static let rowsOfGroup = 1 << 16
    private static let magic = Array("PAR1".utf8)

    private let schema: TableSchema
    private let about: [(key: String, value: String)]
    private var columns: [ParquetColumn]
    private var rows = 0
    private var allRows = 0
    private var offset = 0
    private var groups: [(rows: Int, bytes: Int, chunks: [Chunk])] = []

    private struct Chunk {
        let offset: Int
        let values: Int
        let size: Int
        let packed: Int
    }

    /// Begins a file.
    ///
    /// The metadata of the file contain the texts in `about`.
    public init(
        _ schema: TableSchema, about: [(key: String, value: String)], to file: borrowing OutputFile
    ) throws(FileError) {
        self.schema = schema
        self.about = about
        columns = schema.columns.map { ParquetColumn($0.kind) }
        try write(Self.magic, to: file)
    }

    /// Adds a row from its line of CSV without the line end.
    ///
    /// Empty fields are missing values.
    public mutating func add(_ line: ArraySlice<UInt8>, to file: borrowing OutputFile) throws(FileError) {
        var (rest, isQuoted) = (line, false)
        for index in columns.indices {
            let end = rest.firstIndex { byte in
                if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
                return byte == UInt8(ascii: ",") && !isQuoted
            }
            columns[index].add(rest[..<(end ?? rest.endIndex)])
            rest = rest[(end.map { $0 + 1 } ?? rest.endIndex)...]
        }
        rows += 1
        if rows == Self.rowsOfGroup { try writeGroup(to: file) }
    }

    /// Writes the remaining rows and the metadata.
    ///
    /// No rows may be added afterwards.
    public mutating func finish(_ file: borrowing OutputFile) throws(FileError) {
        if rows > 0 { try writeGroup(to: file) }
        let footer = metadata
        try write(footer + Self.word(footer.count) + Self.magic, to: file)
    }

    private mutating func write(_ bytes: [UInt8], to file: borrowing OutputFile) throws(FileError) {
        try file.write(bytes)
        offset += bytes.count
    }

    private mutating func writeGroup(to file: borrowing OutputFile) throws(FileError) {
        var chunks: [Chunk] = []
        for index in columns.indices {
            let page = columns[index].page
            guard let packed = gzipped(page) else {
                throw FileError(action: "compress", path: file.path, code: ENOMEM)
            }
            let header = Self.header(values: rows, size: page.count, packed: packed.count)
            chunks.append(
                Chunk(
                    offset: offset, values: rows, size: header.count + page.count, packed: header.count + packed.count))
            try write(header + packed, to: file)
            columns[index] = ParquetColumn(schema.columns[index].kind)
        }
        groups.append((rows, chunks.reduce(0) { $0 + $1.size }, chunks))
        allRows += rows
        rows = 0
    }

    /// Structure `PageHeader` of a data page.
    ///
    /// The numbers for encodings and types are from parquet.thrift.
    private static func header(values: Int, size: Int, packed: Int) -> [UInt8] {
        var out = CompactStructure()
        out.number(1, 0)
        out.number(2, size)
        out.number(3, packed)
        out.structure(5) { page in
            page.number(1, values)
            page.number(2, 0)
            page.number(3, 3)
            page.number(4, 3)
        }
        return out.finished
    }

    /// Structure `FileMetaData`.
    private var metadata: [UInt8] {
        var out = CompactStructure()
        out.number(1, 1)
        out.structures(2, schema.columns.count + 1) { index, element in
            guard index > 0 else {
                element.text(4, "schema")
                element.number(5, schema.columns.count)
                return
            }
            let column = schema.columns[index - 1]
            element.number(1, ParquetColumn.type(column.kind))
            element.number(3, 1)
            element.text(4, column.name)
            if column.kind == .string {
                element.number(6, 0)
                element.structure(10) { $0.structure(1) { _ in } }
            }
            // Times are in the phone's local time, without a time zone.
            if column.kind == .datetime {
                element.structure(10) { kind in
                    kind.structure(8) { stamp in
                        stamp.flag(1, false)
                        stamp.structure(2) { $0.structure(1) { _ in } }
                    }
                }
            }
        }
        out.long(3, allRows)
        out.structures(4, groups.count) { index, group in
            let (rows, bytes, chunks) = groups[index]
            group.structures(1, chunks.count) { index, chunk in
                let found = chunks[index]
                chunk.long(2, found.offset)
                chunk.structure(3) { about in
                    about.number(1, ParquetColumn.type(schema.columns[index].kind))
                    about.numbers(2, [0, 3])
                    about.texts(3, [schema.columns[index].name])
                    about.number(4, 2)
                    about.long(5, found.values)
                    about.long(6, found.size)
                    about.long(7, found.packed)
                    about.long(9, found.offset)
                }
            }
            group.long(2, bytes)
            group.long(3, rows)
        }
        out.structures(5, about.count) { index, pair in
            pair.text(1, about[index].key)
            pair.text(2, about[index].value)
        }
        out.text(6, "flotsam")
        return out.finished
    }

    /// A length, encoded in four bytes.
    fileprivate static func word(_ value: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(littleEndian: UInt64(value), bytes: 4)
        return bytes
    }
}

/// Values of a column in the current row group.
private struct ParquetColumn {
    private let kind: Column.Kind
    private var present: [UInt8] = []
    private var count = 0
    private var values: [UInt8] = []

    init(_ kind: Column.Kind) { self.kind = kind }

    /// `Type` of parquet.thrift: 64-bit integers for whole numbers and times, doubles for numbers, byte arrays for
    /// texts.
    static func type(_ kind: Column.Kind) -> Int {
        switch kind {
        case .integer, .datetime: 2
        case .number: 5
        case .string: 6
        }
    }

    /// Adds a CSV field.
    ///
    /// An empty field, or a field that does not fit the column's kind, is a missing value.
    mutating func add(_ field: ArraySlice<UInt8>) {
        if count % 8 == 0 { present.append(0) }
        defer { count += 1 }
        guard !field.isEmpty, append(field) else { return }
        present[count / 8] |= 1 << UInt8(count % 8)
    }

    private mutating func append(_ field: ArraySlice<UInt8>) -> Bool {
        switch kind {
        case .string:
            let text = Self.unquoted(field)
            values += ParquetFile.word(text.count) + text
        case .integer:
            guard let value = Int64(String(decoding: field, as: UTF8.self)) else { return false }
            values.append(littleEndian: UInt64(bitPattern: value))
        case .number:
            guard let value = Double(String(decoding: field, as: UTF8.self)) else { return false }
            values.append(littleEndian: value.bitPattern)
        case .datetime:
            guard let milliseconds = Self.milliseconds(field) else { return false }
            values.append(littleEndian: UInt64(bitPattern: milliseconds))
        }
        return true
    }

    /// Text of a field without quotes, and without the apostrophe that is added for spreadsheets.
    private static func unquoted(_ field: ArraySlice<UInt8>) -> [UInt8] {
        var text = Array(field)
        if text.first == UInt8(ascii: "\"") {
            var isSecond = false
            text = text.dropFirst().dropLast().filter { byte in
                isSecond = byte == UInt8(ascii: "\"") && !isSecond
                return !isSecond
            }
        }
        return Array(SpreadsheetText.plain(String(decoding: text, as: UTF8.self)[...]).utf8)
    }

    /// Milliseconds since 1970 for a text such as `2026-03-02T08:15:00`.
    private static func milliseconds(_ field: ArraySlice<UInt8>) -> Int64? {
        let parts = field.split { [UInt8(ascii: "-"), UInt8(ascii: "T"), UInt8(ascii: ":")].contains($0) }
            .compactMap { Int(String(decoding: $0, as: UTF8.self)) }
        guard parts.count == 6 else { return nil }
        var time = tm()
        (time.tm_year, time.tm_mon, time.tm_mday) = (Int32(parts[0] - 1900), Int32(parts[1] - 1), Int32(parts[2]))
        (time.tm_hour, time.tm_min, time.tm_sec) = (Int32(parts[3]), Int32(parts[4]), Int32(parts[5]))
        return Int64(timegm(&time)) * 1000
    }

    /// Data page.
    ///
    /// A bit-packed run of definition levels marks missing values; the values follow.
    var page: [UInt8] {
        var levels: [UInt8] = []
        levels.append(varint: UInt64(present.count) << 1 | 1)
        levels += present
        return ParquetFile.word(levels.count) + levels + values
    }
}

/// A structure in Thrift's compact protocol (github.com/apache/thrift, thrift-compact-protocol.md).
///
/// Fields are added in ascending order of their numbers.
private struct CompactStructure {
    private enum Kind: UInt8 {
        case yes = 1, no, number = 5, long = 6, text = 8, list = 9, structure = 12
    }

    private var bytes: [UInt8] = []
    private var last = 0

    /// Bytes of the structure with the end mark.
    var finished: [UInt8] { bytes + [0] }

    private mutating func field(_ identifier: Int, _ kind: Kind) {
        bytes.append(UInt8((identifier - last) << 4) | kind.rawValue)
        last = identifier
    }

    private mutating func varint(_ value: Int) { bytes.append(varint: UInt64(bitPattern: Int64(value))) }

    private mutating func zigzag(_ value: Int) { varint(value << 1 ^ value >> 63) }

    private mutating func string(_ text: String) {
        varint(text.utf8.count)
        bytes += Array(text.utf8)
    }

    private mutating func list(_ identifier: Int, _ count: Int, of kind: Kind) {
        field(identifier, .list)
        if count < 15 {
            bytes.append(UInt8(count << 4) | kind.rawValue)
        } else {
            bytes.append(0xf0 | kind.rawValue)
            varint(count)
        }
    }

    mutating func flag(_ identifier: Int, _ value: Bool) { field(identifier, value ? .yes : .no) }

    mutating func number(_ identifier: Int, _ value: Int) {
        field(identifier, .number)
        zigzag(value)
    }

    mutating func long(_ identifier: Int, _ value: Int) {
        field(identifier, .long)
        zigzag(value)
    }

    mutating func text(_ identifier: Int, _ value: String) {
        field(identifier, .text)
        string(value)
    }

    mutating func numbers(_ identifier: Int, _ values: [Int]) {
        list(identifier, values.count, of: .number)
        for value in values { zigzag(value) }
    }

    mutating func texts(_ identifier: Int, _ values: [String]) {
        list(identifier, values.count, of: .text)
        for value in values { string(value) }
    }

    mutating func structure(_ identifier: Int, _ body: (inout CompactStructure) -> Void) {
        field(identifier, .structure)
        var inner = CompactStructure()
        body(&inner)
        bytes += inner.finished
    }

    mutating func structures(_ identifier: Int, _ count: Int, _ body: (Int, inout CompactStructure) -> Void) {
        list(identifier, count, of: .structure)
        for index in 0..<count {
            var inner = CompactStructure()
            body(index, &inner)
            bytes += inner.finished
        }
    }
}
