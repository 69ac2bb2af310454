// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Phone
import Recording
import Scenario
import Statistics
import Testing

@testable import Experiments

/// The five lines that a comparison ends with, and what an axis of a sweep does.
///
/// Differences are m + s and m - s by turns over twelve pairs: Student's interval has the half-width 0.663622 s.
@Suite struct AnswerLineTests {
    private static let one = 1 / 0.663622
    private static let signs: [[Double]] = [
        [1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1], [1, 1, -1, -1, 1, 1, -1, -1, 1, 1, -1, -1],
    ]

    private func judgement(
        axes: [String] = [], points: [[String]] = [[]], policies: [PlannedPolicy], replications: Int = 12,
        primary: String = "relaunches_per_day", value: @escaping (PlannedRun) -> Double
    ) throws -> Judgement {
        let plan = Plan(
            name: "x", schema: 1, seed: 1, axes: axes,
            points: points.enumerated().map { PlannedPoint(values: $1, configuration: UInt64($0 + 1)) },
            policies: policies, baseline: 0, replications: replications, tables: [],
            analysis: Analysis(primary: primary))
        return try judge(plan, value: value)
    }

    private static func policies(_ names: String...) -> [PlannedPolicy] {
        names.map { PlannedPolicy(eviction: $0, scheduling: "opportunistic") }
    }

    /// Footprint changes nothing, memory does: 20 fewer at 4 GiB, 40 fewer at 6 GiB, each give or take one.
    private func sweep(_ policies: [PlannedPolicy]) throws -> Judgement {
        let points = ["3 GiB", "4 GiB", "6 GiB"].flatMap { ram in ["200 MiB", "400 MiB"].map { [ram, $0] } }
        return try judgement(axes: ["device.memory.ram", "app.footprint"], points: points, policies: policies) { run in
            let (ram, footprint) = (run.point / 2, run.point % 2)
            let noise = Self.signs[0][run.replication] * Self.one * Double(ram)
            return 100 + 10 * Self.signs[1][run.replication] - 20 * Double(ram) + noise
                + Self.signs[1][run.replication] * 3 * Double(footprint)
        }
    }

    @Test func `an axis decides by the paired difference of its values, over all values of the others`() throws {
        let judged = try sweep(Self.policies("jetsam"))
        let metric = try #require(judged.plan.metrics.index(of: "relaunches_per_day"))
        let effects = try #require(AxisEffects(judged, metric: metric, policy: 0))
        #expect(effects.rows.map(\.value) == ["4 GiB", "6 GiB", "400 MiB"])
        #expect(effects.rows.map(\.base) == ["3 GiB", "3 GiB", "200 MiB"])
        #expect(
            abs(effects.rows[0].paired.difference + 20) < 1e-9 && abs(effects.rows[1].paired.difference + 40) < 1e-9)
        #expect(effects.rows[2].paired.difference == 0)
        #expect(effects.rows.map(\.verdict) == [.better, .better, .undecided])
        let found = Findings(judged).sentences
        #expect(
            found[0].hasPrefix(
                "device.memory.ram matters: jetsam+opportunistic has 40 % fewer relaunches per day at 6 GiB than at "
                    + "3 GiB [38, 42], 12 pairs."))
        #expect(found[1] == "app.footprint does not significantly change relaunches per day.")
        #expect(found.count == 8 && !found.contains { $0.contains("only policy") })
    }

    @Test func `points that are no product are the values of one axis, told by what they change`() throws {
        let judged = try judgement(
            axes: ["a", "b"], points: [["1", "1"], ["2", "1"], ["2", "2"]], policies: Self.policies("jetsam", "lru")
        ) {
            100 + Double($0.policy) - [0, 20, 40][$0.point] + Self.one * Self.signs[0][$0.replication]
                * Double($0.point)
        }
        let effects = try #require(AxisEffects(judged, metric: 0, policy: 0))
        #expect(effects.axes == ["the sweep point"])
        #expect(
            effects.rows.map(\.value) == ["a = 2", "a = 2, b = 2"] && effects.rows.allSatisfy { $0.base == "the first" }
        )
        let lines = Findings(judged).answer(in: "r")
        #expect(lines.map(\.name) == ["wins", "ties", "axes", "trust", "next"])
        #expect(
            lines[2].text
                == "the sweep point: jetsam has 40 % fewer relaunches per day at a = 2, b = 2 than at the first "
                + "[38, 42]")
    }

    @Test func `one policy alone is told by its mean, and references by how far they are`() throws {
        let one = try judgement(policies: Self.policies("jetsam")) { 100 + Self.one * Self.signs[0][$0.replication] }
        let alone = Findings(one).answer(in: "r")
        #expect(alone.map(\.name) == ["finds", "trust", "next"])
        #expect(alone[0].text == "jetsam+opportunistic has 100 ± 1 relaunches per day, 12 replications")
        let two = try judgement(
            policies: Self.policies("jetsam") + [PlannedPolicy(eviction: "unbounded", scheduling: "opportunistic")]
        ) { 100 - 80 * Double($0.policy) + Self.one * Self.signs[0][$0.replication] * Double($0.policy) }
        #expect(two.plan.policies[1].isReference)
        let beside = Findings(two).answer(in: "r")
        #expect(beside.map(\.name) == ["finds", "trust", "next"])
        #expect(beside[0].text == "unbounded: 80 % fewer [79, 81] relaunches per day")
    }

    @Test func `of a parameter that the baseline has not the answer tells what it does to the rival`() throws {
        let judged = try judgement(
            axes: ["policies.scheduling.every"], points: [["1 h"], ["2 h"]], policies: Self.policies("jetsam", "lru")
        ) { run in
            let noise = Self.one * Self.signs[0][run.replication] * Double(run.point)
            return run.policy == 0 ? 100 : 200 - 40 * Double(run.point) + noise
        }
        #expect(
            Findings(judged).answer(in: "r")[2].text
                == "policies.scheduling.every: lru has 20 % fewer relaunches per day at 2 h than at 1 h [20, 20]")
    }

    @Test func `the answer about a metric that ranks no policy tells what moves it`() throws {
        let judged = try judgement(
            axes: ["a"], points: [["1"], ["2"]], policies: Self.policies("jetsam", "lru"), primary: "refreshes_per_day"
        ) { 100 - 20 * Double($0.point) + Self.one * Self.signs[0][$0.replication] * Double($0.point) }
        let lines = Findings(judged).answer(in: "r")
        #expect(lines.map(\.name) == ["finds", "trust", "next"])
        #expect(lines[0].text == "a: jetsam has 20 % fewer refreshes per day at 2 than at 1 [19, 21]")
        let still = try judgement(
            axes: ["a", "b"], points: [["1", "1"], ["2", "2"]], policies: Self.policies("jetsam"),
            primary: "refreshes_per_day"
        ) { _ in 100 }
        #expect(Findings(still).sentences[0].hasPrefix("The sweep point does not significantly change refreshes"))
    }

    @Test func `nothing that is equivalent decides`() throws {
        let judged = try judgement(
            axes: ["a", "b"], points: ["1", "2"].flatMap { one in ["3", "4"].map { [one, $0] } },
            policies: Self.policies("jetsam")
        ) { 100 + 10 * Self.signs[1][$0.replication] + 0.1 * Self.signs[0][$0.replication] * Double($0.point) }
        #expect(
            Findings(judged).sentences[0] == "Neither a nor b changes relaunches per day: all values are within 1 %.")
    }

    @Test func `the answer names winner, ties, costs, trust and what to do, in 25 words a line`() throws {
        let judged = try judgement(policies: Self.policies("jetsam", "lru", "gdsf")) { run in
            let noise = [0, 1, 3][run.policy] * Self.signs[1][run.replication]
            return 100 + 10 * Self.signs[0][run.replication] + noise - [0, 50.5, 50][run.policy]
        }
        let lines = Findings(judged).answer(
            in: "results/x",
            of: .init(
                phone: "iphone-13 with ios-18", assumptions: 205,
                evidence: "5 of 7 predictions for this phone are met"))
        #expect(lines.map(\.name) == ["wins", "ties", "costs", "trust", "next"])
        #expect(lines[0].text.hasPrefix("lru: 50 % fewer relaunches per day than jetsam ["))
        #expect(lines[0].text.hasSuffix("], 12 pairs"))
        #expect(lines[1].text == "gdsf is undecided")
        #expect(lines[2].text == "nothing significant")
        #expect(
            lines[3].text
                == "12 users on iphone-13 with ios-18; the intervals do not cover 205 assumptions; "
                + "5 of 7 predictions for this phone are met")
        #expect(
            lines[4].text
                == "flotsam why results/x --policy 'lru+opportunistic' --against 'jetsam+opportunistic'")
        #expect(lines.allSatisfy { $0.text.split(separator: " ").count <= Findings.mostWords })
    }

    @Test func `without a winner the answer says so, and of few pairs that they decide nothing`() throws {
        let open = try judgement(policies: Self.policies("jetsam", "lru")) { run in
            100 + (run.policy == 0 ? 0 : -5 + 30 * Self.signs[0][run.replication])
        }
        let lines = Findings(open).answer(in: "r")
        #expect(
            lines[0].text.hasPrefix("no significant winner over jetsam; the best undecided policy is lru: 5 % fewer ["))
        #expect(lines[1].text == "lru is undecided")
        let worse = try judgement(policies: Self.policies("jetsam", "lru")) { run in
            100 + (run.policy == 0 ? 0 : 20 + Self.signs[0][run.replication])
        }
        #expect(Findings(worse).answer(in: "r")[0].text == "jetsam: no rival is better in relaunches per day, 12 pairs")
        #expect(Findings(worse).answer(in: "r")[1].text == "none")
        let few = try judgement(policies: Self.policies("jetsam", "lru"), replications: 3) { 100 - Double($0.policy) }
        #expect(
            Findings(few).answer(in: "r")[0].text
                == "no policy yet: 3 pairs are too few; \(few.analysis.fewestPairs) may be enough")
        #expect(Findings(few).answer(in: "r")[4].text.hasPrefix("raise replications"))
    }

    @Test func `of a sweep the answer counts points, and of one policy it tells what the axes do`() throws {
        let two = try sweep(Self.policies("jetsam", "lru"))
        let lines = Findings(two).answer(in: "r")
        #expect(lines[0].text == "no policy is significantly better than jetsam at any of 6 points")
        #expect(lines[1].text == "undecided: lru at 6 of 6 points")
        #expect(
            lines[2].text
                == "device.memory.ram: jetsam has 40 % fewer relaunches per day at 6 GiB than at 3 GiB [38, 42]")
        let alone = Findings(try sweep(Self.policies("jetsam"))).answer(in: "r")
        #expect(alone.map(\.name) == ["finds", "trust", "next"])
        #expect(alone[0].text.hasPrefix("device.memory.ram: jetsam+opportunistic has 40 % fewer"))
        #expect((lines + alone).allSatisfy { $0.text.split(separator: " ").count <= Findings.mostWords })
    }

    @Test func `the winner of a sweep is named with the values at which it wins`() throws {
        /// Pairs of a policy and the points at which it beats the baseline, of a memory size and a footprint each.
        func wins(_ winners: [Int: Set<Int>], axes: [String] = ["device.memory.ram", "app.footprint"]) throws -> String
        {
            let points = ["3 GiB", "4 GiB", "6 GiB"].flatMap { ram in ["200 MiB", "400 MiB"].map { [ram, $0] } }
            let judged = try judgement(axes: axes, points: points, policies: Self.policies("jetsam", "lru", "gdsf")) {
                let gain = winners[$0.policy]?.contains($0.point) == true ? 50.0 : 0
                return 100 + 10 * Self.signs[0][$0.replication] + Double($0.policy) * Self.signs[1][$0.replication]
                    - gain
            }
            return Findings(judged).answer(in: "r")[0].text
        }
        let end = ", significantly better than jetsam"
        #expect(try wins([1: [0, 1]]) == "lru at ram 3 GiB (2 of 6 points)" + end)
        #expect(try wins([1: [0, 2]]) == "lru at ram 3 GiB or 4 GiB with footprint 200 MiB (2 of 6 points)" + end)
        #expect(try wins([1: [0, 3]]) == "lru at 2 of 6 points" + end)
        #expect(try wins([1: [0, 1, 2, 3, 4, 5]]) == "lru at 6 of 6 points" + end)
        #expect(
            try wins([1: [0, 2, 4], 2: [1, 3, 5]])
                == "lru at footprint 200 MiB (3 of 6 points) and gdsf at footprint 400 MiB (3 of 6 points)" + end)
        // If the values take more words than a line has, the text has numbers of points.
        #expect(
            try wins([1: [0, 2], 2: [3, 5]]) == "lru at 2 of 6 points and gdsf at 2 of 6 points" + end)
    }

    @Test func `of many points none is told alone, unless all are asked for`() throws {
        let judged = try judgement(
            axes: ["n"], points: (0..<40).map { ["\($0)"] }, policies: Self.policies("jetsam", "lru")
        ) { run in
            let noise = Self.signs[1][run.replication] * (3 + 0.1 * Double(run.point))
            return 100 + Double(run.point) + noise - (run.policy == 0 ? 0 : 50 + Self.signs[0][run.replication])
        }
        let short = Findings(judged).sentences
        try #require(short.count == 2, "\(short)")
        #expect(short[0].contains("at all 40 sweep points"))
        #expect(short[1].hasPrefix("n matters: jetsam has 39 % more relaunches per day at 39 than at 0"))
        #expect(Findings(judged, isWhole: true).sentences.count == 42)
        #expect(Findings(judged).shownPoints.isEmpty && Findings(judged, isWhole: true).shownPoints.count == 40)
    }
}
