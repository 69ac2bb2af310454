// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import TestSupport
import Testing

/// `docs/evidence/matrix.md`: each row names a feature, whether Flotsam has it, and what shows it.
@Suite struct MatrixTests {
    /// Number, feature, whether Flotsam has it, and the command, of each row.
    private static var rows: [[String]] {
        get throws {
            try SourceTree.text("docs/evidence/matrix.md").split(separator: "\n").compactMap { line in
                let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
                return cells.first.flatMap { Int($0) } == nil ? nil : cells
            }
        }
    }

    @Test func `the matrix has its 48 rows, and counts the features that Flotsam has`() throws {
        let rows = try Self.rows
        #expect(rows.compactMap { Int($0[0]) } == Array(1...48))
        func count(_ word: String) -> Int { rows.count { $0.count > 3 && $0[2] == word } }
        let counts = [count("yes"), count("in part"), count("no")]
        #expect(counts.reduce(0, +) == 48, "each row says yes, in part or no")
        let sentence = "has \(counts[0]) of the 48 features, \(counts[1]) in part, and lacks \(counts[2])."
        #expect(try SourceTree.text("docs/evidence/matrix.md").contains(sentence), "\(sentence)")
    }

    @Test func `every row names a command, a table or a key, and every command is one of the program's`() throws {
        let usage = try SourceTree.text("docs/reference/commands.md")
        for row in try Self.rows {
            let parts = row[3].split(separator: "`", omittingEmptySubsequences: false)
            let quoted = parts.enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
            #expect(!quoted.isEmpty, "row \(row[0]) names nothing to type or to open")
            for words in quoted.map({ $0.split(separator: " ") }) where words.first == "flotsam" {
                let verb = words.dropFirst().first ?? "?"
                #expect(usage.contains("`flotsam \(verb) ") || usage.contains("`\(verb) "), "row \(row[0]): \(words)")
            }
        }
    }
}
