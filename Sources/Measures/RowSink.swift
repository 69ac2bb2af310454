// SPDX-License-Identifier: GPL-3.0-or-later

/// Receives the rows of a run as they arise.
///
/// Only rows of requested tables are passed to it.
public protocol RowSink: AnyObject {
    /// Receives a row of a table.
    func write<Row>(_ row: Row, to table: Table<Row>)
}

extension RowSink {
    /// Receives a row of the table that the row's type declares.
    @inlinable
    public func write<Row: TableRow>(_ row: Row) { write(row, to: Row.table) }
}
