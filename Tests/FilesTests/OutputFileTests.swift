// SPDX-License-Identifier: GPL-3.0-or-later
import Files
import Glibc
import TestSupport
import Testing

@Suite struct OutputFileTests {
    private struct Stop: Error {}

    @Test func `a replacement that fails leaves the old content and nothing else`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a.txt"
        try replaceFile(path, with: "old")
        #expect(throws: Stop.self) {
            try replaceFile(path) { file in
                try file.write(Array("half".utf8))
                throw Stop()
            }
        }
        #expect(try readFile(path) == Array("old".utf8))
        #expect(directoryEntries(folder.path) == ["a.txt"])
    }

    @Test func `a full disk is an error that says so`() throws {
        let file = try OutputFile(creating: "/dev/full")
        let error = #expect(throws: FileError.self) { try file.write([1, 2, 3]) }
        #expect(error?.isOutOfSpace == true)
        #expect(error?.description == "/dev/full: error: cannot write: No space left on device")
    }

    @Test func `directories above are created and a file in the way is an error`() throws {
        let folder = try TemporaryFolder()
        try createDirectory(folder.path + "/a/b/c")
        #expect(isDirectory(folder.path + "/a/b/c"))
        try replaceFile(folder.path + "/f", with: "")
        #expect(throws: FileError.self) { try createDirectory(folder.path + "/f") }
    }

    @Test(.enabled(if: getuid() == 0, "only root makes devices"))
    func `a device is written to and stays a device, and a link to it is replaced`() throws {
        let folder = try TemporaryFolder()
        let (null, full, link) = (folder.path + "/null", folder.path + "/full", folder.path + "/link")
        try #require(
            mknod(null, S_IFCHR | 0o600, 0x103) == 0 && mknod(full, S_IFCHR | 0o600, 0x107) == 0)
        #expect(symlink(null, link) == 0)
        try replaceFile(null, with: "gone")
        let error = #expect(throws: FileError.self) { try replaceFile(full, with: "no room") }
        #expect(error?.reason.contains("No space left") == true)
        try replaceFile(link, with: "kept")
        #expect(String(decoding: try readFile(link), as: UTF8.self) == "kept")
        for path in [null, full] {
            var status = stat()
            #expect(lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFCHR, "\(path)")
        }
    }
}
