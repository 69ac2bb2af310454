// SPDX-License-Identifier: GPL-3.0-or-later

import Measures
import Scenario
import Statistics
import Testing
@testable import Experiments

/// Judgements of runs whose metrics are given, so that every figure follows from a table of Student's t.
@Suite struct KnownDifferenceTests {
    /// The judgement of policies whose metrics all have these values, one per replication.
    private func judgement(_ values: [[Double]], primary: String = "kills_per_day") throws -> Judgement {
        let plan = Plan(
            name: "known", schema: 1, seed: 1, points: [PlannedPoint(values: [], configuration: 1)],
            policies: values.indices.map { PlannedPolicy(name: "p\($0)", eviction: "lru", scheduling: "immediate") },
            baseline: 0, replications: values[0].count, tables: [], analysis: Analysis(primary: primary))
        return try judge(plan) { values[$0.policy][$0.replication] }
    }

    private func row(_ metric: String, _ judgement: Judgement) throws -> ComparisonRow {
        let index = try #require(judgement.plan.metrics.index(of: metric))
        return try #require(judgement.comparisons.first { $0.metric == index })
    }

    @Test func `less is better where less is wanted, and worse where more is`() throws {
        let found = try judgement([[100, 101, 102, 103, 104], [90, 92, 91, 93, 94]])
        #expect(try row("kills_per_day", found).verdict == .better)
        #expect(try row("resumes_per_day", found).verdict == .worse)
        #expect(try row("wall_wh_per_day", found).verdict == .neutral)
        let paired = try #require(try row("kills_per_day", found).paired)
        #expect(paired.difference == -10 && abs(paired.relative + 10.0 / 102) < 1e-12)
    }

    @Test func `a replication without a value on either side is in no pair`() throws {
        let found = try judgement([[.nan, 11, 12, 13], [8, .nan, 10, 12]])
        let paired = try #require(try row("kills_per_day", found).paired)
        #expect(paired.n == 2)
        #expect(paired.difference == -1.5)
    }

    @Test func `runs differ in their identity by each half of the policy, the seed and the replication`() {
        func identities(_ eviction: String, _ scheduling: String, seed: UInt64 = 1) -> [UInt64] {
            Plan(
                name: "known", schema: 1, seed: seed, points: [PlannedPoint(values: [], configuration: 1)],
                policies: [PlannedPolicy(name: "mine", eviction: eviction, scheduling: scheduling)], baseline: 0,
                replications: 2, tables: [], analysis: Analysis(primary: "kills_per_day")
            ).runs.map(\.identity)
        }
        let all = [
            identities("lru", "never"), identities("fifo", "never"), identities("lru", "immediate"),
            identities("lru", "never", seed: 2),
        ]
        #expect(Set(all.joined()).count == 8)
    }
}
