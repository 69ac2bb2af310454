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
        let ending = try run("python3", ["-B", "-m", "unittest", "discover", "-s", Self.folder.path], Laboratory())
        #expect(ending.code == 0 && ending.out.contains("\nOK"), "\(ending.out)")
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
            let ending = try run(Laboratory.program("flotsam"), ["run", file, "-o", name, "--quiet"], laboratory)
            #expect(ending.code == 0, "\(ending.out)")
        }
        let reader = Self.folder.appendingPathComponent("reference.py").path
        // A system without Python fails here, for nothing else looks at these numbers.
        let ending = try run("python3", ["-B", reader, "metrics.txt"] + names, laboratory)
        #expect(ending.code == 0, "\(ending.out)")
        // Every run has some hundred metrics, and some thousand sums besides.
        let checked = try #require(Int(ending.out.split(separator: "\n").last?.split(separator: " ").first ?? ""))
        #expect(checked > 100_000)
    }

    /// Runs a program in the folder of a laboratory, all that it prints on one stream.
    private func run(_ program: String, _ words: [String], _ laboratory: Laboratory) throws -> Laboratory.Ending {
        try laboratory.start(["-c", "exec \"$0\" \"$@\" 2>&1", program] + words, program: "/bin/bash").ending()
    }
}
