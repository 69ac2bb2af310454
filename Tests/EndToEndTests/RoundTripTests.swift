// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing

/// A generated workload that is written down and replayed is the run that it was written for, whether what servers
/// send is drawn anew from the same seed or was written down as well (`--arrivals`).
@Suite(.serialized) struct RoundTripTests {
    /// What identifies a run's workload and its events.
    private static let marks = ["workload_fingerprint", "fingerprint"]

    private struct Case: CustomTestStringConvertible {
        let persona: String
        let days: Int
        let seeds: ClosedRange<Int>
        var testDescription: String { "\(persona), \(days) days, seeds \(seeds.lowerBound) to \(seeds.upperBound)" }
    }

    /// 32 in all: a week of every persona, and many short stretches of those who are up at midnight.
    private static let cases =
        ["average", "commuter", "gamer", "heavy", "light", "night-shift"].map {
            Case(persona: $0, days: 7, seeds: 1...2)
        } + ["average", "heavy"].map { Case(persona: $0, days: 3, seeds: 11...20) }

    private func marks(of folder: String, in laboratory: Laboratory) throws -> [String] {
        let lines = try laboratory.text("\(folder)/runs.csv").split(separator: "\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        let header = try #require(lines.first)
        let columns = try Self.marks.map { try #require(header.firstIndex(of: $0)) }
        return lines.dropFirst().flatMap { line in columns.map { line[$0] } }
    }

    @Test(arguments: cases)
    private func `generated, run, exported and replayed: every fingerprint is the same`(_ tried: Case) throws {
        let laboratory = try Laboratory()
        try laboratory.write(replications: 1, duration: "\(tried.days) d", tables: "[runs]")
        var crossing = 0
        for seed in tried.seeds {
            let made = try laboratory.run(
                "data", "workload", "generate", "--persona", tried.persona, "--days", "\(tried.days)", "--seed",
                "\(seed)",
                "--apps", "60", "--start", "2026-03-02", "--force", "-o", "w.csv")
            #expect(made.code == 0, "\(made.errors)")
            let rows = try laboratory.text("w.csv").split(separator: "\n").filter {
                $0.contains(",unlock,") || $0.contains(",lock,")
            }
            if let last = rows.last, last.contains(",unlock,") { crossing += 1 }
            var users = [
                ("drawn-\(seed)", "{persona: \(tried.persona)}"),
                ("replayed-\(seed)", "{trace: w.csv, persona: \(tried.persona)}"),
            ]
            if seed == tried.seeds.lowerBound {
                let whole = try laboratory.run(
                    "data", "workload", "generate", "--persona", tried.persona, "--days", "\(tried.days)", "--seed",
                    "\(seed)",
                    "--apps", "60", "--start", "2026-03-02", "--arrivals", "-o", "whole.csv")
                #expect(whole.code == 0, "\(whole.errors)")
                users.append(("whole-\(seed)", "{trace: whole.csv, persona: \(tried.persona)}"))
            }
            for (folder, user) in users {
                let ending = try laboratory.run(
                    "run", "small.yaml", "--set", "user=\(user)", "--set", "seed=\(seed)", "-o", folder, "--quiet")
                #expect(ending.code == 0, "\(ending.errors)")
            }
            let drawn = try marks(of: "drawn-\(seed)", in: laboratory)
            #expect(drawn.count == 4 && Set(drawn.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)).count == 1)
            for (folder, _) in users { #expect(try marks(of: folder, in: laboratory) == drawn, "\(folder)") }
        }
        // The case that once went wrong is there to be seen.
        if tried.seeds.count == 10 { #expect(crossing >= 1, "\(crossing) sessions over the last midnight") }
    }
}
