// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics

/// Finds the columns of a table by their names.
struct ForeignColumns {
    private let table: ForeignTable
    private let header: ForeignTable.Row
    private let names: [String]

    /// Takes the first row as the names; nil when there is none.
    init?(_ table: ForeignTable) {
        guard let header = table.rows.first else { return nil }
        self.table = table
        self.header = header
        names = header.fields.map { Self.plain($0.text) }
    }

    /// The index of a column; nil when it is not there.
    func index(_ name: String) -> Int? { names.firstIndex(of: name) }

    /// The index of a column that must be there.
    func required(_ name: String) throws(Diagnostics) -> Int {
        if let index = index(name) { return index }
        let near = nearest(to: name, in: names)
        let hint = near.map { "there is \"\($0)\"" } ?? "columns here: " + names.joined(separator: ", ")
        throw Diagnostics([table.problem("the column \"\(name)\" is missing", in: header, hint: hint)])
    }

    private static func plain(_ name: String) -> String { name.lowercased().filter { $0 != " " } }
}
