// SPDX-License-Identifier: GPL-3.0-or-later
import Files
import Measures
import Phone
import PhoneCore

/// Appends runs to a new segment file.
///
/// If a write fails (a full disk, a file-size limit), the file is truncated after the last finished run. Then the error
/// is thrown. No finished run is lost.
public final class SegmentWriter {
    /// Path of the file.
    public let path: String
    private let file: OutputFile
    private let build: UInt64
    private var length: Int
    private var finishedLength: Int
    private var run: UInt64 = 0
    private var rowsChecksum = Checksum()

    /// Creates the file for the runs of one build of the program.
    ///
    /// The file must not exist, and its folder must not be a link.
    public init(path: String, build: UInt64 = 0) throws(FileError) {
        self.path = path
        self.build = build
        file = try Folder(unlinked: FilePath.folder(of: path)).create(FilePath.name(of: path))
        length = Segment.magic.count
        finishedLength = length
        try file.write(Segment.magic)
    }

    /// Starts a run.
    ///
    /// If the previous run was not finished, it is ignored.
    public func begin(run: UInt64) throws(FileError) {
        self.run = run
        rowsChecksum = Checksum()
        var payload: [UInt8] = []
        Binary.append(build, to: &payload)
        try append(.begin, table: [], payload)
    }

    /// Appends rows of one table.
    public func append(rows: [UInt8], of table: TableSet) throws(FileError) {
        rowsChecksum.add(Binary.bytes(of: table.rawValue))
        rowsChecksum.add(rows)
        try append(.rows, table: table, rows)
    }

    /// Finishes the run.
    public func finish(_ outcome: RunOutcome, tables: TableSet, seconds: Double) throws(FileError) {
        var payload: [UInt8] = []
        Binary.append(outcome.events, to: &payload)
        Binary.append(outcome.userActions, to: &payload)
        Binary.append(outcome.fingerprint, to: &payload)
        Binary.append(outcome.workloadFingerprint, to: &payload)
        Binary.append(rowsChecksum.value, to: &payload)
        Binary.append(seconds.bitPattern, to: &payload)
        for metric in outcome.metrics { Binary.append(metric.bitPattern, to: &payload) }
        try append(.footer, table: tables, payload)
        finishedLength = length
    }

    /// Waits until all data are on the disk.
    public func synchronize() throws(FileError) { try file.synchronize() }

    private func append(_ kind: Segment.Kind, table: TableSet, _ payload: [UInt8]) throws(FileError) {
        var record: [UInt8] = []
        record.reserveCapacity(Segment.headLength + payload.count + 8)
        record.append(kind.rawValue)
        Binary.append(table.rawValue, to: &record)
        record.append(0)
        Binary.append(UInt32(payload.count), to: &record)
        Binary.append(run, to: &record)
        record.append(contentsOf: payload)
        Binary.append(Checksum.of(record), to: &record)
        do {
            try file.write(record)
            length += record.count
        } catch {
            try? file.truncate(to: finishedLength)
            length = finishedLength
            throw error
        }
    }
}
