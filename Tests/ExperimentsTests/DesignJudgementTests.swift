// SPDX-License-Identifier: GPL-3.0-or-later
import Experiments
import Measures
import Phone
import PhoneCore
import Recording
import Scenario
import Statistics
import Testing

@Suite struct DesignJudgementTests {
    private static let ranges: [ClosedRange<Double>] = [2...8, 100...300]

    /// A plan over a design in two axes of numbers, each point once.
    private func plan(_ kind: SweepDesign.Kind, _ shares: [[Double]], replications: Int) -> Plan {
        var points: [[String]] = []
        let rows = shares.map { share -> Int in
            let texts = ["\(2 + 6 * share[0]) GiB", "\(100 + 200 * share[1])"]
            if let index = points.firstIndex(of: texts) { return index }
            points.append(texts)
            return points.count - 1
        }
        return Plan(
            name: "design", schema: 1, seed: 1, axes: ["device.memory.ram", "apps.count"],
            points: points.enumerated().map { PlannedPoint(values: $1, configuration: UInt64($0)) },
            policies: ["jetsam", "lru"].map { PlannedPolicy(eviction: $0, scheduling: "immediate") }, baseline: 0,
            replications: replications, tables: [],
            analysis: Analysis(
                primary: "relaunches_per_day", shown: ["kills_per_day"],
                design: SweepDesign(kind: kind, rows: rows, ranges: Self.ranges)))
    }

    private func numbers(_ plan: Plan, _ run: PlannedRun) -> (ram: Double, apps: Double) {
        let values = plan.points[run.point].values
        return ((Double(values[0].dropLast(4)) ?? .nan) / 6 - 1.0 / 3, (Double(values[1]) ?? .nan) / 200 - 0.5)
    }

    private func rows(_ judgement: Judgement, policy: Int, _ measure: SensitivityRow.Measure) throws -> [DesignEstimate]
    {
        try judgement.sensitivities.filter {
            $0.metric == judgement.plan.metrics.index(of: "relaunches_per_day") && $0.policy == policy
                && $0.measure == measure
        }.map { try #require($0.estimate) }
    }

    @Test func `elementary effects of the difference are those over the whole range`() throws {
        let plan = plan(.morris, SamplingDesign.morris(8, dimensions: 2, levels: 4, seed: 5), replications: 6)
        let judgement = try judge(plan) { run in
            let at = self.numbers(plan, run)
            let shared = 10 * Double(run.replication) + 40 * at.ram
            return run.policy == 0 ? shared : shared + 3 * at.ram - 2 * at.apps + Double(run.replication % 3)
        }
        let mu = try rows(judgement, policy: 1, .mu)
        #expect(zip(mu, [3, -2]).allSatisfy { abs($0.value - $1) < 1e-9 }, "\(mu)")
        #expect(try zip(rows(judgement, policy: 1, .muStar), [3, 2]).allSatisfy { abs($0.value - $1) < 1e-9 })
        #expect(try rows(judgement, policy: 1, .sigma).allSatisfy { $0.value < 1e-9 })
        #expect(mu.allSatisfy { abs($0.high - $0.low) < 1e-9 }, "a linear difference has no doubt")
        // Of the baseline itself: its own metric.
        #expect(try zip(rows(judgement, policy: 0, .mu), [40, 0]).allSatisfy { abs($0.value - $1) < 1e-9 })
        #expect(judgement.sensitivities.count == 2 * 2 * 2 * 3 && judgement.sensitivities.allSatisfy { $0.n == 6 })
    }

    @Test func `Sobol's indices of the difference share its variance, with intervals that hold them`() throws {
        let plan = plan(.saltelli, SamplingDesign.saltelli(127, dimensions: 2), replications: 4)
        let judgement = try judge(plan) { run in
            let at = self.numbers(plan, run)
            let shared = 10 * Double(run.replication) + 40 * at.apps
            return run.policy == 0 ? shared : shared + 4 * at.ram + 2 * at.apps + 4 * at.ram * at.apps
        }
        // Of 4 x + 2 y + 4 x y, uniform: (3, 4/3, 1/9) of 4.444: first 0.675, 0.3, total 0.7, 0.325.
        let (first, total) = (try rows(judgement, policy: 1, .first), try rows(judgement, policy: 1, .total))
        #expect(zip(first, [0.675, 0.3]).allSatisfy { abs($0.value - $1) < 0.03 }, "\(first)")
        #expect(zip(total, [0.7, 0.325]).allSatisfy { abs($0.value - $1) < 0.03 }, "\(total)")
        #expect(zip(first + total, [0.675, 0.3, 0.7, 0.325]).allSatisfy { $0.low < $1 && $1 < $0.high })
        #expect((first + total).allSatisfy { $0.high - $0.low > 0.02 && $0.high - $0.low < 0.6 })
        let own = try rows(judgement, policy: 0, .first)
        #expect(abs(own[0].value) < 0.01 && abs(own[1].value - 1) < 0.03)
    }

    @Test func `a difference that never varies has no indices`() throws {
        let plan = plan(.saltelli, SamplingDesign.saltelli(3, dimensions: 2), replications: 2)
        let judgement = try judge(plan) { Double($0.replication + $0.policy) }
        #expect(judgement.sensitivities.allSatisfy { $0.estimate == nil && $0.n == 2 })
    }

    private func map(_ values: [[String]], _ value: (PlannedRun) -> Double) throws -> Judgement {
        let plan = Plan(
            name: "map", schema: 1, seed: 1, axes: ["device.memory.ram", "apps.count"],
            points: values.enumerated().map { PlannedPoint(values: $1, configuration: UInt64($0)) },
            policies: ["jetsam", "lru", "fifo"].map { PlannedPolicy(eviction: $0, scheduling: "immediate") },
            baseline: 0,
            replications: 8, tables: [], analysis: Analysis(primary: "relaunches_per_day"))
        return try judge(plan, value: value)
    }

    @Test func `the map names the winner of each point, how sure it is, and where it changes`() throws {
        let values = ["4 GiB", "2 GiB"].flatMap { ram in ["80", "160"].map { [ram, $0] } }
        let judgement = try map(values) { run in
            let luck = Double(run.replication * run.replication % 7) * 10
            let noise = Double((run.replication * 5 + run.policy * 3) % 8) / 100
            // fifo is always worst; lru beats jetsam by 5, loses by 5 at 2 GiB and 160 apps, is even at 4 GiB and 160.
            let lru = [-5.0, 0, -5, 5][run.point]
            return 100 + luck + noise + [0, lru, 20][run.policy]
        }
        let rows = judgement.winners
        #expect(rows.map(\.point) == [0, 1, 2, 3])
        #expect(
            [0, 2, 3].map { rows[$0].winner } == [1, 1, 0] && [0, 2, 3].allSatisfy { rows[$0].verdict == .better })
        #expect(rows[1].verdict == .undecided && rows[1].runnerUp < 2)
        #expect(abs(rows[0].paired.difference + 5) < 0.1 && abs(rows[3].paired.difference + 5) < 0.1)
        #expect(rows[0].adjustedP > rows[0].paired.p, "corrected over all pairs at all points")
        // The next higher value: from 2 GiB to 4 GiB, though the file has them the other way round.
        #expect(rows[2].flips == [1] && rows[3].flips == (rows[1].winner == 0 ? [] : [0]))
        #expect(rows[0].flips == (rows[1].winner == 1 ? [] : [1]) && rows[1].flips.isEmpty)
    }
}

@Suite struct CautionTests {
    private func cautions(
        replications: Int = 8, workload: (PlannedRun) -> UInt64 = { UInt64($0.replication) + 1 },
        warmup: Double = 30 * 86400, isRecorded: Bool = false, value: (PlannedRun) -> Double
    ) throws -> [String] {
        let small = smallPlan(replications: replications)
        let plan = Plan(
            name: small.name, seed: 1, axes: small.axes, points: small.points, policies: small.policies,
            baseline: 0, replications: replications, tables: [], analysis: small.analysis, warmup: warmup,
            isRecorded: isRecorded)
        let store = try finishedStore(plan, fingerprint: workload) { run in
            MetricCatalog.catalogue.metrics.map { _ in value(run) }
        }
        return Findings(Judgement(plan: plan, store: store)).cautions
    }

    private func differing(_ run: PlannedRun) -> Double {
        Double(run.replication * (run.policy + 2) % 7) + Double(run.policy)
    }

    @Test func `sound experiments are left in peace`() throws {
        #expect(try cautions(value: differing) == [])
        #expect(try cautions(warmup: 86_400, value: differing) == [])
    }

    @Test func `few pairs, rare differences and equal ones are told beside the verdict`() throws {
        #expect(
            try cautions(replications: 3, value: differing) == [
                "There are only 3 pairs, but a verdict needs 6 that differ; ten are a good start."
            ])
        let rare = try cautions { $0.policy == 1 && $0.replication < 2 ? Double($0.replication) + 9 : 5 }
        #expect(
            rare == [
                "No interval (± inf) for jetsam at device.memory.ram = 3 GiB (differs in 2 of 8 replications), jetsam "
                    + "at device.memory.ram = 4 GiB (differs in 2 of 8 replications): the difference may have any "
                    + "size."
            ])
        let equal = try cautions { Double($0.replication + 3 * $0.policy) }
        #expect(equal.count == 1 && equal[0].contains("(the difference is equal in every replication)"))
    }

    @Test func `pairs that agree too closely are told`() throws {
        let close = try cautions { run in
            100 + 20 * Double(run.replication) + Double(run.policy * (2 + run.replication % 3)) / 10
        }
        #expect(
            close == [
                "The differences of jetsam from the baseline vary so little that one unusual replication would "
                    + "outweigh all 8. The interval is wide enough to allow for it."
            ])
    }

    @Test func `a short warm-up, one recorded user and identical replications are told`() throws {
        let short = try cautions(warmup: 21_600, value: differing)
        #expect(
            short.count == 1 && short[0].hasPrefix("The warm-up is 6 h: metrics include the first day, which begins"))
        #expect(try cautions(warmup: 0, value: differing)[0].hasPrefix("There is no warm-up:"))
        let recorded = try cautions(isRecorded: true, value: differing)
        #expect(recorded.count == 1 && recorded[0].contains("does not cover other users"))
        let same = try cautions(workload: { _ in 7 }, value: differing)
        #expect(
            same == [
                "Identical replications: the 8 runs of lru+immediate contain only 1 different ones, so they count as 1 "
                    + "and every interval is too narrow."
            ])
        let twice = try cautions(workload: { UInt64($0.replication / 2) + 1 }, value: differing)
        #expect(twice.count == 1 && twice[0].contains("the 8 runs of lru+immediate contain only 4 different"))
    }
}
