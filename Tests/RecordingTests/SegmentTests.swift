// SPDX-License-Identifier: GPL-3.0-or-later
import Files
import Glibc
import Measures
import Phone
import PhoneCore
import Recording
import TestSupport
import Testing

@Suite struct SegmentTests {
    private func writeTwoRuns(to path: String) throws {
        let segment = try SegmentWriter(path: path)
        for run in [UInt64(5), 6] {
            let recorder = try RunRecorder(run: run, names: RowNames(apps: ["mail"]), segment: segment)
            var row = DeviceHourRow()
            row.hour = Int(run)
            recorder.write(row)
            try recorder.finish(outcome(Double(run)), tables: .deviceHours, seconds: 0.5)
        }
    }

    @Test func `finished runs come back with their outcome and rows`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a.seg"
        try writeTwoRuns(to: path)
        let content = try SegmentContent(path: path)
        #expect(content.tornBytes == 0)
        #expect(content.runs.map(\.run) == [5, 6])
        #expect(content.runs[1].outcome.metrics[0] == 6)
        #expect(content.runs[1].tables == .deviceHours)
        let chunk = try #require(content.runs[0].chunks.first)
        #expect(text(try chunk.text()).hasPrefix("5,"))
    }

    @Test func `cut at any byte, only whole runs count`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a.seg"
        try writeTwoRuns(to: path)
        let bytes = try readFile(path)
        let middle = try SegmentContent(path: path).runs.count
        #expect(middle == 2)
        var seen: Set<Int> = []
        for length in stride(from: 0, through: bytes.count, by: 1) {
            let cut = folder.path + "/cut.seg"
            try replaceFile(cut) { file in try file.write(bytes[..<length]) }
            let content = try SegmentContent(path: cut)
            #expect(content.runs.map(\.run) == Array([5, 6].prefix(content.runs.count)))
            seen.insert(content.runs.count)
        }
        #expect(seen == [0, 1, 2])
    }

    @Test func `a flipped byte costs the run that it hit and no other`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a.seg"
        try writeTwoRuns(to: path)
        let bytes = try readFile(path)
        let heading = "flotsam segment 1\n".utf8.count
        let second = try #require(
            bytes.indices.dropFirst(heading + 1).first { start in
                // The head of the second run's `begin`: kind 1, run 6.
                bytes[start] == 1 && bytes.count > start + 16 && bytes[start + 4] == 8 && bytes[start + 8] == 6
            })
        for index in bytes.indices {
            var harmed = bytes
            harmed[index] ^= 0x10
            let other = folder.path + "/harmed.seg"
            try replaceFile(other) { file in try file.write(harmed) }
            let content = try SegmentContent(path: other)
            let kept: [UInt64] = index < heading ? [] : index < second ? [6] : [5]
            #expect(content.runs.map(\.run) == kept, "byte \(index)")
            // All from the harmed record to the next run, or to the end.
            let start = index < heading ? 0 : index < second ? heading : second
            let end = index < heading || index >= second ? bytes.count : second
            #expect((end - index...end - start).contains(content.tornBytes), "byte \(index)")
        }
    }

    /// Runs of one segment, each with so many rows of hours.
    private func write(_ rows: [Int], to path: String) throws -> [FinishedRun] {
        let segment = try SegmentWriter(path: path)
        for (run, count) in rows.enumerated() {
            let recorder = try RunRecorder(run: UInt64(run), names: RowNames(apps: []), segment: segment)
            for hour in 0..<count {
                var row = DeviceHourRow()
                row.hour = hour
                recorder.write(row)
            }
            try recorder.finish(outcome(0), tables: .deviceHours, seconds: 0)
        }
        return try SegmentContent(path: path).runs
    }

    @Test func `rows of many pieces are written once, in their order`() throws {
        let folder = try TemporaryFolder()
        let run = try #require(try write([2000], to: folder.path + "/a.seg").first)
        #expect(run.chunks.count > 1)
        let file = try InputFile(folder.path + "/a.seg")
        let rows = try run.chunks.map { text(try file.read(at: $0.offset, count: $0.length)) }.joined()
        #expect(rows.split(separator: "\n").map { Int($0.prefix { $0 != "," }) } == (0..<2000).map { $0 })
    }

    @Test func `the rows of a run are its own, whatever stands before it in the segment`() throws {
        let folder = try TemporaryFolder()
        let runs = try write([3, 2, 3, 0], to: folder.path + "/a.seg")
        #expect(runs.map(\.chunks.count) == [1, 1, 1, 0])
        #expect(runs[0].rowsChecksum == runs[2].rowsChecksum && runs[0].rowsChecksum != runs[1].rowsChecksum)
        #expect(runs[0].agrees(with: runs[2]) && !runs[0].agrees(with: runs[1]))
        #expect(runs[3].rowsChecksum == Checksum().value)
    }

    @Test func `a footer too short for an outcome is none, though its checksum is right`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a.seg"
        _ = try write([0], to: path)
        let bytes = try readFile(path)
        // Behind the heading and a `begin` of 32 bytes: kind, table, zero, length, run.
        let footer = "flotsam segment 1\n".utf8.count + 32
        #expect(bytes[footer] == 3)
        for length in [40, 47, 48] {
            var record = Array(bytes[footer..<footer + 16 + length])
            (record[4], record[5], record[6], record[7]) = (UInt8(length), 0, 0, 0)
            withUnsafeBytes(of: Checksum.of(record).littleEndian) { record.append(contentsOf: $0) }
            let cut = folder.path + "/\(length).seg"
            try replaceFile(cut) { file in try file.write(bytes[..<footer] + record) }
            let content = try SegmentContent(path: cut)
            #expect(content.runs.map(\.outcome.metrics) == (length < 48 ? [] : [[]]))
            #expect(content.tornBytes == (length < 48 ? record.count : 0))
        }
    }

    @Test func `a run without its footer does not count`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a.seg"
        let segment = try SegmentWriter(path: path)
        _ = try RunRecorder(run: 1, names: RowNames(apps: []), segment: segment)
        let second = try RunRecorder(run: 2, names: RowNames(apps: []), segment: segment)
        try second.finish(outcome(0), tables: [], seconds: 0)
        #expect(try SegmentContent(path: path).runs.map(\.run) == [2])
    }

    @Test func `two records of a run agree only when every bit does`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a.seg"
        let segment = try SegmentWriter(path: path)
        for fingerprint in [UInt64(7), 7, 8] {
            let recorder = try RunRecorder(run: 1, names: RowNames(apps: []), segment: segment)
            try recorder.finish(outcome(.nan, fingerprint: fingerprint), tables: [], seconds: 1)
        }
        let runs = try SegmentContent(path: path).runs
        #expect(runs[0].agrees(with: runs[1]))
        #expect(!runs[0].agrees(with: runs[2]))
    }

    @Test func `a segment never overwrites another`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a.seg"
        try writeTwoRuns(to: path)
        #expect(throws: FileError(action: "create", path: path, code: EEXIST)) { try SegmentWriter(path: path) }
    }

    @Test func `a time that makes no sense counts as none, and one without end as very long`() throws {
        let folder = try TemporaryFolder()
        let segment = try SegmentWriter(path: folder.path + "/a.seg")
        for seconds in [Double.nan, -1, .infinity, 1e300, 2] {
            try segment.begin(run: 1)
            try segment.finish(outcome(0), tables: [], seconds: seconds)
        }
        #expect(try SegmentContent(path: folder.path + "/a.seg").runs.map(\.seconds) == [0, 0, 0, 1e9, 2])
    }

    @Test func `a segment that is a link, a FIFO, a folder or longer than any is refused`() throws {
        let folder = try TemporaryFolder()
        try folder.write("real", "")
        symlink("real", folder.path + "/link")
        mkfifo(folder.path + "/fifo", 0o600)
        try folder.makeFolder("folder")
        symlink("folder", folder.path + "/door")
        try folder.write("long", "")
        truncate(folder.path + "/long", (1 << 40) + 1)
        for name in ["link", "fifo", "folder", "door/a.seg", "long"] {
            #expect(throws: FileError.self, "\(name)") { try SegmentContent(path: folder.path + "/" + name) }
        }
        #expect(throws: FileError.self) { try SegmentWriter(path: folder.path + "/door/new.seg") }
        #expect(directoryEntries(folder.path + "/folder").isEmpty)
    }

    @Test func `a metric that no phone can have is no number`() throws {
        let folder = try TemporaryFolder()
        let segment = try SegmentWriter(path: folder.path + "/a.seg")
        try segment.begin(run: 1)
        let metrics: [Double] = [1e300, -1e300, 1e75, 3, -.infinity]
        let outcome = RunOutcome(
            metrics: metrics, events: .max, userActions: .max, fingerprint: 1, workloadFingerprint: 1)
        try segment.finish(outcome, tables: [], seconds: 1)
        let found = try #require(try SegmentContent(path: folder.path + "/a.seg").runs.first).outcome.metrics
        #expect(found.map(\.description) == ["nan", "nan", "1e+75", "3.0", "-inf"])
    }
}
