// SPDX-License-Identifier: GPL-3.0-or-later
import CSQLite
import Diagnostics

/// Reads tables of an SQLite database as separated text, so that they pass through the same readers as exported ones.
struct SQLiteTables {
    private let path: String
    private let bytes: [UInt8]

    /// Takes the bytes of a database; nothing of it is written.
    init(name: String, bytes: [UInt8]) {
        path = name
        self.bytes = bytes
    }

    /// The rows of a query with the names of its columns; nil when a table or column that it asks for is not there.
    func table(_ label: String, _ query: String) throws(Diagnostics) -> ForeignTable? {
        guard let text = try run(query) else { return nil }
        return try ForeignTable(name: "\(path) (\(label))", bytes: text, separator: UInt8(ascii: ","))
    }

    private func run(_ query: String) throws(Diagnostics) -> [UInt8]? {
        var handle: OpaquePointer?
        defer { sqlite3_close(handle) }
        guard sqlite3_open(":memory:", &handle) == SQLITE_OK else { throw Diagnostics("no memory to read \(path)") }
        // The copy belongs to SQLite, which frees it.
        guard let copy = sqlite3_malloc64(UInt64(bytes.count)) else { throw Diagnostics("no memory to read \(path)") }
        let target = copy.assumingMemoryBound(to: UInt8.self)
        bytes.withUnsafeBufferPointer { target.update(from: $0.baseAddress ?? UnsafePointer(target), count: $0.count) }
        let flags = UInt32(SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_READONLY)
        guard
            sqlite3_deserialize(handle, "main", target, Int64(bytes.count), Int64(bytes.count), flags) == SQLITE_OK
        else { throw broken(handle) }
        var statement: OpaquePointer?
        let status = sqlite3_prepare_v2(handle, query, -1, &statement, nil)
        defer { sqlite3_finalize(statement) }
        // A plain error is a table or a column that is not there; anything else a broken file.
        if status == SQLITE_ERROR { return nil }
        guard status == SQLITE_OK else { throw broken(handle) }
        return try rows(of: statement, handle)
    }

    private func rows(of statement: OpaquePointer?, _ handle: OpaquePointer?) throws(Diagnostics) -> [UInt8] {
        var text: [UInt8] = []
        let columns = sqlite3_column_count(statement)
        for column in 0..<columns {
            append(sqlite3_column_name(statement, column).map { String(cString: $0) } ?? "", column, to: &text)
        }
        text.append(10)
        while true {
            let status = sqlite3_step(statement)
            if status == SQLITE_DONE { return text }
            guard status == SQLITE_ROW, text.count <= ForeignInput.largest else { throw broken(handle) }
            for column in 0..<columns {
                append(sqlite3_column_text(statement, column).map { String(cString: $0) } ?? "", column, to: &text)
            }
            text.append(10)
        }
    }

    /// Line ends inside a value would end the row.
    private func append(_ value: String, _ column: Int32, to text: inout [UInt8]) {
        if column > 0 { text.append(UInt8(ascii: ",")) }
        let line = value.utf8.map { $0 == 10 || $0 == 13 ? 32 : $0 }
        guard line.contains(UInt8(ascii: ",")) || line.contains(UInt8(ascii: "\"")) else {
            return text.append(contentsOf: line)
        }
        text.append(UInt8(ascii: "\""))
        for byte in line { text.append(contentsOf: byte == UInt8(ascii: "\"") ? [byte, byte] : [byte]) }
        text.append(UInt8(ascii: "\""))
    }

    private func broken(_ handle: OpaquePointer?) -> Diagnostics {
        let reason = sqlite3_errmsg(handle).map { String(cString: $0) } ?? "unknown"
        return Diagnostics(
            "\(path): SQLite cannot read it: \(reason)",
            hint: "copy the files that end in -wal and -shm along, and run: sqlite3 FILE 'pragma wal_checkpoint'")
    }
}
