// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Glibc
import Numerics
import PhoneCore
import Testing
import Vocabulary
import Workload

@testable import Scenario

@Suite struct PopulationTests {
    private static let text = """
        persona: average
        traits:
          - name: use
            keys: [{key: pickups.per_day, median: 100, spread: 0.5}]
          - name: night
            keys: [{key: charging.night_probability, median: 0.6, spread: 1.5, scale: logit}]
          - name: late
            title: hours late
            keys: [{key: day_shift, median: 0, spread: 1, scale: linear, unit: h, range: [-2, 2]}]
          - name: apps
            keys: [{key: apps.active, median: 30, spread: 0.4, whole: true}]
        correlations: [{between: [use, apps], is: 0.6}]
        kinds: [{name: town, share: 70 %}, {name: village, share: 30 %, habits: {places: {work: []}}}]
        """

    private static func people(_ text: String = text, size: Int = 2000, seed: Int = 1) throws -> People {
        let indented = text.split(separator: "\n").map { "    " + $0 }.joined(separator: "\n")
        let written = sample.replacing("replications: 6\n", with: "")
            .replacing("user: {persona: average}", with: "user:\n  size: \(size)\n  population:\n" + indented)
            .replacing("seed: 7", with: "seed: \(seed)")
        return try #require(try load(written).points[0].people)
    }

    @Test func `traits have the median, the spread and the correlation that the file gives`() throws {
        let people = try Self.people().people
        func values(_ trait: Int) -> [Double] { people.map { $0.traits[trait] } }
        let use = Moments(values(0).map { log($0) })
        #expect(abs(use.mean - log(100)) < 0.04 && abs(use.standardDeviation - 0.5) < 0.03)
        let night = Moments(values(1).map { log($0 / (1 - $0)) })
        #expect(abs(night.mean - log(1.5)) < 0.12 && abs(night.standardDeviation - 1.5) < 0.08)
        // A normal number beyond two deviations is cut: 4.6 % of them.
        #expect(abs(Double(values(2).count { abs($0) == 2 }) / 2000 - 0.0455) < 0.016)
        #expect(values(3).allSatisfy { $0 == $0.rounded() })
        #expect(abs(correlation(values(0).map { log($0) }, values(3).map { log($0) }) - 0.6) < 0.05)
        #expect(abs(correlation(values(0).map { log($0) }, values(2))) < 0.07)
        #expect(abs(Double(people.count { $0.kind == "town" }) / 2000 - 0.7) < 0.035)
    }

    @Test func `a person has the habits of their traits and of their kind`() throws {
        let people = try Self.people(size: 40).people
        for person in people {
            #expect(abs(person.persona.pickups.perDay - person.traits[0]) < 1e-9 * person.traits[0])
            #expect(abs(person.persona.charging.nightProbability - person.traits[1]) < 1e-9)
            #expect(person.persona.apps.active == Int(person.traits[3]))
            #expect(person.persona.places.work.isEmpty == (person.kind == "village"))
            // Work begins when it begins: on working days night charges move by half of the shift.
            #expect(abs(person.persona.charging.nightPlug.mean - (23.3 + person.traits[2] / 2)) < 1e-9)
        }
        #expect(Set(people.map(\.kind)) == ["town", "village"])
    }

    @Test func `a trait may take words, by their number`() throws {
        let words = "[excellent, good, moderate, poor, very-poor]"
        let keys = ["home", "work"].map {
            "{key: cellular.signal.\($0), median: 1, spread: 1, scale: linear, words: \(words)}"
        }
        let signal = "  - {name: signal, keys: [\(keys.joined(separator: ", "))]}\n"
        let people = try Self.people(Self.text.replacing("correlations:", with: signal + "correlations:"))
        #expect(people.traits[4].words.count == 5 && people.traits[0].words.isEmpty)
        for person in people.people {
            let level = SignalLevel(number: Int(person.traits[4]))
            #expect(person.persona.cellular.homeSignal == level && person.persona.cellular.workSignal == level)
        }
        // Rounded and cut: below one half 30.9 %, above three and a half .6 %.
        func share(_ number: Double) -> Double { Double(people.people.count { $0.traits[4] == number }) / 2000 }
        #expect(abs(share(0) - 0.309) < 0.04 && abs(share(1) - 0.383) < 0.04 && abs(share(4) - 0.006) < 0.007)
    }

    @Test func `person k is the same in a larger population, and another under another seed`() throws {
        let few = try Self.people(size: 6).people
        let many = try Self.people(size: 30).people
        #expect(zip(few, many).allSatisfy { $0.traits == $1.traits && $0.kind == $1.kind })
        let others = try Self.people(size: 6, seed: 2).people
        #expect(zip(few, others).allSatisfy { $0.traits[0] != $1.traits[0] })
    }

    @Test func `a further trait moves no other`() throws {
        let more = Self.text.replacing(
            "correlations:",
            with: "  - {name: mood, keys: [{key: pickups.day_sigma, median: 0.3, spread: 0.1}]}\ncorrelations:")
        let before = try Self.people(size: 8).people
        let after = try Self.people(more, size: 8).people
        #expect(zip(before, after).allSatisfy { $0.traits == Array($1.traits.prefix(4)) })
    }

    @Test func `the size changes no run of those who were there`() throws {
        func point(_ size: Int) throws -> String {
            try load(
                sample.replacing("replications: 6\n", with: "").replacing(
                    "user: {persona: average}", with: "user: {population: smartphone-users, size: \(size)}")
            ).points[0].resolvedText
        }
        #expect(try point(5) == point(50))
    }

    @Test func `replications are people unless fewer are asked for`() throws {
        func experiment(_ replications: String) throws -> Experiment {
            try load(
                sample.replacing("replications: 6\n", with: replications).replacing(
                    "user: {persona: average}", with: "user: {population: smartphone-users, size: 9}"))
        }
        #expect(try experiment("").replications == 9)
        #expect(try experiment("replications: 6\n").replications == 6)
        let problem = #expect(throws: Diagnostics.self) { try experiment("replications: 10\n") }
        #expect(problem?.description.contains("10 replications need 10 people, but the population has only 9") == true)
    }

    @Test func `people have apps of their own number, and begin with the same`() throws {
        let experiment = try load(
            sample.replacing("replications: 6\n", with: "").replacing(
                "apps: {catalog: everyday, count: 20}", with: "apps: {catalog: everyday}"
            )
            .replacing("user: {persona: average}", with: "user: {population: smartphone-users, size: 8}"))
        let point = experiment.points[0]
        let people = try #require(point.people?.people)
        for (number, person) in people.enumerated() {
            let run = experiment.specification(point: 0, policy: 0, replication: number)
            #expect(run.apps.count == person.persona.installedApps)
            #expect(run.apps.count(where: { $0.pushesPerDay > 0 }) <= person.persona.background.pushApps)
            #expect(run.persona.pickups.perDay == person.persona.pickups.perDay)
            #expect(run.apps[0].name == point.apps[0].name)
        }
        #expect(Set(people.map(\.persona.installedApps)).count > 3)
    }

    @Test(arguments: [
        (
            "correlations: [{between: [use, apps], is: 0.6}]", "correlations: [{between: [use, aps], is: 0.6}]",
            "unknown trait \"aps\""
        ),
        (
            "median: 30, spread: 0.4, whole: true", "median: 1, spread: 0.4, words: [few, many]",
            "give two or more words, with scale: linear"
        ),
        (
            "median: 30, spread: 0.4, whole: true", "median: 2, spread: 0.4, scale: linear, words: [few, many]",
            "the number of one of the 2 words, counted from 0"
        ),
        (
            "correlations: [{between: [use, apps], is: 0.6}]",
            "correlations: [{between: [use, apps], is: 0.9}, {between: [use, late], is: 0.9}, "
                + "{between: [apps, late], is: -0.9}]",
            "these correlations contradict each other"
        ),
        ("share: 30 %", "share: 20 %", "the shares of all kinds must add up to 100 %"),
        ("median: 0.6, spread", "median: 1.6, spread", "expected a median between 0 and 1"),
        ("key: pickups.per_day", "key: pickups.perday", "unknown key \"perday\""),
        ("key: apps.active", "key: pickups.per_day", "two traits change \"pickups.per_day\""),
        ("name: night", "name: use", "two traits are called \"use\""),
        ("persona: average", "summary: nobody", "the key \"persona\" is missing"),
        ("median: 30, spread", "median: 900000, spread", "expected at most 200000"),
        ("range: [-2, 2]", "range: [1, 2]", "the range must include the median"),
    ])
    func `what is wrong with a population is said where it stands`(old: String, new: String, message: String) throws {
        let text = Self.text.replacing(old, with: new)
        let problem = #expect(throws: Diagnostics.self) { try Self.people(text, size: 3) }
        #expect(problem?.description.contains(message) == true, "\(problem?.description ?? "")")
    }

    @Test func `the shipped population spreads as the studies say`() throws {
        let experiment = try load(
            sample.replacing("replications: 6\n", with: "").replacing(
                "user: {persona: average}", with: "user: {population: smartphone-users, size: 1000}"))
        let people = try #require(experiment.points[0].people)
        let use = people.people.map { $0.persona.pickups.perDay }.sorted()
        // Unlocks of 28 users: means of users from 57 (p10) to 189 (p90).
        #expect(abs(quantile(0.1, ofSorted: use) / 57 - 1) < 0.08)
        #expect(abs(quantile(0.9, ofSorted: use) / 189 - 1) < 0.08)
        let night = people.people.map { $0.persona.charging.nightProbability }.sorted()
        #expect(quantile(0.1, ofSorted: night) < 0.25 && quantile(0.9, ofSorted: night) > 0.85)
    }
}
