// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import Power
import Quantities
import Testing
import Vocabulary
import Workload

@testable import Phone
@testable import PhoneCore

/// Rules of background work that only the whole phone can break.
@Suite struct BackgroundRuleTests {
    private func run(
        _ apps: [AppModel], days: Double = 4, scheduling: String = "opportunistic",
        change: (inout BackgroundParameters) -> Void = { _ in }
    ) -> (rows: RowCollector, outcome: RunOutcome, intents: [Intent]) {
        var device = TestWorld.device()
        change(&device.background)
        let specification = TestWorld.specification(
            apps: apps, device: device, days: days, tables: [.requests, .decisions], scheduling: scheduling)
        let rows = RowCollector()
        let outcome = simulate(specification, sink: rows)
        var workload = specification.workload
        var intents: [Intent] = []
        var day: [Intent] = []
        while workload.nextDay(into: &day) {
            intents += day
            day.removeAll()
        }
        return (rows, outcome, intents)
    }

    private static func busy(_ app: inout AppModel) {
        app.refreshPeriod = .minutes(15)
        app.processingPerDay = 3
        app.processingTime = .minutes(4)
    }

    @Test func `V14: no processing starts on a phone in use, and what runs ends the moment it is picked up`() {
        for policy in ["opportunistic", "immediate"] {
            let world = run(TestWorld.apps(20, change: Self.busy), scheduling: policy)
            let runs = world.rows.requests.filter { $0.work == .processing && $0.started != .distantFuture }
            #expect(runs.count > 10)
            #expect(runs.allSatisfy { $0.idle >= .zero })
            let unlocks = world.intents.filter { $0.kind == .unlock }.map(\.time)
            for row in runs { #expect(!unlocks.contains { row.started < $0 && $0 < row.ended }) }
            guard policy == "immediate" else { continue }
            #expect(runs.contains { unlocks.contains($0.ended) && $0.outcome == "expired" })
        }
    }

    @Test func `V21: after a phone was left alone for an hour nothing is launched for fifteen minutes of use`() {
        let world = run(TestWorld.apps(20, change: Self.busy))
        let starts = world.rows.requests.filter { $0.work == .refresh }.map(\.started)
        var locked = SimTime.zero
        var windows = 0
        for intent in world.intents where intent.kind == .lock || intent.kind == .unlock {
            if intent.kind == .lock {
                locked = intent.time
                continue
            }
            guard intent.time - locked >= .hour else { continue }
            windows += 1
            #expect(!starts.contains { $0 >= intent.time && $0 < intent.time + .seconds(900) })
        }
        #expect(windows > 3)
        #expect(world.rows.decisions.contains { $0.rule == "herd" })
    }

    @Test func `a short grant expires the refresh within five seconds`() {
        let all = run(TestWorld.apps(20)) { $0.shortGrantShare = 1 }
        let ran = all.rows.requests.filter { $0.work == .refresh && $0.started != .distantFuture }
        #expect(ran.count > 20)
        #expect(ran.allSatisfy { $0.granted >= .seconds(2) && $0.granted <= .seconds(5) })
        #expect(ran.allSatisfy { $0.ended - $0.started <= .seconds(5) })
        let none = run(TestWorld.apps(20)) { $0.shortGrantShare = 0 }
        #expect(none.rows.requests.filter { $0.started != .distantFuture }.allSatisfy { $0.granted == .seconds(30) })
        #expect(none.outcome("expired_share") == 0)
        let expired = ran.count { $0.outcome == "expired" }
        #expect(abs(all.outcome("expired_share") - Double(expired) / Double(ran.count)) < 1e-12 && expired > 0)
    }

    @Test func `work left open in its handler is throttled and may cost the process; without a handler neither`() {
        func world(handler: Bool, share: Double = 1) -> (rows: RowCollector, outcome: RunOutcome, intents: [Intent]) {
            let apps = TestWorld.apps(20) { app in
                app.completionProbability = 0
                app.handlesExpiration = handler
            }
            return run(apps) { $0.uncompletedKillShare = share }
        }
        let (rows, careless, _) = world(handler: true)
        let plain = world(handler: false).outcome
        let expired = rows.requests.count { $0.outcome == "expired" }
        #expect(careless("exits_bg_task_timeout_per_day") * 4 == Double(expired) && expired > 4)
        #expect(plain("exits_bg_task_timeout_per_day") == 0)
        #expect(world(handler: true, share: 0).outcome("exits_bg_task_timeout_per_day") == 0)
        // Neither brings a refresh to its end, so the launches tell how often they were let run.
        #expect(careless("expired_share") == 1 && plain("expired_share") == 1)
    }

    @Test func `processing that follows itself keeps its distance, and a chain lives on through the night`() {
        let apps = TestWorld.apps(8) { app in
            app.processingPeriod = .hours(24)
            app.processingTime = .minutes(2)
        }
        let world = run(apps, days: 6)
        var last: [Int32: SimTime] = [:]
        var gaps = 0
        for row in world.rows.requests where row.work == .processing && row.started != .distantFuture {
            if let before = last[row.app.index] {
                #expect(row.started - before >= .hours(24))
                gaps += 1
            }
            last[row.app.index] = row.started
        }
        #expect(gaps > 8)
    }

    @Test func `processing at an hour of the clock does not begin before it`() {
        let apps = TestWorld.apps(8) { app in
            app.processingPeriod = .hours(1)
            app.processingHour = 3
            app.processingTime = .minutes(2)
        }
        let world = run(apps, days: 6)
        let rows = world.rows.requests.filter { $0.work == .processing }
        #expect(rows.count > 8 && rows.contains { $0.started != .distantFuture })
        for row in rows {
            let hour = (row.earliestBegin - (.zero + .days(Double(row.earliestBegin.day)))) / .hour
            #expect(hour == 3)
            #expect(row.started >= row.earliestBegin && row.earliestBegin - row.submitted <= .hours(25))
        }
    }

    @Test func `a push that sets off a job fetches nothing itself, and the job waits for its time`() {
        func jobs(_ isSet: Bool) -> [RequestRow] {
            let apps = TestWorld.apps(6) { app in
                app.refreshPeriod = .zero
                app.traits.silentPushesPerDay = 6
                app.traits.pushSetsOffJob = isSet
                app.processingTime = .seconds(30)
            }
            return run(apps, days: 4).rows.requests
        }
        let (set, plain) = (jobs(true), jobs(false))
        let pushes = set.filter { $0.work == .silentPush && $0.started != .distantFuture }
        let work = set.filter { $0.work == .processing }
        #expect(pushes.count > 10 && work.count > 10)
        #expect(pushes.allSatisfy { $0.bytes[.wifi] + $0.bytes[.cellular] <= 8192 })
        #expect(!plain.contains { $0.work == .processing })
        // Each was asked for when a push ran the app.
        let handed = Set(pushes.map { "\($0.app.index) \(Int($0.started.seconds) / 60)" })
        #expect(
            work.count { handed.contains("\($0.app.index) \(Int($0.submitted.seconds) / 60)") } * 10 >= work.count * 9)
    }

    @Test func `without state restoration an accessory runs only an app that lives`() {
        func events(_ restores: Bool) -> Double {
            let apps = TestWorld.apps(6) { app in
                app.traits.bluetoothEventsPerDay = 24
                app.traits.restoresBluetooth = restores
            }
            return run(apps, days: 4).outcome("event_launches_per_day")
        }
        let (with, without) = (events(true), events(false))
        #expect(without < with, "\(without) \(with)")
        #expect(with > 0)
    }

    @Test func `the first look comes a little after the floor, and never before it`() {
        let world = run(TestWorld.apps(20), scheduling: "immediate")
        let late = world.rows.requests.filter { $0.started != .distantFuture }.map {
            ($0.started - $0.earliestBegin).seconds
        }
        #expect(late.allSatisfy { $0 >= 0 })
        // What is drawn is exponential with a mean of three minutes: half of it lies below 180 s times ln 2.
        let sorted = late.sorted()
        #expect(abs(sorted[sorted.count / 2] - 124.8) < 12, "\(sorted[sorted.count / 2]) of \(sorted.count)")
        let prompt = run(TestWorld.apps(20), scheduling: "immediate") { $0.notice = .zero }
        #expect(prompt.rows.requests.contains { $0.started == $0.earliestBegin })
    }
}
