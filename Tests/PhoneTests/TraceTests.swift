// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import Measures
import Power
import Processes
import Quantities
import Testing
import Vocabulary

@testable import Phone
@testable import PhoneCore

/// The tables of radios, battery, apps by the hour and predictions, and the energy of requests.
@Suite struct TraceTests {
    private static let tables: TableSet = [
        .deviceHours, .appDays, .requests, .appHours, .radio, .battery, .predictions,
    ]

    private func run(_ change: (inout DeviceModel) -> Void = { _ in }) -> (outcome: RunOutcome, rows: RowCollector) {
        var device = TestWorld.device()
        change(&device)
        let rows = RowCollector()
        return (simulate(TestWorld.specification(device: device, tables: Self.tables), sink: rows), rows)
    }

    @Test func `what the apps and the system spent in an hour is what the device spent`() {
        let rows = run().rows
        #expect(!rows.appHours.isEmpty)
        for hour in rows.hours {
            let spent = hour.causeJoules.reduce(0, +)
            let apps = rows.appHours.filter { $0.hour == hour.hour }
            let booked = apps.reduce(0) { $0 + $1.foregroundJoules + $1.backgroundJoules + $1.idleJoules }
            #expect(abs(booked - spent) <= 1e-9 * max(1, spent))
            #expect(apps.allSatisfy { $0.idleJoules == 0 || $0.app == .system })
        }
    }

    @Test func `an app's hours make up its day`() {
        let rows = run().rows
        for day in rows.days {
            let hours = rows.appHours.filter { $0.app == day.app && $0.hour / 24 == day.day }
            #expect(abs(hours.reduce(0) { $0 + $1.backgroundJoules } - day.backgroundJoules) < 1e-6)
            #expect(abs(hours.reduce(0) { $0 + $1.foregroundJoules } - day.foregroundJoules) < 1e-6)
        }
    }

    @Test(arguments: [Interface.wifi, .cellular])
    func `the steps of a radio add up to its energy`(interface: Interface) {
        let rows = run { device in
            // What is booked at one instant is no step.
            device.power.radios[.wifi].promotionExtraEnergy = .zero
            device.power.radios[.wifi].joinEnergy = .zero
            device.power.radios[.cellular].promotionExtraEnergy = .zero
        }.rows
        let name = interface == .wifi ? "wifi" : "cellular"
        let steps = rows.radio.filter { $0.radio == name }
        // Wi-Fi is left and joined on the way; the mobile radio is promoted and never off.
        let states: Set<String> = ["idle", "active", "tail", interface == .wifi ? "off" : "promotion"]
        #expect(Set(steps.map(\.state)).isSuperset(of: states))
        var joules = 0.0
        for (index, step) in steps.enumerated() {
            let next = index + 1 < steps.count ? steps[index + 1].time : .zero + .days(2)
            #expect(next > step.time || step.time == .zero)
            joules += step.watts * (next - step.time).seconds
        }
        let booked = rows.hours.reduce(0) { $0 + $1.radioJoules[interface] }
        #expect(abs(joules - booked) < 1e-6 * booked)
    }

    @Test func `the battery is written at every step of its level and with every charger`() {
        let rows = run { $0.habits.initialLevel = 0.4 }.rows.battery
        #expect(rows.count > 50)
        for (before, after) in zip(rows, rows.dropFirst()) {
            // A phone that warms up may find that its cell can give a per cent more.
            #expect(abs(after.percent - before.percent) <= 2)
            #expect(after.time >= before.time)
            #expect(after.time - before.time < .minutes(30))
        }
        let charging = rows.filter { $0.pluggedIn && $0.percent < 70 }
        #expect(!charging.isEmpty)
        // Order is the claim: the current falls with the level, the load takes its part, and less than 1 W is a top.
        #expect(charging.allSatisfy { $0.chargeWatts > 1 })
        #expect(rows.filter { !$0.pluggedIn }.allSatisfy { $0.chargeWatts < 0 })
    }

    @Test func `work has the energy that it used, and none if it never started`() {
        let rows = run().rows
        let started = rows.requests.filter { $0.started != .distantFuture && $0.work != .transfer }
        #expect(!started.isEmpty)
        #expect(started.allSatisfy { $0.joules >= 0 })
        #expect(rows.requests.allSatisfy { $0.started != .distantFuture || $0.joules.isNaN })
        let refreshes = started.filter { $0.work == .refresh && $0.outcome == "success" }
        // Half a second of a core of 0.2 W at least; to the joule: HandWorkedTests.
        #expect(refreshes.allSatisfy { $0.joules > 0.05 })
        let background = rows.days.reduce(0) { $0 + $1.backgroundJoules }
        #expect(refreshes.reduce(0) { $0 + $1.joules } < background)
    }

    @Test func `a refused submission has a row with the error of Apple's interface`() {
        let (outcome, rows) = run { $0.background.pendingRefreshLimit = 0 }
        let refused = rows.requests.filter { $0.outcome == "refused" }
        #expect(!refused.isEmpty)
        #expect(refused.allSatisfy { $0.error == "tooManyPendingTaskRequests" && $0.work == .refresh })
        #expect(outcome("refreshes_per_day") == 0)
        let submissions = rows.days.reduce(0) { $0 + Int($1.submissions) }
        #expect(submissions == refused.count)
    }

    @Test func `runs that were cut off count in their app's day`() {
        let rows = run().rows
        for outcome in ["expired", "failed"] {
            let ended = rows.requests.filter { $0.outcome == outcome && $0.work != .transfer }.count
            let counted = rows.days.reduce(0) { $0 + Int(outcome == "expired" ? $1.expirations : $1.failures) }
            #expect(counted == ended)
        }
    }

    @Test func `the times of an app's day fill at most the day, and those of all its states the run`() {
        let rows = run().rows
        for day in rows.days {
            let seconds = day.foregroundSeconds + day.backgroundSeconds + day.suspendedSeconds
            #expect(seconds <= 86400 + 1e-6)
            #expect(day.suspendedSeconds == 0 || day.peakFootprintMiB > 0)
        }
        #expect(rows.days.contains { $0.backgroundSeconds > 0 })
        #expect(rows.days.contains { $0.suspendedSeconds > 80_000 })
    }

    @Test func `the exits of all apps and days are those of the run`() {
        let (outcome, rows) = run { $0.memory.ram = .gibibytes(3) }
        let kills = rows.days.reduce(0) { $0 + Int($1.kills) }
        let pressure = rows.days.reduce(0) {
            $0 + ($1.exits.isEmpty ? 0 : Int($1.exits[Int(ExitCategory.memoryPressure.rawValue)]))
        }
        #expect(pressure == kills && kills > 0)
        #expect(Double(kills) == outcome("kills_per_day") * 2)
        let lost = rows.days.reduce(0) { $0 + $1.lostSeconds }
        #expect(abs(lost - outcome("lost_work_s_per_day") * 2) < 1e-6 * max(1, lost))
    }

    @Test func `hours say how long the phone was locked and what is left of its allowances`() {
        let hours = run().rows.hours
        #expect(hours.allSatisfy { abs($0.lockedSeconds + $0.screenSeconds - 3600) < 1e-6 })
        #expect(hours.contains { $0.lockedSeconds == 3600 })
        #expect(hours.contains { $0.energyBudgetLeft < 1 })
        #expect(hours.allSatisfy { (0...1).contains($0.energyBudgetLeft) && (0...1).contains($0.cellularBudgetLeft) })
        #expect(hours.allSatisfy { ($0.backgroundLaunches > 0) || $0.concurrentLaunches <= 1 })
    }

    @Test func `the ranges of predictions say what the metric of reliability says`() {
        let (outcome, rows) = run()
        let total = rows.predictions.reduce(0) { $0 + $1.predictions }
        #expect(total > 500)
        #expect(rows.predictions.allSatisfy { $0.predictions == 0 || $0.from <= $0.predicted && $0.predicted <= $0.to })
        let sum = rows.predictions.filter { $0.predictions > 0 }.reduce(0) {
            $0 + Double($1.predictions) * ($1.predicted - $1.opened) * ($1.predicted - $1.opened)
        }
        #expect(abs(sum / Double(total) - outcome("prediction_reliability")) < 1e-12)
    }
}
