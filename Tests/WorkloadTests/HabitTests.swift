// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Testing
import Vocabulary
import Workload
import WorkloadFixtures

/// Habits one at a time, of users who have no other: what a hundred days hold follows from one figure.
@Suite struct HabitTests {
    /// Somebody of 60 sessions a day with one app each, at any hour, the same every day.
    private var plain: Persona {
        var persona = Persona(name: "plain")
        persona.pickups.perDay = 60
        persona.apps.active = 30
        persona.visit = LogNormal(median: .minutes(5), sigma: 0)
        persona.glance = LogNormal(median: .seconds(12), sigma: 0)
        persona.workdayHours = Array(repeating: 1, count: 24)
        persona.freeDayHours = persona.workdayHours
        return persona
    }

    private func intents(_ persona: Persona, apps: [AppModel] = someApps(80), days: Int = 100) -> [Intent] {
        Array(allDays(persona, apps: apps, days: days).days.joined())
    }

    @Test func `interruptions come by the hour on screen and end within the visit`() {
        var persona = plain
        persona.interruptionsPerScreenHour = 3
        persona.interruption = LogNormal(median: .seconds(120), sigma: 0)
        let all = intents(persona)
        var visit: Intent?
        var (visits, found) = (0, 0)
        for intent in all {
            if intent.kind == .open { (visit, visits) = (intent, visits + 1) }
            guard intent.kind == .interrupt, let visit else { continue }
            found += 1
            let begin = (intent.time - visit.time).seconds
            #expect(begin < 300)
            #expect(abs(intent.value - min(120, 300 - begin)) < 1e-6)
        }
        // Five minutes hold none with a chance of exp(-1/4); 6,000 visits make one deviation of 2 %.
        let expected = 0.2212 * Double(visits)
        #expect(visits > 5000 && abs(Double(found) / expected - 1) < 0.08)
    }

    @Test func `a session of glances lasts as long as they do, and one of apps as many as are drawn`() {
        var persona = plain
        persona.pickups.glanceShare = 1
        let glances = intents(persona, days: 20)
        let lengths = zip(glances, glances.dropFirst()).filter { $0.0.kind == .unlock }.map { $1.time - $0.time }
        #expect(lengths.count > 800 && lengths.allSatisfy { abs(($0 - .seconds(12)).seconds) < 1e-6 })
        persona.pickups.glanceShare = 0
        persona.pickups.extraAppsMean = 1.5
        persona.pickups.extraAppsShape = 1e6
        let sessions = intents(persona)
        let perSession = Double(sessions.count { $0.kind == .open }) / Double(sessions.count { $0.kind == .unlock })
        // Poisson around 1.5 beside the first: one deviation of the mean of 6,000 is 0.016.
        #expect(abs(perSession - 2.5) < 0.06)
    }

    @Test func `a session begins with the last app, and goes back to the one before, as often as the persona does`() {
        var persona = plain
        persona.pickups.extraAppsMean = 1.5
        persona.pickups.extraAppsShape = 1e6
        func shares(_ persona: Persona) -> (again: Double, back: Double) {
            var (last, before): (AppID?, AppID?) = (nil, nil)
            var isFirst = false
            var (firsts, again, others, back) = (0, 0, 0, 0)
            for intent in intents(persona) {
                if intent.kind == .unlock { isFirst = true }
                guard intent.kind == .open else { continue }
                if isFirst {
                    firsts += 1
                    again += intent.app == last ? 1 : 0
                } else {
                    others += 1
                    back += intent.app == before ? 1 : 0
                }
                isFirst = false
                if intent.app != last { (last, before) = (intent.app, last) }
            }
            return (Double(again) / Double(firsts), Double(back) / Double(others))
        }
        let none = shares(persona)
        #expect(none.again == 0 && none.back < 0.1)
        persona.apps.repeatLast = 0.6
        persona.apps.goBack = 0.5
        let some = shares(persona)
        // 6,000 sessions and 9,000 further opens: one deviation is 0.006; a little comes back by chance.
        #expect(abs(some.again - 0.6) < 0.03)
        #expect(some.back > 0.48 && some.back < 0.5 + none.back + 0.02)
    }

    @Test func `a busy day is followed by a busy day where days hang together`() {
        func correlation(_ own: Double) -> Double {
            var persona = plain
            persona.pickups.daySigma = 0.5
            persona.pickups.dayCorrelation = own
            let counts = allDays(persona, days: 400).days.map { Double($0.count { $0.kind == .unlock }) }
            let mean = counts.reduce(0, +) / Double(counts.count)
            let spread = counts.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
            return zip(counts, counts.dropFirst()).reduce(0) { $0 + ($1.0 - mean) * ($1.1 - mean) } / spread
        }
        // 400 days know a correlation to 0.05; the drawing of sessions and the skew of the factors take some away.
        #expect(correlation(0.8) > 0.55)
        #expect(abs(correlation(0)) < 0.2)
    }

    @Test func `free days have hours of their own`() {
        var persona = plain
        for hour in 0..<24 {
            persona.workdayHours[hour] = (8..<12).contains(hour) ? 1 : 0
            persona.freeDayHours[hour] = (18..<22).contains(hour) ? 1 : 0
        }
        for (day, intents) in allDays(persona, days: 28).days.enumerated() {
            let unlocks = intents.filter { $0.kind == .unlock }
            let hours = day % 7 < 5 ? 8.0..<12.0 : 18..<22
            #expect(!unlocks.isEmpty)
            #expect(unlocks.allSatisfy { hours.contains($0.time.hourOfDay) })
        }
    }

    @Test func `a charge away from home ends when one leaves, one at home when it is long enough`() {
        var persona = plain
        persona.places.work = [9...17]
        persona.charging.topUpsPerHour = 0.5
        persona.charging.topUpLevelScale = 0.3
        persona.charging.topUpLength = LogNormal(median: .hours(3), sigma: 0)
        persona.charging.chargerPower = .watts(10)
        let charges = intents(persona).filter { $0.kind == .topUp }
        var (cut, whole) = (0, 0)
        for charge in charges {
            let isAtWork = charge.time.day % 7 < 5 && (9.0..<17).contains(charge.time.hourOfDay)
            let left = 17 - charge.time.hourOfDay
            let hours = isAtWork ? min(3, left) : 3
            #expect(abs(charge.duration / .hour - hours) < 1e-6)
            if isAtWork, left < 3 { cut += 1 } else { whole += 1 }
        }
        #expect(cut > 20 && whole > 300)
    }

    @Test func `nobody plugs in what hangs on the charger of the night`() {
        var persona = plain
        persona.charging.nightProbability = 1
        persona.charging.topUpsPerHour = 1
        persona.charging.topUpLevelScale = 0.3
        persona.charging.topUpLength = LogNormal(median: .minutes(30), sigma: 0)
        persona.charging.chargerPower = .watts(10)
        var isNight = false
        var (day, night) = (0, 0)
        for intent in intents(persona) {
            if intent.kind == .plug { isNight = true }
            if intent.kind == .unplug { isNight = false }
            if intent.kind == .topUp { if isNight { night += 1 } else { day += 1 } }
        }
        #expect(night == 0)
        // Sixteen hours a day at home, one an hour: one deviation of 1,600 is 2.5 %.
        #expect(abs(Double(day) / 1600 - 1) < 0.1)
    }

    @Test func `who charges in the car charges the whole way`() {
        var persona = plain
        persona.places.commute = [8...8.75, 17...18]
        persona.charging.carProbability = 1
        persona.charging.convenienceLevel = 0.9
        persona.charging.topUpLength = LogNormal(median: .minutes(10), sigma: 0)
        persona.charging.chargerPower = .watts(10)
        let charges = intents(persona, days: 7).filter { $0.kind == .topUp }
        #expect(charges.map { $0.duration / .hour } == Array(repeating: [0.75, 1], count: 5).joined().map { $0 })
        #expect(charges.allSatisfy { $0.value == 0.9 && $0.until == $0.time + $0.duration })
    }

    @Test func `top-ups by day come from chargers of their own, the night and games from that at the bed`() {
        var persona = plain
        persona.places.work = [9...17]
        persona.charging.nightProbability = 1
        persona.charging.topUpsPerHour = 0.5
        persona.charging.topUpLevelScale = 0.3
        persona.charging.workProbability = 1
        persona.charging.convenienceLevel = 0.9
        persona.charging.topUpLength = LogNormal(median: .minutes(30), sigma: 0)
        persona.charging.chargerPower = .watts(18)
        func watts() -> (nights: Set<Double>, topUps: Set<Double>) {
            let all = intents(persona, days: 14)
            let topUps = all.filter { $0.kind == .topUp }
            return (Set(all.filter { $0.kind == .plug }.map(\.value)), Set(topUps.map(\.watts)))
        }
        #expect(watts() == ([18], [18]))
        persona.charging.topUpPower = .watts(4)
        #expect(watts() == ([18], [4]))
        persona.charging.charge(with: .watts(12))
        #expect(watts() == ([12], [12]))
    }

    @Test func `every other game is played on a charger`() {
        var persona = plain
        persona.games = Persona.Games(
            shareOfLaunches: 0.5, visit: LogNormal(median: .minutes(5), sigma: 0), chargeWhilePlaying: 0.5)
        persona.charging.topUpLevelScale = 0.25
        persona.charging.chargerPower = .watts(10)
        var apps = someApps(40, category: "game") + someApps(40)
        for index in 40..<80 { apps[index].name = "other-\(index)" }
        let all = intents(persona, apps: apps)
        let games = all.filter { $0.kind == .open && $0.app.index < 40 }
        let charges = all.filter { $0.kind == .topUp }
        // 3,000 games: one deviation is 0.009.
        #expect(games.count > 1500)
        #expect(abs(Double(charges.count) / Double(games.count) - 0.5) < 0.05)
        #expect(charges.allSatisfy { $0.until == $0.time + .minutes(5) && $0.duration == .minutes(5) })
    }

    @Test func `no visit is longer than the longest`() {
        var persona = plain
        persona.visit = LogNormal(mu: 4, sigma: 2, cap: 600)
        let lengths = intents(persona, days: 20).filter { $0.kind == .open }.map(\.value)
        #expect(lengths.max() == 600)
        // Above the cap lies what is 1.2 deviations above the median: 11.5 %.
        let longest = Double(lengths.count { $0 == 600 }) / Double(lengths.count)
        #expect(abs(longest - 0.118) < 0.04)
    }
}
