// SPDX-License-Identifier: GPL-3.0-or-later
// Recording converts everything that the simulator writes to bytes: CSV text, table schemas, checksummed segments,
// JSON.
// In: rows of a run (`RunRecorder` is the phone's row sink), outcomes of finished runs, values for the manifest.
// Out: segment files that remain readable if their end is missing, and tables and documents as bytes. `Files` replaces
// files.
// The module has no experiments and processes: `Experiments` determines which run is written to which file.
// Read first: this file (the record format), then `TableCatalog.swift` (every column of every table).

import Files
import Measures
import Phone
import PhoneCore

/// Format of a segment file, which contains the runs of one worker in sequence.
///
/// A file is a header line followed by records. A record consists of a head, the payload, and the FNV-1a hash of both
/// as `u64`. The head is `kind u8, table u16, zero u8, length u32, run u64` (little endian).
///
/// - A run is one `begin`, any number of `rows`, and one `footer`. The run counts as finished only if its footer
///   exists.
/// - `begin` contains the build of the program that executes the run, as `u64`.
/// - `rows` contain CSV text of one table without its leading run columns. One bit of the head identifies the table;
///   the bits are in the order in which the phone declares its tables.
/// - `footer` contains the outcome.
///
/// After a damaged record, reading continues at the next complete `begin`, so that only the damaged run is lost. The
/// bytes between, and an incomplete end, are ignored.
public enum Segment {
    static let magic = Array("flotsam segment 1\n".utf8)
    static let headLength = 16
    /// Length in bytes of a complete `begin`: head, build and checksum.
    static let beginLength = headLength + 16
    static let longestPayload = 1 << 24
    /// Length in bytes of the part of a footer's payload before its metrics.
    ///
    /// This part contains the numbers of events and of the user's actions, two fingerprints, the hash of the rows, and
    /// the wall-clock time.
    static let outcomeLength = 48
    /// Largest plausible metric.
    ///
    /// The sum of squares of such numbers is finite.
    private static let largestMetric = 1e75

    /// Metric from a footer; not a number if its value is implausible.
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

/// A finished run, as stored in its footer.
public struct FinishedRun: Sendable {
    /// Identity of the run, which is a hash of everything that determines its result.
    public let run: UInt64
    /// Build of the program that executed the run; 0 if the record contains none.
    public let build: UInt64
    /// Outcome of the run.
    public let outcome: RunOutcome
    /// Tables with recorded rows.
    public let tables: TableSet
    /// Hash of all rows of all tables.
    public let rowsChecksum: UInt64
    /// Wall-clock time of the run, in seconds, which is not part of the result.
    public let seconds: Double
    /// Positions of the rows.
    public let chunks: [RowChunk]
    /// Position of the run in its file.
    public let spot: RunSpot

    /// Whether another record of the run has the same result, bit for bit.
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
    /// Table that the rows belong to.
    public let table: TableSet
    /// Offset of the text in the file.
    public let offset: Int
    /// Length of the text in bytes.
    public let length: Int
    /// The segment file.
    let source: OpenSegment

    /// Reads the text from the file.
    public func text() throws(FileError) -> [UInt8] { try source.file.read(at: offset, count: length) }
}

/// A segment file that stays open as long as its rows may be read.
public final class OpenSegment: Sendable {
    let file: InputFile
    /// Length of the file when it was opened, in bytes.
    public let length: Int

    /// Opens a file in a folder.
    init(_ name: String, in folder: Folder) throws(FileError) {
        file = try folder.file(name)
        length = file.length()
    }
}

/// Reads and writes little-endian numbers.
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
