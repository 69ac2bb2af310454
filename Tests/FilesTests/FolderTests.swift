// SPDX-License-Identifier: GPL-3.0-or-later
import Files
import Glibc
import TestSupport
import Testing

@Suite struct FolderTests {
    private func text(_ bytes: [UInt8]?) -> String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

    /// A folder `inside` beside a file and a folder that nothing in it may reach.
    private func scene() throws -> (all: TemporaryFolder, inside: Folder) {
        let all = try TemporaryFolder()
        try all.makeFolder("inside")
        try all.makeFolder("outside")
        try all.write("outside/mine", "mine")
        return (all, try Folder(all.path + "/inside"))
    }

    @Test func `files and folders are reached by their names, and a link to the folder itself is followed`() throws {
        let (all, inside) = try scene()
        try inside.replace("a") { file in try file.write([1, 2]) }
        _ = try inside.makeFolder("deep/deeper").create("b")
        symlink("inside", all.path + "/door")
        let door = try Folder(all.path + "/door")
        #expect(try door.bytes("a", upTo: 2) == [1, 2])
        #expect(try door.names() == ["a", "deep"])
        #expect(try door.folder("deep")?.folder("deeper")?.names() == ["b"])
        #expect(try door.folder("nothing") == nil)
        #expect(try door.bytes("nothing", upTo: 2) == nil)
        #expect(door.kind("a") == .file && door.kind("deep") == .folder && door.kind("nothing") == nil)
        let tooLarge = try #require(throws: FileError.self) { try door.bytes("a", upTo: 1) }
        #expect(tooLarge.description.hasSuffix("it has 2 bytes, more than the limit of 1"))
        #expect(throws: FileError.self) { try Folder(unlinked: all.path + "/door") }
    }

    @Test(arguments: ["../outside/mine", "/etc/passwd", "..", ".", "", "a/b", "a\0b"])
    func `a name leads nowhere else`(name: String) throws {
        let (_, inside) = try scene()
        #expect(inside.kind(name) == nil)
        #expect(throws: FileError.self) { _ = try inside.file(name) }
        #expect(throws: FileError.self) { _ = try inside.create(name) }
        #expect(throws: FileError.self) { try inside.folder(name) }
        #expect(throws: FileError.self) { try inside.move(name, to: "x") }
        inside.remove(name)
    }

    @Test func `a link in it is not followed, whatever is tried`() throws {
        let (all, inside) = try scene()
        symlink("../outside/mine", all.path + "/inside/a")
        symlink("../outside", all.path + "/inside/f")
        symlink("../outside/mine", all.path + "/inside/a.partial")
        symlink("../outside/new", all.path + "/inside/b")
        let error = try #require(throws: FileError.self) { _ = try inside.file("a") }
        #expect(error.description.hasPrefix(all.path + "/inside/a: error: cannot read: it is a symbolic link"))
        #expect(throws: FileError.self) { try inside.folder("f") }
        #expect(throws: FileError.self) { try inside.makeFolder("f") }
        #expect(throws: FileError.self) { _ = try inside.create("b") }
        // Replaced is the name, and not what it led to.
        try inside.replace("a") { file in try file.write(Array("new".utf8)) }
        #expect(text(try inside.bytes("a", upTo: 9)) == "new")
        #expect(try readFile(all.path + "/outside/mine") == Array("mine".utf8))
        #expect(directoryEntries(all.path + "/outside") == ["mine"])
        #expect(try inside.names() == ["a", "b", "f"])
    }

    @Test func `a FIFO, a socket and a folder are no files, and none is waited for`() throws {
        let (all, inside) = try scene()
        mkfifo(all.path + "/inside/fifo", 0o600)
        try all.makeFolder("inside/folder")
        for (name, words) in [("fifo", "it is not a regular file: move it away"), ("folder", "it is a folder")] {
            let error = try #require(throws: FileError.self) { _ = try inside.file(name) }
            #expect(error.description.contains("\(all.path)/inside/\(name): error: cannot read: \(words)"))
        }
        #expect(throws: FileError.self) { try inside.folder("fifo") }
        #expect(throws: FileError.self) { try inside.replace("folder") { _ in } }
    }

    @Test func `what a killed writing left is no obstacle, and what another program has is not claimed`() throws {
        let (all, inside) = try scene()
        try all.write("inside/a.partial", "half of something longer")
        try inside.replace("a") { file in try file.write([7]) }
        #expect(try inside.names() == ["a"])
        #expect(try inside.bytes("a", upTo: 9) == [7])
        let lock = try #require(try inside.locked())
        #expect(try Folder(inside.path).locked() == nil)
        withExtendedLifetime(lock) {}
    }

    @Test func `a replacement of a path follows no link that stands in its way`() throws {
        let (all, _) = try scene()
        symlink("../outside/mine", all.path + "/inside/page.partial")
        try replaceFile(all.path + "/inside/page", with: "page")
        #expect(try readFile(all.path + "/outside/mine") == Array("mine".utf8))
        #expect(try readFile(all.path + "/inside/page") == Array("page".utf8))
        #expect(throws: FileError(action: "create", path: all.path + "/nowhere/page", code: ENOENT)) {
            try replaceFile(all.path + "/nowhere/page", with: "page")
        }
    }
}
