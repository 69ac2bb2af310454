// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Power
import Quantities
import Testing
import Vocabulary
import Workload

@testable import Phone
@testable import PhoneCore

@Suite struct LowPowerModeTests {
    static func run(
        accepts: Double, level: Double = 0.25, days: Double = 1, change: (inout DeviceModel) -> Void = { _ in }
    ) -> (outcome: RunOutcome, hours: [DeviceHourRow]) {
        let rows = RowCollector()
        let outcome = simulate(
            specification(accepts: accepts, level: level, days: days, tables: [.deviceHours], change: change),
            sink: rows)
        return (outcome, rows.hours)
    }

    private static func battery(accepts: Double, days: Double) -> [BatteryRow] {
        let rows = RowCollector()
        _ = simulate(specification(accepts: accepts, level: 0.25, days: days, tables: [.battery]), sink: rows)
        return rows.battery
    }

    private static func specification(
        accepts: Double, level: Double, days: Double, tables: TableSet, change: (inout DeviceModel) -> Void = { _ in }
    ) -> RunSpecification {
        var persona = TestWorld.persona
        persona.charging.acceptsLowPowerMode = accepts
        // An evening on the charger and none before.
        persona.charging.nightPlug = ClockHour(mean: 20, deviation: 0)
        persona.charging.workdayUnplug = ClockHour(mean: 22, deviation: 0)
        var device = TestWorld.device()
        device.habits.initialLevel = level
        change(&device)
        return TestWorld.specification(persona: persona, device: device, days: days, tables: tables)
    }

    @Test func `it begins when the user accepts it at 20 per cent and ends at 80 on the charger`() throws {
        let rows = Self.run(accepts: 1, days: 2).hours
        let first = try #require(rows.firstIndex { $0.lowPowerSeconds > 0 })
        #expect(rows[first].batteryPercent < 21)
        let last = try #require(rows[first...].firstIndex { $0.lowPowerSeconds == 0 })
        #expect(rows[last - 1].batteryPercent >= 79 || rows[last].batteryPercent >= 79)
        // To the second: from the row that first shows 20 per cent to the one that first shows 80 on the charger.
        let battery = Self.battery(accepts: 1, days: 2)
        let begin = try #require(battery.first { $0.percent <= 20 }?.time)
        let end = try #require(battery.first { $0.time > begin && $0.pluggedIn && $0.percent >= 80 }?.time)
        let whole = rows[first...last].reduce(0) { $0 + $1.lowPowerSeconds }
        #expect(abs(whole - (end - begin).seconds) < 1e-6, "\(whole) \(begin) \(end)")
        #expect(Self.run(accepts: 0).outcome("low_power_hours_per_day") == 0)
    }

    @Test func `a user switches it on and off at any level`() throws {
        let hours = try Self.switched([.deviceHours]).hours
        #expect(hours.map(\.lowPowerSeconds) == (0..<24).map { (9..<15).contains($0) ? 3600 : 0 })
    }

    @Test func `it ends on a charger that holds at 80 per cent, too`() {
        let hours = Self.run(accepts: 1, days: 2) { $0.charging.mode = .hold }.hours
        #expect(hours.contains { $0.lowPowerSeconds > 0 })
        #expect(hours[30].lowPowerSeconds == 0)
    }

    @Test func `it dims the display, slows the processors and stops refreshes`() throws {
        func hours(_ isOn: Bool, _ change: (inout DeviceModel) -> Void = { _ in }) throws -> (RunOutcome, Double) {
            let rows = ["0,network,,wifi", "10,low_power_mode,,\(isOn ? "on" : "off")"]
            var day = ScriptedDay.plain(rows + ScriptedDay.visit.dropFirst()) { $0.refreshPeriod = .hour }
            day.scheduling = "immediate"
            day.device.habits.lowPowerDisplay = 1
            change(&day.device)
            let (outcome, found) = try day.run(tables: [.deviceHours])
            return (outcome, found.hours.reduce(0) { $0 + $1.displayJoules })
        }
        let (on, off) = (try hours(true), try hours(false))
        let unslowed = try hours(true) { $0.habits.lowPowerPerformance = 1 }
        #expect(on.0("refreshes_per_day") == 0 && off.0("refreshes_per_day") == 23)
        #expect(
            abs(off.0("launch_wait_s_per_day") - 0.7) < 1e-9 && abs(unslowed.0("launch_wait_s_per_day") - 0.7) < 1e-9)
        // Of the clocks below 0.6 of 3,200 MHz, 1,920, the highest is 1,300.
        #expect(abs(on.0("launch_wait_s_per_day") - 0.7 * 3200 / 1300) < 1e-6)
        // A session of 2,900 s.
        let device = TestWorld.device()
        let level = device.power.activities[.general].pictureLevel
        func watts(_ brightness: Double) -> Double {
            device.power.display.power(brightness: brightness, pictureLevel: level).watts
        }
        #expect(abs(off.1 - 2900 * watts(0.5)) < 1)
        #expect(abs(on.1 - 2900 * watts(0.5 * device.habits.lowPowerBrightness)) < 1)
    }

    @Test func `a display of 120 Hz draws nine tenths where it shows 60`() throws {
        func joules(_ factor: Double) throws -> Double {
            let rows = ["0,network,,wifi", "10,low_power_mode,,on"]
            var day = ScriptedDay.plain(rows + ScriptedDay.visit.dropFirst())
            day.device.habits.lowPowerDisplay = factor
            return try day.run(tables: [.deviceHours]).rows.hours.reduce(0) { $0 + $1.displayJoules }
        }
        #expect(abs(try joules(0.9) / joules(1) - 0.9) < 1e-9)
    }

    /// A day on which the user has it on from 9 to 15 h, off Wi-Fi.
    private static func switched(
        _ tables: TableSet, change: (inout DeviceModel) -> Void = { _ in }
    ) throws -> RowCollector {
        var file = WorkloadFile()
        file.covered = .zero..<(.zero + .days(2))
        for (hours, isOn) in [(9.0, true), (15.0, false)] {
            var event = WorkloadEvent(.lowPowerMode, at: .zero + .hours(hours))
            event.isOn = isOn
            file.events.append(event)
        }
        var persona = TestWorld.persona
        persona.charging.acceptsLowPowerMode = 0
        persona.wifi.home = 0
        var device = TestWorld.device()
        device.habits.initialLevel = 0.95
        change(&device)
        let rows = RowCollector()
        var specification = TestWorld.specification(persona: persona, device: device, days: 1, tables: tables)
        specification.recording = try TraceRecording(file: file, apps: specification.apps, chargerWatts: 10)
        _ = simulate(specification, sink: rows)
        return rows
    }

    @Test func `it leaves 5G alone where there is something older`() throws {
        let rows = try Self.switched([.radio]) {
            $0.power.radios[.cellular].promotionExtraEnergy = .joules(1.2)
            $0.power.cellularFallback = .lte2020
            $0.power.smartData = false
        }
        let switches = rows.radio.filter { $0.radio == "cellular" && $0.joules > 0 }.map { $0.time.seconds / 3600 }
        let promotions = rows.radio.filter { $0.radio == "cellular" && $0.state == "promotion" }
        #expect(promotions.contains { (10..<14).contains($0.time.seconds / 3600) })
        #expect(!switches.contains { (9.01..<15).contains($0) })
        #expect(switches.contains { $0 < 9 } && switches.contains { $0 > 15 })
    }

    @Test func `housekeeping waits in it as far as the device says`() throws {
        func hours(_ share: Double) throws -> [DeviceHourRow] {
            try Self.switched([.deviceHours]) {
                var services = ServiceParameters()
                services.location = .init(day: .milliwatts(25), night: .milliwatts(25))
                services.housekeeping = .init(day: .milliwatts(40), night: .milliwatts(40))
                services.lowPowerShare = share
                $0.services = services
            }.hours
        }
        let (all, some) = (try hours(1), try hours(0.25))
        for hour in 0..<17 {
            let less = all[hour].processorJoules - some[hour].processorJoules
            let expected = (9..<15).contains(hour) ? 0.75 * 0.04 * 3600 : 0
            #expect(abs(less - expected) < 1e-6, "hour \(hour): \(less)")
            #expect(all[hour].locationJoules == some[hour].locationJoules)
        }
    }

    @Test(arguments: [(60.0, 30.0, true), (60, 45, true), (30, 30, false), (45, 60, false)])
    func `a phone that was left alone locks sooner in it`(wait: Double, lowPowerWait: Double, sooner: Bool) throws {
        func hours(_ share: Double) throws -> [DeviceHourRow] {
            try Self.switched([.deviceHours]) {
                $0.habits.autoLockShare = share
                $0.habits.autoLock = .seconds(wait)
                $0.habits.lowPowerAutoLock = .seconds(lowPowerWait)
            }.hours
        }
        let (never, always) = (try hours(0), try hours(1))
        // Each session of the day that is long enough, and in whose end nothing is opened, is so much shorter.
        let saved = (9..<17).map { always[$0].lockedSeconds - never[$0].lockedSeconds }
        let unit = wait - lowPowerWait
        #expect(saved.allSatisfy { $0 >= 0 } && (saved.reduce(0, +) > 0) == sooner, "\(saved)")
        if sooner {
            let sessions = saved.reduce(0, +) / unit
            #expect(sessions >= 4 && abs(sessions - sessions.rounded()) < 0.1, "\(sessions)")
        }
        for hour in 0..<9 { #expect(never[hour].lockedSeconds == always[hour].lockedSeconds, "hour \(hour)") }
    }
}
