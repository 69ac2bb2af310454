// SPDX-License-Identifier: GPL-3.0-or-later
import CSQLite
import Diagnostics
import Files
import TestSupport
import Testing

@testable import Importers

/// Databases that would keep SQLite busy for ever, or fill memory.
@Suite struct StrangeDatabaseTests {
    private func message(_ path: String) -> String {
        let error = #expect(throws: Diagnostics.self) { try importAware(paths: [path], RecordingOptions(zone: "UTC")) }
        return error?.list.first?.message ?? ""
    }

    /// Writes a database by SQL.
    private func database(_ statements: String, _ body: (String) throws -> Void) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a.db"
        var handle: OpaquePointer?
        try #require(sqlite3_open(path, &handle) == SQLITE_OK)
        let result = sqlite3_exec(handle, statements, nil, nil, nil)
        sqlite3_close_v2(handle)
        try #require(result == SQLITE_OK)
        try body(path)
    }

    private static let endless = "with recursive c(x) as (select 1 union all select x + 1 from c)"

    @Test func `a view without an end is no table`() throws {
        let file = FilePath.folder(of: #filePath) + "/../Strangers/aw_inf.db"
        // Without views, SQLite finds no table for the name inside the view.
        #expect(message(file) == "\(file) contains no table of AWARE")
    }

    @Test func `a view is refused also where it would end`() throws {
        try database("create view screen as select 1 as timestamp, 1 as screen_status") { path in
            #expect(message(path) == "\(path): a view was found where a table was expected")
        }
    }

    @Test func `a value of two megabytes is refused before it is held`() throws {
        let columns = "(_id integer primary key, timestamp real, device_id text, screen_status)"
        try database(
            "create table screen \(columns); insert into screen values (1, 1, 'a', zeroblob(2000000))"
        ) { path in
            #expect(message(path) == "\(path): it contains a value of more than 1048576 bytes")
        }
        try database(
            "create table screen \(columns);"
                + "insert into screen values (1, 1, 'a', printf('%.*c', 2000000, 'x'))"
        ) { path in
            #expect(message(path) == "\(path): it contains a value of more than 1048576 bytes")
        }
    }

    @Test func `a table whose column is computed without an end is given up`() throws {
        // A generated column may not hold a query, but may compute for long; each row of few bytes computes again.
        let slow = "length(replace(hex(zeroblob(400000)), '0', 'ab'))"
        let table =
            "create table screen (_id integer primary key, timestamp real, device_id text, "
            + "screen_status generated always as (\(slow)) virtual)"
        try database(
            table + "; insert into screen (timestamp, device_id) \(Self.endless) select x, 'a' from c limit 1000"
        ) { path in
            #expect(!message(path).isEmpty)
        }
    }

    @Test func `steps are counted against the length of the database`() throws {
        try database("create table a (x)") { path in
            let tables = try SQLiteTables(name: path, source: FileBytes(path))
            let error = #expect(throws: Diagnostics.self) {
                try tables.table("a", Self.endless + " select max(x) from c")
            }
            let reason = "reading this file takes more steps than a database of its size needs"
            #expect(error?.list.map(\.message) == ["\(path): \(reason)"])
        }
    }
}

/// Names of a zip archive, and files that never end, as operands of imports.
@Suite struct StrangeFileTests {
    @Test func `escape sequences in the names of an archive are shown as text`() throws {
        let file = FilePath.folder(of: #filePath) + "/../Strangers/escname.zip"
        let error = #expect(throws: Diagnostics.self) { try ForeignInput.open(file) }
        let names = "\\u{1b}]0;PWN\\u{7}a, \\u{1b}[31mb"
        #expect(error?.list.map(\.message) == ["\(file) contains 2 files: \(names)…"])
    }

    @Test(arguments: ["/dev/zero", "/dev/stdin-that-is-none"]) func `a device is no recording`(_ path: String) {
        let error = #expect(throws: Diagnostics.self) { try ForeignInput.open(path) }
        let reason = path == "/dev/zero" ? "it is not a regular file" : "No such file or directory"
        #expect(error?.list.map(\.message) == ["cannot read \(path): \(reason)"])
    }
}
