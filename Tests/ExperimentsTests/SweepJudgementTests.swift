// SPDX-License-Identifier: GPL-3.0-or-later
import Experiments
import Measures
import Phone
import PhoneCore
import Recording
import Scenario
import Statistics
import Testing

@Suite struct SweepJudgementTests {
    private func plan(
        _ values: [[String]], axes: [String] = ["device.memory.ram"], baseline: [String: String] = [:],
        replications: Int = 8
    ) -> Plan {
        Plan(
            name: "sweep", schema: 1, seed: 1, axes: axes,
            points: values.enumerated().map { PlannedPoint(values: $1, configuration: UInt64($0)) },
            policies: ["jetsam", "lru"].map { PlannedPolicy(eviction: $0, scheduling: "immediate") }, baseline: 0,
            replications: replications, tables: [],
            analysis: Analysis(primary: "relaunches_per_day", sweepBaseline: baseline))
    }

    /// Chance that is shared by everything of a replication, and a little that is not.
    private func luck(_ run: PlannedRun) -> Double {
        Double(run.replication * run.replication % 7) * 10
            + Double((run.replication * 5 + run.policy * 3 + run.point * 11) % 8) / 100
    }

    private func rows(_ judgement: Judgement) throws -> [PointComparisonRow] {
        try #require(judgement.sweep).comparisons.filter { judgement.isPrimary($0.row) }
    }

    @Test func `points are compared with the first, replication by replication, in a family of their own`() throws {
        let plan = plan([["2 GiB"], ["3 GiB"], ["4 GiB"]])
        let judgement = try judge(plan) { run in 100 + self.luck(run) - 20 * Double(run.point) }
        let rows = try rows(judgement)
        #expect(rows.map(\.row.policy) == [0, 0, 1, 1] && rows.map(\.row.point) == [1, 2, 1, 2])
        #expect(rows.allSatisfy { $0.baseline == 0 && $0.row.verdict == .better })
        for row in rows {
            let paired = try #require(row.row.paired)
            #expect(abs(paired.difference + 20 * Double(row.row.point)) < 0.1)
            #expect(paired.varianceReduction > 1000, "the shared chance is gone")
        }
        let p = rows.compactMap(\.row.paired?.p)
        #expect(zip(rows, holm(p)).allSatisfy { $0.row.adjustedP == $1 })
        #expect(rows.contains { $0.row.adjustedP > ($0.row.paired?.p ?? 1) })
    }

    @Test func `an axis in which no two points differ alone has no slope`() throws {
        let list = plan([["2 GiB", "80"], ["4 GiB", "160"]], axes: ["device.memory.ram", "apps.count"])
        let sweep = try #require(try judge(list) { 100 + self.luck($0) }.sweep)
        #expect(sweep.slopes.isEmpty && sweep.crossings.isEmpty)
        #expect(sweep.comparisons.map(\.baseline) == Array(repeating: 0, count: sweep.comparisons.count))
        let product = plan([["2 GiB", "80"], ["4 GiB", "80"]], axes: ["device.memory.ram", "apps.count"])
        let slopes = try #require(try judge(product) { 100 + self.luck($0) }.sweep).slopes
        #expect(Set(slopes.map(\.axis.index)) == [0])
    }

    @Test func `a baseline of some axes compares points that share the others`() throws {
        let values = [["2 GiB", "80"], ["2 GiB", "160"], ["4 GiB", "80"], ["4 GiB", "160"]]
        let axes = ["device.memory.ram", "apps.count"]
        func pairs(_ baseline: [String: String]) throws -> [[Int]] {
            try rows(try judge(plan(values, axes: axes, baseline: baseline)) { Double($0.number) })
                .filter { $0.row.policy == 0 }.map { [$0.row.point, $0.baseline] }
        }
        #expect(try pairs([:]) == [[1, 0], [2, 0], [3, 0]])
        #expect(try pairs(["device.memory.ram": "4 GiB"]) == [[0, 2], [1, 3]])
        #expect(try pairs(["device.memory.ram": "4 GiB", "apps.count": "160"]) == [[0, 3], [1, 3], [2, 3]])
    }

    @Test func `slopes are per unit of the axis as written, pooled over the other axes`() throws {
        let values = [["2 GiB", "80"], ["2 GiB", "160"], ["4096 MiB", "80"], ["4096 MiB", "160"]]
        let plan = plan(values, axes: ["device.memory.ram", "apps.count"])
        let judgement = try judge(plan) { run in
            let gib = run.point < 2 ? 2.0 : 4
            let apps = run.point % 2 == 0 ? 80.0 : 160
            return 50 + self.luck(run) - 7 * gib + 0.25 * apps
        }
        let slopes = try #require(judgement.sweep).slopes.filter { $0.metric == 0 && $0.policy == 1 }
        #expect(slopes.map(\.axis.unit) == ["GiB", ""])
        let expected = [-7, 0.25]
        for (row, value) in zip(slopes, expected) {
            let slope = try #require(row.slope)
            #expect(abs(slope.difference - value) < 0.02 && slope.low <= value && value <= slope.high)
            #expect(slope.n == 8 && slope.p < 1e-6)
        }
    }

    /// What a sweep printed as "-1.427e-16" with p below 0.05: values that differ along it in their last digit.
    @Test(arguments: [5.300000000000001, 2e9])
    func `values that differ by rounding along an axis have a slope of zero, and no p-value`(size: Double) throws {
        let plan = plan([["2 GiB"], ["3 GiB"], ["4 GiB"], ["8 GiB"]])
        let judgement = try judge(plan) { run in
            let value = size * (1 + Double(run.replication) / 8)
            return run.point == 3 ? value.nextDown.nextDown : value
        }
        let slopes = try #require(judgement.sweep).slopes
        #expect(slopes.count == judgement.plan.metrics.entries.count * 2)
        #expect(slopes.allSatisfy { $0.slope?.difference == 0 && $0.slope?.p == 1 && $0.slope?.differing == 0 })
    }

    @Test func `what few replications make most of has slopes, and intervals of them from enough`() throws {
        for (replications, isFinite) in [(79, false), (80, true)] {
            let plan = plan([["2 GiB"], ["4 GiB"]], replications: replications)
            let judgement = try judge(plan) { run in self.luck(run) - 7 * Double(2 + 2 * run.point) }
            let kills = try #require(plan.metrics.index(of: "system_kills_per_day"))
            let rows = try #require(judgement.sweep).slopes.filter { $0.metric == kills && $0.policy == 1 }
            let slope = try #require(rows.first?.slope)
            #expect(rows.count == 1 && abs(slope.difference + 7) < 0.02)
            #expect(slope.low.isFinite == isFinite && slope.high.isFinite == isFinite)
        }
    }

    @Test func `a policy that wins at first and loses later crosses where both are even`() throws {
        let plan = plan([["2 GiB"], ["4 GiB"], ["6 GiB"], ["8 GiB"]], replications: 10)
        let judgement = try judge(plan) { run in
            let gib = 2 + 2 * Double(run.point)
            let own = run.policy == 1 ? gib - 5 + Double(run.replication % 5 - 2) / 4 : 0
            return 100 + self.luck(run) + own
        }
        let crossings = try #require(judgement.sweep).crossings
        #expect(crossings.count == 1)
        let crossing = try #require(crossings.first).crossing
        #expect(abs(crossing.at - 5) < 0.05 && crossing.rises)
        #expect(crossing.low < 5 && crossing.high > 5 && crossing.high - crossing.low < 1)
    }

    @Test func `axes of names and mixed dimensions have neither slopes nor crossings`() throws {
        for values in [[["iphone-13"], ["iphone-15"]], [["2 GiB"], ["3 s"]], [["1"], ["2 GiB"]]] {
            let judgement = try judge(plan(values)) { Double($0.number) }
            let sweep = try #require(judgement.sweep)
            #expect(sweep.slopes.isEmpty && sweep.crossings.isEmpty && !sweep.comparisons.isEmpty)
        }
        #expect(try judge(plan([["2 GiB"]])) { Double($0.number) }.sweep == nil)
    }
}
