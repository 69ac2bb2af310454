// SPDX-License-Identifier: GPL-3.0-or-later
import TestSupport
import Testing

@testable import Files

@Suite struct FilePathTests {
    @Test func `folder and name part a path and join puts it together`() {
        #expect(FilePath.folder(of: "a/b/c.yaml") == "a/b")
        #expect(FilePath.folder(of: "c.yaml") == ".")
        #expect(FilePath.folder(of: "/c.yaml") == "/")
        #expect(FilePath.name(of: "a/b/c.yaml") == "c.yaml")
        #expect(FilePath.join("a/b", "c.yaml") == "a/b/c.yaml")
        #expect(FilePath.join("a/", "c.yaml") == "a/c.yaml")
        #expect(FilePath.join(".", "c.yaml") == "c.yaml")
        #expect(FilePath.join("a", "/c.yaml") == "/c.yaml")
    }

    @Test func `a path below a folder whose name has letters outside ASCII keeps all of its own letters`() {
        #expect(FilePath.short("/home/jürgen/models/a.yaml", below: "/home/jürgen") == "models/a.yaml")
        #expect(FilePath.short("/home/anna/models/a.yaml", below: "/home/anna") == "models/a.yaml")
        #expect(FilePath.short("/home/anna/a.yaml", below: "/home/an") == "/home/anna/a.yaml")
    }

    @Test func `entries are sorted and a folder that is none has none`() throws {
        let folder = try TemporaryFolder()
        for name in ["b", "a", "c"] { try folder.write(name, "") }
        try folder.makeFolder("d")
        #expect(directoryEntries(folder.path) == ["a", "b", "c", "d"])
        #expect(directoryEntries(folder.path + "/none").isEmpty)
        #expect(isDirectory(folder.path + "/d") && !isDirectory(folder.path + "/a"))
        #expect(FilePath.exists(folder.path + "/a") && !FilePath.exists(folder.path + "/e"))
    }
}
