// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing

/// Mistakes that people make, each with the whole of what they are told: the table is `Mistakes/mistakes.txt`.
///
/// A block begins with `== title`. `edit A => B` changes the small experiment of `Laboratory`, `file NAME TEXT` writes
/// one beside it; `\n` and `\t` stand for themselves. Below the command, `$ …`, stands `exit N` and what it prints.
/// `FLOTSAM_UPDATE_MISTAKES=1 swift test --filter MistakeTests` writes what is printed now: read the difference.
@Suite(.serialized) struct MistakeTests {
    struct Mistake {
        var title: String
        var preparation: [String] = []
        var command = ""
        var expected: [String] = []
    }

    private static let table = Laboratory.package.appending(path: "Tests/EndToEndTests/Mistakes/mistakes.txt")

    static func mistakes() throws -> [Mistake] {
        var found: [Mistake] = []
        let text = try String(contentsOf: table, encoding: .utf8)
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            if line.hasPrefix("== ") {
                found.append(Mistake(title: String(line.dropFirst(3))))
            } else if found.isEmpty {
                continue
            } else if line.hasPrefix("$ ") {
                found[found.count - 1].command = String(line.dropFirst(2))
            } else if found[found.count - 1].command.isEmpty {
                found[found.count - 1].preparation.append(line)
            } else {
                found[found.count - 1].expected.append(line)
            }
        }
        for index in found.indices { while found[index].expected.last == "" { found[index].expected.removeLast() } }
        return found
    }

    @Test func `each mistake is answered with exactly these words`() throws {
        let mistakes = try Self.mistakes()
        #expect(mistakes.count >= 80)
        #expect(Set(mistakes.map(\.title)).count == mistakes.count)
        var text = ""
        for mistake in mistakes {
            let printed = try Self.answer(mistake)
            let block = ["== \(mistake.title)"] + mistake.preparation + ["$ \(mistake.command)"] + printed
            text += block.joined(separator: "\n") + "\n\n"
            guard ProcessInfo.processInfo.environment["FLOTSAM_UPDATE_MISTAKES"] == nil else { continue }
            #expect(printed == mistake.expected, "\(mistake.title):\n\(printed.joined(separator: "\n"))")
        }
        if ProcessInfo.processInfo.environment["FLOTSAM_UPDATE_MISTAKES"] != nil {
            try text.write(to: Self.table, atomically: true, encoding: .utf8)
        }
    }

    @Test func `no answer is in the words of a parser, and all but warnings end with a usage error`() throws {
        let jargon = ["mapping", "scalar", "sequence", "context", "token", "simple key", "block", "did not find"]
        for mistake in try Self.mistakes() {
            let answer = mistake.expected.joined(separator: "\n")
            for word in jargon { #expect(!answer.contains(word), "\(mistake.title): \(word)") }
            #expect(answer.hasPrefix("exit 1") != mistake.title.contains("a warning"), "\(mistake.title)")
            // Five names at most: a hint fits on a line.
            for line in mistake.expected { #expect(line.count <= 200, "\(mistake.title): \(line)") }
        }
    }

    /// The exit code and what is printed, errors first.
    private static func answer(_ mistake: Mistake) throws -> [String] {
        let laboratory = try Laboratory()
        try laboratory.write(replications: 10)
        try laboratory.link("models")
        func plain(_ text: Substring) -> String {
            String(text).replacing("\\n", with: "\n").replacing("\\t", with: "\t")
        }
        for line in mistake.preparation {
            let words = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
            if words[0] == "edit" {
                let parts = plain(words[1]).components(separatedBy: " => ")
                let text = try laboratory.text("small.yaml")
                #expect(text.contains(parts[0]), "\(mistake.title): nothing to edit")
                try text.replacing(parts[0], with: parts[1], maxReplacements: 1).write(
                    to: laboratory.folder.appending(path: "small.yaml"), atomically: true, encoding: .utf8)
            } else if words[0] == "file" {
                let parts = words[1].split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
                try plain(parts.count > 1 ? parts[1] : "").write(
                    to: laboratory.folder.appending(path: String(parts[0])), atomically: true, encoding: .utf8)
            }
        }
        let ending = try laboratory.shell(mistake.command)
        let text = ending.errors + ending.out
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        while lines.last == "" { lines.removeLast() }
        return ["exit \(ending.code)"] + lines
    }
}
