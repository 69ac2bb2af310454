// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import TestSupport
import Testing

/// The sources as text: what a reader trips over and a compiler does not see.
@Suite struct TidyTests {
    static let widest = 120
    static let longestFile = 400
    /// Files that pages tell their readers to make.
    static let examples: Set<String> = ["experiments/mine.yaml"]

    /// Words of a dialect, with what the field says instead.
    static let stopWords: Set<String> = [
        "place",  // index, slot, position, rank, location
        "wish",  // request
        "errand",  // timer
        "bury", "buries", "buried",  // reap
        "bystander", "bystanders",  // other process
        "talk", "talks",  // diagnostics, standard error
        "he", "him", "his", "himself", "she", "her",  // they
    ]

    /// Functions named so could do anything.
    static let vagueFunctions: Set<String> = ["take", "settle", "note", "go", "tell"]

    static let files = Result { () throws -> [SourceFile] in
        let tests = try SourceTree.files(below: "Tests").filter { !$0.path.contains("TidyTests/") }
        return try SourceTree.files(below: "Sources") + tests
    }

    @Test func `a check that fails says why in a release build, too`() throws {
        for file in try Self.files.get() where file.path.hasPrefix("Sources/") {
            for (number, line) in file.lines.enumerated() {
                let code = line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line
                let isLost = Prose.identifiers(code).contains { $0.hasPrefix("precondition") }
                let told =
                    "\(file.path):\(number + 1): a release build drops the message; guard … else { fatalError(…) }"
                #expect(!isLost, "\(told)")
            }
        }
    }

    @Test func `no line is wider than 120 columns, comments and texts included`() throws {
        var found: [String: [String]] = [:]
        for file in try Self.files.get() {
            for (number, line) in file.lines.enumerated() where line.utf8.count > Self.widest {
                if line.count <= Self.widest { continue }
                found[file.path, default: []].append("line \(number + 1) with \(line.count)")
            }
        }
        try Baseline("long-lines").check(found, "lines over \(Self.widest) columns")
    }

    @Test func `no file is longer than a reader's patience`() throws {
        for file in try Self.files.get() {
            #expect(file.lines.count <= Self.longestFile, "\(file.path) has \(file.lines.count) lines")
        }
    }

    @Test func `no test looks at a clock, which tells of the machine and its load`() throws {
        let clocks = ["ContinuousClock", "SuspendingClock", "timeLimit(", "clock_gettime", "DispatchTime", "Date()"]
        for file in try Self.files.get() where file.path.hasPrefix("Tests/") {
            for (number, line) in file.lines.enumerated() {
                let found = clocks.first { line.contains($0) }
                #expect(found == nil, "\(file.path):\(number + 1): \(found ?? "")")
            }
        }
    }

    @Test func `no word is of a dialect that only its makers speak`() throws {
        var found: [String: [String]] = [:]
        for file in try Self.files.get() {
            for (number, line) in file.lines.enumerated() {
                found[file.path, default: []] += Self.dialect(line).map { "line \(number + 1): \($0)" }
            }
        }
        try Baseline("words").check(found.filter { !$0.value.isEmpty }, "words of the stop list")
    }

    @Test func `every document that is cited is in the repository`() throws {
        var found: [String: [String]] = [:]
        for file in try Self.files.get() {
            for (number, line) in file.lines.enumerated() {
                // A path in a text may be one that the user is to make; one in a comment is for the reader.
                let comment = line.firstRange(of: "//").map { line[$0.upperBound...] } ?? ""
                let missing = Citations.unknownSheets(line) + Citations.paths(comment).filter { !Citations.exists($0) }
                found[file.path, default: []] += missing.map { "line \(number + 1): \($0)" }
            }
        }
        try Baseline("citations").check(found.filter { !$0.value.isEmpty }, "citations of what a reader does not have")
    }

    @Test func `every path that a page names leads somewhere`() throws {
        for name in try Self.pages() {
            for (number, line) in try SourceTree.text(name).split(separator: "\n", omittingEmptySubsequences: false)
                .enumerated()
            {
                for path in Citations.paths(line) where !Self.examples.contains(path) {
                    #expect(Citations.exists(path), "\(name):\(number + 1): \(path)")
                }
            }
        }
    }

    @Test func `every source file names its licence in its first line`() throws {
        for file in try Self.files.get() {
            #expect(file.lines.first == "// SPDX-License-Identifier: GPL-3.0-or-later", "\(file.path)")
        }
    }

    /// The words of a line that are on the list, and its functions that are vague.
    static func dialect(_ line: Substring) -> [String] {
        let words = Prose.words(line)
        var found = words.filter(stopWords.contains)
        if line.contains("last words") || line.contains("astWords") { found.append("last words") }
        let names = Prose.identifiers(line)
        for (first, second) in zip(names, names.dropFirst()) where first == "func" && vagueFunctions.contains(second) {
            found.append("func " + second)
        }
        return found
    }

    private static func pages() throws -> [String] {
        let folders = ["docs", "Benchmarks", "models", "plots"]
        let below = try folders.flatMap { folder in
            try FileManager.default.subpathsOfDirectory(atPath: SourceTree.root.appending(path: folder).path())
                .map { folder + "/" + $0 }
        }
        let top = try FileManager.default.contentsOfDirectory(atPath: SourceTree.root.path())
        return (top + below).filter { $0.hasSuffix(".md") && !$0.contains("/.") }.sorted()
    }
}
