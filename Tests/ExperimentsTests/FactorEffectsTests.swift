// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Phone
import Recording
import Scenario
import Statistics
import Testing

@testable import Experiments

/// What is found of eviction and scheduling apart where an experiment has every combination of both.
///
/// As in `FindingsTests`, a list of m + s and m - s by turns over twelve pairs has a half-width of 0.663622 s.
@Suite struct FactorEffectsTests {
    private static let one = 1 / 0.663622
    private static let users: [Double] = [1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1]
    private static let signs: [Double] = [1, 1, -1, -1, 1, 1, -1, -1, 1, 1, -1, -1]

    /// Relaunches of 100 a day, less 8 ± 2 with `jit`, more `lru` ± `width` with `lru` and `fifo`, and more `both` with
    /// lru and jit; two of three kills are chosen by a policy.
    private func judgement(
        evictions: [String] = ["jetsam", "lru"], schedulings: [String] = ["opportunistic", "jit"], lru: Double = 0,
        width: Double = 0.3, both: Double = 0, leaveOut: Int? = nil, remarks: [String: [String]] = [:]
    ) throws -> Judgement {
        var policies = evictions.flatMap { eviction in
            schedulings.map {
                PlannedPolicy(eviction: eviction, scheduling: $0, remarks: remarks[eviction] ?? [])
            }
        }
        if let leaveOut { policies.remove(at: leaveOut) }
        let plan = Plan(
            name: "x", schema: 1, seed: 1, axes: [], points: [PlannedPoint(values: [], configuration: 1)],
            policies: policies, baseline: 0, replications: 12, tables: [],
            analysis: Analysis(primary: "relaunches_per_day"))
        let share = try #require(plan.metrics.index(of: "policy_decided_kill_share"))
        return try judge(plan) { run in
            let (user, sign) = (Self.users[run.replication], Self.signs[run.replication])
            let policy = policies[run.policy]
            var value = 100 + 10 * user
            if policy.scheduling == "jit" { value += -8 + 2 * Self.one * sign }
            if policy.eviction != "jetsam" { value += lru + width * Self.one * sign }
            if policy.eviction == "lru", policy.scheduling == "jit" { value += both + 0.1 * Self.one * user }
            var values = MetricCatalog.catalogue.metrics.map { _ in value }
            values[share] = 0.667
            return values
        }
    }

    @Test func `what decides comes first, then what changes nothing and how much it had to say`() throws {
        let found = Findings(try judgement()).sentences
        #expect(
            found[0] == "Scheduling matters: jit has 8 % fewer relaunches per day than opportunistic [6, 10], over all "
                + "2 eviction policies, 12 pairs.")
        #expect(
            found[1]
                == "Eviction makes no difference here (a policy chose the victim of 67 % of kills): all policies are "
                + "within 1 % of jetsam.")
        #expect(found[2] == "Eviction and scheduling have no significant interaction.")
        #expect(found[3].contains("+jit has 8 % fewer relaunches per day than jetsam+opportunistic"))
    }

    @Test func `each part is corrected over all main effects, not over all pairs`() throws {
        // Two of eviction and one of scheduling: the least p of three is tripled, whatever the number of pairs.
        let judged = try judgement(evictions: ["jetsam", "lru", "fifo"], lru: 0.2)
        let factors = try #require(FactorEffects(judged, metric: Findings(judged).metric, point: 0))
        let rows = try #require(factors.effects[.eviction]) + (factors.effects[.scheduling] ?? [])
        #expect(rows.map(\.name) == ["lru", "fifo", "jit"])
        #expect(rows.map(\.adjustedP) == holm(rows.map(\.paired.p)))
        #expect(factors.levels[.eviction] == ["jetsam", "lru", "fifo"])
        // Averaged over two scheduling policies; the pair of lru and jit has another half-width, of the mean of two.
        #expect(abs(rows[0].paired.difference - 0.2) < 1e-9 && abs(rows[1].paired.difference - 0.2) < 1e-9)
        #expect(abs(rows[2].paired.difference + 8) < 1e-9)
        #expect(factors.interactions.map(\.name) == ["lru+jit", "fifo+jit"])
    }

    @Test func `parts that act together are told, against what they would make alone`() throws {
        // 100 of jetsam, 92 of jit, 100 of lru: alone 92, and 5 less together. The pairs agree so closely that the
        // interval reaches a 48th of the deviation of the users: 10.4 / 48 = 0.22, 0.24 % of 92.
        let found = Findings(try judgement(both: -5)).sentences
        #expect(
            found.contains(
                "The two interact: lru+jit has 5.4 % fewer relaunches per day than its two policies would give "
                    + "without the interaction [5.2, 5.7], so compare single pairs."))
    }

    @Test func `a factor that is open says what differs most, after the one that decides`() throws {
        // 0.5 of 96, and a half-width of 2.
        let found = Findings(try judgement(lru: 0.5, width: 2)).sentences
        #expect(found[0].hasPrefix("Scheduling matters: jit has 8"))
        #expect(
            found[1]
                == "Eviction makes no significant difference (a policy chose the victim of 67 % of kills); largest "
                + "difference: lru, 0.52 % more [-1.6, 2.6].")
    }

    @Test func `of two that decide the larger comes first`() throws {
        let found = Findings(try judgement(lru: 20)).sentences
        #expect(found[0].hasPrefix("Eviction matters: lru has 21 % more relaunches per day than jetsam"))
        #expect(found[1].hasPrefix("Scheduling matters: jit has 7.3 % fewer relaunches per day than opportunistic"))
    }

    @Test func `policies that are no product have no parts to tell apart`() throws {
        #expect(FactorEffects(try judgement(leaveOut: 3), metric: 0, point: 0) == nil)
        #expect(FactorEffects(try judgement(schedulings: ["jit"]), metric: 0, point: 0) == nil)
        #expect(FactorEffects(try judgement(evictions: ["jetsam"]), metric: 0, point: 0) == nil)
    }

    @Test func `references have no part in it`() throws {
        let judged = try judgement(
            evictions: ["jetsam", "belady", "lru"], remarks: ["belady": [PlannedPolicy.oracleRemark]])
        let factors = try #require(FactorEffects(judged, metric: 0, point: 0))
        #expect(factors.levels[.eviction] == ["jetsam", "lru"])
    }
}
