// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Numerics
import Quantities
import RandomStreams
import Testing
import Vocabulary
import WorkloadFixtures

@testable import Workload

/// Each generator against the mean that its numbers say, with so many draws that an error of 3 % is seen.
///
/// Limits are at least three standard errors, which the comments work out, and at most 3 %; seeds are fixed.
@Suite struct GeneratorStatisticalTests {
    private let keys = StreamKeys(seed: 20_260_301, replication: 0)

    // MARK: Days

    /// The factors of a lognormal day: a spread of 0.35, a correlation of 0.2 of its logarithm.
    @Test func `day factors have mean 1, the persona's spread and its correlation`() {
        var persona = averagePersona()
        (persona.workdayHours, persona.freeDayHours) = (Array(repeating: 1, count: 24), Array(repeating: 1, count: 24))
        persona.pickups.freeDayFactor = 1
        var clock = ActivityClock(
            persona: persona, perDay: 24, calendar: DayCalendar(persona: persona, startWeekday: 0, keys: keys),
            stream: keys.stream("day-factors"))
        // With a rate of one an hour in a mean day, 1 ms of operational time lasts for the factor's inverse.
        let factors = (0..<10_000).map { day in
            let midnight = SimTime.zero + .days(Double(day))
            return 1e-3 / ((clock.advance(midnight, by: 1e-3) - midnight) / .hour)
        }
        // Factors spread by 0.361 and are correlated by 0.19: the mean is good to 0.0044.
        #expect(abs(Moments(factors).mean - 1) < 0.015)
        let logarithms = factors.map { log($0) }
        #expect(abs(Moments(logarithms).mean + 0.35 * 0.35 / 2) < 0.014)
        #expect(abs(Moments(logarithms).standardDeviation / 0.35 - 1) < 0.025)
        #expect(abs(correlation(Array(logarithms.dropLast()), Array(logarithms.dropFirst())) - 0.2) < 0.03)
    }

    /// A user who picks the phone up at random for a second each time, so that a day's number is nearly Poisson's.
    private func plainUser() -> Persona {
        var persona = Persona(name: "plain")
        persona.pickups.perDay = 100
        persona.pickups.glanceShare = 1
        persona.glance = LogNormal(mu: 0.5, sigma: 0)
        persona.workdayHours = (0..<24).map { $0 < 12 ? 1 : 3 }
        persona.freeDayHours = (0..<24).map { $0 < 12 ? 3 : 1 }
        return persona
    }

    @Test(arguments: [(1.0, 1.0), (1.1, 0.5)])
    func `sessions keep to the rates of working and free days and to their hours`(workday: Double, freeDay: Double) {
        var persona = plainUser()
        (persona.pickups.workdayFactor, persona.pickups.freeDayFactor) = (workday, freeDay)
        var counts = Array(repeating: Array(repeating: 0.0, count: 2), count: 7)
        let weeks = 200
        for (day, intents) in allDays(persona, seed: 11, days: 7 * weeks).days.enumerated() {
            for intent in intents where intent.kind == .unlock {
                counts[day % 7][intent.time.hourOfDay < 12 ? 0 : 1] += 1 / Double(weeks)
            }
        }
        // 5,000 in the lesser half of a weekday: 1.4 %; half of that on the quietest free days, 2 % of its 12.5.
        for (weekday, halves) in counts.enumerated() {
            let mean = weekday < 5 ? 100 * workday : 100 * freeDay
            let morning = weekday < 5 ? 0.25 : 0.75
            #expect(abs(halves[0] - mean * morning) < 4 * (mean * morning / Double(weeks)).squareRoot(), "\(weekday)")
            #expect(abs(halves[1] - mean * (1 - morning)) < 4 * (mean * (1 - morning) / Double(weeks)).squareRoot())
        }
        let all = counts.joined().reduce(0, +) / 7
        // 140,000 in all, or 130,000: 0.3 %.
        #expect(abs(all / (100 * (5 * workday + 2 * freeDay) / 7) - 1) < 0.01, "\(all)")
    }

    /// The average user without good and bad days, so that the numbers of days spread by less.
    @Test func `sessions, apps and incidents are as many as the average user's numbers say`() {
        var persona = averagePersona()
        persona.pickups.daySigma = 0
        (persona.forceQuitsPerDay, persona.interruptionsPerScreenHour) = (20, 6)
        let (replications, days) = (10, 140)
        let runs = (0..<replications).map { allDays(persona, seed: 13, replication: $0, days: days).days }
        var counts: [IntentKind: Double] = [:]
        var (interruptions, visits, seconds) = (0.0, 0.0, 0.0)
        for intent in runs.joined().joined() {
            counts[intent.kind, default: 0] += 1
            guard intent.kind == .open else { continue }
            interruptions += 1 - exp(-intent.value * 6 / 3600)
            visits += 1
            seconds += intent.value
        }
        let sessions = counts[.unlock] ?? 0
        func isNear(_ found: Double, _ expected: Double, within limit: Double) -> Bool {
            abs(found / expected - 1) < limit
        }
        // Gaps spread by 1.9 of their mean: 19 a day, and 0.6 % over 1,400 days.
        let perDay = sessions / Double(replications * days)
        #expect(isNear(perDay, 95 * (5 + 2 * 0.93) / 7, within: 0.02), "\(perDay)")
        // Four of five open an app, and 1.6 more with a spread of 3.4: 0.5 %.
        #expect(isNear(visits / sessions, 0.8 * 2.6, within: 0.015), "\(visits / sessions)")
        // A visit's spread is 3.5 of its mean: 0.7 %.
        #expect(isNear(seconds / visits, persona.visit.meanStay, within: 0.02), "\(seconds / visits)")
        // 28,000 of 130,000 sessions, and some 40,000 interruptions.
        #expect(isNear(counts[.forceQuit] ?? 0, sessions * 20 / 95, within: 0.02))
        #expect(isNear(counts[.interrupt] ?? 0, interruptions, within: 0.015))
    }

    // MARK: Lengths

    @Test(arguments: [
        (0.0, 1.0, Double.infinity), (1.9, 0.8, .infinity), (2.55, 1.8, 7200), (0.5, 1.2, 60),
    ])
    func `the mean stay above a second is its closed form`(mu: Double, sigma: Double, cap: Double) {
        let length = LogNormal(mu: mu, sigma: sigma, cap: cap)
        var stream = keys.stream("stays")
        let found = Moments((0..<1_000_000).map { _ in length.drawStay(&stream) })
        // The spread is at most four times the mean: 0.4 %.
        #expect(found.standardError / found.mean < 0.004)
        #expect(abs(found.mean - length.meanStay) < 3.5 * found.standardError, "\(found.mean), not \(length.meanStay)")
    }

    /// The middle of a lognormal above 1 s by a table: of ln X normal about 0 with spread 1, the upper half has
    /// the mean e^(1/2) Φ(1) / Φ(0).
    @Test func `the closed form is that of a truncated lognormal`() {
        #expect(abs(LogNormal(mu: 0, sigma: 1).meanStay - 1.648_721_27 * 0.841_344_75 / 0.5) < 1e-6)
        #expect(abs(LogNormal(mu: 0, sigma: 1).limitedMean(1) - (1.648_721_27 * 0.158_655_25 + 0.5)) < 1e-6)
        #expect(LogNormal(mu: log(7), sigma: 0).meanStay == exp(log(7)))
        #expect(LogNormal(mu: -3, sigma: 0).meanStay == 1)
    }

    // MARK: Charging

    /// Hours of plug and unplug, by the weekday of the morning: four thousand nights from a Wednesday on.
    @Test func `a night's charge begins in the evening and ends by what day the morning is`() {
        var persona = averagePersona()
        persona.charging.topUpsPerHour = 0
        var charging = ChargingGenerator(persona: persona, startWeekday: 2, keys: keys)
        var intents: [Intent] = []
        for day in 0..<28_000 { charging.generate(day: day, stays: [], into: &intents) }
        var evenings: [Double] = []
        var mornings: [[Double]] = Array(repeating: [], count: 7)
        for intent in intents where intent.time.day > 1 {
            let hour = intent.time.hourOfDay
            if intent.kind == .plug { evenings.append(hour < 12 ? hour + 24 : hour) }
            if intent.kind == .unplug { mornings[(intent.time.day + 2) % 7].append(hour) }
        }
        let plugs = Moments(evenings)
        // 21,000 nights: 0.0055 h, and 3,000 per weekday: 0.0091 and 0.0164 h; spreads to 0.5 and 1.3 %.
        #expect(abs(Double(plugs.count) / 28_000 / 0.75 - 1) < 0.012)
        #expect(abs(plugs.mean - 23.3) < 0.02 && abs(plugs.standardDeviation / 0.8 - 1) < 0.02)
        for (weekday, found) in mornings.map({ Moments($0) }).enumerated() {
            let (mean, spread) = weekday < 5 ? (7.0, 0.5) : (8.7, 0.9)
            #expect(abs(found.mean - mean) < 0.06, "weekday \(weekday): \(found.mean)")
            #expect(abs(found.standardDeviation / spread - 1) < 0.04, "\(weekday): \(found.standardDeviation)")
        }
    }

    /// Somebody who works by night plugs in at 9:00 and unplugs on the same day.
    @Test func `a charge that ends on the day it begins ends by that day's kind`() {
        var persona = averagePersona()
        persona.charging.nightPlug = ClockHour(mean: 9, deviation: 0)
        persona.charging.workdayUnplug = ClockHour(mean: 16, deviation: 0)
        persona.charging.freeDayUnplug = ClockHour(mean: 14, deviation: 0)
        persona.charging.nightProbability = 1
        persona.charging.topUpsPerHour = 0
        var charging = ChargingGenerator(persona: persona, startWeekday: 0, keys: keys)
        var intents: [Intent] = []
        for day in 0..<14 { charging.generate(day: day, stays: [], into: &intents) }
        let week = [16.0, 16, 16, 16, 16, 14, 14]
        let unplugs = intents.filter { $0.kind == .unplug && $0.time.day < 14 }
        #expect(unplugs.map(\.time.hourOfDay) == week + week)
        #expect(unplugs.map(\.time.day) == Array(0..<14))
    }

    @Test(arguments: [(Location.home, 1.0), (.work, 0.7), (.transit, 0.6), (.other, 0.2)])
    func `top-ups come at the rate of the location`(location: Location, factor: Double) {
        var persona = averagePersona()
        persona.charging.nightProbability = 0
        var charging = ChargingGenerator(persona: persona, startWeekday: 0, keys: keys)
        var intents: [Intent] = []
        let days = 20_000
        for day in 0..<days {
            let midnight = SimTime.zero + .days(Double(day))
            let stay = Stay(start: midnight, end: midnight + .day, location: location)
            charging.generate(day: day, stays: [stay], into: &intents)
        }
        #expect(intents.allSatisfy { $0.kind == .topUp })
        // 216,000 at home, 43,200 elsewhere: 0.5 % at worst.
        #expect(abs(Double(intents.count) / Double(days) / (0.45 * 24 * factor) - 1) < 0.015, "\(intents.count)")
        // The draw of the level has mean 0.25, cut at 1: 0.25 (1 - e^-4).
        let level = intents.reduce(0) { $0 + $1.value } / Double(intents.count)
        #expect(abs(level / (0.25 * (1 - exp(-4))) - 1) < 0.02)
        if location == .home {
            // 36.6 min times e^(0.9²/2), spread by 1.12: 0.24 %.
            let minutes = intents.reduce(0) { $0 + $1.duration.seconds / 60 } / Double(intents.count)
            #expect(abs(minutes / (36.6 * exp(0.405)) - 1) < 0.01)
        }
    }

    @Test(arguments: [(Location.work, 0.3), (.transit, 0.6)])
    func `the charger at work or in the car is used as often as the persona says`(location: Location, share: Double) {
        var persona = averagePersona()
        (persona.charging.nightProbability, persona.charging.topUpsPerHour) = (0, 0)
        (persona.charging.workProbability, persona.charging.carProbability) = (0.3, 0.6)
        persona.charging.convenienceLevel = 0.7
        var charging = ChargingGenerator(persona: persona, startWeekday: 0, keys: keys)
        var intents: [Intent] = []
        let stays = (0..<20_000).map { number in
            let start = SimTime.zero + .hours(Double(number))
            return Stay(start: start, end: start + .minutes(30), location: location)
        }
        charging.generate(day: 0, stays: stays, into: &intents)
        // Of 20,000 stays: 0.0032 and 0.0035.
        #expect(abs(Double(intents.count) / 20_000 - share) < 0.011)
        #expect(intents.allSatisfy { $0.value == 0.7 && $0.duration <= .minutes(30) })
        if location == .transit { #expect(intents.allSatisfy { $0.duration == .minutes(30) }) }
    }

    // MARK: Networks and arrivals

    @Test(arguments: [(Location.home, 0.92), (.work, 0.88), (.transit, 0.12), (.other, 0.45)])
    func `Wi-Fi is there for the location's share of the time`(location: Location, share: Double) {
        var persona = averagePersona()
        // Spells that are shorter and spread less than real ones, so that the end of no usual stay cuts them.
        persona.wifi.onSpell = LogNormal(median: .minutes(4), sigma: 0.5)
        persona.wifi.offSpell = LogNormal(median: .minutes(2), sigma: 0.5)
        var network = NetworkGenerator(persona: persona, keys: keys)
        let end = SimTime.zero + .days(1000)
        var intents: [Intent] = []
        network.generate([Stay(start: .zero, end: end, location: location)], into: &intents)
        var seconds = 0.0
        for (one, next) in zip(intents, intents.dropFirst()) where one.value == Double(Network.wifi.rawValue) {
            seconds += (next.time - one.time).seconds
        }
        // 160,000 spells of each kind or more: 0.2 %.
        let found = seconds / end.seconds
        #expect(abs(found / share - 1) < 0.01 && abs((1 - found) / (1 - share) - 1) < 0.02, "\(found)")
    }

    @Test func `off Wi-Fi the cellular network is there for its share of the time`() {
        var persona = averagePersona()
        persona.wifi.transit = 0
        persona.cellular.transit = 0.8
        persona.cellular.gap = LogNormal(median: .minutes(2), sigma: 0.5)
        var network = NetworkGenerator(persona: persona, keys: keys)
        let end = SimTime.zero + .days(200)
        var intents: [Intent] = []
        network.generate([Stay(start: .zero, end: end, location: .transit)], into: &intents)
        var seconds = [Double](repeating: 0, count: 3)
        var gaps: [Double] = []
        for (one, next) in zip(intents, intents.dropFirst()) {
            seconds[Int(one.value)] += (next.time - one.time).seconds
            if one.value == Double(Network.none.rawValue) { gaps.append((next.time - one.time).seconds) }
        }
        // Of 25,000 gaps: 0.5 %.
        #expect(seconds[Int(Network.wifi.rawValue)] == 0)
        #expect(abs(seconds[Int(Network.none.rawValue)] / end.seconds - 0.2) < 0.006)
        #expect(abs(gaps.reduce(0, +) / Double(gaps.count) / (120 * exp(0.125)) - 1) < 0.03)
    }

    @Test func `journeys take their share of the days, and without roaming they leave Wi-Fi alone`() {
        var persona = averagePersona()
        persona.places.tripsPerYear = 20
        persona.places.tripLength = LogNormal(mu: log(5 * 86400), sigma: 0)
        persona.wifi.abroad = 0
        persona.cellular.roams = false
        var locations = LocationTimeline(persona: persona, startWeekday: 0, keys: keys)
        var network = NetworkGenerator(persona: persona, keys: keys)
        var abroad: [Int] = []
        var intents: [Intent] = []
        for day in 0..<8000 {
            let stays = locations.stays(day: day)
            if stays[0].location == .abroad {
                abroad.append(day)
                #expect(stays.count == 1 && stays[0].end - stays[0].start == .day)
            }
            intents.removeAll()
            network.generate(stays, into: &intents)
            let networks = intents.filter { $0.kind == .network }
            if abroad.last == day { #expect(networks.allSatisfy { $0.value == Double(Network.none.rawValue) }) }
        }
        // Five days, then 365 / 20 days at home on average: .2151; of 340 journeys 5 %.
        #expect(abs(Double(abroad.count) / 8000 / 0.2151 - 1) < 0.15, "\(abroad.count)")
        #expect(abroad.count % 5 == 0 || abroad.last == 7999)
        persona.places.tripsPerYear = 0
        var home = LocationTimeline(persona: persona, startWeekday: 0, keys: keys)
        #expect((0..<500).allSatisfy { home.stays(day: $0).allSatisfy { $0.location != .abroad } })
    }

    @Test func `a night's charge with a level is an offer at that level, and keeps its hours`() {
        var persona = averagePersona()
        persona.charging.topUpsPerHour = 0
        persona.charging.nightProbability = 1
        func night(_ level: Double) -> [Intent] {
            var user = persona
            user.charging.nightLevel = level
            user.charging.nightLevelDeviation = 0.1
            var charging = ChargingGenerator(persona: user, startWeekday: 0, keys: keys)
            var intents: [Intent] = []
            for day in 0..<400 { charging.generate(day: day, stays: [], into: &intents) }
            return intents
        }
        let plain = night(1)
        let offers = night(0.5)
        #expect(offers.allSatisfy { $0.kind == .topUp && $0.until == $0.time })
        let plugs = plain.filter { $0.kind == .plug }.map(\.time)
        #expect(offers.map(\.time) == plugs)
        let ends = plain.filter { $0.kind == .unplug }.map(\.time)
        #expect(offers.map { $0.time + $0.duration } == ends)
        let mean = offers.reduce(0) { $0 + $1.value } / Double(offers.count)
        // Of 400 nights: 0.005.
        #expect(abs(mean - 0.5) < 0.02)
    }

    /// All activity of working days at ten, of free days at twenty; every other hour has the floor of 0.275 / 24.
    @Test func `content and pushes follow the hours of the kind of day, Saturdays and Sundays included`() {
        var persona = averagePersona()
        persona.workdayHours = (0..<24).map { $0 == 10 ? 1 : 0 }
        persona.freeDayHours = (0..<24).map { $0 == 20 ? 1 : 0 }
        var app = AppModel(name: "feed", category: "social-feed")
        (app.contentPerDay, app.pushesPerDay) = (1000, 1000)
        // The first day is a Thursday.
        let profile = ArrivalProfile(persona: persona, startWeekday: 3)
        var content = ContentStream(app: app, profile: profile, seed: 2, replication: 0)
        var pushes = PushStream(app: app, persona: persona, profile: profile, seed: 2, replication: 0)
        func counts(_ next: () -> SimTime) -> [[Double]] {
            var counts = Array(repeating: Array(repeating: 0.0, count: 24), count: 7)
            var time = next()
            while time < .zero + .days(70) {
                counts[(time.day + 3) % 7][Int(time.hourOfDay)] += 0.1
                time = next()
            }
            return counts
        }
        let floor = 0.275 / 24
        let peak = 1000 / (1 + 23 * floor)
        for found in [counts { content.next() }, counts { pushes.next() }] {
            for (weekday, hours) in found.enumerated() {
                // Ten days of each weekday, 7,914 at its peak: 1.1 %; 91 in the peak of the other kind.
                let (own, other) = weekday < 5 ? (10, 20) : (20, 10)
                #expect(abs(hours[own] / peak - 1) < 0.045, "weekday \(weekday): \(hours[own])")
                #expect(abs(hours[other] / (peak * floor) - 1) < 0.45)
            }
            let all = found.joined().reduce(0, +) / 7
            // 70,000: 0.4 %, and for pushes 0.5 %.
            #expect(abs(all / 1000 - 1) < 0.015, "\(all)")
        }
    }

    // MARK: Choice

    @Test func `first draws of apps follow Zipf's law`() {
        let apps = (0..<40).map { AppID($0) }
        let choice = ZipfChoice(apps, exponent: 1.6)
        var stream = keys.stream("zipf")
        var counts = Array(repeating: 0.0, count: 40)
        for _ in 0..<200_000 { if let app = choice.draw(except: nil, &stream) { counts[Int(app.index)] += 1 } }
        let total = (1...40).reduce(0) { $0 + pow(Double($1), -1.6) }
        for rank in [1, 2, 3, 5, 10] {
            let expected = 200_000 * pow(Double(rank), -1.6) / total
            // 2,600 at rank 10: 2 %.
            #expect(abs(counts[rank - 1] - expected) < 3.5 * expected.squareRoot(), "rank \(rank)")
        }
        #expect(abs(counts[0] / (200_000 / total) - 1) < 0.01)
    }
}
