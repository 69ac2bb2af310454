// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing

/// One verdict for each metric of a comparison, whether better, worse or neither, wherever it is written.
@Suite struct NeutralVerdictTests {
    private struct Row: Decodable {
        let metric: String
        let policy: String
        let verdict: String
        let differing: Int
        let without_value: Int
        let baseline_without_value: Int
    }

    private struct Comparison: Decodable {
        let comparisons: [Row]
        let cautions: [String]
    }

    private static let shown = [
        "resumes_per_day", "refreshes_per_day", "wifi_bytes_per_day", "kills_per_day", "policy_decided_kill_share",
        "prewarms_per_day", "restored_share", "charge_min_to_50",
    ]

    /// A finished comparison of six users.
    private static func results() throws -> Laboratory {
        let laboratory = try Laboratory()
        try laboratory.write(replications: 6, duration: "30 h", tables: "[runs]")
        let words = [
            "--set", "policies.scheduling=[opportunistic, never]",
            "--set", "metrics.shown=[\(shown.joined(separator: ", "))]",
        ]
        let ending = try laboratory.start(["run", "small.yaml", "-o", "out"] + words).ending()
        #expect(ending.code == 0, "\(ending.errors)")
        return laboratory
    }

    @Test func `terminal, CSV and JSON say the same of every metric`() throws {
        let laboratory = try Self.results()
        let answer = try laboratory.run("compare", "out", "--json").out
        let json = try JSONDecoder().decode(Comparison.self, from: Data(answer.utf8)).comparisons
        let lines = try laboratory.text("out/comparisons.csv").split(separator: "\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        let column = try #require(lines[0].firstIndex(of: "verdict"))
        let better = Dictionary(
            uniqueKeysWithValues: try laboratory.run("list", "metrics").out.split(separator: "\n").dropFirst().map {
                let words = $0.split(separator: " ")
                return (String(words[0]), String(words[2]))
            })
        #expect(json.count == (Self.shown.count + 1) * 3)
        for row in json {
            let line = try #require(lines.first { $0[0] == row.metric && $0[2] == row.policy })
            #expect(line[column] == row.verdict)
            let isNeutral = better[row.metric] == "neutral" && row.verdict != "equivalent" && row.differing >= 5
            #expect((row.verdict == "neither way is better") == isNeutral, "\(row.metric) \(row.policy)")
        }
        #expect(json.contains { $0.verdict == "neither way is better" })
        // The terminal says it of a primary metric in each line.
        for metric in ["refreshes_per_day", "wifi_bytes_per_day", "prewarms_per_day", "kills_per_day"] {
            let text = try laboratory.run("compare", "out", "--metric", metric).out
            for row in json where row.metric == metric {
                let line = try #require(text.split(separator: "\n").first { $0.hasPrefix(row.policy + " ") })
                #expect(line.contains(row.verdict), "\(line)")
            }
        }
    }

    @Test func `runs without a value of a metric are counted and named`() throws {
        let laboratory = try Self.results()
        let answer = try laboratory.run("compare", "out", "--json").out
        let json = try JSONDecoder().decode(Comparison.self, from: Data(answer.utf8))
        let lines = try laboratory.text("out/runs.csv").split(separator: "\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        #expect(lines.count == 25)
        // Nobody's battery was nearly empty in these hours, and not everybody was relaunched after an earlier visit.
        for (metric, empty) in [("restored_share", 6), ("charge_min_to_50", 24)] {
            let column = try #require(lines[0].firstIndex(of: metric))
            #expect(lines.dropFirst().count { $0[column].isEmpty } == empty)
            let counted = json.comparisons.filter { $0.metric == metric }
            let baseline = counted.first?.baseline_without_value ?? 0
            #expect(counted.reduce(baseline) { $0 + $1.without_value } == empty)
        }
        let text = "6 of 24 runs have no value of restored_share (jetsam+opportunistic 1, jetsam+never 1, "
        #expect(json.cautions.contains { $0.contains(text) }, "\(json.cautions)")
        #expect(!json.cautions.contains { $0.contains("charge_min_to_50") })
        let printed = try laboratory.run("compare", "out").out.replacing("\n", with: " ")
        #expect(printed.contains("caution: ") && printed.contains(text), "\(printed)")
        #expect(!lines.joined().contains { ["inf", "-inf", "nan"].contains($0) })
    }
}
