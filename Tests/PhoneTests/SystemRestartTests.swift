// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import Quantities
import Testing
import Vocabulary

@testable import Phone
@testable import PhoneCore

/// A phone that restarts of itself: for a new version of its system, and because the system has crashed.
@Suite struct SystemRestartTests {
    /// Used in the first quarter of an hour and from 30,000 s on.
    private static let use = [
        "100,unlock,,", "100,open,app-0,600", "1000,lock,,", "30000,unlock,,", "30000,open,app-0,60", "30100,lock,,",
    ]

    /// A version of the system comes out every few minutes.
    private func day(_ rows: [String]) -> ScriptedDay {
        var day = ScriptedDay.plain(rows)
        day.device.restarts.upgradesPerMonth = 1e4
        return day
    }

    @Test func `F54: for a new system everybody saves and leaves, and work waits for the first unlock`() throws {
        var day = day(["0,network,,wifi", "0,plug,,10"] + Self.use)
        day.apps[0].refreshPeriod = .minutes(30)
        day.scheduling = "immediate"
        let (outcome, rows) = try day.run(tables: [.events, .battery, .requests])
        let off = rows.battery.filter(\.isRestarting)
        let start = try #require(off.first?.time)
        #expect(start >= .zero + .hours(2) && start < .zero + .hours(4))
        #expect(off.allSatisfy { $0.restartCause == .upgrade && !$0.isDead })
        let on = try #require(rows.battery.first { $0.time > start && !$0.isRestarting })
        #expect(on.time == start + .minutes(15) && on.restartCause == nil)
        let exits = rows.events.filter { $0.event == .exit && $0.app == AppID(0) }
        #expect(exits.map(\.time) == [start] && exits.map(\.exit) == [.normal] && exits[0].lostSeconds == 0)
        // The first unlock lets the refresh go, which launches the app with none of its files cached.
        let launch = try #require(rows.events.first { $0.time > start && $0.event == .launch })
        #expect(launch.launchKind == .cold && launch.time == .zero + .seconds(30000) && launch.to == .background)
        for (metric, count) in ["system_upgrades": 1.0, "system_crashes": 0, "restarts": 1] {
            #expect(outcome("\(metric)_per_day") == count)
        }
        let refreshes = rows.requests.filter { $0.work == .refresh && $0.started != .distantFuture }.map(\.started)
        #expect(refreshes.contains { $0 < start } && refreshes.contains { $0 >= .zero + .seconds(30000) })
        #expect(!refreshes.contains { $0 >= start && $0 < .zero + .seconds(30000) })
    }

    @Test(arguments: [
        ["0,network,,wifi"], ["0,plug,,10"], ["0,plug,,10", "0,network,,cellular"],
        ["0,network,,wifi", "0,plug,,10", "7000,unlock,,", "15000,lock,,"],
    ])
    func `a new system waits for the charger, Wi-Fi and a phone in nobody's hands`(rows: [String]) throws {
        let (outcome, found) = try day(rows).run(tables: [.battery])
        #expect(outcome("restarts_per_day") == 0 && outcome("system_upgrades_per_day") == 0)
        #expect(found.battery.allSatisfy { !$0.isRestarting })
    }

    @Test func `a crash of the system asks nobody, and takes what was not saved`() throws {
        var day = ScriptedDay.plain(["100,unlock,,", "100,open,app-0,80000", "86000,lock,,"]) {
            $0.savePeriod = .zero
        }
        day.device.restarts.crashesPerMonth = 3000
        let (outcome, rows) = try day.run(tables: [.events, .battery])
        let first = try #require(rows.events.first { $0.event == .exit && $0.app == AppID(0) })
        #expect(first.exit == .abnormal && first.from == .active)
        let active = try #require(rows.events.first { $0.event == .becomeActive })
        #expect(abs(first.lostSeconds - (first.time - active.time).seconds) < 3)
        // Nobody leaves, and nobody opens it again in the same instant: the visit is over.
        #expect(!rows.events.contains { $0.event == .enterBackground || $0.event == .resignActive })
        #expect(rows.events.count { $0.event == .launch } == 1)
        #expect(outcome("lost_work_crash_s_per_day") == outcome("lost_work_s_per_day"))
        #expect(outcome("lost_work_s_per_day") == first.lostSeconds)
        #expect(rows.battery.first { $0.isRestarting }?.restartCause == .crash)
        // A hundred a day, but for those of a minute each in which it is off: four deviations are 40.
        let crashes = outcome("system_crashes_per_day")
        #expect(abs(crashes - 94) < 40 && outcome("restarts_per_day") == crashes)
    }

    @Test func `a phone restarts of itself only if its file says so, and crashes move no upgrade`() throws {
        let rows = ["0,network,,wifi", "0,plug,,10"] + Self.use
        let none = try ScriptedDay.plain(rows).run(tables: [.battery])
        #expect(none.outcome("restarts_per_day") == 0)
        func start(_ crashes: Double) throws -> SimTime? {
            var day = day(rows)
            day.device.restarts.crashesPerMonth = crashes
            return try day.run(tables: [.battery]).rows.battery.first { $0.restartCause == .upgrade }?.time
        }
        let starts = [try start(0), try start(20)]
        #expect(starts[0] == starts[1] && starts[0] != nil)
    }
}
