// SPDX-License-Identifier: GPL-3.0-or-later
import Files
import Foundation
import TestSupport
import Testing

/// Counts that may only fall, kept beside the tests: one line `path count` each, in the order of the paths.
///
/// A file that has more than its line says fails, and so does one that has less, so that the line follows.
/// `FLOTSAM_UPDATE_TIDY=1 swift test --filter TidyTests` writes the present counts; a reviewer sees which way they
/// went.
struct Baseline {
    let name: String
    private let counts: [String: Int]

    init(_ name: String) throws {
        self.name = name
        var counts: [String: Int] = [:]
        let text = (try? SourceTree.text(Self.path(name))) ?? ""
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let words = line.split(separator: " ")
            counts[String(words[0])] = try #require(words.count == 2 ? Int(words[1]) : nil, "\(name): \(line)")
        }
        self.counts = counts
    }

    private static func path(_ name: String) -> String { "Tests/TidyTests/baselines/\(name).txt" }

    /// Holds what was found, with an example line for each file, to the counts.
    func check(_ found: [String: [String]], _ what: String) throws {
        if FilePath.environment("FLOTSAM_UPDATE_TIDY") != nil { return try write(found.mapValues(\.count)) }
        for (path, examples) in found.sorted(by: { $0.key < $1.key }) where examples.count > counts[path, default: 0] {
            Issue.record(
                """
                \(path) has \(examples.count) \(what), \(counts[path, default: 0]) are known; for instance \
                \(examples.suffix(3).joined(separator: "; "))
                """)
        }
        for (path, known) in counts.sorted(by: { $0.key < $1.key }) {
            let count = found[path, default: []].count
            if count < known { Issue.record("\(path) has \(count) \(what), fewer than \(known): lower \(name).txt") }
        }
    }

    private func write(_ found: [String: Int]) throws {
        let lines = found.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)\n" }
        let head = "# Counts that may only fall; see Baseline.swift.\n"
        try replaceFile(SourceTree.root.path() + Self.path(name), with: head + lines.joined())
    }
}
