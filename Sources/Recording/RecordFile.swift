// SPDX-License-Identifier: GPL-3.0-or-later
import Files
import Measures
import Phone
import PhoneCore

/// A record of a segment file: the content of its head, and its position.
struct Record {
    let kind: Segment.Kind
    let table: TableSet
    let run: UInt64
    /// Offset of the head.
    let start: Int
    /// Length of the payload.
    let length: Int

    /// Offset of the payload.
    var payload: Int { start + Segment.headLength }
    /// Offset of the first byte after the record.
    var end: Int { payload + length + 8 }
}

/// Reads a segment file in large pieces.
///
/// The last piece is kept, because records are mostly read in sequence.
final class RecordFile {
    private static let pieceLength = 1 << 18

    let source: OpenSegment
    private var piece: [UInt8] = []
    private var pieceStart = 0

    /// Length limit of a file that is read, in bytes.
    ///
    /// Files of workers are shorter.
    private static let longest = 1 << 40

    init(_ source: OpenSegment) throws(FileError) {
        self.source = source
        guard source.length <= Self.longest else {
            throw FileError(action: "read", path: source.file.path, code: Self.tooLarge)
        }
    }

    private var length: Int { source.length }

    /// Longest plausible duration of a run, in seconds.
    private static let longestRun = 1e9
    /// Error number EFBIG, which means that the file is too large.
    private static let tooLarge: Int32 = 27

    /// Position of the rows in a record.
    func chunk(_ record: Record) -> RowChunk {
        RowChunk(table: record.table, offset: record.payload, length: record.length, source: source)
    }

    func begins(with magic: [UInt8]) throws(FileError) -> Bool { try bytes(at: 0, count: magic.count) == magic }

    /// Reads bytes, beginning at an offset.
    ///
    /// At the end of the file, fewer bytes are returned.
    func bytes(at offset: Int, count: Int) throws(FileError) -> [UInt8] {
        if let start = held(offset, count) { return Array(piece[start..<start + count]) }
        return try source.file.read(at: offset, count: count)
    }

    /// Index of bytes in the current piece; nil if the piece does not contain all of them.
    private func held(_ offset: Int, _ count: Int) -> Int? {
        let start = offset - pieceStart
        return start >= 0 && start + count <= piece.count ? start : nil
    }

    /// Index of bytes in the current piece; nil beyond the end of the file.
    ///
    /// If necessary, another piece is read.
    private func hold(_ offset: Int, _ count: Int) throws(FileError) -> Int? {
        if let start = held(offset, count) { return start }
        guard offset + count <= length else { return nil }
        piece = try source.file.read(at: offset, count: max(count, min(Self.pieceLength, length - offset)))
        pieceStart = offset
        return piece.count >= count ? 0 : nil
    }

    /// Calls a closure with bytes at an offset.
    ///
    /// Reading is efficient for ascending offsets, because the bytes that follow are also read.
    ///
    /// - Returns: Result of the closure; nil beyond the end of the file.
    func ascending<Result>(
        _ offset: Int, _ count: Int, _ body: (UnsafeRawBufferPointer) -> Result
    ) throws(FileError) -> Result? {
        if held(offset, count) == nil {
            let isNear = offset >= pieceStart && offset < pieceStart + piece.count + Self.pieceLength
            let wanted = isNear ? max(count, min(Self.pieceLength, length - offset)) : count
            piece = try source.file.read(at: offset, count: wanted)
            pieceStart = offset
        }
        guard let start = held(offset, count) else { return nil }
        return piece.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[start..<start + count])) }
    }

    /// Reads the head at an offset; nil if the head is invalid or the record is incomplete.
    func head(at offset: Int) throws(FileError) -> Record? {
        guard offset + Segment.headLength + 8 <= length else { return nil }
        let bytes = try bytes(at: offset, count: Segment.headLength)
        guard bytes.count == Segment.headLength, let kind = Segment.Kind(rawValue: bytes[0]) else { return nil }
        let record = Record(
            kind: kind, table: TableSet(rawValue: Binary.read(UInt16.self, bytes, at: 1)),
            run: Binary.read(UInt64.self, bytes, at: 8), start: offset,
            length: Int(Binary.read(UInt32.self, bytes, at: 4)))
        guard record.length <= Segment.longestPayload, kind != .footer || record.length >= Segment.outcomeLength,
            record.end <= length
        else { return nil }
        return record
    }

    /// Reads the record at an offset; nil if it is incomplete or damaged.
    func record(at offset: Int) throws(FileError) -> Record? {
        guard try hold(offset, Segment.headLength) != nil, let record = try head(at: offset),
            let start = try hold(offset, record.end - offset)
        else { return nil }
        let sum = start + Segment.headLength + record.length
        var checksum = Checksum()
        checksum.add(piece[start..<sum])
        return checksum.value == Binary.read(UInt64.self, piece, at: sum) ? record : nil
    }

    /// Offset of the first complete `begin` after an offset; nil if there is none.
    func nextBegin(after offset: Int) throws(FileError) -> Int? {
        var start = offset + 1
        while start + Segment.beginLength <= length {
            let block = try source.file.read(at: start, count: min(1 << 16, length - start))
            guard block.count >= Segment.beginLength else { return nil }
            let last = block.count - Segment.beginLength
            for index in 0...last where Self.mayBegin(block, at: index) {
                if try record(at: start + index) != nil { return start + index }
            }
            start += last + 1
        }
        return nil
    }

    /// Whether bytes look like the head of a `begin`.
    ///
    /// The checksum must be checked later.
    private static func mayBegin(_ bytes: [UInt8], at index: Int) -> Bool {
        bytes[index] == Segment.Kind.begin.rawValue && bytes[index + 3] == 0
            && Binary.read(UInt32.self, bytes, at: index + 4) == 8
    }

    /// Build of the program in a `begin`; 0 if the record contains none.
    func build(_ record: Record) throws(FileError) -> UInt64 {
        let bytes = try bytes(at: record.payload, count: min(8, record.length))
        return bytes.count == 8 ? Binary.read(UInt64.self, bytes, at: 0) : 0
    }

    /// Run that ends with a footer.
    func finished(
        _ record: Record, _ build: UInt64, _ chunks: [RowChunk], _ spot: RunSpot
    ) throws(FileError) -> FinishedRun {
        let payload = try bytes(at: record.payload, count: record.length)
        func word(_ index: Int) -> UInt64 { Binary.read(UInt64.self, payload, at: 8 * index) }
        let first = Segment.outcomeLength / 8
        let metrics = (first..<max(first, payload.count / 8)).map { Segment.metric(word($0)) }
        let outcome = RunOutcome(
            metrics: metrics, events: word(0), userActions: word(1), fingerprint: word(2),
            workloadFingerprint: word(3))
        let seconds = Double(bitPattern: word(5))
        return FinishedRun(
            run: record.run, build: build, outcome: outcome, tables: record.table, rowsChecksum: word(4),
            // A valid checksum shows that the payload is as written, but not that its values are plausible.
            seconds: seconds.isFinite ? min(max(seconds, 0), Self.longestRun) : 0, chunks: chunks, spot: spot)
    }
}
