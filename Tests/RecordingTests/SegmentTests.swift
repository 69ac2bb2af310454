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
        let file = try InputFile(chunk.path)
        #expect(text(try file.read(at: chunk.offset, count: chunk.length)).hasPrefix("5,"))
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
            #expect(content.tornBytes > 0)
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
}
