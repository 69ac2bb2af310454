// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import Measures
import Power
import Quantities
import Testing
import Vocabulary
import Workload

@testable import Phone
@testable import PhoneCore

/// What a phone does with its charger and its levels on days of a few rows.
@Suite struct ChargeDayTests {
    private func day(_ rows: [String], level: Double, milliampereHours: Double = 3200) -> ScriptedDay {
        var day = ScriptedDay.plain(["0,network,,wifi"] + rows)
        day.device.habits.initialLevel = level
        day.device.power.battery = BatteryParameters(capacity: .milliampereHours(milliampereHours))
        return day
    }

    @Test func `Low Power Mode is offered at 20 per cent, and to those who declined again at 10`() throws {
        // Whoever accepts every other offer declines both in a quarter of 400 days: one deviation is 0.022.
        var without = 0
        for replication in 0..<400 {
            var day = day(["100,unlock,,", "100,open,app-0,20000", "20100,lock,,"], level: 0.21, milliampereHours: 300)
            day.persona.charging.acceptsLowPowerMode = 0.5
            day.replication = replication
            let outcome = try day.run(tables: []).outcome
            #expect(outcome("battery_life_h") < 6)
            if outcome("low_power_hours_per_day") == 0 { without += 1 }
        }
        #expect(abs(Double(without) / 400 - 0.25) < 0.09)
    }

    @Test func `Low Power Mode outlasts a charge that does not reach 80 per cent`() throws {
        let rows = ["10,low_power_mode,,on", "3600,plug,,5", "7200,unplug,,", "10800,plug,,20", "28800,unplug,,"]
        let found = try day(rows, level: 0.3).run(tables: [.deviceHours, .battery]).rows
        let hours = found.hours
        #expect(hours[1].batteryPercent > 35 && hours[2].batteryPercent < 70)
        #expect(hours[0].lowPowerSeconds == 3590 && hours[1].lowPowerSeconds == 3600)
        let end = try #require(found.battery.first { $0.percent >= 80 }?.time)
        let seconds = hours.reduce(0) { $0 + $1.lowPowerSeconds }
        #expect(abs(seconds - (end.seconds - 10)) < 1e-6)
    }

    @Test(arguments: [(0.04, true), (0.06, false), (0.4, false)])
    func `only charges from 5 per cent or less have times to half and to full`(level: Double, counts: Bool) throws {
        let outcome = try day(["60,plug,,20", "40000,unplug,,"], level: level).run(tables: []).outcome
        #expect(outcome("charge_min_to_50").isNaN == !counts)
        #expect(outcome("charge_min_to_100").isNaN == !counts)
        #expect(abs(outcome("unplug_pct_mean") - 100) < 0.01)
    }

    @Test func `the level at unplugging is that of long charges alone`() throws {
        var day = day(["3600,plug,,5", "7200,unplug,,", "10800,plug,,5", "21600,unplug,,"], level: 0.2)
        day.device.charging.longCharge = .hours(2)
        let (outcome, rows) = try day.run(tables: [.deviceHours])
        #expect(rows.hours[1].batteryPercent < rows.hours[5].batteryPercent - 10)
        #expect(abs(outcome("unplug_pct_mean") - rows.hours[5].batteryPercent) < 1e-6)
        day.device.charging.longCharge = .minutes(30)
        let both = (rows.hours[1].batteryPercent + rows.hours[5].batteryPercent) / 2
        #expect(abs(try day.run(tables: []).outcome("unplug_pct_mean") - both) < 1e-6)
    }

    @Test(arguments: [(0.9, 0.0), (0.4, 1800), (0.5, 1800)])
    func `who tops up at 50 per cent does so at 50 per cent, for half an hour`(level: Double, seconds: Double) throws {
        let rows = ["3600,top_up,,level=0.5 until=7200 seconds=1800 watts=10"]
        let hours = try day(rows, level: level).run(tables: [.deviceHours]).rows.hours
        #expect(hours.map(\.pluggedSeconds).reduce(0, +) == seconds)
        #expect(hours[1].pluggedSeconds == seconds)
    }

    @Test func `after a restart requests wait for the first unlock, and for the window that holds the herd`() throws {
        let rows = ["100,unlock,,", "100,open,app-0,60", "200,open,app-1,20000", "20500,lock,,", "40000,plug,,10"]
        var day = day(rows + ["40200,unlock,,", "40210,lock,,"], level: 0.15)
        day.apps[0].refreshPeriod = .hours(1)
        (day.scheduling, day.device.background.herdWindow) = ("opportunistic", .minutes(7))
        day.device.background.longAbsence = .days(2)
        let found = try day.run(tables: [.decisions, .battery]).rows
        let dead = try #require(found.battery.first { $0.isDead }?.time)
        let back = try #require(found.battery.first { $0.time > dead && !$0.isDead }?.time)
        #expect(dead < .seconds(20_000) && (40_000.0..<40_200).contains(back.seconds))
        let held = found.decisions.filter { $0.rule == "herd" }.map(\.time)
        #expect(held.first == .seconds(40_200) && held.allSatisfy { $0 < back + .minutes(7) })
        #expect(!found.decisions.contains { $0.time >= back && $0.time < .seconds(40_200) })
    }
}
