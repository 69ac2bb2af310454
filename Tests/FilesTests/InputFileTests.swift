// SPDX-License-Identifier: GPL-3.0-or-later
import Files
import Glibc
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

    @Test func `a file is read whole, over many blocks, or is larger than the limit`() throws {
        let folder = try TemporaryFolder()
        let bytes = (0..<700_001).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try replaceFile(folder.path + "/a") { file in try file.write(bytes) }
        #expect(try readFile(folder.path + "/a") == bytes)
        #expect(try readFile(folder.path + "/a", upTo: 700_001) == bytes)
        let error = #expect(throws: FileError.self) { try readFile(folder.path + "/a", upTo: 700_000) }
        let reason = "it has 700001 bytes, more than the limit of 700000"
        #expect(error?.description == "\(folder.path)/a: error: cannot read: \(reason)")
    }

    @Test func `a file of the system that says it has no bytes is read to its end, up to the limit`() throws {
        let status = try readFile("/proc/self/status")
        #expect(String(decoding: status, as: UTF8.self).contains("VmRSS:"))
        let error = #expect(throws: FileError.self) { try readFile("/proc/self/status", upTo: 10) }
        #expect(error?.reason == "it has more bytes than the limit of 10")
    }

    @Test(arguments: ["/dev/zero", "/dev/urandom", "/dev/null", "/dev/tty", "fifo", "socket", "fifo-link"])
    func `a device, a FIFO and a socket are refused at once`(_ name: String) throws {
        let folder = try TemporaryFolder()
        #expect(mkfifo(folder.path + "/fifo", 0o600) == 0)
        #expect(symlink(folder.path + "/fifo", folder.path + "/fifo-link") == 0)
        try bindSocket(folder.path + "/socket")
        let path = name.hasPrefix("/") ? name : folder.path + "/" + name
        let error = #expect(throws: FileError.self) { try readFile(path) }
        #expect(error?.reason == "it is not a regular file")
        #expect(throws: FileError.self) { _ = try InputFile(path) }
    }

    private func bindSocket(_ path: String) throws {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = UInt16(AF_UNIX)
        try #require(path.utf8.count < 100)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(result == 0)
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
