// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import Measures
import Power
import Processes
import Quantities
import Testing
import Vocabulary
import Workload

@testable import Phone
@testable import PhoneCore

/// Days whose every instant and joule can be worked out by hand.
@Suite struct HandWorkedTests {
    private func day(_ rows: [String], _ change: (inout AppModel) -> Void = { _ in }) -> ScriptedDay {
        .plain(rows, change)
    }

    /// An event and the seconds since midnight.
    private struct Step: Equatable {
        var event: EventName
        var time: Double
        var inState: Double
        var footprint: Double
    }

    private func steps(_ rows: RowCollector, of app: Int = 0) -> [Step] {
        rows.events.filter { $0.app == AppID(app) }.map {
            Step(event: $0.event, time: $0.time.seconds, inState: $0.inState?.seconds ?? 0, footprint: $0.footprintMiB)
        }
    }

    // MARK: Visits

    /// A minute's visit of an app that starts cold in 0.7 s, and one of half a minute that finds it 0.15 s away.
    private static let visits = [
        "0,network,,wifi", "100,unlock,,", "100,open,app-0,60", "200,open,app-0,30", "300,lock,,",
    ]

    @Test func `every step of two visits comes at its instant, with the time in the state before`() throws {
        let (outcome, rows) = try day(Self.visits).run(tables: [.events, .appDays])
        let expected: [(EventName, Double, Double, Double)] = [
            (.launch, 100, 100, 220), (.becomeActive, 100.7, 0.7, 220), (.resignActive, 160, 59.3, 220),
            (.enterBackground, 160, 0, 220), (.suspend, 165, 5, 110), (.launch, 200, 35, 220),
            (.becomeActive, 200.15, 0.15, 220), (.resignActive, 230, 29.85, 220), (.enterBackground, 230, 0, 220),
            (.suspend, 235, 5, 110),
        ]
        let wanted = expected.map { Step(event: $0.0, time: $0.1, inState: $0.2, footprint: $0.3) }
        let found = steps(rows)
        #expect(found.map(\.event) == wanted.map(\.event))
        for (one, other) in zip(found, wanted) {
            #expect(abs(one.time - other.time) < 1e-6 && abs(one.inState - other.inState) < 1e-6, "\(one)")
            #expect(abs(one.footprint - other.footprint) < 1e-3, "\(one)")
        }
        #expect(rows.events.filter { $0.event == .launch }.map(\.launchKind) == [.cold, .resume])
        #expect(outcome("cold_launches_per_day") == 1 && outcome("warm_launches_per_day") == 0)
        #expect(outcome("resumes_per_day") == 1 && outcome("relaunch_share") == 0.5)
        #expect(abs(outcome("launch_wait_s_per_day") - 0.85) < 1e-9)
        #expect(abs(outcome("launch_ms_p95") / 700 - 1) < 0.005)
        let own = try #require(rows.days.first { $0.app == AppID(0) })
        #expect(abs(own.foregroundSeconds - 90) < 1e-6 && abs(own.backgroundSeconds - 10) < 1e-6)
        #expect(abs(own.suspendedSeconds - (35 + 86_400 - 235)) < 1e-6)
    }

    @Test func `the joules of a visit are watts times seconds`() throws {
        let day = day(Self.visits)
        let hour = try #require(try day.run(tables: [.deviceHours]).rows.hours.first)
        let power = day.device.power
        let steady = power.steadyPower(of: .general)
        let plan = ProcessorPlan(power.processor, awake: power.platform.awakePower)
        // The screen is on for 200 s; launches take 0.85 s, and the app is active for 59.3 and 29.85 s.
        #expect(abs(hour.displayJoules / (steady[.display].watts * 200) - 1) < 1e-6)
        let busy = plan.interactivePower(load: 0.3).watts
        #expect(abs(hour.processorJoules / (plan.launchPower.watts * 0.85 + busy * 89.15) - 1) < 1e-6)
        #expect(hour.screenSeconds == 200 && hour.lockedSeconds == 3400)
        #expect(hour.opens == 2 && hour.relaunches == 1 && hour.kills == 0)
        // One join of Wi-Fi at midnight, and an hour of its idling.
        #expect(abs(hour.radioJoules[.wifi] - (0.75 + 0.02 * 3600)) < 1e-6)
    }

    @Test(arguments: [(1.0, 5.0), (5, 5), (5.5, 5.5), (12, 12), (29, 29)])
    func `work under an assertion ends the way to suspension, but never before five seconds`(
        work: Double, seconds: Double
    ) throws {
        let (_, rows) = try day(Self.visits) {
            $0.finishesTask = true
            $0.finishTime = .seconds(work)
        }.run(tables: [.events, .appDays])
        let waits = steps(rows).filter { $0.event == .suspend }.map(\.inState)
        #expect(waits == [seconds, seconds])
        #expect(rows.days.first { $0.app == AppID(0) }?.backgroundSeconds == 2 * seconds)
    }

    @Test(arguments: [(nil as Double?, 0.15), (0.5, 0.5)])
    func `what an app fetches keeps the receiver awake for its share of the time`(own: Double?, share: Double) throws {
        let hours = try [0, 1].map { part in
            let day = ScriptedDay.plain {
                $0.activity = .messaging
                $0.foregroundRate = .megabitsPerSecond(0.08)
                $0.foregroundListening = part == 0 ? 0 : own
            }
            return try day.run(tables: [.deviceHours]).rows.hours[0]
        }
        // 60 kB in 6 ms and a tail of 220 ms, or `share` of six seconds: 0.25 W instead of 20 mW in between. The first
        // of the pieces of ten minutes comes after six seconds.
        let more = (hours[1].radioJoules[.wifi] - hours[0].radioJoules[.wifi]) / (0.25 - 0.02)
        #expect(abs(more / (99 * (6 * share - 0.006 - 0.22)) - 1) < 0.01, "\(more)")
    }

    @Test func `twelve seconds of work cost a core for twelve seconds`() throws {
        let plain = day(Self.visits)
        let working = day(Self.visits) {
            $0.finishesTask = true
            $0.finishTime = .seconds(12)
        }
        let (one, other) = (try plain.run(tables: [.deviceHours]), try working.run(tables: [.deviceHours]))
        let plan = ProcessorPlan(plain.device.power.processor, awake: plain.device.power.platform.awakePower)
        let more = other.rows.hours[0].processorJoules - one.rows.hours[0].processorJoules
        #expect(abs(more - 24 * plan.workPower.watts) < 1e-6)
    }

    @Test func `a row of an event says how long the state before had lasted, whatever it was`() {
        let rows = RowCollector()
        let device = TestWorld.device(ram: .gibibytes(3))
        _ = simulate(TestWorld.specification(device: device, days: 2, tables: [.events]), sink: rows)
        var entered = Array(repeating: SimTime.zero, count: 40)
        var changes = 0
        for row in rows.events {
            guard row.from != row.to else {
                #expect(row.inState == .zero)
                continue
            }
            let app = Int(row.app.index)
            #expect(row.inState == row.time - entered[app], "\(row.event) of app \(app) at \(row.time)")
            entered[app] = row.time
            changes += 1
        }
        #expect(changes > 1000)
    }

    // MARK: Work

    /// The app asks when it is left at 700 s for its next refresh an hour later, and at each run for the next.
    private func hourly(_ change: (inout AppModel) -> Void = { _ in }) -> ScriptedDay {
        var day = day(ScriptedDay.visit) {
            $0.refreshPeriod = .hour
            change(&$0)
        }
        day.scheduling = "immediate"
        return day
    }

    @Test func `a chain of refreshes begins an hour after the visit and starts every hour`() throws {
        let day = hourly()
        let (outcome, rows) = try day.run(tables: [.requests])
        let runs = rows.requests.filter { $0.work == .refresh && $0.started != .distantFuture }
        // 4,300 s and every hour until midnight: 23 of them.
        #expect(runs.map(\.started) == (0..<23).map { SimTime.seconds(4300 + 3600 * Double($0)) })
        #expect(runs.allSatisfy { $0.outcome == "success" && $0.granted == .seconds(30) })
        #expect(runs.allSatisfy { $0.earliestBegin == $0.started })
        #expect(outcome("refreshes_per_day") == 23 && outcome("expired_share") == 0)
        #expect(abs(outcome("refresh_gap_median_s") / 3600 - 1) < 0.005)
        // Half a second of the reference core, a second's wait, 30 KiB down at 80 and 4 KiB up at 40 Mbit/s.
        let plan = ProcessorPlan(day.device.power.processor, awake: day.device.power.platform.awakePower)
        let seconds = 0.5 / plan.workSpeed + 1 + 30 * 8192 / 80e6 + 4 * 8192 / 40e6
        #expect(runs.allSatisfy { abs(($0.ended - $0.started).seconds - seconds) < 1e-6 })
        #expect(runs.allSatisfy { $0.bytes[.wifi] == 34 * 1024 && $0.bytes[.cellular] == 0 })
        #expect(abs(outcome("wifi_bytes_per_day") - 23 * 34 * 1024) < 1e-6)
        // Its core, the platform that it wakes and keeps awake, and at 0.8 and 1.9 W the two directions over Wi-Fi.
        let platform = day.device.power.platform
        let wifi = 0.8 * 30 * 8192 / 80e6 + 1.9 * 4 * 8192 / 40e6
        let awake = platform.wakeEnergy.joules + platform.awakePower.watts * seconds
        let joules = plan.workPower.watts * 0.5 / plan.workSpeed + awake + wifi
        #expect(runs.allSatisfy { abs($0.joules / joules - 1) < 1e-3 }, "\(runs.first?.joules ?? 0), not \(joules)")
    }

    @Test func `a run takes its memory and gives it back`() throws {
        let rows = try hourly { $0.traits.workFootprint = .mebibytes(50) }.run().rows
        let steps = steps(rows)
        let launches = steps.filter { $0.event == .launch }.map(\.footprint)
        let suspensions = steps.filter { $0.event == .suspend }.map(\.footprint)
        #expect(launches.count == 24 && suspensions.count == 24)
        // On screen 220 MiB, in the background 110 and while it works 160.
        #expect(abs(launches[0] - 220) < 1e-3 && launches.dropFirst().allSatisfy { abs($0 - 160) < 1e-3 })
        #expect(suspensions.allSatisfy { abs($0 - 110) < 1e-3 })
    }

    @Test func `work that never says that it is done is cut off after thirty seconds`() throws {
        let day = hourly {
            $0.completionProbability = 0
            $0.handlesExpiration = false
        }
        let (outcome, rows) = try day.run(tables: [.requests])
        let runs = rows.requests.filter { $0.work == .refresh && $0.started != .distantFuture }
        #expect(runs.count == 23)
        #expect(runs.allSatisfy { $0.outcome == "expired" && $0.ended - $0.started == .seconds(30) })
        #expect(outcome("expired_share") == 1 && outcome("refreshes_per_day") == 0)
    }

    @Test func `an app that does not ask again runs once after a visit`() throws {
        let day = hourly { $0.resubmitProbability = 0 }
        let (outcome, rows) = try day.run(tables: [.requests])
        #expect(rows.requests.filter { $0.started != .distantFuture }.map(\.started) == [.seconds(4300)])
        #expect(outcome("refreshes_per_day") == 1)
    }

    @Test func `runs in Low Power Mode are marked where nothing keeps them from starting`() throws {
        var day = hourly()
        day.device.background.lowPowerModeStopsWork = false
        day.rows += ["20000,low_power_mode,,on", "40000,low_power_mode,,off"]
        let runs = try day.run(tables: [.requests]).rows.requests.filter { $0.started != .distantFuture }
        #expect(runs.count == 23)
        // From 22,300 to 36,700 s there are five, and 40,300 s is after the end.
        let marked = runs.filter(\.lowPower).map(\.started.seconds)
        #expect(marked == [22_300, 25_900, 29_500, 33_100, 36_700])
        day.device.background.lowPowerModeStopsWork = true
        let stopped = try day.run(tables: [.requests]).rows.requests.filter { $0.started != .distantFuture }
        #expect(!stopped.contains { $0.started > .seconds(20_000) && $0.started < .seconds(40_000) || $0.lowPower })
    }

    // MARK: Pushes

    /// A phone that nobody touches, on cellular, with ten pushes a minute to its one app.
    private func flooded(_ ambient: [Temperature] = [.celsius(22)], days: Double = 1) -> RunSpecification {
        var persona = Persona(name: "nobody")
        persona.ambient = ambient
        persona.background.refreshEnabledShare = 1
        var apps = TestWorld.apps(1) {
            $0.pushesPerDay = 0
            $0.refreshPeriod = .zero
        }
        apps[0].traits.silentPushesPerDay = 14_400
        return TestWorld.specification(
            apps: apps, persona: persona, days: days, tables: [.requests], scheduling: "never")
    }

    @Test func `of a flood three an hour and ten minutes are handed over, five minutes apart`() throws {
        let rows = RowCollector()
        let outcome = simulate(flooded(), sink: rows)
        let starts = rows.requests.filter { $0.started != .distantFuture }.map(\.started)
        let first = try #require(starts.first)
        // At night there are three a minute, so that one always waits when the gate opens: 21 windows in a day.
        let expected = (0..<63).map { (number: Int) -> SimTime in
            let minutes = 70 * (number / 3) + 5 * (number % 3)
            return first + SimDuration.minutes(Double(minutes))
        }
        #expect(first < .seconds(200))
        #expect(starts == expected)
        #expect(outcome("silent_pushes_per_day") == 63 && outcome("event_launches_per_day") == 63)
    }

    @Test func `silent pushes run nothing on a hot phone, and the newest of each app when it has cooled`() throws {
        let rows = RowCollector()
        _ = simulate(flooded((0..<24).map { .celsius($0 < 12 ? 44 : 15) }), sink: rows)
        let starts = rows.requests.filter { $0.started != .distantFuture }
        // From 44 °C to 40, two kelvins below the state's limit: 565 s times ln(29 / 25) is 84 s.
        let first = try #require(starts.first)
        #expect(abs(first.started.seconds - 43_200 - 84) < 15, "\(first.started)")
        #expect(first.started - first.submitted < .minutes(1))
        #expect(starts.count == 3 * 11 - 2 || starts.count == 3 * 11)
    }

    // MARK: Calls and transfers

    /// Six days of calls to an app that nobody opens, so few that none comes during another.
    @Test(arguments: [(1.0, 30.0), (0, 20)])
    func `a call holds its app for its length, or for as long as the phone rings`(
        answered: Double, seconds: Double
    ) throws {
        var persona = Persona(name: "nobody")
        persona.interruption = LogNormal(median: .seconds(30), sigma: 0)
        var device = TestWorld.device()
        device.background.pushes.answeredShare = answered
        var apps = TestWorld.apps(1) {
            $0.pushesPerDay = 0
            $0.refreshPeriod = .zero
        }
        apps[0].traits.callsPerDay = 8
        let rows = RowCollector()
        let outcome = simulate(
            TestWorld.specification(
                apps: apps, persona: persona, device: device, days: 6, tables: [.requests, .events]), sink: rows)
        let calls = rows.requests.filter { $0.work == .call }
        #expect(calls.count > 30 && calls.allSatisfy { $0.outcome == "success" })
        let begins = rows.events.filter { $0.event == .modeBegin }
        let ends = rows.events.filter { $0.event == .modeEnd }
        #expect(zip(begins, ends).allSatisfy { $1.time - $0.time == .seconds(seconds) })
        #expect(begins.count == calls.count)
        #expect(abs(outcome("held_s_per_day") - seconds * Double(calls.count) / 6) < 1e-9)
        #expect(outcome("missed_calls_per_day") == 0 && outcome("calls_cut_per_day") == 0)
    }

    @Test func `a transfer over Wi-Fi takes its bits over the rate`() throws {
        let visits = (1...40).map { (number: Int) -> String in "\(number * 2000),open,app-0,60" }
        let rows = ["0,network,,wifi", "100,unlock,,"] + visits + ["86000,lock,,"]
        let day = day(rows) {
            $0.traits.transfersPerDay = 20
            $0.traits.transferBytes = .mebibytes(100)
        }
        let (outcome, found) = try day.run(tables: [.requests])
        let done = found.requests.filter { $0.work == .transfer }
        #expect(done.count > 5 && done.allSatisfy { $0.outcome == "success" })
        // One takes 10.48576 s at 80 Mbit/s, and those wanted since the last visit go together.
        let one = 100 * 1_048_576 * 8 / 80e6
        let counts = done.map { ($0.ended - $0.started).seconds / one }
        #expect(counts.allSatisfy { abs($0 - $0.rounded()) < 1e-6 && $0 > 0.5 }, "\(counts)")
        #expect(counts.contains { $0 > 1.5 })
        #expect(outcome("transfers_per_day") == counts.reduce(0) { $0 + $1.rounded() })
        let moved = counts.reduce(0) { $0 + $1.rounded() } * 100 * 1_048_576
        #expect(abs(outcome("wifi_bytes_per_day") - moved) < 1)
    }

    // MARK: The warm-up

    /// All that hours count, with the first day left out, in a phone that was charged and short of memory.
    @Test func `what metrics say is what the hours after the warm-up hold`() throws {
        let rows = RowCollector()
        let device = TestWorld.device(ram: .gibibytes(3))
        let outcome = simulate(
            TestWorld.specification(device: device, days: 3, warmup: .day, tables: [.deviceHours]), sink: rows)
        let hours = rows.hours.filter { $0.hour >= 24 }
        let days = Double(hours.count) / 24
        #expect(rows.hours.count >= 72 && days >= 2)
        func perDay(_ value: (DeviceHourRow) -> Double) -> Double { hours.reduce(0) { $0 + value($1) } / days }
        func agrees(_ name: String, _ value: Double) {
            #expect(abs(outcome(name) - value) < 1e-6 * max(1, abs(value)), "\(name): \(outcome(name)), not \(value)")
            #expect(value > 0, "\(name)")
        }
        agrees("energy_wh_per_day", perDay { $0.causeJoules.reduce(0, +) } / 3600)
        agrees("wall_wh_per_day", perDay(\.wallJoules) / 3600)
        agrees("kills_per_day", perDay { Double($0.kills) })
        agrees("relaunches_per_day", perDay { Double($0.relaunches) })
        agrees("wifi_bytes_per_day", perDay { Double($0.bytes[.wifi]) })
        agrees("resumes_per_day", perDay { Double($0.opens - $0.relaunches) })
    }
}
