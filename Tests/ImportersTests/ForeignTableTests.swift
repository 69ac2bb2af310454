// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Files
import Foundation
import Testing
import Workload

@testable import Importers

/// What files look like before anybody knows what they are about.
@Suite struct ForeignTableTests {
    private func cells(_ bytes: [UInt8]) throws -> [[String]] {
        var table = try ForeignTable(name: "t", bytes: bytes)
        var row = ForeignTable.Row()
        var cells: [[String]] = []
        while table.next(&row) { cells.append(row.fields.map { table.text($0) }) }
        return cells
    }

    @Test(arguments: ["a,b\n1,2\n", "a;b\r\n1;2\r\n", "a\tb\r1\t2", "\n  \na,b\n\n1,2", "\u{FEFF}a,b\n1,2\n"])
    func `fields are parted by what the first line has, lines end in three ways`(text: String) throws {
        #expect(try cells(Array(text.utf8)) == [["a", "b"], ["1", "2"]])
    }

    @Test func `quotes hold separators and quotes, and end with their line`() throws {
        let text = "x,\"a,\"\"b\"\"\",\"\",é\n\"open,1\n2,3\n"
        #expect(try cells(Array(text.utf8)) == [["x", "a,\"b\"", "", "é"], ["open,1"], ["2", "3"]])
    }

    @Test func `UTF-16 is read in both orders`() throws {
        let units = Array("a;ü😀\n1;2\n".utf16)
        var little: [UInt8] = [0xff, 0xfe]
        var big: [UInt8] = [0xfe, 0xff]
        for unit in units {
            let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xff))
            little += [low, high]
            big += [high, low]
        }
        for bytes in [little, big] { #expect(try cells(bytes) == [["a", "ü😀"], ["1", "2"]]) }
    }

    @Test func `a problem points at the characters of its field`() throws {
        var table = try ForeignTable(name: "t.csv", bytes: Array("ä,\"bad\",c\n".utf8))
        var row = ForeignTable.Row()
        let isThere = table.next(&row)
        #expect(isThere)
        let problem = table.problem("no", row.fields[1], in: row)
        #expect(problem.location?.column == 3 && problem.location?.length == 5 && problem.line == "ä,\"bad\",c")
    }

    @Test func `bytes that are no text, and other kinds of files, are named`() {
        for (bytes, word) in [
            ([0x61, 0, 0x62], "zero"), (Array("SQLite format 3\0".utf8), "SQLite"), ([0x61, 0xff], "0xff"),
            (Array("SEGB".utf8) + [UInt8](repeating: 0, count: 60), "flotsam data import ios-usage reads it"),
        ] as [([UInt8], String)] {
            #expect {
                try ForeignTable(name: "t", bytes: bytes)
            } throws: { "\($0)".contains(word) }
        }
    }

    @Test func `endless input is refused before it is read`() {
        #expect {
            try ForeignInput.open("/dev/zero")
        } throws: { "\($0)" == "error: cannot read /dev/zero: it is not a regular file\n" }
    }

    /// `printf 'a,b\n' | gzip -9n`, twice, as logs that were appended to.
    @Test func `gzip is unpacked, all its members, and a cut one is refused`() throws {
        let member: [UInt8] = [
            0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x4b, 0xd4, 0x49, 0xe2, 0x02, 0x00, 0xc5, 0x10,
            0x97, 0x24, 0x04, 0x00, 0x00, 0x00,
        ]
        func unpacked(_ bytes: [UInt8]) throws -> [UInt8] {
            try ForeignInput.unpacked(HeldBytes(bytes), length: bytes.count, from: "t.gz").all(of: "t.gz", upTo: 100)
        }
        #expect(try unpacked(member + member) == Array("a,b\na,b\n".utf8))
        #expect(try unpacked(member + [0, 0]) == Array("a,b\n".utf8))
        #expect {
            try unpacked(Array(member.dropLast(9)))
        } throws: { "\($0)".contains("t.gz: the gzip data is broken") }
    }
}

/// Files of which a block at a time is in memory.
@Suite struct TextFileTests {
    private let path = FileManager.default.temporaryDirectory
        .appending(path: "flotsam-test-" + UUID().uuidString).path()

    /// Reads bytes from a file.
    private func fromFile<Result>(_ bytes: [UInt8], _ body: (String) throws -> Result) throws -> Result {
        try OutputFile(creating: path).write(bytes)
        defer { unlink(path) }
        return try body(path)
    }

    private func rows(_ table: ForeignTable) -> [String] {
        var table = table
        var row = ForeignTable.Row()
        var rows: [String] = []
        while table.next(&row) {
            rows.append("\(row.number): " + row.fields.map { table.text($0) }.joined(separator: "|"))
        }
        return rows
    }

    /// A table of lines of many lengths, so that blocks end everywhere in them.
    private func lines(_ count: Int, end: String) -> [UInt8] {
        var text = "a,b,ü" + end
        for number in 0..<count {
            text += "\(number),\"x\(String(repeating: "ä", count: number % 67))\",\(number % 7 == 0 ? end : "")z" + end
        }
        return Array(text.utf8)
    }

    @Test(arguments: ["\n", "\r\n", "\r"])
    func `a file read in blocks has the rows of the same bytes, by number and text`(end: String) throws {
        let bytes = lines(12_000, end: end)
        #expect(bytes.count > 3 * TextFile.block)
        let whole = rows(try ForeignTable(name: "t", bytes: bytes))
        let marked = [0xef, 0xbb, 0xbf] + bytes
        for bytes in [bytes, bytes.dropLast(end.utf8.count), marked] as [[UInt8]] {
            let blocks = try fromFile(bytes) { rows(try ForeignTable.read(path: $0)) }
            #expect(blocks.count == 13_716 && blocks == whole)
        }
    }

    @Test func `a line feed at the end of a block does not count twice`() throws {
        for count in (TextFile.block - 2)...(TextFile.block + 1) {
            let bytes = [UInt8](repeating: 97, count: count) + Array("\r\nb\r\n".utf8)
            #expect(try fromFile(bytes) { rows(try ForeignTable.read(path: $0)).last } == "2: b")
        }
    }

    /// A zip archive of one member, packed or not; its blocks of RFC 1951 are not compressed.
    private func archive(_ bytes: [UInt8], isPacked: Bool, missing: Int = 0) -> [UInt8] {
        func number(_ value: Int, _ width: Int) -> [UInt8] { (0..<width).map { UInt8(value >> (8 * $0) & 255) } }
        var content = bytes
        if isPacked {
            content = []
            for start in stride(from: 0, to: bytes.count, by: 60_000) {
                let part = bytes[start..<min(start + 60_000, bytes.count)]
                content += [part.endIndex == bytes.count ? 1 : 0]
                content += number(part.count, 2) + number(~part.count, 2) + part
            }
        }
        let method = number(isPacked ? 8 : 0, 2)
        let sizes = number(content.count - missing, 4) + number(bytes.count, 4) + number(5, 2) + number(0, 2)
        let local = number(0x0403_4b50, 4) + number(20, 2) + [0, 0] + method + number(0, 8) + sizes
        let name = Array("a.csv".utf8)
        let directory =
            number(0x0201_4b50, 4) + number(20, 4) + [0, 0] + method + number(0, 8) + sizes + number(0, 14) + name
        let start = local.count + name.count + content.count
        let end = number(0x0605_4b50, 4) + number(0, 4) + number(1, 2) + number(1, 2) + number(directory.count, 4)
        return local + name + content + directory + end + number(start, 4) + [0, 0]
    }

    @Test func `a pair of UTF-16 that two blocks share is one sign`() throws {
        for count in 32_766...32_768 {
            let text = String(repeating: "a", count: count) + "😀\n"
            #expect(try fromFile(wide(text)) { rows(try ForeignTable.read(path: $0)) } == ["1: " + text.dropLast()])
        }
    }

    private func gzipped(_ bytes: [UInt8]) throws -> [UInt8] {
        try fromFile(bytes) { path in
            let pipe = try #require(popen("gzip -c '\(path)' > '\(path).gz'", "r"))
            #expect(pclose(pipe) == 0)
            defer { unlink(path + ".gz") }
            return try readFile(path + ".gz")
        }
    }

    private func wide(_ text: String) -> [UInt8] {
        [0xff, 0xfe] + text.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    }

    /// Blocks end in the middle of pairs of surrogates, of lines, and of packed blocks.
    @Test func `packed and wide files have the rows of their plain text, and are read twice`() throws {
        let bytes = lines(12_000, end: "\n") + Array(String(repeating: "😀\n", count: 9_999).utf8)
        let whole = rows(try ForeignTable(name: "t", bytes: bytes))
        #expect(whole.count == 23_715)
        let text = String(decoding: bytes, as: UTF8.self)
        let forms = [
            try gzipped(bytes), try gzipped(bytes.dropLast(7)) + gzipped(bytes.suffix(7)),
            archive(bytes, isPacked: true), archive(bytes, isPacked: false), wide(text), try gzipped(wide(text)),
            archive(try gzipped(bytes), isPacked: true),
        ]
        for form in forms {
            let (first, second) = try fromFile(form) { path in
                let table = try ForeignTable.read(path: path)
                return (rows(table), rows(table))
            }
            #expect(first == whole && second == whole)
        }
    }

    @Test func `what a packed file holds ends at the limit, and a cut one says so`() throws {
        let zeros = try gzipped([UInt8](repeating: 10, count: 5 << 20))
        #expect(zeros.count < 10_000)
        #expect {
            let unpacked = try ForeignInput.unpacked(HeldBytes(zeros), length: zeros.count, from: "t.gz")
            _ = try TextFile(unpacked, path: "t.gz", limit: 4 << 20)
        } throws: { "\($0)".contains("t.gz has more than 4 MiB when unpacked") }
        let cut = archive(lines(3_000, end: "\n"), isPacked: true)
        var broken = cut
        broken[60_040] ^= 0xff
        let short = archive(lines(3_000, end: "\n"), isPacked: true, missing: 40)
        for (form, word) in [
            (cut.dropLast(30), "the zip archive is broken"), (broken[...], "cannot unpack a.csv"),
            (short[...], "cannot unpack a.csv"),
        ] {
            #expect {
                _ = try fromFile(Array(form)) { try ForeignTable.read(path: $0) }
            } throws: { "\($0)".contains(word) }
        }
    }

    @Test func `a copy that nobody read from begins at the first row`() throws {
        let bytes = lines(12_000, end: "\n")
        let (first, second) = try fromFile(bytes) { path in
            let table = try ForeignTable.read(path: path)
            return (rows(table), rows(table))
        }
        #expect(first == second && first.count > 12_000)
    }

    @Test func `a block grows to hold a line, up to a limit`() throws {
        let long = [UInt8](repeating: 97, count: 3 * TextFile.block) + Array("\nb\n".utf8)
        #expect(try fromFile(long) { rows(try ForeignTable.read(path: $0)).last } == "2: b")
        let tooLong = [UInt8](repeating: 97, count: TextFile.longestLine + 1) + Array("\nb\n".utf8)
        #expect {
            try fromFile(tooLong) { _ = try ForeignTable.read(path: $0) }
        } throws: { "\($0)".contains("has a line of more than 4 MiB") }
    }

    @Test func `what is no UTF-8 is found in any block, with its line`() throws {
        #expect {
            try fromFile(lines(12_000, end: "\n") + [0x61, 0xff, 10]) { _ = try ForeignTable.read(path: $0) }
        } throws: { error in
            let location = (error as? Diagnostics)?.list.first?.location
            return location?.line == 13_717 && location?.column == 2
        }
    }

    @Test func `a database whose log of changes was not written into it is refused`() throws {
        let corpus = FilePath.folder(of: FilePath.folder(of: #filePath)) + "/ImporterFuzzing/Corpus/aware.sqlite"
        var bytes = try readFile(corpus)
        let options = RecordingOptions(zone: "UTC")
        let plain = try fromFile(bytes) { try importAware(paths: [$0], options).events.count }
        #expect(plain == 4)
        // Versions 2 mean that it wants a log beside it; packed it is held, and needs none.
        (bytes[18], bytes[19]) = (2, 2)
        #expect(try fromFile(bytes) { try importAware(paths: [$0], options).events.count } == plain)
        #expect(try fromFile(gzipped(bytes)) { try importAware(paths: [$0], options).events.count } == plain)
        try OutputFile(creating: path + "-wal").write([1])
        defer { unlink(path + "-wal") }
        #expect {
            _ = try fromFile(bytes) { try importAware(paths: [$0], options) }
        } throws: { "\($0)".contains("some rows of ") && "\($0)".contains(" are still in ") }
    }

    @Test func `what an import keeps of a row is small`() {
        #expect(MemoryLayout<PhoneLog.Entry>.stride == 16 && MemoryLayout<AppUsageHistory.Activity>.stride == 12)
        #expect(MemoryLayout<WorkloadEvent>.stride == 48)
    }

    @Test func `a list in pieces keeps its order, sorts by time, and is empty once gone through`() {
        var list = Pieces<(time: Int, number: Int)>()
        for number in 0..<50_000 { list.append((number * 7 % 11, number)) }
        #expect(list.count == 50_000 && list.first?.number == 0)
        var order: [Int] = []
        list.forEach { order.append($0.number) }
        #expect(order == Array(0..<50_000))
        list.sort { $0.time < $1.time }
        var sorted: [(time: Int, number: Int)] = []
        list.drain { sorted.append($0) }
        #expect(sorted.count == 50_000 && list.isEmpty)
        #expect(zip(sorted, sorted.dropFirst()).allSatisfy { ($0.time, $0.number) < ($1.time, $1.number) })
    }
}

@Suite struct ForeignTimeTests {
    @Test(
        arguments: [
            ("1488346471.195", 1_488_346_471_195_000_000), ("1700000000123", 1_700_000_000_123_000_000),
            ("1700000000123.0", 1_700_000_000_123_000_000), ("1488346471.19523456789", 1_488_346_471_195_234_567),
            ("1700000000123456", 1_700_000_000_123_456_000), ("1.48e9", 1_480_000_000_000_000_000),
        ] as [(String, Int64)])
    func `the size of a number tells its unit`(text: String, nanoseconds: Int64) {
        #expect(ForeignTime.nanoseconds(Array(text.utf8)) == nanoseconds)
    }

    @Test(arguments: [
        "", "-1", "-9223372036854775808", "9223372036854775807", "99999999999999999999", "1e300", "nan", "12", "1.2.3",
        "4102444800", "1104537599",
    ])
    func `what no phone can have logged is no time`(text: String) {
        #expect(ForeignTime.nanoseconds(Array(text.utf8)) == nil)
    }

    @Test func `a unit that is said holds, and Apple counts from 2001`() {
        #expect(ForeignTime.nanoseconds(Array("1488346471".utf8), unit: .milliseconds) == nil)
        let apple = ForeignTime.nanoseconds(Array("700000000.5".utf8), unit: .seconds, sinceApple: true)
        #expect(apple == 1_678_307_200_500_000_000)
    }

    @Test(
        arguments: [
            ("2025-03-30T11:33:24.430Z", 1_743_334_404_430_000_000, true),
            ("2025-03-30 11:33:22.83+00:00", 1_743_334_402_830_000_000, true),
            ("2025-03-30 11:33:24+02:00", 1_743_327_204_000_000_000, true),
            ("2018-01-16 06:01:05", 1_516_082_465_000_000_000, false),
            ("20160420143000", 1_461_162_600_000_000_000, false),
        ] as [(String, Int64, Bool)])
    func `stamps are read with and without a zone`(text: String, nanoseconds: Int64, isUTC: Bool) {
        let stamp = ForeignTime.stamp(text)
        #expect(stamp?.nanoseconds == nanoseconds && stamp?.isUTC == isUTC)
    }

    @Test(arguments: ["2025-02-30 00:00:00", "2025-01-01T25:00:00Z", "2025-01-01", "9999-01-01 00:00:00", "x"])
    func `stamps of no time are none`(text: String) { #expect(ForeignTime.stamp(text) == nil) }
}

@Suite struct BrokenRowsTests {
    private func rows(_ count: Int, broken: Int) -> BrokenRows {
        var rows = BrokenRows()
        for _ in 0..<count { rows.countRow() }
        for number in 0..<broken { rows.add(Diagnostic("row \(number)")) }
        return rows
    }

    @Test func `one row in a thousand may be broken, and is counted`() throws {
        #expect(try rows(1000, broken: 1).judge(.standard) == "1 of 1000 rows could not be read and were skipped")
        #expect(try rows(1000, broken: 0).judge(.standard) == nil)
        #expect(throws: Diagnostics.self) { try rows(1000, broken: 2).judge(.standard) }
        #expect(try rows(10, broken: 3).judge(.count(3)) != nil)
        #expect(throws: Diagnostics.self) { try rows(10, broken: 3).judge(.count(2)) }
    }

    @Test func `twenty problems are shown, the others counted`() {
        #expect {
            try rows(200_000, broken: 200_000).judge(.standard)
        } throws: { error in
            let list = (error as? Diagnostics)?.list ?? []
            return list.count == 21 && list.last?.message == "and 199980 more: 200000 of 200000 rows are broken"
        }
    }

    @Test func `limits are shares or numbers`() {
        #expect(SkipLimit("0.1 %") == .share(0.001) && SkipLimit("20") == .count(20) && SkipLimit("5%") == .share(0.05))
        for wrong in ["", "-1", "101 %", "x"] { #expect(SkipLimit(wrong) == nil) }
    }
}
