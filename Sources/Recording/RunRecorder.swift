// SPDX-License-Identifier: GPL-3.0-or-later
import Files
import Measures
import Phone
import PhoneCore
import Vocabulary

/// Receives the rows of one run, and writes them as CSV text to a segment, in large pieces.
///
/// A sink cannot throw errors into the simulation. The first error is kept until `finish` throws it.
public final class RunRecorder: RowSink {
    private static let chunkLength = 1 << 17

    private let segment: SegmentWriter
    private let names: RowNames
    /// Buffers of the tables, by the index of the table.
    private var buffers: [ByteBuffer]
    private var failure: FileError?

    /// Starts a run in a segment.
    public init(run: UInt64, names: RowNames, segment: SegmentWriter) throws(FileError) {
        self.segment = segment
        self.names = names
        buffers = Array(repeating: ByteBuffer(), count: TableCatalog.rowTables.count)
        try segment.begin(run: run)
    }

    /// Adds a row to a table.
    public func write<Row>(_ row: Row, to table: Table<Row>) {
        table.append(row, names: names, to: &buffers[table.index])
        if buffers[table.index].count >= Self.chunkLength { flush(table.index) }
    }

    /// Writes the remaining rows and the outcome, so that the run counts as finished.
    public func finish(_ outcome: RunOutcome, tables: TableSet, seconds: Double) throws(FileError) {
        for index in buffers.indices { flush(index) }
        if let failure { throw failure }
        try segment.finish(outcome, tables: tables, seconds: seconds)
    }

    private func flush(_ index: Int) {
        guard buffers[index].count > 0 else { return }
        defer { buffers[index].removeAll() }
        guard failure == nil else { return }
        do {
            try segment.append(rows: buffers[index].bytes, of: TableCatalog.rowTables[index].set)
        } catch {
            failure = error
        }
    }
}
