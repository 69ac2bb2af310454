// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import Power
import Quantities
import Testing
import Vocabulary

@testable import Phone
@testable import PhoneCore

/// A phone that is switched off and on again, and what its apps lose by it.
@Suite struct RestartTests {
    private let rows = [
        "0,network,,wifi", "100,unlock,,", "100,open,app-0,600", "1000,lock,,", "2000,restart,,", "3000,unlock,,",
        "3000,open,app-0,60", "3100,lock,,",
    ]

    @Test func `every process ends in order, nothing is lost, and the next open is cold`() throws {
        let (outcome, rows) = try ScriptedDay.plain(rows).run(tables: [.events, .battery])
        let exits = rows.events.filter { $0.event == .exit && $0.app == AppID(0) }
        #expect(exits.map(\.time) == [.seconds(2000)] && exits.map(\.exit) == [.normal])
        #expect(exits.first?.lostSeconds == 0)
        #expect(rows.events.filter { $0.launchKind != nil }.map(\.launchKind) == [.cold, .cold])
        #expect(outcome("restarts_per_day") == 1 && outcome("dead_hours_per_day") == 0)
        let off = rows.battery.filter(\.isRestarting)
        #expect(off.map(\.time) == [.seconds(2000)] && off.allSatisfy { !$0.isDead && $0.loadWatts == 0 })
        #expect(rows.battery.first { $0.time > .seconds(2000) && !$0.isRestarting }?.time == .seconds(2060))
    }

    @Test func `who is at the phone is sent away first`() throws {
        var rows = rows
        rows[4] = "400,restart,,120"
        rows[3] = "1000,lock,,"
        rows.swapAt(3, 4)
        let found = try ScriptedDay.plain(rows).run().rows.events
        let ends = found.filter { $0.app == AppID(0) && $0.time == .seconds(400) }.map(\.event)
        #expect(ends.last == .exit && ends.contains(.enterBackground) && ends.contains(.resignActive))
    }

    /// The battery is empty for two hours; the app that died with it is opened again on the charger.
    @Test(arguments: [150.0, 3000])
    func `after the battery died nothing of an app is in memory`(capacity: Double) throws {
        var day = ScriptedDay.plain([
            "0,network,,wifi", "100,unlock,,", "100,open,app-0,60", "200,lock,,", "60000,plug,,10", "70000,unlock,,",
            "70000,open,app-0,60", "70100,lock,,",
        ])
        day.device.power.battery = BatteryParameters(capacity: .milliampereHours(capacity))
        let (outcome, rows) = try day.run(tables: [.events])
        let isDead = capacity < 200
        #expect((outcome("dead_hours_per_day") > 0) == isDead)
        let kinds = rows.events.filter { $0.launchKind != nil && $0.app == AppID(0) }.map(\.launchKind)
        #expect(kinds == [.cold, isDead ? .cold : .resume])
    }

    @Test func `a visit in the time it is off is missed, and it is not dead`() throws {
        var rows = rows
        rows[4] = "2000,restart,,1800"
        let (outcome, found) = try ScriptedDay.plain(rows).run(tables: [.events])
        #expect(found.events.filter { $0.event == .missed }.map(\.time) == [.seconds(3000)])
        #expect(outcome("missed_visits_per_day") == 1 && outcome("dead_hours_per_day") == 0)
    }
}
