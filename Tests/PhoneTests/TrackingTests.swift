// SPDX-License-Identifier: GPL-3.0-or-later
import Power
import Quantities
import Testing
import Vocabulary
import Workload

@testable import Phone
@testable import PhoneCore

/// Apps that follow the location without a pause after they were left.
@Suite struct TrackingTests {
    private static let app = AppID(0)
    /// Left at 40,060 s; in use again for a minute after 80,000 s.
    private static let rows = [
        "40000,unlock,,", "40000,open,app-0,60", "40100,lock,,", "80000,unlock,,", "80000,open,app-0,60",
        "80100,lock,,",
    ]

    /// An app that would do nothing else, by default for as long as it may.
    private func day(_ rows: [String] = rows, perDay: SimDuration = .days(1)) -> ScriptedDay {
        ScriptedDay.plain(rows) { $0.traits.trackingPerDay = perDay }
    }

    @Test func `a workout holds its app running, and costs the receiver and a part of a core`() throws {
        let once = Array(Self.rows.prefix(3))
        let (outcome, found) = try day(once).run(tables: [.events, .deviceHours])
        let begin = try #require(found.events.first { $0.event == .trackingBegin })
        let end = try #require(found.events.first { $0.event == .trackingEnd })
        #expect(begin.time == .zero + .seconds(40060) && begin.app == Self.app)
        let length = (end.time - begin.time).seconds
        #expect(length > 60 && length <= 6 * 3600 + 1e-6)
        #expect(abs(outcome("tracked_s_per_day") - length) < 1e-6)
        #expect(!found.events.contains { $0.event == .suspend && $0.time > begin.time && $0.time < end.time })
        let none = try day(once, perDay: .zero).run(tables: [.events, .deviceHours])
        #expect(none.outcome("tracked_s_per_day") == 0)
        #expect(!none.rows.events.contains { $0.event == .trackingBegin })
        let joules = found.hours.reduce(0) { $0 + $1.locationJoules }
        let power = day().device.power.peripherals.locationPower.watts
        #expect(abs(joules / (power * length) - 1) < 1e-6, "\(joules) J in \(length) s")
        #expect(none.rows.hours.allSatisfy { $0.locationJoules == 0 })
    }

    @Test func `an open ends it, and so does the end of its process`() throws {
        // Six hours at the most: three of them until it is opened again.
        var rows = Self.rows
        rows[3...5] = ["40120,unlock,,", "40120,open,app-0,60", "40300,lock,,"]
        let opened = try day(rows).run().rows.events.filter { $0.event == .trackingEnd }
        #expect(opened.first?.time == .zero + .seconds(40120))
        rows[3...5] = ["40120,unlock,,", "40130,force_quit,app-0,", "40300,lock,,"]
        let events = try day(rows).run().rows.events
        #expect(events.filter { $0.event == .trackingEnd }.map(\.time) == [.zero + .seconds(40130)])
        #expect(events.last { $0.event == .exit }?.time == .zero + .seconds(40130))
    }

    @Test func `without the mode in its declarations nothing is followed`() throws {
        var day = day()
        day.apps[0].declares.location = false
        #expect(try day.run().outcome("tracked_s_per_day") == 0)
    }

    @Test(arguments: [1.0, 3, 12])
    func `an app that follows every move does so for its time after each, and tells where`(minutes: Double) {
        func run(_ minutes: Double) -> (outcome: RunOutcome, rows: RowCollector) {
            var persona = TestWorld.persona
            persona.places.commute = [8.0...9.0, 17.0...18.0]
            persona.forceQuitsPerDay = 0
            var apps = TestWorld.apps(20) { app in
                app.pushesPerDay = 0
                app.popularity = 1
            }
            apps[15].popularity = 0
            apps[15].traits.followsLocation = true
            apps[15].traits.trackingPerMove = .minutes(minutes)
            let rows = RowCollector()
            let specification = TestWorld.specification(
                apps: apps, persona: persona, days: 1, tables: [.events, .deviceHours, .requests], scheduling: "never")
            return (simulate(specification, sink: rows), rows)
        }
        let (outcome, found) = run(minutes)
        let moves = found.requests.filter { $0.work == .location }.map(\.submitted.seconds).sorted()
        // At both ends of two hours on the way, and every five minutes between.
        #expect(moves.count == 26)
        let length = 60 * minutes
        var (tracked, over) = (0.0, 0.0)
        for move in moves {
            tracked += move + length - max(move, over)
            over = move + length
        }
        let sessions = minutes > 5 ? 2 : 26
        #expect(found.events.count { $0.event == .trackingBegin } == sessions)
        #expect(abs(outcome("tracked_s_per_day") - tracked) < 1e-6)
        let joules = found.hours.reduce(0) { $0 + $1.locationJoules }
        let power = TestWorld.device().power.peripherals.locationPower.watts
        #expect(abs(joules / (power * tracked) - 1) < 1e-6)
        let plain = run(0).rows.hours
        let bytes = [found.hours, plain].map { hours in
            hours.reduce(0) { $0 + $1.bytes[.wifi] + $1.bytes[.cellular] }
        }
        #expect(bytes[0] - bytes[1] == Int64(sessions) * 4096)
        #expect(plain.allSatisfy { $0.locationJoules == 0 })
    }

    @Test func `in the long run it adds up to its time a day`() {
        let apps = TestWorld.apps(6) { $0.traits.trackingPerDay = .minutes(40) }
        let outcome = simulate(TestWorld.specification(apps: apps, days: 20))
        // 6 apps of 40 min, less what lasts under a minute or is cut by an open of the same app; 2,400 s each.
        let each = outcome("tracked_s_per_day") / 6
        #expect(each > 1000 && each < 2800, "\(each)")
    }
}
