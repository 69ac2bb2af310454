// SPDX-License-Identifier: GPL-3.0-or-later

/// Receives the rows of a run as they arise; only requested tables produce calls.
public protocol RowSink: AnyObject {
    /// Receives a row of a table.
    func write<Row>(_ row: Row, to table: Table<Row>)
}

extension RowSink {
    /// Receives a row of the table that its type declares.
    @inlinable
    public func write<Row: TableRow>(_ row: Row) { write(row, to: Row.table) }
}
