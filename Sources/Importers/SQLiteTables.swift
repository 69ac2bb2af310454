// SPDX-License-Identifier: GPL-3.0-or-later
import CSQLite
import Diagnostics
import Files

/// Reads the tables of an SQLite database as separated text, so that readers of exported tables can read them.
struct SQLiteTables {
    private let path: String
    private let database: SQLiteDatabase

    /// Opens a database read-only.
    ///
    /// A plain file is opened on disk; a packed file is unpacked to memory.
    init(name: String, source: any ByteSource) throws(Diagnostics) {
        path = name
        if source is FileBytes {
            database = try SQLiteDatabase(path: name)
        } else {
            database = try SQLiteDatabase(bytes: source.all(of: name, upTo: ForeignInput.largest), path: name)
        }
    }

    /// Rows of a query, with the names of its columns; nil when the database lacks a table or column of the query.
    func table(_ label: String, _ query: String) throws(Diagnostics) -> ForeignTable? {
        guard let rows = try QueryText(database, query) else { return nil }
        return try ForeignTable(
            name: "\(path) (\(label))", source: ProducedBytes(rows), separator: UInt8(ascii: ","))
    }
}

/// An open database.
private final class SQLiteDatabase {
    let path: String
    fileprivate private(set) var handle: OpaquePointer?

    /// Opens a database file.
    ///
    /// The file is rejected if its write-ahead log (`-wal`) contains rows, because they would be missed.
    init(path: String) throws(Diagnostics) {
        self.path = path
        let file = try FileBytes(path)
        if let log = try? InputFile(path + "-wal").length(), log > 0 {
            throw Diagnostics("some rows of \(path) are still in \(path)-wal", hint: Self.checkpoint)
        }
        let escaped = path.utf8.map { byte in
            let isPlain = byte > 32 && byte < 127 && !"%?#".utf8.contains(byte)
            return isPlain ? String(UnicodeScalar(byte)) : (byte < 16 ? "%0" : "%") + String(byte, radix: 16)
        }
        let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
        guard sqlite3_open_v2("file:" + escaped.joined() + "?immutable=1", &handle, flags, nil) == SQLITE_OK else {
            throw broken()
        }
        distrust(length: file.length)
    }

    /// Opens a database in memory.
    init(bytes: [UInt8], path: String) throws(Diagnostics) {
        self.path = path
        guard sqlite3_open(":memory:", &handle) == SQLITE_OK,
            let copy = sqlite3_malloc64(UInt64(bytes.count))
        else { throw Diagnostics("no memory to read \(path)") }
        let target = copy.assumingMemoryBound(to: UInt8.self)
        bytes.withUnsafeBufferPointer { target.update(from: $0.baseAddress ?? UnsafePointer(target), count: $0.count) }
        // A database in write-ahead mode (value 2 in bytes 18 and 19) has no log in memory. It is switched to the other
        // mode.
        for index in 18...19 where bytes.count > 19 && target[index] == 2 { target[index] = 1 }
        // SQLite owns the copy and frees it.
        let flags = UInt32(SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_READONLY)
        guard
            sqlite3_deserialize(handle, "main", target, Int64(bytes.count), Int64(bytes.count), flags) == SQLITE_OK
        else { throw broken() }
        distrust(length: bytes.count)
    }

    deinit {
        sqlite3_close_v2(handle)
        effort.deallocate()
    }

    /// Limits the work that a foreign database can cause.
    ///
    /// Only its tables are read, and long values are rejected.
    ///
    /// Source of the limits: sqlite.org, "Defense Against The Dark Arts".
    private func distrust(length: Int) {
        csqlite_distrust(handle)
        sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Int32(Self.longestValue))
        effort.initialize(to: Effort(steps: 0, most: Self.freeSteps + Self.stepsPerByte * length / Self.stepsAtOnce))
        sqlite3_progress_handler(
            handle, Int32(Self.stepsAtOnce),
            { context in
                guard let effort = context?.assumingMemoryBound(to: Effort.self) else { return 0 }
                effort.pointee.steps += 1
                return effort.pointee.steps > effort.pointee.most ? 1 : 0
            }, effort)
    }

    /// Number of calls of SQLite's progress handler so far, and the largest allowed number.
    private struct Effort {
        var steps: Int
        var most: Int
    }

    /// Counters that SQLite's progress handler accesses through a pointer.
    private let effort = UnsafeMutablePointer<Effort>.allocate(capacity: 1)

    /// Longest accepted value, in bytes.
    private static let longestValue = 1 << 20
    /// Steps of SQLite's virtual machine between two calls of the handler.
    private static let stepsAtOnce = 10_000
    /// Calls allowed for any database, and additional virtual machine steps allowed for each byte of the database.
    private static let (freeSteps, stepsPerByte) = (5000, 100)

    private static let checkpoint = "run: sqlite3 FILE 'pragma wal_checkpoint(truncate)'"

    func broken() -> Diagnostics {
        switch sqlite3_errcode(handle) {
        case SQLITE_INTERRUPT:
            return Diagnostics("\(path): reading this file takes more steps than a database of its size needs")
        case SQLITE_TOOBIG: return Diagnostics("\(path): it contains a value of more than \(Self.longestValue) bytes")
        default: break
        }
        let reason = sqlite3_errmsg(handle).map { String(cString: $0) } ?? "unknown"
        return Diagnostics("\(path): SQLite cannot read it: \(reason)", hint: Self.checkpoint)
    }
}

/// The rows of a query as separated text, below a header with the column names.
private final class QueryText: ByteProducer {
    /// Bytes per step.
    private static let block = 1 << 16

    private let database: SQLiteDatabase
    private var statement: OpaquePointer?
    private var isBegun = false
    private var isOver = false

    /// Prepares the query; nil when the database lacks a table or column of the query.
    init?(_ database: SQLiteDatabase, _ query: String) throws(Diagnostics) {
        self.database = database
        let status = sqlite3_prepare_v2(database.handle, query, -1, &statement, nil)
        // A plain error means that a table or column is missing. Any other error means that the file is broken.
        if status == SQLITE_ERROR {
            let reason = sqlite3_errmsg(database.handle).map { String(cString: $0) } ?? ""
            if reason.hasPrefix("access to view") {
                throw Diagnostics("\(database.path): a view was found where a table was expected", hint: "\(reason)")
            }
            return nil
        }
        guard status == SQLITE_OK else { throw database.broken() }
    }

    deinit { sqlite3_finalize(statement) }

    func restart() {
        sqlite3_reset(statement)
        (isBegun, isOver) = (false, false)
    }

    func produce(into bytes: inout [UInt8]) throws(Diagnostics) {
        let end = bytes.count + Self.block
        let columns = sqlite3_column_count(statement)
        if !isBegun {
            isBegun = true
            for column in 0..<columns { append(sqlite3_column_name(statement, column), column, to: &bytes) }
            bytes.append(10)
        }
        while !isOver, bytes.count < end {
            switch sqlite3_step(statement) {
            case SQLITE_DONE: isOver = true
            case SQLITE_ROW:
                for column in 0..<columns {
                    let text = sqlite3_column_text(statement, column)
                    append(text.map { UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self) }, column, to: &bytes)
                }
                bytes.append(10)
            default: throw database.broken()
            }
        }
    }

    /// Appends a value.
    ///
    /// Line ends in the value become spaces, because they would end the row.
    private func append(_ value: UnsafePointer<CChar>?, _ column: Int32, to bytes: inout [UInt8]) {
        if column > 0 { bytes.append(UInt8(ascii: ",")) }
        let text = value.map { String(cString: $0) } ?? ""
        let line = text.utf8.map { $0 == 10 || $0 == 13 ? 32 : $0 }
        guard line.contains(UInt8(ascii: ",")) || line.contains(UInt8(ascii: "\"")) else {
            return bytes.append(contentsOf: line)
        }
        bytes.append(UInt8(ascii: "\""))
        for byte in line { bytes.append(contentsOf: byte == UInt8(ascii: "\"") ? [byte, byte] : [byte]) }
        bytes.append(UInt8(ascii: "\""))
    }
}
