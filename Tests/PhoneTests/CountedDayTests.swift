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

/// Days so plain that what they must come to can be worked out by hand.
@Suite struct CountedDayTests {
    private static let week: TableSet = [.events, .deviceHours, .appDays, .requests]

    private func visit(_ app: String = "app-0", _ change: (inout AppModel) -> Void = { _ in }) -> ScriptedDay {
        ScriptedDay(["0,network,,wifi", "100,unlock,,", "100,open,\(app),600", "3000,lock,,"], change)
    }

    @Test func `an app has its footprint on screen, and the smaller one when it is suspended`() throws {
        let rows = try visit().run().rows.events
        let active = try #require(rows.first { $0.event == .becomeActive })
        let suspended = try #require(rows.first { $0.event == .suspend })
        #expect(active.footprintMiB == 220)
        #expect(suspended.footprintMiB == 110)
    }

    @Test func `the least memory of an hour is that of the hour alone`() throws {
        let hours = try visit().run(tables: [.deviceHours]).rows.hours
        // On screen the app holds 220 MiB, suspended 110.
        #expect(abs(hours[1].availableMinimumMiB - hours[0].availableMinimumMiB - 110) < 1e-6)
        #expect(hours[2].availableMinimumMiB == hours[1].availableMinimumMiB)
    }

    @Test func `a visit draws the size of its app anew`() throws {
        let rows = (0..<6).flatMap { visit in
            let begin = 100 + 1000 * visit
            return ["\(begin),unlock,,", "\(begin),open,app-0,60", "\(begin + 800),lock,,"]
        }
        let day = ScriptedDay(rows) { $0.footprintSigma = 0.2 }
        let sizes = try day.run().rows.events.filter { $0.event == .becomeActive }.map(\.footprintMiB)
        #expect(sizes.count == 6 && Set(sizes).count == 6)
        #expect(sizes.allSatisfy { $0 > 220 * 0.4 && $0 < 220 * 2.5 })
    }

    @Test func `a cold launch reads its files from storage once`() throws {
        let rows = ["0,network,,wifi", "100,unlock,,", "100,open,app-0,60", "300,open,app-0,60", "3000,lock,,"]
        let day = ScriptedDay(rows) { $0.launchFiles = .mebibytes(80) }
        let hours = try day.run(tables: [.deviceHours]).rows.hours
        let expected = day.device.power.storage.reading(.mebibytes(80)).joules
        #expect(expected > 0)
        #expect(abs(hours[0].storageJoules - expected) < 1e-6 * expected)
    }

    @Test func `an app that streams fetches a piece every six seconds of its visit`() throws {
        func bytes(_ rate: DataRate) throws -> Int64 {
            let day = ScriptedDay.plain { $0.foregroundRate = rate }
            return try day.run(tables: [.deviceHours]).rows.hours[0].bytes[.wifi]
        }
        // 125 kB a second, every six: of 600 s 599.3 are left after the launch, in which 99 pieces begin.
        let more = try bytes(.megabitsPerSecond(1)) - bytes(.megabitsPerSecond(0))
        #expect(more == 99 * 750_000, "\(more)")
    }

    @Test func `dark mode draws what its darker pictures need`() throws {
        func joules(_ isDark: Bool) throws -> Double {
            var day = visit()
            day.device.habits.darkMode = isDark
            return try day.run(tables: [.deviceHours]).rows.hours[0].displayJoules
        }
        // A session of 2,900 s: ten minutes of the app, the home screen before and after.
        let power = TestWorld.device().power
        let activity = power.activities[.general]
        func watts(_ level: Double) -> Double { power.display.power(brightness: 0.5, pictureLevel: level).watts }
        #expect(abs(try joules(false) - 2900 * watts(activity.pictureLevel)) < 1)
        #expect(abs(try joules(true) - 2900 * watts(activity.darkPictureLevel)) < 1)
        // In the time between, and brighter than the phone has it.
        var day = visit()
        (day.persona.screen.dark, day.persona.screen.brightness) = (0.25, 1.2)
        let mixed = activity.pictureLevel * 0.75 + activity.darkPictureLevel * 0.25
        let expected = 2900 * power.display.power(brightness: 0.6, pictureLevel: mixed).watts
        #expect(abs(try day.run(tables: [.deviceHours]).rows.hours[0].displayJoules - expected) < 1)
        #expect(watts(activity.darkPictureLevel) < 0.9 * watts(activity.pictureLevel))
    }

    @Test func `of alerts sent without a network the newest is shown, as late as it is`() throws {
        let rows = [
            "0,network,,wifi", "100,network,,none", "200,push,app-0,", "300,push,app-0,", "1000,network,,wifi",
            "2000,push,app-0,",
        ]
        let outcome = try ScriptedDay(rows).run(tables: [.appDays])
        let row = try #require(outcome.rows.days.first { $0.app == AppID(0) })
        #expect(row.pushesSent == 3 && row.pushesDelivered == 2)
        #expect(row.pushDelaySeconds == 700)
        #expect(abs(outcome.outcome("push_delivered_share") - 2.0 / 3) < 1e-12)
    }

    @Test func `an alert that was sent in the warm-up and is shown after it counts in neither number`() throws {
        var day = ScriptedDay([
            "0,network,,wifi", "10700,network,,none", "10750,push,app-0,", "11000,network,,wifi", "20000,push,app-0,",
            "21000,network,,none", "22000,push,app-0,", "23000,push,app-0,",
        ])
        day.warmup = .hours(3)
        let outcome = try day.run(tables: [.appDays]).outcome
        // Three were sent after three hours: one was shown, one was replaced, one waits at the end.
        #expect(abs(outcome("push_delivered_share") - 1.0 / 3) < 1e-12)
    }

    @Test func `a short interruption lasts a second`() throws {
        let rows = ["100,unlock,,", "100,open,app-0,600", "200,interrupt,app-0,0.2", "3000,lock,,"]
        let events = try ScriptedDay(rows).run().rows.events
        let resigned = try #require(events.first { $0.event == .resignActive })
        let active = try #require(events.first { $0.event == .becomeActive && $0.time > resigned.time })
        #expect(resigned.time == .zero + .seconds(200))
        #expect(active.time == .zero + .seconds(201))
    }

    @Test func `work at the end of a visit costs until it is done, even when its assertion leaks`() throws {
        func joules(_ seconds: Double) throws -> Double {
            let day = visit { app in
                app.finishesTask = true
                app.finishTime = .seconds(seconds)
                app.faults.leaksTask = 1
                app.faults.handlesExpiration = true
            }
            return try day.run(tables: [.appDays]).rows.days.reduce(0) { $0 + $1.backgroundJoules }
        }
        let device = TestWorld.device()
        let plan = ProcessorPlan(device.power.processor, awake: device.power.platform.awakePower)
        #expect(abs(try joules(22) - joules(12) - 10 * plan.workPower.watts) < 1e-3)
    }

    @Test func `work that is done before the grace is over costs its own time, not that of the grace`() throws {
        func joules(_ seconds: Double) throws -> Double {
            let day = visit { app in
                app.finishesTask = true
                app.finishTime = .seconds(seconds)
            }
            return try day.run(tables: [.appDays]).rows.days.reduce(0) { $0 + $1.backgroundJoules }
        }
        let device = TestWorld.device()
        let plan = ProcessorPlan(device.power.processor, awake: device.power.platform.awakePower)
        #expect(abs(try joules(4) - joules(1) - 3 * plan.workPower.watts) < 1e-3)
    }

    @Test func `waiting for the network costs a refresh what keeps the phone awake, and no more`() throws {
        func joules(wait: Double) throws -> Double {
            var day = ScriptedDay(["0,network,,wifi"]) { app in
                app.refreshPeriod = .hours(1)
                app.refreshWait = .seconds(wait)
                app.refreshBytes = .zero
            }
            day.device.habits.workSigma = 0
            day.device.background.notice = .zero
            day.device.background.shortGrantShare = 0
            day.scheduling = "immediate"
            let rows = try day.run(tables: [.requests]).rows.requests.filter { $0.outcome == "success" }
            return try #require(rows.dropFirst().first).joules
        }
        let awake = TestWorld.device().power.platform.awakePower.watts
        #expect(abs(try joules(wait: 11) - joules(wait: 1) - 10 * awake) < 1e-3)
    }

    @Test func `a refresh of an app without a process takes a cold launch longer`() throws {
        func seconds(cold: Double) throws -> Double {
            var day = ScriptedDay(["0,network,,wifi"]) { app in
                app.refreshPeriod = .hours(1)
                app.coldLaunchTime = .seconds(cold)
                app.warmLaunchTime = .seconds(0.5)
            }
            day.device.habits.workSigma = 0
            day.device.habits.rateSigma = 0
            day.scheduling = "immediate"
            let row = try #require(try day.run(tables: [.requests]).rows.requests.first { $0.started > .zero })
            return (row.ended - row.started).seconds
        }
        let power = TestWorld.device().power
        let plan = ProcessorPlan(power.processor, awake: power.platform.awakePower)
        #expect(abs(try seconds(cold: 4) - seconds(cold: 1) - 3 * plan.workLaunchFactor) < 1e-6)
    }

    @Test func `a launch takes from its warm to its cold time, as its files are gone`() {
        var app = AppModel(name: "a", category: "c")
        app.resumeTime = .seconds(0.2)
        app.warmLaunchTime = .seconds(1)
        app.coldLaunchTime = .seconds(3)
        app.sdkLaunchTime = .seconds(0.5)
        #expect(app.launchTime(.warm, missing: 0) == .seconds(1.5))
        #expect(app.launchTime(.cold, missing: 1) == .seconds(3.5))
        #expect(app.launchTime(.warm, missing: 0.25) == .seconds(2))
        #expect(app.launchTime(.resume, missing: 0.25) == .seconds(0.2))
    }

    @Test func `music in the background ends when another app plays sound, and after four hours`() throws {
        var day = ScriptedDay(["100,unlock,,", "100,open,app-0,60", "300,open,app-1,60", "400,lock,,"]) {
            $0.activity = .music
        }
        day.apps[1].activity = .video
        day.persona.background.audioPerDay = .days(1)
        let events = try day.run().rows.events
        let opened = try #require(events.first { $0.event == .becomeActive && $0.app == AppID(1) })
        let suspended = try #require(events.first { $0.event == .suspend && $0.app == AppID(0) })
        // It falls silent when the other is active; its five seconds after the visit are long over.
        #expect(suspended.time == opened.time)
        // Nobody else plays, and all day long: the session of one visit still ends.
        day.rows = ["100,unlock,,", "40000,open,app-0,60", "40100,lock,,"]
        day.persona.background.audioPerDay = .hours(23.9)
        let alone = try day.run().rows.events
        let left = try #require(alone.first { $0.event == .enterBackground })
        let end = try #require(alone.first { $0.event == .suspend })
        #expect(end.time - left.time == .hours(4))
    }

    @Test func `a call lifts its app into the band of those that are heard`() throws {
        var day = ScriptedDay(["0,network,,wifi"]) { $0.traits.callsPerDay = 40 }
        day.device.background.pushes.answeredShare = 1
        let ends = try day.run().rows.events.filter { $0.event == .modeEnd }
        #expect(ends.count > 10)
        #expect(ends.allSatisfy { $0.band == day.device.os.audioBand })
        #expect(day.device.os.audioBand != day.device.os.workingBand)
    }

    @Test func `a transfer that still moves at the end of its life ends there`() throws {
        var day = ScriptedDay(["0,network,,wifi", "100,unlock,,", "100,open,app-0,20000", "21000,lock,,"]) { app in
            app.traits.transfersPerDay = 100
            app.traits.transferBytes = .gibibytes(4)
        }
        day.device.background.transfers.life = .minutes(1)
        // One piece takes longer than the life.
        day.device.background.transfers.piece = .gibibytes(4)
        let rows = try day.run(tables: [.requests]).rows.requests.filter { $0.work == .transfer }
        #expect(rows.count > 10)
        #expect(rows.allSatisfy { $0.outcome == "never" && $0.ended - $0.submitted == .minutes(1) })
        #expect(rows.allSatisfy { $0.started == $0.submitted })
    }

    @Test func `a transfer that cannot move is given up at the end of its life`() throws {
        var day = ScriptedDay(["0,network,,wifi", "100,unlock,,", "100,open,app-0,20000", "21000,lock,,"]) { app in
            app.traits.transfersPerDay = 100
            app.traits.transferBytes = .mebibytes(1)
            app.traits.transferIsDiscretionary = true
        }
        day.rows += ["30000,network,,none", "40000,network,,wifi", "50000,plug,,10", "60000,unplug,,"]
        day.device.background.transfers.life = .hours(2)
        let rows = try day.run(tables: [.requests]).rows.requests.filter { $0.work == .transfer }
        let given = rows.filter { $0.outcome == "never" }
        #expect(!given.isEmpty)
        #expect(given.allSatisfy { $0.ended - $0.submitted == .hours(2) })
        #expect(rows.filter { $0.outcome == "success" }.allSatisfy { $0.ended - $0.submitted < .hours(2) })
    }
}
