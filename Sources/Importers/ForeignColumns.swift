// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics

/// Finds the columns of a table by name.
struct ForeignColumns {
    /// The table from its header on.
    private let table: ForeignTable
    private let header: ForeignTable.Row
    private let names: [String]

    /// Reads the column names from the first row; nil when the table has no row.
    init?(_ table: ForeignTable) {
        var table = table
        var header = ForeignTable.Row()
        guard table.next(&header) else { return nil }
        self.table = table
        self.header = header
        names = header.fields.map { Self.plain(table.text($0)) }
    }

    /// Index of a column; nil when the table does not have the column.
    func index(_ name: String) -> Int? { names.firstIndex(of: Self.plain(name)) }

    /// Index of the first candidate that is a column of the table.
    func index(anyOf candidates: [String]) -> Int? { candidates.lazy.compactMap { index($0) }.first }

    /// Index of a required column.
    func required(_ name: String) throws(Diagnostics) -> Int {
        if let index = index(name) { return index }
        let near = nearest(to: name, in: names)
        let hint = near.map { "there is \"\($0)\"" } ?? "columns here: " + names.prefix(20).joined(separator: ", ")
        throw Diagnostics([table.problem("the column \"\(name)\" is missing", in: header, hint: hint)])
    }

    /// Index of the first candidate that is a column of the table.
    ///
    /// The error names the last candidate.
    func required(anyOf candidates: [String]) throws(Diagnostics) -> Int {
        if let index = index(anyOf: candidates) { return index }
        return try required(candidates.last ?? "")
    }

    /// Calls the body for each row below the header, with the table that contains the bytes of the row.
    func forEachRow(_ body: (ForeignTable, ForeignTable.Row) -> Void) {
        var table = table
        var row = header
        while table.next(&row) { body(table, row) }
    }

    private static func plain(_ name: String) -> String { name.lowercased().filter { $0 != " " } }
}
