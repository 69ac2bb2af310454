// SPDX-License-Identifier: GPL-3.0-or-later
import Experiments
import Measures
import Phone
import Recording
import Scenario
import Testing

/// What a difference hangs on among the constants that were drawn.
@Suite struct DoubtTests {
    /// Twelve replications of six samples: the first constant orders the differences, the second does not.
    private static let doubts = [
        PlannedDoubt(path: "device.noise", draws: [3, 1, 2, 2, 1, 3]),
        PlannedDoubt(path: "device.power", draws: [60, 50, 40, 30, 20, 10]),
    ]

    private static func plan(_ doubts: [PlannedDoubt] = doubts, replications: Int = 12) -> Plan {
        Plan(
            name: "doubt", schema: 1, seed: 1, points: [PlannedPoint(values: [], configuration: 1)],
            policies: ["jetsam", "lru"].map { PlannedPolicy(eviction: $0, scheduling: "immediate") }, baseline: 0,
            replications: replications, tables: [],
            analysis: Analysis(primary: "relaunches_per_day", correction: .maxT), doubts: doubts)
    }

    /// The rival has 1 less for each 10 of the second constant, and a little less in later replications.
    private static func judged(_ plan: Plan, sign: Double = 1) throws -> Judgement {
        try judge(plan) { run in
            let drawn = [60.0, 50, 40, 30, 20, 10][run.replication % 6]
            return run.policy == 0 ? 100 : 100 - sign * (drawn / 10 + 0.001 * Double(run.replication))
        }
    }

    @Test func `the constant that orders the differences stands first, with the means of its thirds`() throws {
        let plan = Self.plan()
        let metric = try #require(plan.metrics.index(of: "relaunches_per_day"))
        let rows = try Self.judged(plan).doubts(metric: metric, policy: 1, point: 0)
        #expect(rows.map(\.path) == ["device.power", "device.noise"])
        // Of 66 pairs 60 have different draws, all discordant, and none has equal differences.
        #expect(abs(rows[0].tau + (60.0 / 66).squareRoot()) < 1e-12)
        #expect(rows[0].p < 0.001 && rows[1].p > 0.5)
        // The draws 10, 10, 20, 20 are of the replications 5, 11, 4, 10; those of 50 and 60 of 1, 7, 0, 6.
        #expect(abs(rows[0].low - (-1.5 - 0.0075)) < 1e-9)
        #expect(abs(rows[0].high - (-5.5 - 0.0035)) < 1e-9)
    }

    @Test func `the sentences say what the winner's difference hangs on`() throws {
        let text = Findings(try Self.judged(Self.plan())).sentences.joined(separator: "\n")
        #expect(text.contains("The interval includes the uncertainty of 2 constants of the phone. The difference "))
        #expect(
            text.contains(
                "device.power (-1.5 in the third of the runs with the smallest values, -5.5 in the third with the "
                    + "largest values, tau -0.95"))
        // The baseline wins: more is worse.
        let worse = Findings(try Self.judged(Self.plan(), sign: -1)).sentences.joined(separator: "\n")
        #expect(worse.contains("The difference of lru depends most on device.power (1.5 in the third of the runs"))
        let plain = Findings(try Self.judged(Self.plan([]))).sentences.joined(separator: "\n")
        #expect(!plain.contains("doubt"))
    }

    @Test func `too few pairs say nothing, and a plan keeps its doubts`() throws {
        let few = Self.plan(replications: 4)
        let metric = try #require(few.metrics.index(of: "relaunches_per_day"))
        #expect(try Self.judged(few).doubts(metric: metric, policy: 1, point: 0).isEmpty)
        let plan = Self.plan()
        let back = try #require(Plan(manifest: plan.manifest))
        #expect(back.doubts == Self.doubts && back == plan)
        #expect(plan.with(replications: 3).doubts == Self.doubts)
    }
}
