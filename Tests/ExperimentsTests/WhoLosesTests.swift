// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Phone
import Scenario
import Statistics
import Testing

@testable import Experiments

@Suite struct WhoLosesTests {
    /// Twelve people who use the phone ever more; every second one lives in town.
    private static let people = PlannedPeople(
        traits: [TraitName(name: "use", title: "pick-ups a day"), TraitName(name: "luck", title: "luck")],
        people: (0..<12).map(person))

    private static func person(_ number: Int) -> PlannedPeople.Person {
        let traits = [Double(10 * number), Double(number * 5 % 12)]
        return PlannedPeople.Person(kind: number.isMultiple(of: 2) ? "town" : "village", traits: traits)
    }

    private static func plan(_ primary: String = "relaunches_per_day", people: PlannedPeople? = people) -> Plan {
        Plan(
            name: "who", schema: 1, seed: 1, points: [PlannedPoint(values: [], configuration: 1)],
            policies: ["jetsam", "lru"].map { PlannedPolicy(eviction: $0, scheduling: "immediate") }, baseline: 0,
            replications: 12, tables: [], analysis: Analysis(primary: primary), people: people)
    }

    /// Under the baseline everybody has 100; the rival changes that by 3 for each further person, from -12.
    private static func judged(_ primary: String = "relaunches_per_day") throws -> Judgement {
        try judge(plan(primary)) { run in run.policy == 0 ? 100 : 100 + 3 * Double(run.replication) - 12 }
    }

    private static func who(_ primary: String = "relaunches_per_day") throws -> WhoLoses? {
        let judgement = try judged(primary)
        let metric = try #require(judgement.plan.metrics.index(of: primary))
        return judgement.whoLoses(metric: metric, policy: 1, point: 0)
    }

    @Test func `everybody is counted by what they have themselves`() throws {
        let all = try #require(try Self.who()?.rows.first)
        #expect(all.group == .everybody && all.people == 12)
        // Differences are -12, -9, …, 21: four are better, one is even, seven are worse.
        #expect(all.harmed == 7 && all.helped == 4)
        #expect(abs(all.share.share - 7.0 / 12) < 1e-12)
        #expect(abs(all.paired.difference - 4.5) < 1e-12)
        // A tenth of twelve, rounded up: the two who lose most, 18 and 21.
        #expect(all.worstTenth == 19.5)
    }

    @Test func `nobody is harmed by rounding`() throws {
        let judgement = try judge(Self.plan()) { run in
            let value = Double(run.replication % 4)
            return run.policy == 0 ? value : value + 1e-17 + value * 1e-15
        }
        let metric = try #require(judgement.plan.metrics.index(of: "relaunches_per_day"))
        let all = try #require(judgement.whoLoses(metric: metric, policy: 1, point: 0)?.rows.first)
        #expect(all.harmed == 0 && all.helped == 0 && all.worstTenth == 0 && all.paired.difference == 0)
        #expect(Findings(judgement).who(1, 0).first?.contains("the tenth that loses most has no change on") == true)
    }

    @Test func `where more is better those who get less are harmed`() throws {
        let all = try #require(try Self.who("resumes_per_day")?.rows.first)
        #expect(all.harmed == 4 && all.helped == 7)
        #expect(all.worstTenth == -10.5)
    }

    @Test func `thirds are made by the trait, and tau follows the harm`() throws {
        let rows = try #require(try Self.who()?.rows)
        let use = rows.filter { $0.trait?.name == "use" }
        #expect(
            use.map(\.group) == [
                .third("low", from: 0, to: 30), .third("middle", from: 40, to: 70), .third("high", from: 80, to: 110),
            ])
        #expect(use.map(\.harmed) == [0, 3, 4])
        #expect(use.allSatisfy { $0.tau == 1 })
        #expect(use.allSatisfy { ($0.tauP ?? 1) < 0.001 })
        let luck = rows.filter { $0.trait?.name == "luck" }
        #expect(luck.count == 3 && luck.allSatisfy { ($0.tauP ?? 0) > 0.05 })
        #expect(try Self.who("resumes_per_day")?.rows.first { $0.trait?.name == "use" }?.tau == -1)
    }

    @Test func `a trait of words makes a group of each of them`() throws {
        let people = PlannedPeople(
            traits: [TraitName(name: "signal", title: "cellular signal", words: ["good", "poor", "none"])],
            people: (0..<12).map { PlannedPeople.Person(kind: "", traits: [$0 < 9 ? 0 : 1]) })
        let judgement = try judge(Self.plan(people: people)) { run in
            run.policy == 0 ? 100 : 100 + 3 * Double(run.replication) - 12
        }
        let metric = try #require(judgement.plan.metrics.index(of: "relaunches_per_day"))
        let rows = try #require(judgement.whoLoses(metric: metric, policy: 1, point: 0)?.rows)
        #expect(rows.dropFirst().map(\.group) == [.word("good", number: 0), .word("poor", number: 1)])
        // -12, -9, …, 12 of the first nine, 15, 18 and 21 of the others.
        #expect(rows.dropFirst().map(\.paired.difference) == [0, 18])
        #expect(rows.dropFirst().map(\.harmed) == [4, 3])
        // The plan keeps the words.
        #expect(PlannedPeople(json: people.json) == people)
        let sentences = Findings(judgement).who(1, 0).joined()
        #expect(sentences.contains("those with poor have 18 more, and 100 %"))
    }

    @Test func `kinds of people stand beside the traits`() throws {
        let rows = try #require(try Self.who()?.rows)
        #expect(rows.suffix(2).map(\.group) == [.kind("town"), .kind("village")])
        // Even numbers have -12, -6, 0, 6, 12, 18, odd ones 3 more.
        #expect(rows.suffix(2).map(\.harmed) == [3, 4])
        #expect(rows.suffix(2).map(\.paired.difference) == [3, 6])
    }

    @Test func `no metric without a better direction says who loses`() throws {
        let neutral = try #require(MetricCatalog.catalogue.metrics.first { $0.better == .neutral })
        #expect(try Self.who(neutral.name) == nil)
    }

    @Test func `without a population nobody is told apart`() throws {
        let judgement = try judge(Self.plan(people: nil)) { run in Double(run.policy) }
        #expect(judgement.whoLoses(metric: 0, policy: 1, point: 0) == nil)
        #expect(!Findings(judgement).sentences.contains { $0.hasPrefix("Of ") })
    }

    @Test func `the sentences say the share, the worst tenth and the trait`() throws {
        let sentences = Findings(try Self.judged()).sentences
        let first = try #require(sentences.first { $0.hasPrefix("Of 12 people, 58 % [32, 81] fare worse") })
        #expect(first.contains("33 % fare better; the tenth that loses most has 20 more on average"))
        let trait = try #require(sentences.first { $0.hasPrefix("The best predictor is pick-ups a day") })
        #expect(
            trait.contains("(from 80) has 16 more, and 100 % [51, 100]")
                && trait.contains("(to 30) has 7.5 fewer, and 0 % [0, 49] fare worse; tau 1,"))
    }

    @Test func `a plan keeps its people`() throws {
        let plan = Self.plan()
        #expect(Plan(manifest: plan.manifest)?.people == Self.people)
        #expect(plan.with(replications: 5).people == Self.people)
        #expect(Plan(manifest: Self.plan(people: nil).manifest)?.people == nil)
        // People change no run: they are what the seed gives.
        #expect(plan.hash == Self.plan(people: nil).hash)
    }
}
