// SPDX-License-Identifier: GPL-3.0-or-later
import Files
import Measures
import Phone
import PhoneCore

/// Iterates over the finished runs of a segment file.
///
/// Only one record is in memory.
public final class SegmentReader {
    /// Number of damaged or missing bytes so far; 0 for an intact file.
    public private(set) var tornBytes: Int

    private let file: RecordFile
    private var offset: Int
    private var run: UInt64?
    private var build: UInt64 = 0
    private var begin = 0
    private var chunks: [RowChunk] = []

    /// Opens a file in a folder.
    ///
    /// A file that is not a segment has no runs.
    public init(_ name: String, in folder: Folder) throws(FileError) {
        file = try RecordFile(OpenSegment(name, in: folder))
        let length = file.source.length
        let isSegment = try file.begins(with: Segment.magic)
        offset = isSegment ? Segment.magic.count : length
        tornBytes = isSegment ? 0 : length
    }

    /// The segment file; rows and runs can be read again from it.
    public var segment: OpenSegment { file.source }

    private var length: Int { file.source.length }

    /// Returns the next finished run after its records are checked; nil at the end of the file.
    public func next() throws(FileError) -> FinishedRun? {
        while offset < length {
            guard let record = try file.record(at: offset) else {
                let next = try file.nextBegin(after: offset) ?? length
                tornBytes += next - offset
                (offset, run) = (next, nil)
                continue
            }
            let start = offset
            offset = record.end
            switch record.kind {
            case .begin:
                (run, begin, chunks) = (record.run, start, [])
                build = try file.build(record)
            case .rows where run == record.run: chunks.append(file.chunk(record))
            case .footer where run == record.run:
                run = nil
                let spot = RunSpot(begin: begin, footer: record)
                return try file.finished(record, build, chunks, spot)
            case .rows, .footer: break
            }
        }
        return nil
    }
}

/// Position of a finished run in its segment file.
public struct RunSpot: Sendable, Equatable {
    /// Offset of the run's `begin`.
    public let begin: Int
    /// Offset of the run's footer.
    public let footer: Int
    /// Length of the footer's payload, in bytes.
    public let payload: Int

    init(begin: Int, footer: Record) {
        self.begin = begin
        self.footer = footer.start
        payload = footer.length
    }

    /// Creates a position.
    public init(begin: Int, footer: Int, payload: Int) {
        self.begin = begin
        self.footer = footer
        self.payload = payload
    }

    /// Number of metrics in the footer.
    public var metrics: Int { max(0, payload - Segment.outcomeLength) / 8 }
}

/// A segment file from which runs can be read again at positions that a reader returned.
public final class SegmentFile {
    private let file: RecordFile

    /// Opens a file in a folder.
    public convenience init(_ name: String, in folder: Folder) throws(FileError) {
        try self.init(OpenSegment(name, in: folder))
    }

    /// Uses a file that is already open.
    public init(_ segment: OpenSegment) throws(FileError) { file = try RecordFile(segment) }

    /// Reads a run again; nil if it is no longer at this position.
    public func run(at spot: RunSpot) throws(FileError) -> FinishedRun? {
        guard let first = try file.record(at: spot.begin), first.kind == .begin else { return nil }
        let build = try file.build(first)
        var chunks: [RowChunk] = []
        var offset = first.end
        while offset < spot.footer {
            guard let record = try file.head(at: offset) else { return nil }
            chunks.append(file.chunk(record))
            offset = record.end
        }
        guard offset == spot.footer, let last = try file.record(at: offset), last.kind == .footer else { return nil }
        return try file.finished(last, build, chunks, spot)
    }

    /// Calls a closure for each metric in a range, in the order of the plan.
    ///
    /// Metrics that the run does not have are omitted.
    ///
    /// Reading is fastest if runs are read in the order of the file.
    public func eachMetric(
        _ range: Range<Int>, at spot: RunSpot, _ body: (_ metric: Int, _ value: Double) -> Void
    ) throws(FileError) {
        let range = range.clamped(to: 0..<spot.metrics)
        let start = spot.footer + Segment.headLength + Segment.outcomeLength + 8 * range.lowerBound
        _ = try file.ascending(start, 8 * range.count) { bytes in
            for (index, metric) in range.enumerated() {
                let bits = bytes.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self)
                body(metric, Segment.metric(UInt64(littleEndian: bits)))
            }
        }
    }
}

/// All finished runs of a segment file, and the number of unusable bytes.
public struct SegmentContent: Sendable {
    /// Finished runs in the order of the file.
    public let runs: [FinishedRun]
    /// Number of damaged or missing bytes; 0 for an intact file.
    public let tornBytes: Int

    /// Reads and checks a whole file.
    public init(path: String) throws(FileError) {
        let folder = try Folder(unlinked: FilePath.folder(of: path))
        let reader = try SegmentReader(FilePath.name(of: path), in: folder)
        var runs: [FinishedRun] = []
        while let run = try reader.next() { runs.append(run) }
        self.runs = runs
        tornBytes = reader.tornBytes
    }
}
