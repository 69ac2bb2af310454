// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing

/// An independent reader in Python (`Tests/Reference`) recomputes every number of finished experiments from their rows.
@Suite(.serialized) struct ReferenceTests {
    private static let folder = Laboratory.package.appendingPathComponent("Tests/Reference")

    /// The experiments beside the reader, by file name without its ending.
    private static var experiments: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent("experiments").path)
                .filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }.sorted()
        }
    }

    @Test func `the reader's own arithmetic agrees with printed tables`() throws {
        let ending = try python(["-m", "unittest", "discover", "-s", Self.folder.path], Laboratory())
        #expect(ending.code == 0, "\(ending.out)\(ending.talk)")
        #expect(ending.talk.contains("\nOK"), "\(ending.talk)")
    }

    @Test func `every metric, mean and comparison follows from the row tables`() throws {
        let laboratory = try Laboratory()
        let metrics = try laboratory.run("list", "metrics")
        #expect(metrics.code == 0)
        try metrics.out.write(
            to: laboratory.folder.appendingPathComponent("metrics.txt"), atomically: true, encoding: .utf8)
        let names = try Self.experiments
        #expect(names.count >= 4)
        for name in names {
            let file = Self.folder.appendingPathComponent("experiments/\(name).yaml").path
            let run = try laboratory.run("run", file, "-o", name, "--quiet")
            #expect(run.code == 0, "\(run.talk)")
        }
        let reader = Self.folder.appendingPathComponent("reference.py").path
        let ending = try python([reader, "metrics.txt"] + names, laboratory)
        #expect(ending.code == 0, "\(ending.out)\(ending.talk)")
        // Every run has some hundred metrics, and some thousand sums besides.
        let checked = try #require(Int(ending.out.split(separator: "\n").last?.split(separator: " ").first ?? ""))
        #expect(checked > 100_000)
    }

    /// Runs Python; a system without it fails the test, for nothing else looks at these numbers.
    private func python(_ words: [String], _ laboratory: Laboratory) throws -> Laboratory.Ending {
        try laboratory.start(["python3", "-B"] + words, program: "/usr/bin/env").ending()
    }
}
