// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Testing
import Vocabulary
import Workload
import WorkloadFixtures

@testable import UserStudies

/// Recordings of known personas, fitted: the figures come back.
@Suite struct PersonaFitStatisticalTests {
    private static let days = 28
    private static let quick = PersonaFit.Effort(rounds: 3, recordings: 4, forIntervals: 12)

    static func recording(
        of persona: Persona, seed: UInt64, days: Int = days, apps: [AppModel] = someApps(80)
    ) -> UserSample {
        let source = PersonaWorkload(
            persona: persona, apps: apps, seed: seed, replication: 0, startWeekday: 0, days: days)
        return UserSample(WorkloadFile(of: .persona(source), apps: apps, days: days))
    }

    /// Another user than the base of the fit in everything that is fitted.
    private static var unlike: Persona {
        var persona = averagePersona()
        persona.pickups.perDay = 60
        persona.pickups.gapShape = 0.68
        persona.pickups.glanceShare = 0.35
        persona.pickups.extraAppsMean = 0.9
        persona.visit = LogNormal(mu: 2.1, sigma: 1.5, cap: 7200)
        persona.apps.active = 25
        persona.apps.zipf = 1.2
        persona.apps.repeatLast = 0.2
        persona.apps.goBack = 0.55
        persona.charging.nightProbability = 0.35
        persona.charging.topUpsPerHour = 1.3
        persona.charging.topUpLevelScale = 0.4
        return persona
    }

    @Test(arguments: [averagePersona(), unlike])
    func `a generated user's figures come back within their intervals`(truth: Persona) {
        // Seven recordings. With four recordings a round the intervals are too narrow: the deviation of visits lies
        // outside of four; of twenty recordings fitted with the usual effort, outside of one.
        var outside: [String: Int] = [:]
        for seed in 1...7 as ClosedRange<UInt64> {
            let fit = PersonaFit(
                Self.recording(of: truth, seed: seed), base: averagePersona(), answers: .init(), effort: Self.quick)
            #expect(fit.days == Self.days)
            for figure in fit.figures where !figure.interval.contains(truth[keyPath: figure.parameter.value]) {
                outside[figure.parameter.key, default: 0] += 1
            }
        }
        #expect(outside.allSatisfy { $0.value <= 4 }, "\(outside)")
    }

    @Test func `figures are as near as their intervals are narrow`() throws {
        let truth = Self.unlike
        let fit = PersonaFit(
            Self.recording(of: truth, seed: 3), base: averagePersona(), answers: .init(), effort: Self.quick)
        func near(_ key: String, _ relative: Double) throws {
            let figure = try #require(fit.figures.first { $0.parameter.key == key })
            let expected = truth[keyPath: figure.parameter.value]
            #expect(abs(figure.value / expected - 1) < relative, "\(key): \(figure.value) for \(expected)")
            #expect(figure.interval.contains(figure.value))
            #expect(figure.interval.upperBound / figure.interval.lowerBound < 1 + 6 * relative)
        }
        try near("pickups.per_day", 0.2)
        try near("pickups.gap_shape", 0.1)
        try near("pickups.glance_share", 0.15)
        try near("apps.zipf", 0.15)
        try near("apps.repeat_last", 0.25)
        try near("apps.go_back", 0.1)
        try near("visit.median", 0.15)
        try near("visit.sigma", 0.08)
        try near("charging.top_ups_per_hour", 0.25)
    }

    @Test func `what the persona does is near the recording, and far from another user's`() {
        let mine = Self.recording(of: Self.unlike, seed: 5)
        let fit = PersonaFit(mine, base: averagePersona(), answers: .init(), effort: Self.quick)
        #expect(fit.goodness.count >= 14)
        let far = fit.goodness.filter { !$0.isNear }
        #expect(far.count <= 2, "\(far.map(\.name))")
        let strangers = (1...4).map { Self.recording(of: averagePersona(), seed: $0) }
        let others = UserDistance.all(between: mine, and: strangers)
        #expect(others.count { !$0.isNear } >= 6)
    }

    @Test func `restarts, installs and the usual signal are found where they are recorded, and nowhere else`() throws {
        var truth = averagePersona()
        truth.restarts.perMonth = 6
        truth.installs.perMonth = 9
        truth.installs.updatesPerMonth = 1.5
        truth.cellular.homeSignal = .moderate
        truth.cellular.workSignal = .poor
        let fit = PersonaFit(
            Self.recording(of: truth, seed: 4, days: 60), base: averagePersona(), answers: .init(), effort: Self.quick)
        for (key, expected, error) in [
            ("restarts.per_month", 6.0, 4.0), ("installs.per_month", 9, 5), ("installs.updates_per_month", 1.5, 0.4),
        ] {
            let figure = try #require(fit.figures.first { $0.parameter.key == key })
            #expect(abs(figure.value - expected) < error, "\(key): \(figure.value)")
            #expect(figure.interval.lowerBound >= 0 && figure.interval.contains(figure.value))
        }
        // Most of the time is spent at home.
        #expect(fit.signal == .moderate && fit.persona.cellular.transitSignal == .moderate)
        let text = fit.yaml(name: "mine", base: "average", origin: "x.csv")
        #expect(text.contains("signal: {home: moderate, work: moderate, transit: moderate, other: moderate}"))
        #expect(text.contains("restarts:\n  per_month: ") && text.contains("updates_per_month: "))
        let other = PersonaFit(
            Self.recording(of: averagePersona(), seed: 4), base: averagePersona(), answers: .init(), effort: Self.quick)
        let keys = Set(other.figures.map(\.parameter.key))
        #expect(other.signal == nil && keys.isDisjoint(with: HabitParameter.counted.subtracting(["apps.new_per_day"])))
    }

    @Test func `a file without charges and network tells nothing of them`() {
        let apps = someApps(80)
        let source = PersonaWorkload(
            persona: averagePersona(), apps: apps, seed: 1, replication: 0, startWeekday: 0, days: 14)
        var file = WorkloadFile(of: .persona(source), apps: apps, days: 14)
        file.events.removeAll { [.plug, .unplug, .topUp, .network].contains($0.kind) }
        let fit = PersonaFit(UserSample(file), base: averagePersona(), answers: .init(), effort: Self.quick)
        let keys = fit.figures.map(\.parameter.key)
        #expect(!keys.contains { $0.hasPrefix("charging") || $0.hasPrefix("wifi") || $0.hasPrefix("notifications") })
        #expect(keys.contains("pickups.per_day"))
        let text = fit.yaml(name: "mine", base: "average", origin: "x.csv")
        #expect(!text.contains("charging:"))
        #expect(text.contains("base: average"))
        #expect(text.contains("workday_hours: ["))
    }

    @Test func `several users make a population with the spread that is theirs`() throws {
        let median = 90.0
        let fits = (0..<6).map { number in
            var persona = averagePersona()
            // Deviation of the logarithm: 0.561.
            persona.pickups.perDay = median * [0.5, 0.7, 0.9, 1.11, 1.43, 2][number]
            // Most of the time is spent at home: mean of the numbers 1.333, deviation 1.033.
            persona.cellular.homeSignal = [SignalLevel.excellent, .good, .good, .moderate, .poor, .good][number]
            return PersonaFit(
                Self.recording(of: persona, seed: UInt64(number + 10)), base: averagePersona(), answers: .init(),
                effort: Self.quick)
        }
        let population = try #require(PopulationFit(fits))
        let text = population.yaml(name: "ours", base: "average", origin: "6 recordings")
        let line = try #require(text.split(separator: "\n").first { $0.contains("key: pickups.per_day") })
        func number(_ key: String) throws -> Double {
            let rest = try #require(line.firstRange(of: key + ": ")).upperBound
            return try #require(Double(line[rest...].prefix { $0 != "," }))
        }
        #expect(try abs(number("median") / median - 1) < 0.15)
        #expect(try number("spread") > 0.4 && number("spread") < 0.72)
        // All have the same gaps: what differs there is their own uncertainty.
        let shape = text.split(separator: "\n").first { $0.contains("key: pickups.gap_shape") }
        if let shape {
            let rest = try #require(shape.firstRange(of: "spread: ")).upperBound
            #expect(try #require(Double(shape[rest...].prefix { $0 != "," })) < 0.06)
        }
        let signal = "median: 1.333, spread: 1.033, scale: linear, words: [excellent, good, moderate, poor, very-poor]"
        for location in ["home", "work", "transit", "other"] {
            #expect(text.contains("- {key: cellular.signal.\(location), \(signal)}"))
        }
        let alike = try #require(PopulationFit([fits[1], fits[2]]))
        #expect(
            alike.yaml(name: "ours", base: "average", origin: "2 recordings")
                .contains("  cellular: {signal: {home: good, work: good, transit: good, other: good}}\n"))
        #expect(PopulationFit([fits[0]]) == nil)
    }
}
