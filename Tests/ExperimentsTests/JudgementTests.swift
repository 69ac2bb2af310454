// SPDX-License-Identifier: GPL-3.0-or-later
import Experiments
import Measures
import Phone
import Scenario
import Statistics
import Testing

@Suite struct JudgementTests {
    @Test func `a metric may have a band of its own`() throws {
        func verdict(_ bands: [String: Double]) throws -> Verdict? {
            var plan = smallPlan(replications: 8)
            plan = Plan(
                name: plan.name, schema: 1, seed: 1, axes: plan.axes, points: plan.points, policies: plan.policies,
                baseline: 0, replications: 8, tables: [],
                analysis: Analysis(primary: "relaunches_per_day", equivalenceByMetric: bands))
            // Three per cent more, give or take a tenth of one.
            let judgement = try judge(plan) { run in
                run.policy == 0 ? 100 : 103 + Double(run.replication % 3 - 1) / 10
            }
            return judgement.comparisons.first { judgement.isPrimary($0) }?.verdict
        }
        #expect(try verdict([:]) == .worse)
        #expect(try verdict(["relaunches_per_day": 0.05]) == .equivalent)
        #expect(try verdict(["kills_per_day": 0.05]) == .worse)
    }

    @Test func `a policy against itself is exactly zero, and undecided`() throws {
        let plan = Plan(
            name: "twins", schema: 1, seed: 1, points: [PlannedPoint(values: [], configuration: 1)],
            policies: ["a", "b"].map { PlannedPolicy(name: $0, eviction: "lru", scheduling: "immediate") },
            baseline: 0, replications: 3, tables: [], analysis: Analysis(primary: "kills_per_day"))
        let judgement = try judge(plan) { run in
            var metrics = MetricCatalog.catalogue.metrics.indices.map { Double($0) + 0.1 * Double(run.replication) }
            metrics[0] = .nan
            return metrics
        }
        for row in judgement.comparisons.dropFirst() {
            #expect(row.paired?.difference == 0)
            #expect(row.paired?.differing == 0 && row.paired?.n == 3)
            #expect(row.verdict == .undecided)
        }
        #expect(judgement.comparisons[0].paired == nil)
        let empty = "\(MetricCatalog.catalogue.names[0]),a,,,0\n"
        #expect(String(decoding: judgement.summaryTable, as: UTF8.self).contains(empty))
    }

    @Test func `Holm leaves two differences undecided that are sure alone`() throws {
        let judged = try compared(.holm)
        #expect(judged.map(Self.adjusted) == [0.06, 0.06])
        #expect(judged.map(\.verdict) == [.undecided, .undecided])
        let alone = try compared(.none)
        #expect(alone.map(Self.adjusted) == [0.03, 0.04])
        #expect(alone.map(\.verdict) == [.worse, .worse])
    }

    @Test func `a reference stands outside of Holm's family and costs the rivals no power`() throws {
        #expect(try compared(.holm, references: ["unbounded"]).map(Self.adjusted) == [0.06, 0.06, 0.04])
        #expect(try compared(.holm, references: ["lru"]).map(Self.adjusted) == [0.09, 0.09, 0.09])
    }

    /// Both p-values and the interval come from the largest t of both over 32 ways, so a copy costs nothing, and the
    /// interval leaves out zero where the verdict says so.
    @Test func `maxT corrects by what comparisons have in common, and the interval agrees with the verdict`() throws {
        let judged = try compared(.maxT)
        #expect(judged.map(Self.adjusted) == [0.03125, 0.03125])
        let copies = try compared(.maxT, references: ["lru", "lru"])
        #expect(copies.map(Self.adjusted) == [0.03125, 0.03125, 0.03125, 0.03125])
        #expect(copies.prefix(2).map(\.paired) == judged.map(\.paired))
        for row in judged {
            let paired = try #require(row.paired)
            #expect((row.verdict == .worse) == (paired.low > 1), "beyond the band of 1 % of 100")
        }
        let references = try compared(.maxT, references: ["unbounded"])
        #expect(references.prefix(2).map(\.paired) == judged.map(\.paired), "a reference stands outside")
        #expect(abs(references[2].adjustedP - 0.04) < 1e-9)
    }

    @Test func `ranks correct all pairs of rivals by maxT`() throws {
        let judgement = try judgement(.maxT)
        let metric = try #require(judgement.plan.metrics.index(of: "kills_per_day"))
        let ranking = try #require(Ranking(judgement, metric: metric, point: 0))
        // The second is 11 less in every pair than the first, which says nothing of what the next pair would show.
        #expect(ranking.entries.map(\.policy) == [0, 2, 1])
        #expect(ranking.entries.map(\.text) == ["1", "2 to 3", "2 to 3"])
    }

    private static func adjusted(_ row: ComparisonRow) -> Double { (row.adjustedP * 1e9).rounded() / 1e9 }

    /// Policies whose kills differ from the baseline's with p = 0.03 and p = 0.04, over six replications, and further
    /// ones, with p = 0.04, of the evictions given.
    ///
    /// Of six differences m + s and m - s by turns, Student's t is m / s times the root of 5; its quantiles for five
    /// degrees of freedom are SciPy's.
    private func judgement(_ correction: Correction, references: [String] = []) throws -> Judgement {
        let policies = (["lru", "lru", "lru"] + references).enumerated().map { index, eviction in
            PlannedPolicy(name: "p\(index)", eviction: eviction, scheduling: "immediate")
        }
        let plan = Plan(
            name: "holm", schema: 1, seed: 1, points: [PlannedPoint(values: [], configuration: 1)], policies: policies,
            baseline: 0, replications: 6, tables: [],
            analysis: Analysis(primary: "kills_per_day", correction: correction))
        return try judge(plan) { run in
            let spread = run.replication.isMultiple(of: 2) ? 100.0 : -100
            let t = run.policy == 1 ? 3.002874973841795 : 2.7565085219094736
            return run.policy == 0 ? 100 : 100 + 100 * t / 5.0.squareRoot() + spread
        }
    }

    private func compared(_ correction: Correction, references: [String] = []) throws -> [ComparisonRow] {
        let judgement = try judgement(correction, references: references)
        return judgement.comparisons.filter(judgement.isPrimary)
    }

    @Test func `headroom relates rivals to references that differ from the baseline in the same half only`() throws {
        let oracle = ["reads the future, so it is a reference and not a rival"]
        let policies = [
            PlannedPolicy(eviction: "jetsam", scheduling: "immediate"),
            PlannedPolicy(eviction: "lru", scheduling: "immediate"),
            PlannedPolicy(eviction: "belady", scheduling: "immediate", remarks: oracle),
            PlannedPolicy(eviction: "unbounded", scheduling: "immediate"),
            PlannedPolicy(eviction: "lru", scheduling: "never"),
            PlannedPolicy(eviction: "jetsam", scheduling: "clairvoyant", remarks: oracle),
        ]
        let plan = Plan(
            name: "references", schema: 1, seed: 1, points: [PlannedPoint(values: [], configuration: 1)],
            policies: policies, baseline: 0, replications: 3, tables: [],
            analysis: Analysis(primary: "relaunches_per_day"))
        let relaunches = [20.0, 18, 15, 10, 17, 19]
        let judgement = try judge(plan) { relaunches[$0.policy] + Double($0.replication) }
        let found = judgement.headrooms.map { [Double($0.policy), Double($0.reference), $0.headroom.share] }
        #expect(found == [[1, 2, 0.4], [1, 3, 0.2], [2, 3, 0.5], [3, 2, 2]])
    }
}
