// SPDX-License-Identifier: GPL-3.0-or-later
import Files
import Measures
import Phone
import Recording
import Scenario
import Statistics
import TestSupport
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
        let folder = try TemporaryFolder()
        let directory = ResultDirectory(folder.path)
        try createDirectory(directory.segments)
        let segment = try SegmentWriter(path: directory.segments + "/1.seg", build: Build.current)
        for run in plan.runs {
            let recorder = try RunRecorder(run: run.identity, names: RowNames(apps: []), segment: segment)
            let value = values[run.policy][run.replication]
            let outcome = RunOutcome(
                metrics: MetricCatalog.catalogue.metrics.map { _ in value }, events: 1, userActions: 1, fingerprint: 1,
                workloadFingerprint: 1)
            try recorder.finish(outcome, tables: [], seconds: 0)
        }
        return Judgement(plan: plan, store: try RunStore(plan: plan, directory: directory))
    }

    private func row(_ metric: String, _ judgement: Judgement) throws -> ComparisonRow {
        let index = try #require(judgement.plan.metrics.index(of: metric))
        return try #require(judgement.comparisons.first { $0.metric == index })
    }

    @Test func `the next replications are those that the width asks for, relative to the mean and within the bounds`()
        throws
    {
        // Differences 10 to 60: the half-width of their mean is 2.5706 * 18.708 / root of 6 = 19.63, 0.1963 of 100.
        let found = try judgement([[100, 100, 100, 100, 100, 100], [110, 120, 130, 140, 150, 160]])
        func next(_ halfWidth: Double, maximum: Int = 50) -> Int? {
            StoppingRule(minimum: 6, maximum: maximum, halfWidth: halfWidth).next(after: found)
        }
        // 6 * (0.1963 / 0.18)^2 = 7.1.
        #expect(next(0.18) == 8)
        #expect(next(0.15) == 11)
        #expect(next(0.18, maximum: 7) == 7)
        #expect(next(0.1964) == nil)
        #expect(next(0.19) == 7)
    }

    @Test func `less is better where less is wanted, and worse where more is`() throws {
        let found = try judgement([[100, 101, 102, 103, 104], [90, 92, 91, 93, 94]])
        #expect(try row("kills_per_day", found).verdict == .better)
        #expect(try row("resumes_per_day", found).verdict == .worse)
        #expect(try row("wall_wh_per_day", found).verdict == .undecided)
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

    @Test func `the statistics of a figure are those of the textbook`() {
        let values = [4.0, 1, 3, 2]
        func value(_ statistic: TableFigure.Statistic) -> Double { statistic.value(of: values, days: 4) }
        #expect(value(.sum) == 10 && value(.perDay) == 2.5 && value(.mean) == 2.5)
        #expect(value(.minimum) == 1 && value(.maximum) == 4 && value(.median) == 2.5)
        #expect(value(.p25) == 1.75 && value(.p75) == 3.25)
        #expect(abs(value(.p05) - 1.15) < 1e-12 && abs(value(.p95) - 3.85) < 1e-12)
        // The root of 5/3 over 2.5.
        #expect(abs(value(.variation) - 0.516_397_779_494_322) < 1e-12)
        #expect(TableFigure.Statistic.variation.value(of: [3], days: 1).isNaN)
    }
}
