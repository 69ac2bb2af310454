// SPDX-License-Identifier: GPL-3.0-or-later
// Recording owns everything that leaves the simulator as bytes: CSV text, table schemas, checksummed segments, JSON.
// In: rows of a run (`RunRecorder` is the phone's row sink), finished outcomes, values for the manifest.
// Out: segment files that survive a torn end, tables and documents as bytes; how files are replaced is in `Files`.
// It knows no experiment and no process: which run goes where is decided in `Experiments`.
// Read first: this file (the record format), then `TableCatalog.swift` (every column of every table).

import Files
import Measures
import Phone
import PhoneCore

/// The format of a segment file: what one worker wrote, run after run.
///
/// A file is a header line and then records. A record is `kind u8, table u16, zero u8, length u32, run u64` (little
/// endian), the payload, and the FNV-1a hash of all of it as `u64`. A run is one `begin` (with the build of the program
/// that makes it as `u64`), any number of `rows` (CSV text of one table without its leading run columns), and one
/// `footer` with the outcome: a run counts as done only with its footer. Behind a damaged record reading goes on at the
/// next whole `begin`, so that damage costs the run that it hit and no other; what stands between, and a torn tail, is
/// ignored. A table is named by its bit, in the order in which the phone declares its tables.
public enum Segment {
    static let magic = Array("flotsam segment 1\n".utf8)
    static let headLength = 16
    /// Of a whole `begin`: head, build, checksum.
    static let beginLength = headLength + 16
    static let longestPayload = 1 << 24
    /// Of a footer's payload before its metrics: events, user's actions, two fingerprints, hash of the rows, seconds.
    static let outcomeLength = 48
    /// No metric of a phone is larger; the squares of such numbers still have a sum.
    private static let largestMetric = 1e75

    /// The metric that a footer states; not a number where it states what no phone can have.
    static func metric(_ bits: UInt64) -> Double {
        let value = Double(bitPattern: bits)
        return value.isFinite && abs(value) > largestMetric ? .nan : value
    }

    enum Kind: UInt8 {
        case begin = 1
        case rows = 2
        case footer = 3
    }
}

/// A finished run as its footer tells it.
public struct FinishedRun: Sendable {
    /// The run's identity: a hash of everything its result depends on.
    public let run: UInt64
    /// The build of the program that made it; 0 when the record does not say.
    public let build: UInt64
    /// What the phone left behind.
    public let outcome: RunOutcome
    /// The tables whose rows were recorded.
    public let tables: TableSet
    /// Hash of all rows of all tables.
    public let rowsChecksum: UInt64
    /// Wall-clock time the run took, in seconds; not part of the result.
    public let seconds: Double
    /// Where the rows stand.
    public let chunks: [RowChunk]
    /// Where the run stands in its file.
    public let spot: RunSpot

    /// Whether another record of the same run says the same, bit for bit.
    public func agrees(with other: FinishedRun) -> Bool {
        let bits = outcome.metrics.map(\.bitPattern)
        return bits == other.outcome.metrics.map(\.bitPattern)
            && outcome.events == other.outcome.events && outcome.fingerprint == other.outcome.fingerprint
            && outcome.workloadFingerprint == other.outcome.workloadFingerprint
            && (tables != other.tables || rowsChecksum == other.rowsChecksum)
    }
}

/// A piece of a table of one run, in a segment file.
public struct RowChunk: Sendable {
    /// The table.
    public let table: TableSet
    /// Offset of the text in the file.
    public let offset: Int
    /// Length of the text.
    public let length: Int
    /// The segment file.
    let source: OpenSegment

    /// The text, read again.
    public func text() throws(FileError) -> [UInt8] { try source.file.read(at: offset, count: length) }
}

/// A segment file that stays open as long as rows of it may be read.
public final class OpenSegment: Sendable {
    let file: InputFile
    /// The bytes that it had when it was opened.
    public let length: Int

    /// Opens a file of a folder.
    init(_ name: String, in folder: Folder) throws(FileError) {
        file = try folder.file(name)
        length = file.length()
    }
}

/// Little-endian numbers, written and read.
enum Binary {
    static func append(_ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    static func bytes(of value: some FixedWidthInteger) -> [UInt8] {
        var bytes: [UInt8] = []
        append(value, to: &bytes)
        return bytes
    }

    static func read<Value: FixedWidthInteger>(_ type: Value.Type, _ bytes: [UInt8], at offset: Int) -> Value {
        var value: Value = 0
        for index in 0..<MemoryLayout<Value>.size {
            value |= Value(truncatingIfNeeded: bytes[offset + index]) << (8 * index)
        }
        return value
    }
}
