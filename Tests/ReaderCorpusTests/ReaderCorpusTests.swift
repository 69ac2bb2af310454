// SPDX-License-Identifier: GPL-3.0-or-later
import Files
import ReaderFuzzing
import Testing

/// What `make fuzz-coverage` found worth keeping, handed to its readers again: none of it ends the process.
///
/// One after the other, for readers of paths share a folder.
@Suite(.serialized) struct ReaderCorpusTests {
    @Test(arguments: ReaderTarget.all.map(\.name))
    func `what each reader is begun with and what was kept of it is read or refused`(name: String) throws {
        let target = try #require(ReaderTarget.all.first { $0.name == name })
        let seeds = try target.seeds()
        #expect(!seeds.isEmpty)
        let kept = directoryEntries(target.corpus).map { target.corpus + "/" + $0 }
        #expect(kept.count >= 3)
        let answers = try (seeds + kept.map { try readFile($0) }).map { target.read($0) }
        // A reader that refuses everything would be looked at from outside only.
        #expect(answers.contains(nil), "\(answers.first ?? nil ?? "")")
        #expect(!answers.contains(""))
    }

    @Test func `the corpus stays small`() throws {
        var bytes = 0
        for target in ReaderTarget.all {
            for name in directoryEntries(target.corpus) { bytes += try readFile(target.corpus + "/" + name).count }
        }
        #expect(bytes < 300_000)
    }
}
