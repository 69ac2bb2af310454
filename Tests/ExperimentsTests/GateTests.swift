// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Experiments
import Measures
import Phone
import Scenario
import Testing

@Suite struct GateTests {
    private func plan(_ replications: Int = 10) -> Plan {
        Plan(
            name: "gate", schema: 1, seed: 1, points: [PlannedPoint(values: [], configuration: 1)],
            policies: [
                PlannedPolicy(eviction: "jetsam", scheduling: "charger-and-wifi"),
                PlannedPolicy(name: "mine", eviction: "lru", scheduling: "immediate"),
            ], baseline: 0, replications: replications, tables: [], analysis: Analysis(primary: "relaunches_per_day"))
    }

    /// Every metric is 10, 11, … under the baseline and 2 to 2.9 more under the other.
    private func findings(_ text: String, replications: Int = 10) throws -> [GateFinding] {
        let plan = plan(replications)
        let store = try finishedStore(plan) { run in
            let value = 10 + Double(run.replication) + (run.policy == 1 ? 2 + Double(run.replication) / 10 : 0)
            return MetricCatalog.catalogue.metrics.map { _ in value }
        }
        return try Gate(text, plan: plan).findings(plan, store)
    }

    @Test(arguments: [
        ("relaunches_per_day(mine) <= 30", GateFinding.Outcome.met), ("relaunches_per_day(mine) <= 10", .missed),
        ("relaunches_per_day(mine) <= 17", .undecided), ("relaunches_per_day(mine) >= 10", .met),
        ("relaunches_per_day <= 20", .met), ("relaunches_per_day(jetsam+charger-and-wifi) >= 40", .missed),
        ("relaunches_per_day(mine) - relaunches_per_day(jetsam+charger-and-wifi) <= 3", .met),
        ("relaunches_per_day(mine)-relaunches_per_day<=2", .missed),
        ("relaunches_per_day(mine) - relaunches_per_day < 20 %", .met),
        ("relaunches_per_day(mine) - relaunches_per_day < 12%", .missed),
        ("relaunches_per_day(mine) - relaunches_per_day > -1", .met),
    ])
    func `a condition is met when the whole interval is on its side`(
        text: String, outcome: GateFinding.Outcome
    ) throws {
        let finding = try #require(try findings(text).first)
        #expect(finding.outcome == outcome, "\(finding)")
        #expect(finding.n == 10)
    }

    @Test func `differences are paired, and the effect that would be seen is that of the paired test`() throws {
        let text = "relaunches_per_day(mine) - relaunches_per_day <= 20 %"
        let finding = try #require(try findings(text).first)
        #expect(abs((finding.mean ?? 0) - 2.45) < 1e-12 && abs(finding.limit - 0.2 * 14.5) < 1e-12)
        // 0, 0.1, … 0.9 has the standard deviation 0.30277; R: power.t.test(n = 10, power = .8, type = "paired").
        #expect(abs(finding.detectable / (0.9960 * 0.302_765) - 1) < 0.01)
        let single = try #require(try findings("relaunches_per_day(mine) <= 20").first)
        #expect(single.detectable > 9 * finding.detectable)
    }

    /// The mean of a metric whose values are given by the number of the replication, and of differences that are.
    private func both(_ replications: Int, _ value: @escaping (Int) -> Double) throws -> [GateFinding] {
        let plan = plan(replications)
        let store = try finishedStore(plan) { run in
            let own = run.policy == 1 ? value(run.replication) : 0
            // The difference of the first metric is the value; the second metric is the value itself.
            let base = 100 + Double(run.replication * run.replication)
            return MetricCatalog.catalogue.metrics.indices.map { $0 == 0 ? base + own : own }
        }
        let names = plan.metrics.names
        return try ["\(names[0])(mine) - \(names[0]) <= 3", "\(names[1])(mine) <= 3"].flatMap {
            try Gate($0, plan: plan).findings(plan, store)
        }
    }

    @Test func `replications without a value are counted apart`() throws {
        let found = try both(8) { $0 < 2 ? .nan : Double($0) }
        #expect(!found.isEmpty)
        for finding in found { #expect(finding.n == 6 && finding.withoutValue == 2) }
        #expect(try both(8) { Double($0) }.allSatisfy { $0.n == 8 && $0.withoutValue == 0 })
    }

    @Test func `equal values decide from 59 on, where 0.95 to their number is below 0.05`() throws {
        // 0.95^58 = 0.0510, 0.95^59 = 0.0485.
        #expect(GateFinding.fewestEqual(level: 0.95) == 59)
        // 0.9^21 = 0.109, 0.9^22 = 0.0985.
        #expect(GateFinding.fewestEqual(level: 0.9) == 22)
        for (n, outcome, wanted) in [(10, GateFinding.Outcome.undecided, 59), (58, .undecided, 59), (59, .met, nil)]
            as [(Int, GateFinding.Outcome, Int?)]
        {
            let found = try both(n) { _ in 2 }
            #expect(found.map(\.outcome) == [outcome, outcome], "\(n)")
            #expect(found.map(\.wanted) == [wanted, wanted], "\(n)")
            #expect(found.map(\.mean) == [2, 2], "\(n)")
        }
        #expect(try both(59) { _ in 4 }.map(\.outcome) == [.missed, .missed])
    }

    @Test func `where fewer than five differ from what most have, nothing is decided`() throws {
        #expect(try both(12) { $0 < 4 ? 1 : 0 }.map(\.outcome) == [.undecided, .undecided])
        #expect(try both(12) { $0 < 5 ? 1 : 0 }.map(\.outcome) == [.met, .met])
        #expect(try both(12) { $0 < 4 ? 1 : 0 }.map(\.wanted) == [nil, nil])
    }

    @Test func `fewer than five replications decide nothing`() throws {
        #expect(try findings("relaunches_per_day(mine) <= 300", replications: 4).map(\.outcome) == [.undecided])
        #expect(try findings("relaunches_per_day(mine) <= 300", replications: 5).map(\.outcome) == [.met])
    }

    @Test(arguments: [
        ("relaunches_per_day(mine)", "expected a condition with <= or >="),
        ("relaunches_per_day(mine) <= x", "a number"),
        ("relaunches_per_dey(mine) <= 3", "did you mean \"relaunches_per_day\"?"),
        ("relaunches_per_day(mime) <= 3", "did you mean \"mine\"?"),
        ("relaunches_per_day(mine) <= 3 %", "a limit in % needs a difference of two metrics"),
        ("relaunches_per_day - relaunches_per_day - relaunches_per_day < 1", "one metric, or one metric minus another"),
    ])
    func `what is no condition says what is wrong`(text: String, part: String) throws {
        let problem = try #require(throws: Diagnostics.self) { try Gate(text, plan: plan()) }
        #expect(problem.description.contains(part), "\(problem)")
    }
}
