// SPDX-License-Identifier: GPL-3.0-or-later
import Files
import Measures
import Phone
import PhoneCore

/// The finished runs of one segment file, and how much of its end was not usable.
public struct SegmentContent: Sendable {
    /// The finished runs in the order in which they stand.
    public private(set) var runs: [FinishedRun] = []
    /// Bytes that are damaged or cut off; 0 for a file that is whole.
    public private(set) var tornBytes = 0

    /// Reads and checks a whole file, holding one record at a time.
    public init(path: String) throws(FileError) {
        let file = try InputFile(path)
        let length = file.length()
        var offset = Segment.magic.count
        guard try file.read(at: 0, count: offset) == Segment.magic else {
            tornBytes = length
            return
        }
        var chunks: [RowChunk] = []
        var run: UInt64?
        var build: UInt64 = 0
        while offset < length {
            guard let record = try Self.record(in: file, at: offset, length: length) else {
                let next = try Self.nextBegin(in: file, after: offset, length: length) ?? length
                tornBytes += next - offset
                (offset, run) = (next, nil)
                continue
            }
            switch record.kind {
            case .begin:
                run = record.run
                chunks = []
                build = record.payload.count >= 8 ? Binary.read(UInt64.self, record.payload, at: 0) : 0
            case .rows where run == record.run:
                chunks.append(
                    RowChunk(
                        table: record.table, offset: offset + Segment.headLength, length: record.payload.count,
                        path: path))
            case .footer where run == record.run:
                runs.append(Self.finished(record, build, chunks))
                run = nil
            case .rows, .footer: break
            }
            offset += Segment.headLength + record.payload.count + 8
        }
    }

    /// The first whole `begin` behind an offset; nil when there is none.
    private static func nextBegin(
        in file: borrowing InputFile, after offset: Int, length: Int
    ) throws(FileError) -> Int? {
        var start = offset + 1
        while start + Segment.beginLength <= length {
            let block = try file.read(at: start, count: min(1 << 16, length - start))
            guard block.count >= Segment.beginLength else { return nil }
            let last = block.count - Segment.beginLength
            for index in 0...last where mayBegin(block, at: index) {
                if try record(in: file, at: start + index, length: length) != nil { return start + index }
            }
            start += last + 1
        }
        return nil
    }

    /// Whether bytes look like the head of a `begin`; its checksum decides.
    private static func mayBegin(_ bytes: [UInt8], at index: Int) -> Bool {
        bytes[index] == Segment.Kind.begin.rawValue && bytes[index + 3] == 0
            && Binary.read(UInt32.self, bytes, at: index + 4) == 8
    }

    private struct Record {
        let kind: Segment.Kind
        let table: TableSet
        let run: UInt64
        let payload: [UInt8]
    }

    /// The record at an offset; nil when there is no whole and unharmed one.
    private static func record(
        in file: borrowing InputFile, at offset: Int, length: Int
    ) throws(FileError) -> Record? {
        guard offset + Segment.headLength + 8 <= length else { return nil }
        let head = try file.read(at: offset, count: Segment.headLength)
        let size = Int(Binary.read(UInt32.self, head, at: 4))
        guard let kind = Segment.Kind(rawValue: head[0]), size <= Segment.longestPayload,
            kind != .footer || size >= 48, offset + Segment.headLength + size + 8 <= length
        else { return nil }
        var payload = try file.read(at: offset + Segment.headLength, count: size + 8)
        guard payload.count == size + 8 else { return nil }
        let expected = Binary.read(UInt64.self, payload, at: size)
        payload.removeLast(8)
        var checksum = Checksum()
        checksum.add(head)
        checksum.add(payload)
        guard checksum.value == expected else { return nil }
        return Record(
            kind: kind, table: TableSet(rawValue: Binary.read(UInt16.self, head, at: 1)),
            run: Binary.read(UInt64.self, head, at: 8), payload: payload)
    }

    private static func finished(_ record: Record, _ build: UInt64, _ chunks: [RowChunk]) -> FinishedRun {
        func word(_ index: Int) -> UInt64 { Binary.read(UInt64.self, record.payload, at: 8 * index) }
        let words = record.payload.count / 8
        let metrics = (6..<max(6, words)).map { Double(bitPattern: word($0)) }
        let outcome = RunOutcome(
            metrics: metrics, events: word(0), userActions: word(1), fingerprint: word(2),
            workloadFingerprint: word(3))
        return FinishedRun(
            run: record.run, build: build, outcome: outcome, tables: record.table, rowsChecksum: word(4),
            seconds: Double(bitPattern: word(5)), chunks: chunks)
    }
}
