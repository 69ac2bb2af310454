// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import RandomStreams
import Testing
import Vocabulary
import WorkloadFixtures

@testable import Workload

@Suite struct DayCalendarTests {
    private let keys = StreamKeys(seed: 3, replication: 1)

    private func days(_ persona: Persona, _ count: Int, from weekday: Int = 0) -> [DayCalendar.Day] {
        var calendar = DayCalendar(persona: persona, startWeekday: weekday, keys: keys)
        return (0..<count).map { calendar.day($0) }
    }

    @Test func `without holidays and journeys days are those of the week`() {
        let plain = days(averagePersona(), 14, from: 2)
        #expect(plain.map(\.isWorkday) == (0..<14).map { ($0 + 2) % 7 < 5 })
        #expect(plain.allSatisfy { !$0.isAbroad && $0.zone == 0 })
        var calendar = DayCalendar(persona: averagePersona(), startWeekday: 2, keys: keys)
        // Yesterday was a Tuesday, the day before a Monday, and before that a Sunday.
        #expect([-1, -2, -3, -8].map { calendar.day($0).isWorkday } == [true, true, false, true])
    }

    @Test func `days off are taken from working days, as many as the persona says`() {
        var persona = averagePersona()
        persona.places.daysOffPerYear = 35
        let count = 40 * 365
        let found = days(persona, count)
        let off = found.indices.filter { $0 % 7 < 5 && !found[$0].isWorkday }
        // 1,400 of them: 2.6 %.
        #expect(abs(Double(off.count) / 40 / 35 - 1) < 0.08, "\(off.count)")
        #expect(found.indices.allSatisfy { $0 % 7 < 5 || !found[$0].isWorkday })
    }

    @Test func `a journey is of free days, and its clocks are whole hours from home's`() {
        var persona = averagePersona()
        persona.places.tripsPerYear = 12
        persona.places.tripLength = LogNormal(median: .days(4), sigma: 0)
        persona.places.tripZoneDeviation = .hours(5)
        let found = days(persona, 20_000)
        let journeys = found.filter(\.isAbroad)
        #expect(journeys.allSatisfy { !$0.isWorkday && $0.zone == $0.zone.rounded() && abs($0.zone) <= 12 })
        #expect(found.allSatisfy { $0.isAbroad || $0.zone == 0 })
        let zones = journeys.map(\.zone)
        // 590 journeys of four days: the spread is good to 3 %, its mean to .2 h; rounding adds a twelfth to the
        // variance, the cuts take 2 %.
        let mean = zones.reduce(0, +) / Double(zones.count)
        let spread = (zones.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(zones.count)).squareRoot()
        #expect(abs(mean) < 0.8 && abs(spread / 4.9 - 1) < 0.1, "\(mean), \(spread)")
        // One zone for the whole journey: at most one change in four days, where journeys follow each other.
        let changes = zip(journeys, journeys.dropFirst()).count { $0.zone != $1.zone }
        #expect(changes * 4 <= journeys.count && changes > journeys.count / 8, "\(changes) of \(journeys.count)")
    }

    /// Someone who uses the phone from 8 to 9 h and charges from 22 to 6 h, all days being journeys in one time zone.
    private func traveller(zone: Double) -> (hours: Set<Int>, plug: Double, unplug: Double) {
        var persona = averagePersona()
        persona.places.tripsPerYear = 365
        persona.places.tripLength = LogNormal(median: .days(3000), sigma: 0)
        persona.places.tripZoneDeviation = .hours(6)
        persona.workdayHours = (0..<24).map { $0 == 8 ? 1 : 0 }
        persona.freeDayHours = persona.workdayHours
        persona.charging.nightProbability = 1
        persona.charging.topUpsPerHour = 0
        persona.charging.nightPlug = ClockHour(mean: 22, deviation: 0)
        persona.charging.freeDayUnplug = ClockHour(mean: 6, deviation: 0)
        var replication = 0
        while true {
            var calendar = DayCalendar(
                persona: persona, startWeekday: 0, keys: StreamKeys(seed: 7, replication: replication))
            if calendar.day(0).zone == zone { break }
            replication += 1
        }
        let intents = allDays(persona, seed: 7, replication: replication, days: 9).days.dropFirst(2).joined()
        let hours = intents.filter { $0.kind == .unlock }.map { Int($0.time.hourOfDay) }
        func hour(_ kind: IntentKind) -> Double { intents.first { $0.kind == kind }?.time.hourOfDay ?? .nan }
        return (Set(hours), hour(.plug), hour(.unplug))
    }

    @Test(arguments: [(3.0, 5, 19.0, 3.0), (-4.0, 12, 2.0, 10.0)])
    func `on a journey the user lives by the clocks there`(zone: Double, hour: Int, plug: Double, unplug: Double) {
        let found = traveller(zone: zone)
        // A session may begin in the first hour and go on; none begins at home's hour.
        #expect(found.hours == [hour], "\(found.hours)")
        #expect(abs(found.plug - plug) < 1e-6 && abs(found.unplug - unplug) < 1e-6, "\(found.plug), \(found.unplug)")
    }
}

@Suite struct EpisodeTests {
    private static let apps = (0..<30).map { number in
        var app = AppModel(name: "app \(number)", category: [3, 11].contains(number) ? "video" : "utility")
        app.popularity = 100 / Double(number + 1)
        return app
    }

    @Test func `a share of the launches are episodes, in apps for video, and days have as many sessions`() {
        var persona = averagePersona()
        persona.pickups.daySigma = 0
        persona.episodes.shareOfLaunches = 0.02
        persona.episodes.visit = LogNormal(mu: 7.5, sigma: 0)
        let runs = (0..<6).map { allDays(persona, apps: Self.apps, replication: $0, days: 100).days }
        let opens = runs.joined().joined().filter { $0.kind == .open }
        let episodes = opens.filter { abs($0.value - 1808.04) < 0.01 }
        // Of 117,000 launches 2,300 episodes: 2 %.
        let share = Double(episodes.count) / Double(opens.count)
        #expect(abs(share / 0.02 - 1) < 0.08, "\(share)")
        #expect(Set(episodes.map(\.app)) == [AppID(3), AppID(11)])
        let sessions = Double(runs.joined().joined().count { $0.kind == .unlock }) / 600
        #expect(abs(sessions / 93.1 - 1) < 0.03, "\(sessions)")
    }

    @Test func `without an app for video there are none, and all else is as it was`() {
        var persona = averagePersona()
        let plain = allDays(persona, apps: someApps(20)).days
        persona.episodes.shareOfLaunches = 0.5
        #expect(allDays(persona, apps: someApps(20)).days == plain)
        #expect(allDays(persona, apps: Self.apps).days != allDays(averagePersona(), apps: Self.apps).days)
    }
}
