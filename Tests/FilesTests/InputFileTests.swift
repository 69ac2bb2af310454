// SPDX-License-Identifier: GPL-3.0-or-later
import Files
import TestSupport
import Testing

@Suite struct InputFileTests {
    @Test func `bytes are read from an offset and end with the file`() throws {
        let folder = try TemporaryFolder()
        try folder.write("a", "0123456789")
        let file = try InputFile(folder.path + "/a")
        #expect(file.length() == 10)
        #expect(try file.read(at: 3, count: 4) == Array("3456".utf8))
        #expect(try file.read(at: 8, count: 4) == Array("89".utf8))
        #expect(try file.read(at: 11, count: 4).isEmpty)
    }

    @Test func `a block keeps what a shorter end of the file does not fill`() throws {
        let folder = try TemporaryFolder()
        try folder.write("a", "0123456789")
        let file = try InputFile(folder.path + "/a")
        var block = Array("abcd".utf8)
        #expect(try file.read(at: 2, into: &block) == 4)
        #expect(block == Array("2345".utf8))
        #expect(try file.read(at: 9, into: &block) == 1)
        #expect(block == Array("9345".utf8))
        #expect(try file.read(at: 10, into: &block) == 0)
    }

    @Test func `a file is read whole, over many blocks, or up to a limit`() throws {
        let folder = try TemporaryFolder()
        let bytes = (0..<700_001).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try replaceFile(folder.path + "/a") { file in try file.write(bytes) }
        #expect(try readFile(folder.path + "/a") == bytes)
        #expect(try readFile(folder.path + "/a", upTo: 300_000) == Array(bytes[..<300_000]))
        #expect(try readFile(folder.path + "/a", upTo: 0).isEmpty)
    }

    @Test func `what cannot be read says what, which and why`() throws {
        let folder = try TemporaryFolder()
        let missing = folder.path + "/none"
        let error = #expect(throws: FileError.self) { try readFile(missing) }
        #expect(error?.description == "\(missing): error: cannot read: No such file or directory")
        #expect(error?.reason == "No such file or directory")
        let directory = #expect(throws: FileError.self) { try readFile(folder.path) }
        #expect(directory?.reason == "Is a directory")
    }
}
