// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Numerics
import Phone
import PhoneCore
import Recording
import Statistics
import Testing

@testable import Experiments

/// The study behind docs/statistics.md, on values of which the coverage is known.
@Suite struct CoverageStudyTests {
    private func study(_ plan: Plan, group: Int, value: (PlannedRun) -> Double) throws -> [CoverageStudy.Row] {
        let store = try finishedStore(plan) { run in MetricCatalog.catalogue.metrics.map { _ in value(run) } }
        let study = CoverageStudy(Judgement(plan: plan, store: store), store: store, group: group)
        #expect(study.group == group && study.level == 0.95)
        return study.rows.filter { $0.metric == 0 }
    }

    /// Four groups of five: three agree about a mean of 3, and the last has one of 23 without the truth, 8, in it.
    @Test func `groups whose interval misses the mean over all are counted`() throws {
        let rows = try study(smallPlan(replications: 20), group: 5) { run in
            guard run.policy == 1 else { return 100 }
            return 100 + (run.replication < 15 ? 3 : 23) + Double(run.replication % 5 - 2) * 8
                / (run.replication < 15 ? 1 : 80)
        }
        // Of the first three: 3 ± 2.776 × 12.65 / √5 = 3 ± 15.7 holds 8; of the last: 23 ± 0.16 does not.
        #expect(rows.count == 2)
        #expect(rows.allSatisfy { $0.groups == 4 && $0.decided == 4 && $0.covered == 3 && $0.differing == 1 })
        #expect(rows.allSatisfy { $0.coverage == 0.75 && $0.wrong == 0 })
    }

    /// Four groups of ten, as above: the last misses the truth, surely worse as the truth is; two copies are one test.
    @Test func `the comparisons of a metric are judged together, and a copy costs nothing`() throws {
        func families(_ policies: [String], _ last: Double) throws -> [CoverageStudy.Family] {
            let plan = smallPlan(replications: 40, policies: policies)
            let store = try finishedStore(plan) { run in
                let noise = Double(run.replication % 5 - 2)
                let change = run.replication < 30 ? 3 + noise * 8 : last + noise / 10
                return MetricCatalog.catalogue.metrics.map { _ in run.policy == 0 ? 100 : 100 + change }
            }
            return CoverageStudy(Judgement(plan: plan, store: store), store: store, group: 10).families
                .filter { $0.metric == 0 }
        }
        let copies = try families(["lru", "jetsam", "gdsf"], 23)
        #expect(copies.count == 2)
        #expect(copies.allSatisfy { $0.comparisons == 2 && $0.decided == 4 && $0.covered == 3 && $0.wrong == 0 })
        // The last group says surely better; the truth is (3 × 3 - 5) / 4 = 1, which is worse.
        let against = try families(["lru", "jetsam", "gdsf"], -5)
        #expect(against.allSatisfy { $0.decided == 4 && $0.covered == 3 && $0.wrong == 1 })
        #expect(try families(["lru", "jetsam"], 23).isEmpty)
    }

    @Test func `groups in which too few replications differ have no interval`() throws {
        let rows = try study(smallPlan(replications: 20), group: 10) { run in
            run.policy == 1 && (run.replication < 4 || run.replication >= 14) ? 105 + Double(run.replication) : 100
        }
        #expect(rows.count == 2 && rows.allSatisfy { $0.groups == 2 && $0.decided == 1 && $0.differing == 0.5 })
    }

    @Test func `pairs without a value stand in no group, and are counted`() throws {
        let plan = smallPlan(replications: 20)
        // The first metric lacks one run of the baseline and one of the other in each of two points, in 3 pairs.
        let store = try finishedStore(plan) { run in
            MetricCatalog.catalogue.metrics.indices.map { metric in
                let lacks = run.policy == 0 ? run.replication < 2 : (1..<3).contains(run.replication)
                return metric == 0 && lacks ? .nan : 100 + Double(run.policy * (1 + run.replication % 3))
            }
        }
        let study = CoverageStudy(Judgement(plan: plan, store: store), store: store, group: 5)
        let points = plan.points.count * (plan.policies.count - 1)
        #expect(study.withoutValue.map { [$0.metric, $0.pairs, $0.of] } == [[0, 3 * points, 20 * points]])
        #expect(study.rows.filter { $0.metric == 0 }.allSatisfy { $0.groups == 3 })
        #expect(study.rows.filter { $0.metric == 1 }.allSatisfy { $0.groups == 4 })
    }

    @Test func `a verdict against the truth is counted as wrong`() throws {
        // Ten say much better by -5, ten say worse by +9: over all worse by 2 %, outside of the band of 1 %.
        let rows = try study(smallPlan(replications: 20), group: 10) { run in
            let change = run.replication < 10 ? -5 : 9 + Double(run.replication % 3) / 10
            return 100 + (run.policy == 1 ? change + Double(run.replication % 5) / 10 : 0)
        }
        #expect(rows.allSatisfy { $0.decided == 2 && $0.covered == 0 && $0.wrong == 1 })
    }

    /// In 100 groups of ten normal differences the share is binomial about 0.962 (`CoverageStatisticalTests`).
    @Test func `intervals of normal differences cover as often as they should`() throws {
        var state = SplitMix64(12)
        let chance = (0..<2000).map { _ -> Double in
            let sum = (0..<12).reduce(0.0) { total, _ in total + Double(state.next() >> 11) * 0x1p-53 }
            return sum - 6
        }
        let rows = try study(smallPlan(replications: 1000), group: 10) { run in
            run.policy == 0 ? 50 : 51 + chance[run.point * 1000 + run.replication]
        }
        for row in rows {
            #expect(row.groups == 100 && row.decided == 100)
            #expect(abs(row.coverage - 0.962) < 3.9 * (0.962 * 0.038 / 100).squareRoot(), "\(row.coverage)")
        }
    }

    @Test(
        arguments: [
            (29, 29, CoverageStudy.Standing.tooFewGroups), (30, 30, .cautious), (929, 1000, .tooUneven),
            (930, 1000, .holds), (970, 1000, .holds), (971, 1000, .cautious),
        ])
    func `a metric holds when its intervals do to two points`(
        covered: Int, decided: Int, standing: CoverageStudy.Standing
    ) {
        #expect(CoverageStudy.Standing(covered: covered, of: decided, isRare: false, level: 0.95) == standing)
        let rare = CoverageStudy.Standing(covered: covered, of: decided, isRare: true, level: 0.95)
        #expect(rare == (decided < 30 ? .tooRare : standing))
    }

    @Test func `a metric that refuses so few is no failure of its intervals`() {
        func standing(_ group: Int) -> CoverageStudy.Standing {
            CoverageStudy.Standing(
                covered: 80, of: 100, isRare: true, level: 0.95, spread: .uneven(fewest: 50), group: group)
        }
        #expect(standing(49) == .tellsFrom(50) && standing(50) == .tooUneven)
    }
}
