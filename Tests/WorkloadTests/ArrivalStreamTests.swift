// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Testing
import Vocabulary
@testable import Workload
import WorkloadFixtures

@Suite struct ArrivalStreamTests {
    private let profile = ArrivalProfile(persona: averagePersona(), startWeekday: 0)

    @Test func `content arrives in order, about as often as the app says`() {
        var app = AppModel(name: "feed", category: "social-feed")
        app.contentPerDay = 40
        var total = 0
        for replication in 0..<10 {
            var stream = ContentStream(app: app, profile: profile, seed: 3, replication: replication)
            var last = SimTime.zero
            var time = stream.next()
            while time.day < 100 {
                #expect(time >= last)
                last = time
                total += 1
                time = stream.next()
            }
        }
        // 40 000 expected, standard deviation 200.
        #expect(abs(total - 40_000) < 1000, "\(total)")
    }

    @Test func `rare content is not lost`() {
        var app = AppModel(name: "rare", category: "utility")
        app.contentPerDay = 0.01
        var total = 0
        for replication in 0..<400 {
            var stream = ContentStream(app: app, profile: profile, seed: 3, replication: replication)
            while stream.next().day < 1000 { total += 1 }
        }
        // 4 000 expected, standard deviation 63.
        #expect(abs(total - 4000) < 320, "\(total)")
    }

    @Test func `nights are quiet but not dead`() {
        var app = AppModel(name: "feed", category: "social-feed")
        app.contentPerDay = 1000
        var stream = ContentStream(app: app, profile: profile, seed: 5, replication: 0)
        var hours = [Int](repeating: 0, count: 24)
        var time = stream.next()
        while time.day < 50 {
            hours[Int(time.hourOfDay)] += 1
            time = stream.next()
        }
        let mean = Double(hours.reduce(0, +)) / 24
        #expect(Double(hours[4]) > 0.2 * mean && Double(hours[4]) < 0.35 * mean)
        #expect(Double(hours[18]) > 1.3 * mean)
    }

    @Test(arguments: [0.3, 4, 900])
    func `passing over content finds the same as looking at each`(perDay: Double) {
        var app = AppModel(name: "feed", category: "social-feed")
        app.contentPerDay = perDay
        var each = ContentStream(app: app, profile: profile, seed: 5, replication: 0)
        var passing = each
        var (last, next) = (SimTime(nanoseconds: -1), each.next())
        #expect(passing.next() == next)
        // Instants of no order in the day, and each arrival itself.
        var now = SimTime.zero
        for look in 0..<600 {
            now = look % 3 == 0 ? next : now + .hours(0.37 * Double(look % 7))
            guard next <= now else { continue }
            while next <= now { (last, next) = (next, each.next()) }
            let found = passing.pass(now)
            #expect(found.newest == last && found.next == next, "at \(now)")
        }
        #expect(now.day > 15)
    }

    @Test func `by an hour as much content has come as the hours before it have for shares`() {
        let course = DayCourse(profile)
        for day in [0, 5] {
            let midnight = SimTime.zero + .days(Double(day))
            #expect(course.passed(at: midnight) == Double(day))
            #expect(course.time(at: Double(day)) == midnight)
            // Twelve shares of a profile whose 24 shares add up to one, within the rounding of single precision.
            let shares = profile.shares(half: day == 0 ? 0 : 1)
            let noon = shares[..<12].reduce(0, +)
            #expect(abs(course.passed(at: midnight + .hours(12)) - Double(day) - noon) < 1e-6)
            let half = Double(day) + noon + shares[12] / 2
            #expect(abs((course.time(at: half) - midnight).seconds - 12.5 * 3600) < 0.2)
        }
    }

    @Test func `an app without content never gets any`() {
        var stream = ContentStream(
            app: AppModel(name: "still", category: "utility"), profile: profile, seed: 1, replication: 0)
        #expect(stream.next() == .distantFuture)
        #expect(stream.next() == .distantFuture)
    }

    @Test func `pushes scale with the persona and come in bursts`() {
        var app = AppModel(name: "chat", category: "messaging")
        app.pushesPerDay = 50
        var persona = averagePersona()
        persona.notificationsPerDay = 260
        var total = 0
        var bursts = 0
        for replication in 0..<10 {
            var stream = PushStream(app: app, persona: persona, profile: profile, seed: 9, replication: replication)
            var last = SimTime.zero
            var time = stream.next()
            while time.day < 40 {
                #expect(time >= last)
                if time - last < .seconds(5) { bursts += 1 }
                last = time
                total += 1
                time = stream.next()
            }
        }
        // 40 000 expected; bursts make the variance a little larger than that of a Poisson number.
        #expect(abs(total - 40_000) < 1200, "\(total)")
        let share = Double(bursts) / Double(total)
        #expect(share > 0.11 && share < 0.16, "\(share)")
    }

    @Test func `an app's stream does not depend on other apps`() {
        let apps = someApps(3)
        var first = ContentStream(app: apps[1], profile: profile, seed: 1, replication: 0)
        var second = ContentStream(app: someApps(50)[1], profile: profile, seed: 1, replication: 0)
        for _ in 0..<20 {
            let (one, other) = (first.next(), second.next())
            #expect(one == other)
        }
    }
}
