// SPDX-License-Identifier: GPL-3.0-or-later
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
        var files = FileSet(directory: folder.path) {
            left -= 1
            if left < 0 { throw Killed() }
        }
        try files.write("a.csv", Array("new a".utf8))
        try files.write("c.csv", Array("new c".utf8))
        let aside = FilePath.exists(folder.path + "/b.csv") ? ["b.csv"] : []
        files.moveAside("b.csv")
        do {
            #expect(try files.commit() == aside)
            return true
        } catch is Killed {
            return false
        }
    }

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
                var files = FileSet(directory: folder.path)
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
        #expect(directoryEntries(folder.path + "/tables") == ["a.csv", "c.csv"])
    }

    @Test func `a table that was replaced by hand is seen until the switch, and then the new one`() throws {
        let folder = try TemporaryFolder()
        var files = FileSet(directory: folder.path)
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
        #expect(throws: FileError.self) { _ = try rewrite(folder) }
        #expect(try readFile(folder.path + "/a.csv") == Array("old a".utf8))
        #expect(try readFile(folder.path + "/b.csv") == Array("old b".utf8))
    }
}
