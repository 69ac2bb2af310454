// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Files
import Glibc
import TestSupport
import Testing

@testable import Experiments

@Suite struct FileSetTests {
    private struct Killed: Error {}

    /// What a reader sees under each name; nil where there is nothing.
    private func seen(_ folder: TemporaryFolder) -> [String: String] {
        var found: [String: String] = [:]
        for name in ["a.csv", "b.csv", "c.csv"] {
            found[name] = (try? readFile(folder.path + "/" + name)).map { String(decoding: $0, as: UTF8.self) }
        }
        return found
    }

    /// Writes `a` and `c` anew and puts `b` aside; ends after so many steps.
    /// - Returns: Whether it came to its end.
    private func rewrite(_ folder: TemporaryFolder, steps: Int = .max) throws -> Bool {
        var left = steps
        var files = try FileSet(in: Folder(folder.path), known: known) {
            left -= 1
            if left < 0 { throw Killed() }
        }
        try files.write("a.csv", Array("new a".utf8))
        try files.write("c.csv", Array("new c".utf8))
        let aside = FilePath.exists(folder.path + "/b.csv") ? ["b.csv"] : []
        try files.moveAside("b.csv")
        do {
            #expect(try files.commit().outdated == aside)
            return true
        } catch is Killed {
            return false
        }
    }

    private let known: Set = ["a.csv", "b.csv", "c.csv", ".checksums"]
    private let old = ["a.csv": "old a", "b.csv": "old b"]
    private let new = ["a.csv": "new a", "c.csv": "new c"]

    @Test(arguments: [false, true])
    func `a writing that ends after any step leaves all of the old or all of the new`(isPlain: Bool) throws {
        var ends: [Bool] = []
        for steps in 0..<20 {
            let folder = try TemporaryFolder()
            if isPlain {
                // As an earlier version left them.
                for (name, text) in old { try replaceFile(folder.path + "/" + name, with: text) }
            } else {
                var files = try FileSet(in: Folder(folder.path), known: known)
                for (name, text) in old.sorted(by: { $0.key < $1.key }) { try files.write(name, Array(text.utf8)) }
                _ = try files.commit()
            }
            #expect(seen(folder) == old)
            let isWhole = try rewrite(folder, steps: steps)
            let found = seen(folder)
            #expect(found == old || found == new, "after \(steps) steps")
            ends.append(found == new)
            if isWhole { break }
            // The next writing goes on from whatever the first one left.
            #expect(try rewrite(folder))
            #expect(seen(folder) == new)
        }
        #expect(ends.first == false)
        #expect(ends.last == true)
        #expect(ends == ends.sorted { !$0 && $1 })
    }

    @Test func `what is put aside is kept, and generations that nobody sees are gone`() throws {
        let folder = try TemporaryFolder()
        for (name, text) in old { try replaceFile(folder.path + "/" + name, with: text) }
        #expect(try rewrite(folder))
        #expect(try readFile(folder.path + "/earlier/b.csv") == Array("old b".utf8))
        let generations = directoryEntries(folder.path + "/generations")
        #expect(generations.count == 1)
        #expect(FilePath.link(at: folder.path + "/tables") == "generations/\(generations[0])")
        #expect(directoryEntries(folder.path) == ["a.csv", "c.csv", "earlier", "generations", "tables"])
        #expect(directoryEntries(folder.path + "/tables") == [".checksums", "a.csv", "c.csv"])
    }

    @Test func `a table that was replaced by hand is seen until the switch, and then the new one`() throws {
        let folder = try TemporaryFolder()
        var files = try FileSet(in: Folder(folder.path), known: known)
        for (name, text) in old.sorted(by: { $0.key < $1.key }) { try files.write(name, Array(text.utf8)) }
        _ = try files.commit()
        unlink(folder.path + "/a.csv")
        try replaceFile(folder.path + "/a.csv", with: "by hand")
        #expect(try !rewrite(folder, steps: 2))
        #expect(seen(folder) == ["a.csv": "by hand", "b.csv": "old b"])
        #expect(try rewrite(folder))
        #expect(seen(folder) == new)
    }

    @Test func `a writing that cannot be done changes nothing and leaves nothing`() throws {
        let folder = try TemporaryFolder()
        for (name, text) in old { try replaceFile(folder.path + "/" + name, with: text) }
        try createDirectory(folder.path + "/c.csv")
        #expect(throws: Diagnostics.self) { _ = try rewrite(folder) }
        #expect(try readFile(folder.path + "/a.csv") == Array("old a".utf8))
        #expect(try readFile(folder.path + "/b.csv") == Array("old b".utf8))
        #expect(directoryEntries(folder.path) == ["a.csv", "b.csv", "c.csv"])
    }

    /// Writes `a` with a text, and says what that moved aside.
    private func write(_ text: String, _ folder: TemporaryFolder) throws -> FileSet.Aside {
        var files = try FileSet(in: Folder(folder.path), known: known)
        try files.write("a.csv", Array(text.utf8))
        return try files.commit()
    }

    @Test func `a table that somebody changed goes to earlier, each under a name of its own`() throws {
        let folder = try TemporaryFolder()
        #expect(try write("1", folder) == FileSet.Aside())
        #expect(try write("2", folder) == FileSet.Aside())
        // As through the link; then replaced by a file of their own; then a file that is the same.
        try OutputFile(existing: folder.path + "/a.csv").write(Array("my second".utf8))
        #expect(try write("3", folder).changed == ["a.csv"])
        unlink(folder.path + "/a.csv")
        try folder.write("a.csv", "my third")
        #expect(try write("4", folder).changed == ["a.2.csv"])
        unlink(folder.path + "/a.csv")
        try folder.write("a.csv", "4")
        #expect(try write("5", folder) == FileSet.Aside())
        #expect(directoryEntries(folder.path + "/earlier") == ["a.2.csv", "a.csv"])
        #expect(try readFile(folder.path + "/earlier/a.csv") == Array("my second".utf8))
        #expect(try readFile(folder.path + "/earlier/a.2.csv") == Array("my third".utf8))
        #expect(try readFile(folder.path + "/a.csv") == Array("5".utf8))
        #expect(directoryEntries(folder.path + "/generations").count == 1)
    }

    @Test func `a file in earlier is never replaced`() throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("earlier")
        try folder.write("earlier/b.csv", "older")
        for (name, text) in old { try folder.write(name, text) }
        var files = try FileSet(in: Folder(folder.path), known: known)
        try files.write("a.csv", Array("new".utf8))
        try files.moveAside("b.csv")
        #expect(try files.commit() == FileSet.Aside(outdated: ["b.2.csv"], changed: ["a.csv"]))
        #expect(try readFile(folder.path + "/earlier/b.csv") == Array("older".utf8))
        #expect(try readFile(folder.path + "/earlier/b.2.csv") == Array("old b".utf8))
    }

    @Test func `of other generations only files of tables go, and nothing that a link leads to`() throws {
        let folder = try TemporaryFolder()
        _ = try write("1", folder)
        for name in ["7", "8.adopted", "notes", "07"] {
            try folder.makeFolder("generations/\(name)")
            try folder.write("generations/\(name)/a.csv", "a table")
        }
        try folder.write("generations/7/thesis.txt", "years of work")
        try folder.makeFolder("documents")
        try folder.write("documents/a.csv", "mine")
        symlink("../documents", folder.path + "/generations/9")
        try folder.write("generations/9223372036854775807", "no number of ours")
        _ = try write("2", folder)
        #expect(
            directoryEntries(folder.path + "/generations")
                == ["07", "10", "7", "9", "9223372036854775807", "notes"])
        #expect(directoryEntries(folder.path + "/generations/7") == ["thesis.txt"])
        #expect(directoryEntries(folder.path + "/generations/notes") == ["a.csv"])
        #expect(directoryEntries(folder.path + "/documents") == ["a.csv"])
        #expect(FilePath.link(at: folder.path + "/tables") == "generations/10")
    }

    @Test func `the last number of a generation is said to be, and nothing is written`() throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("generations/999999999")
        let problem = try #require(throws: Diagnostics.self) { try write("1", folder) }
        #expect(problem.description.contains("holds number 999999999, the last that there is"))
        #expect(problem.description.contains("move what has that number away"))
    }

    @Test(arguments: [
        ("generations", "documents"), ("earlier", "documents"), ("segments", "documents"),
        ("manifest.json", "documents/a.csv"), ("plan.jsonl", "documents/a.csv"), ("a.csv", "documents/a.csv"),
        ("a.csv", "tables/c.csv"), ("tables", "documents"), ("tables", "generations/../documents"),
        ("tables", "generations/1/"), ("tables", "/generations/1"), ("tables", "generations/99999999999"),
    ])
    func `a link that the program does not make is refused, and what it leads to stays`(
        name: String, target: String
    ) throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("documents/1")
        try folder.write("documents/a.csv", "mine")
        try folder.write("documents/1/a.csv", "mine")
        symlink(target, folder.path + "/" + name)
        let problem = try #require(throws: Diagnostics.self) { try write("1", folder) }
        #expect(problem.description.contains("\(folder.path)/\(name) is a symbolic link"), "\(problem)")
        #expect(problem.description.contains("move it away"), "\(problem)")
        #expect(directoryEntries(folder.path) == ["documents", name].sorted())
        #expect(try readFile(folder.path + "/documents/a.csv") == Array("mine".utf8))
        #expect(directoryEntries(folder.path + "/documents/1") == ["a.csv"])
    }

    @Test(arguments: ["tables", "a.csv", "manifest.json", "generations", "segments"])
    func `what waits for a writer is refused at once`(name: String) throws {
        let folder = try TemporaryFolder()
        mkfifo(folder.path + "/" + name, 0o600)
        let problem = try #require(throws: Diagnostics.self) { try write("1", folder) }
        #expect(problem.description.contains("\(folder.path)/\(name) is no regular file"), "\(problem)")
        #expect(directoryEntries(folder.path) == [name])
    }
}
