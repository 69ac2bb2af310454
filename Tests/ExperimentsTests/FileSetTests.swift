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
        files.moveAside("b.csv")
        do {
            #expect(try files.commit().outdated == aside)
            return true
        } catch is Killed {
            return false
        }
    }

    private let known: Set = ["a.csv", "b.csv", "c.csv"]
    private let old = ["a.csv": "old a", "b.csv": "old b"]
    private let new = ["a.csv": "new a", "c.csv": "new c"]

    @Test(arguments: [false, true])
    func `a writing that ends after any step is done, or undone, by the next opening`(isPlain: Bool) throws {
        var ends: [Bool] = []
        for steps in 0..<20 {
            let folder = try TemporaryFolder()
            if isPlain {
                // Of which no hash is known, as somebody put them there.
                for (name, text) in old { try replaceFile(folder.path + "/" + name, with: text) }
            } else {
                var files = try FileSet(in: Folder(folder.path), known: known)
                for (name, text) in old.sorted(by: { $0.key < $1.key }) { try files.write(name, Array(text.utf8)) }
                _ = try files.commit()
            }
            #expect(seen(folder) == old)
            let isWhole = try rewrite(folder, steps: steps)
            let aside = try FileSet.finish(in: Folder(folder.path), known: known)
            let found = seen(folder)
            #expect(found == old || found == new, "after \(steps) steps")
            ends.append(found == new)
            // Nothing is lost: what is no longer written, and what may be the user's.
            if found == new {
                #expect(try readFile(folder.path + "/earlier/b.csv") == Array("old b".utf8))
                #expect(FilePath.exists(folder.path + "/earlier/a.csv") == isPlain)
                #expect(directoryEntries(folder.path + "/unfinished").isEmpty)
            }
            if isWhole {
                #expect(aside == FileSet.Aside())
                break
            }
            // The next writing goes on from there, and takes nothing for the user's that is not.
            #expect(try rewrite(folder))
            #expect(seen(folder) == new)
            #expect(directoryEntries(folder.path + "/earlier") == (isPlain ? ["a.csv", "b.csv"] : ["b.csv"]))
        }
        #expect(ends.first == false)
        #expect(ends.count > 5)
        #expect(ends.last == true)
        #expect(ends == ends.sorted { !$0 && $1 })
    }

    /// A folder whose exchange was ended before the first table was renamed.
    private func interrupted() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        var files = try FileSet(in: Folder(folder.path), known: known)
        for (name, text) in old.sorted(by: { $0.key < $1.key }) { try files.write(name, Array(text.utf8)) }
        _ = try files.commit()
        #expect(try !rewrite(folder, steps: 2))
        #expect(seen(folder) == old)
        #expect(directoryEntries(folder.path + "/unfinished") == [".checksums", "a.csv", "c.csv"])
        return folder
    }

    @Test func `a table that is edited while an exchange waits goes to earlier, and one that is there stays`() throws {
        let folder = try interrupted()
        try folder.write("a.csv", "mine")
        #expect(try FileSet.finish(in: Folder(folder.path), known: known).changed == ["a.csv"])
        #expect(seen(folder) == new)
        #expect(try readFile(folder.path + "/earlier/a.csv") == Array("mine".utf8))
        try folder.write("c.csv", "mine too")
        #expect(try FileSet.finish(in: Folder(folder.path), known: known) == FileSet.Aside())
        #expect(try readFile(folder.path + "/c.csv") == Array("mine too".utf8))
    }

    @Test func `a list moves no file that is not as it says, and none that is no table`() throws {
        let folder = try interrupted()
        try folder.write("unfinished/c.csv", "half")
        try folder.write("manifest.json", "whole")
        try folder.write("unfinished/manifest.json", "")
        let list = String(decoding: try readFile(folder.path + "/unfinished/.checksums"), as: UTF8.self)
        try folder.write("unfinished/.checksums", list + "cbf29ce484222325 manifest.json\ngone manifest.json\n")
        _ = try FileSet.finish(in: Folder(folder.path), known: known)
        #expect(seen(folder) == ["a.csv": "new a"])
        #expect(try readFile(folder.path + "/manifest.json") == Array("whole".utf8))
        #expect(directoryEntries(folder.path + "/unfinished") == ["manifest.json"])
    }

    @Test func `what is put aside is kept, and nothing is left unfinished`() throws {
        let folder = try TemporaryFolder()
        for (name, text) in old { try replaceFile(folder.path + "/" + name, with: text) }
        #expect(try rewrite(folder))
        #expect(try readFile(folder.path + "/earlier/b.csv") == Array("old b".utf8))
        #expect(directoryEntries(folder.path) == [".checksums", "a.csv", "c.csv", "earlier"])
        #expect(directoryEntries(folder.path).allSatisfy { FilePath.link(at: folder.path + "/" + $0) == nil })
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
        // Written over; then replaced by a file of their own; then a file that is the same.
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
        #expect(directoryEntries(folder.path) == [".checksums", "a.csv", "earlier"])
    }

    @Test func `a file in earlier is never replaced`() throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("earlier")
        try folder.write("earlier/b.csv", "older")
        for (name, text) in old { try folder.write(name, text) }
        var files = try FileSet(in: Folder(folder.path), known: known)
        try files.write("a.csv", Array("new".utf8))
        files.moveAside("b.csv")
        #expect(try files.commit() == FileSet.Aside(outdated: ["b.2.csv"], changed: ["a.csv"]))
        #expect(try readFile(folder.path + "/earlier/b.csv") == Array("older".utf8))
        #expect(try readFile(folder.path + "/earlier/b.2.csv") == Array("old b".utf8))
    }

    @Test func `of what is unfinished only tables go, and nothing that a link leads to`() throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("unfinished")
        try folder.write("unfinished/a.csv", "half")
        try folder.write("unfinished/thesis.txt", "years of work")
        try folder.makeFolder("documents")
        try folder.write("documents/a.csv", "mine")
        symlink("../documents/a.csv", folder.path + "/unfinished/b.csv")
        #expect(try write("1", folder) == FileSet.Aside())
        #expect(seen(folder) == ["a.csv": "1"])
        #expect(directoryEntries(folder.path + "/unfinished") == ["thesis.txt"])
        #expect(try readFile(folder.path + "/documents/a.csv") == Array("mine".utf8))
    }

    @Test func `a folder whose tables are links into generations is read, and not written to`() throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("generations/3")
        try folder.write("generations/3/a.csv", "3")
        symlink("generations/3", folder.path + "/tables")
        symlink("tables/a.csv", folder.path + "/a.csv")
        let home = try #require(try ResultLayout.home(of: "a.csv", in: Folder(folder.path)))
        #expect(home.path == folder.path + "/generations/3")
        let problem = try #require(throws: Diagnostics.self) { try write("1", folder) }
        #expect(problem.description.contains("are links into generations/3, made by an earlier version of flotsam"))
        #expect(problem.description.contains("name another directory with -o"))
        #expect(directoryEntries(folder.path) == ["a.csv", "generations", "tables"])
    }

    @Test(arguments: [
        ("unfinished", "documents"), ("earlier", "documents"), ("segments", "documents"),
        ("manifest.json", "documents/a.csv"), ("plan.jsonl", "documents/a.csv"), ("a.csv", "documents/a.csv"),
        ("a.csv", "tables/c.csv"), ("a.csv", "tables/a.csv"), (".checksums", "documents/a.csv"),
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
        #expect(problem.description.contains("\(folder.path)/\(name) must be "), "\(problem)")
        #expect(problem.description.contains("remove the link"), "\(problem)")
        #expect(directoryEntries(folder.path) == ["documents", name].sorted())
        #expect(try readFile(folder.path + "/documents/a.csv") == Array("mine".utf8))
        #expect(directoryEntries(folder.path + "/documents/1") == ["a.csv"])
    }

    @Test(arguments: [".checksums", "a.csv", "manifest.json", "unfinished", "segments"])
    func `what waits for a writer is refused at once`(name: String) throws {
        let folder = try TemporaryFolder()
        mkfifo(folder.path + "/" + name, 0o600)
        let problem = try #require(throws: Diagnostics.self) { try write("1", folder) }
        let kind = ["unfinished", "segments"].contains(name) ? "folder" : "file"
        let words = "\(folder.path)/\(name) must be a \(kind), but is not a regular file"
        #expect(problem.description.contains(words), "\(problem)")
        #expect(directoryEntries(folder.path) == [name])
    }
}
