// SPDX-License-Identifier: GPL-3.0-or-later
import Files
import Recording
import TestSupport
import Testing

@testable import Experiments

/// Folders laid out by hand as gitrepository-layout(5) says.
@Suite struct SourceCommitTests {
    private static let one = String(repeating: "0123456789abcdef", count: 4).prefix(40).description
    private static let other = String(repeating: "fedcba98", count: 5)

    private func write(_ text: String, _ folder: TemporaryFolder, _ name: String) throws {
        let path = folder.path + "/" + name
        try createDirectory(FilePath.folder(of: path))
        try replaceFile(path) { file in try file.write(Array(text.utf8)) }
    }

    /// The commit around an experiment two folders deep.
    private func commit(_ files: [String: String]) throws -> String? {
        let folder = try TemporaryFolder()
        try write("name: x\n", folder, "experiments/mine/x.yaml")
        for (name, text) in files.sorted(by: { $0.key < $1.key }) { try write(text, folder, name) }
        return SourceCommit.around(folder.path + "/experiments/mine/x.yaml")
    }

    @Test func `a branch, a commit of its own and a packed branch are found`() throws {
        let (one, other) = (Self.one, Self.other)
        #expect(
            try commit([".git/HEAD": "ref: refs/heads/main\n", ".git/refs/heads/main": one + "\n"]) == one)
        #expect(try commit([".git/HEAD": other + "\n"]) == other)
        let packed = "# pack-refs with: peeled\n\(one) refs/heads/old\n\(other) refs/heads/main\n^\(one)\n"
        #expect(try commit([".git/HEAD": "ref: refs/heads/main\n", ".git/packed-refs": packed]) == other)
        // A branch that was moved since stands in its own file.
        #expect(
            try commit([
                ".git/HEAD": "ref: refs/heads/main\n", ".git/packed-refs": packed, ".git/refs/heads/main": one,
            ]) == one)
    }

    @Test func `a linked work tree has its own head and the branches of the main one`() throws {
        let files = [
            ".git": "gitdir: main/.git/worktrees/side\n", "main/.git/worktrees/side/HEAD": "ref: refs/heads/side\n",
            "main/.git/worktrees/side/commondir": "../..\n", "main/.git/refs/heads/side": Self.one + "\n",
            "main/.git/HEAD": Self.other,
        ]
        #expect(try commit(files) == Self.one)
    }

    @Test func `where there is no commit none is named`() throws {
        #expect(try commit([".git/HEAD": "ref: refs/heads/main\n"]) == nil)
        #expect(try commit([".git/HEAD": "no commit\n"]) == nil)
        #expect(try commit([".git": "something else\n"]) == nil)
        #expect(SourceCommit.around("/no/such/file") == nil)
    }
}
