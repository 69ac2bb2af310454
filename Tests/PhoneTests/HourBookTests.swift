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

/// Metrics against the rows of hours and events that say the same, where a row can be read off by hand.
@Suite struct HourBookTests {
    /// Three days, one of them a warm-up, on a phone short of memory that warns early.
    private func world(_ tables: TableSet) -> (outcome: RunOutcome, rows: RowCollector) {
        var device = TestWorld.device(ram: .gibibytes(3))
        (device.os.warningBelow, device.os.normalAbove) = (0.85, 0.9)
        let rows = RowCollector()
        let specification = TestWorld.specification(device: device, days: 3, warmup: .day, tables: tables)
        return (simulate(specification, sink: rows), rows)
    }

    private func sum(_ hours: some Sequence<DeviceHourRow>, _ value: (DeviceHourRow) -> Double) -> Double {
        hours.reduce(0) { $0 + value($1) }
    }

    private func cause(_ causes: Cause..., of hour: DeviceHourRow) -> Double {
        causes.reduce(0) { $0 + hour.causeJoules[Int($1.rawValue)] }
    }

    @Test func `energy metrics are sums of the hours after the warm-up`() {
        let (outcome, rows) = world([.deviceHours])
        let hours = rows.hours.filter { $0.hour >= 24 }
        #expect(hours.count == 48)
        func agrees(_ name: String, _ value: Double) {
            #expect(value > 0 && abs(outcome(name) / value - 1) < 1e-9, "\(name): \(outcome(name)), not \(value)")
        }
        let booked = sum(hours) { $0.causeJoules.reduce(0, +) }
        agrees("energy_wh_per_day", booked / 3600 / 2)
        agrees("background_energy_wh_per_day", sum(hours) { cause(.backgroundTask, .push, .connection, of: $0) } / 7200)
        agrees("radio_tail_energy_wh_per_day", sum(hours) { cause(.tail, of: $0) } / 7200)
        agrees("relaunch_energy_wh_per_day", sum(hours) { cause(.relaunch, of: $0) } / 7200)
        agrees("screen_off_energy_share", sum(hours, \.darkBatteryJoules) / sum(hours, \.batteryJoules))
        agrees("battery_pct_at_22h", sum(hours.filter { $0.hour % 24 == 21 }, \.batteryPercent) / 2)
        agrees("pressure_warning_share", sum(hours, \.pressureSeconds) / 172_800)
        #expect(outcome("energy_imbalance") < 1e-9)
    }

    @Test func `the components of an hour add up to its causes`() {
        for hour in world([.deviceHours]).rows.hours {
            let parts =
                hour.displayJoules + hour.processorJoules + hour.platformJoules + hour.storageJoules
                + hour.graphicsJoules + hour.memoryJoules + hour.audioJoules + hour.videoJoules + hour.cameraJoules
                + hour.locationJoules + hour.bluetoothJoules
                + Interface.allCases.reduce(0) { $0 + hour.radioJoules[$1] }
            #expect(abs(parts / hour.causeJoules.reduce(0, +) - 1) < 1e-9, "hour \(hour.hour)")
        }
    }

    @Test func `the highest temperature is that after the warm-up`() throws {
        var day = ScriptedDay.plain(["0,network,,wifi", "100,unlock,,", "100,open,app-0,10000", "10100,lock,,"]) {
            $0.activity = .game
        }
        day.warmup = .hours(12)
        let (outcome, rows) = try day.run(tables: [.deviceHours])
        let highest = rows.hours.map(\.batteryCelsiusMaximum)
        let (before, after) = (highest[..<12].max() ?? 0, highest[12...].max() ?? 0)
        #expect(before > after + 3 && abs(outcome("max_temperature_c") - after) < 1e-9)
    }

    @Test func `at 40 degrees the phone is fairly warm, and not seriously so`() throws {
        var day = ScriptedDay.plain(["0,network,,wifi"])
        day.persona.ambient = [.celsius(40)]
        let hour = try #require(try day.run(tables: [.deviceHours]).rows.hours.last)
        #expect(abs(hour.batteryCelsius - 40) < 0.3 && hour.fairSeconds == 3600 && hour.hotSeconds == 0)
    }

    @Test func `tails that follow work on screen are no background's`() throws {
        let day = ScriptedDay.plain(["0,network,,cellular", "100,unlock,,", "100,open,app-0,600", "3000,lock,,"]) {
            $0.foregroundRate = .megabitsPerSecond(1)
        }
        let outcome = try day.run(tables: []).outcome
        #expect(outcome("radio_tail_energy_wh_per_day") > 0 && abs(outcome("background_network_share")) < 1e-9)
    }

    @Test func `what floor and standby draw with the screen off is not the apps'`() throws {
        // Without a network until noon, then on one whose standby costs more; on the charger from 14:00 to 16:00.
        var day = ScriptedDay.plain([
            "0,network,,none", "100,unlock,,", "100,open,app-0,600", "800,lock,,", "43200,network,,cellular",
            "50400,plug,,10", "57600,unplug,,",
        ])
        day.device.habits.initialLevel = 0.6
        let (outcome, rows) = try day.run(tables: [.deviceHours])
        let (screen, dark) = (rows.hours[0], rows.hours.dropFirst())
        // All hours but the first are dark: what they use on the battery is known from their rows.
        let onBattery = dark.filter { $0.darkBatterySeconds > 3599 }
        #expect(onBattery.count == 21)
        let apps = sum(onBattery) { $0.darkBatteryJoules - cause(.idle, of: $0) }
        let rest = screen.darkBatteryJoules - cause(.idle, of: screen)
        let battery = sum(rows.hours, \.batteryJoules)
        let share = outcome("screen_off_apps_share")
        // The first hour is dark for all but 700 s, of which the floor is known to draw no more than the whole hour's.
        #expect(share * battery > apps + rest - 1e-6 && share * battery < apps + rest + cause(.idle, of: screen) / 4)
    }

    @Test func `apps with a process are counted without the system's`() throws {
        var day = ScriptedDay.plain()
        day.device.daemons.isPopulated = true
        let outcome = try day.run(tables: []).outcome
        #expect(abs(outcome("resident_apps_mean") - (86_400.0 - 100) / 86_400) < 1e-9)
    }

    @Test func `suspended processes are those of apps, extensions and services, by size`() throws {
        var day = ScriptedDay.plain()
        (day.device.daemons.isPopulated, day.device.daemons.services) = (true, 35)
        // Work so seldom that nobody is at it at noon.
        (day.device.daemons.workGap, day.device.daemons.extensionGap) = (.days(9), .days(9))
        let (_, rows) = try day.run(tables: [.deviceHours])
        let hour = try #require(rows.hours.first { $0.hour == 12 })
        let waiting = day.device.daemons.processes(filling: day.device.memory.systemFootprint)
            .filter { $0.kind == .appExtension || $0.kind == .service }.map(\.footprint.mebibytes)
        #expect(hour.suspendedApps == 1 && hour.suspendedProcesses == waiting.count + 1)
        // The app is larger than all of them.
        let sizes = waiting.sorted()
        #expect(hour.suspendedFootprints.tenth == sizes[(sizes.count + 1) / 10])
        #expect(hour.suspendedFootprints.median == sizes[(sizes.count + 1) / 2])
        #expect(hour.suspendedFootprints.ninetieth == sizes[(sizes.count + 1) * 9 / 10])
        day.device.daemons.isPopulated = false
        let bare = try #require(try day.run(tables: [.deviceHours]).rows.hours.first)
        #expect(bare.suspendedProcesses == 1)
    }

    @Test func `a refresh is wasted unless its app is opened before the next`() throws {
        var day = ScriptedDay.plain(
            ScriptedDay.visit + ["20000,unlock,,", "20000,open,app-0,60", "40000,open,app-0,60", "50000,lock,,"]
        ) {
            ($0.refreshPeriod, $0.contentPerDay) = (.hour, 5000)
        }
        day.scheduling = "immediate"
        let (outcome, rows) = try day.run(tables: [.requests])
        let ends = rows.requests.filter { $0.work == .refresh && $0.outcome == "success" }.map(\.ended.seconds)
        let wasted = zip(ends, ends.dropFirst()).filter { first, second in
            ![20_000.0, 40_000].contains { first < $0 && $0 < second }
        }
        #expect(ends.count > 20 && wasted.count == ends.count - 3)
        #expect(abs(outcome("wasted_refresh_share") - Double(wasted.count) / Double(ends.count)) < 1e-12)
    }

    @Test func `a refresh of the warm-up that turns out wasted after it counts in neither number`() throws {
        var day = ScriptedDay.plain() { ($0.refreshPeriod, $0.contentPerDay) = (.hour, 5000) }
        (day.scheduling, day.warmup) = ("immediate", .hours(6))
        let (outcome, rows) = try day.run(tables: [.requests])
        let ends = rows.requests.filter { $0.work == .refresh && $0.outcome == "success" }.map(\.ended.seconds)
        let counted = ends.filter { $0 > 21_600 }
        #expect(ends.count > counted.count && counted.count > 12)
        // The app is never opened again: only the last one is not known to be wasted.
        #expect(abs(outcome("wasted_refresh_share") - Double(counted.count - 1) / Double(counted.count)) < 1e-12)
    }

    @Test func `bytes of a refresh count as those of the network it was on`() throws {
        func bytes(_ network: String) throws -> (wifi: Double, cellular: Double) {
            var day = ScriptedDay.plain(["0,network,,\(network)", "100,unlock,,", "100,open,app-0,60", "400,lock,,"]) {
                $0.refreshPeriod = .hour
            }
            day.scheduling = "immediate"
            day.device.background.cellularBudget = .kibibytes(100)
            let (outcome, rows) = try day.run(tables: [.requests, .deviceHours])
            let left = try #require(rows.hours.dropLast().last?.cellularBudgetLeft)
            #expect((left == 1) == (network == "wifi"))
            return (outcome("wifi_bytes_per_day"), outcome("cellular_bytes_per_day"))
        }
        let (wifi, cellular) = (try bytes("wifi"), try bytes("cellular"))
        // From 3,760 s on every hour 34 KiB, 23 times: a budget is asked for by `opportunistic`, not by `immediate`.
        #expect(wifi.wifi == 23 * 34 * 1024 && wifi.cellular == 0)
        #expect(cellular.wifi == 0 && cellular.cellular == 23 * 34 * 1024, "\(cellular)")
    }

    /// The app leaves the screen at 3,590 s and refreshes once, an hour later, for more than 20 s.
    @Test func `a task that runs on counts among the simultaneous launches of the next hour`() throws {
        var day = ScriptedDay.plain(["0,network,,wifi", "3530,unlock,,", "3530,open,app-0,60", "4000,lock,,"]) {
            ($0.refreshPeriod, $0.refreshWait) = (.hour, .seconds(20))
            ($0.completionProbability, $0.resubmitProbability) = (1, 0)
        }
        day.scheduling = "immediate"
        let rows = try day.run(tables: [.requests, .deviceHours]).rows
        let refresh = try #require(rows.requests.first { $0.work == .refresh && $0.outcome == "success" })
        #expect(refresh.started == .seconds(7190) && refresh.ended > .seconds(7210))
        #expect(rows.hours[1...3].map(\.backgroundLaunches) == [1, 0, 0])
        #expect(rows.hours[1...3].map(\.concurrentLaunches) == [1, 1, 0])
    }
}
