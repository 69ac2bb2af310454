// SPDX-License-Identifier: GPL-3.0-or-later
import Power
import Quantities
import SchedulingPolicies
import Testing
import Vocabulary
import Workload

@testable import Phone
@testable import PhoneCore

/// Policies of alarms in the phone: what AlarmManagerService delivers together is served together.
@Suite struct AlarmTests {
    /// Two days of a mail app every 12 min and a feed every 15 min: the instants at which each was served.
    private func services(_ scheduling: String) -> (mail: [SimTime], feed: [SimTime]) {
        let periods = [SimDuration.minutes(12), .minutes(15)]
        let apps = zip(["mail", "feed"], periods).map { name, period in
            TestWorld.app(name) {
                $0.refreshPeriod = period
                $0.pushesPerDay = 0
                $0.resubmitProbability = 1
                $0.traits.refreshFails = 0
            }
        }
        let rows = RowCollector()
        _ = simulate(
            TestWorld.specification(apps: apps, days: 2, tables: [.requests], scheduling: scheduling), sink: rows)
        func starts(_ app: Int) -> [SimTime] {
            rows.requests.filter { $0.work == .refresh && $0.app == AppID(app) && $0.started != .distantFuture }
                .map(\.started)
        }
        return (starts(0), starts(1))
    }

    /// Windows of 12 to 21 min and of 15 to 26.25 min overlap: the batch fires at its latest start, for both.
    @Test(arguments: ["native-alignment", "simty"])
    func `two periodic alarms whose windows overlap are served at one instant most of the time`(name: String) {
        let (mail, feed) = services(name)
        let together = Set(mail).intersection(feed).count
        #expect(feed.count > 100)
        // Order is the claim: batches move the alarms on, and each night the phone holds some of them up.
        #expect(Double(together) > 0.7 * Double(feed.count))
        let alone = services("immediate")
        #expect(Set(alone.mail).intersection(alone.feed).count < alone.feed.count / 10)
    }

    /// Two days of two apps that want a position every half an hour, whoever opens them, where one takes so much.
    private func positions(_ scheduling: String, each: Energy) -> RowCollector {
        let apps = ["here", "there"].map { name in
            TestWorld.app(name) {
                $0.refreshPeriod = .minutes(30)
                $0.refreshRepeats = true
                $0.refreshHardware = WakeHardware()
                $0.refreshHardware.locates = true
                $0.pushesPerDay = 0
                $0.traits.refreshFails = 0
            }
        }
        var device = TestWorld.device()
        device.power.peripherals.starts.location = each
        let rows = RowCollector()
        _ = simulate(
            TestWorld.specification(
                apps: apps, device: device, days: 2, tables: [.requests, .deviceHours], scheduling: scheduling),
            sink: rows)
        return rows
    }

    /// Work that began while no other was under way.
    private func beginnings(_ rows: RowCollector) -> Int {
        let runs = rows.requests.filter { $0.started != .distantFuture }.sorted { $0.started < $1.started }
        var (busyUntil, count) = (SimTime.zero, 0)
        for run in runs {
            if run.started >= busyUntil { count += 1 }
            // Work that begins in the instant of another finds it under way.
            busyUntil = max(busyUntil, run.ended)
        }
        return count
    }

    @Test(arguments: ["immediate", "simty"])
    func `work that shares a part pays for its start once`(name: String) {
        let free = positions(name, each: .zero)
        let paid = positions(name, each: .joules(5))
        let spent = [free, paid].map { rows in rows.hours.reduce(0) { $0 + $1.locationJoules } }
        #expect(beginnings(paid) > 60)
        #expect(abs(spent[1] - spent[0] - 5 * Double(beginnings(paid))) < 1e-6)
        let runs = paid.requests.count { $0.started != .distantFuture }
        // Order is the claim: two alarms of one period share all their wake-ups but those of nights.
        let share = Double(beginnings(paid)) / Double(runs)
        #expect(name == "simty" ? share < 0.6 : share > 0.9)
    }

    @Test func `a repeating refresh is due whole periods after its first, however late each ran`() {
        let rows = positions("simty", each: .zero)
        for app in [AppID(0), AppID(1)] {
            let ran = rows.requests.filter { $0.app == app && $0.work == .refresh && $0.started != .distantFuture }
            let dues = ran.map(\.earliestBegin)
            let first = dues.first ?? .zero
            #expect(dues.count > 60)
            #expect(first < .zero + .minutes(30))
            #expect(dues.allSatisfy { ($0 - first).nanoseconds % SimDuration.minutes(30).nanoseconds == 0 })
            #expect(Set(dues).count == dues.count)
        }
        // Nothing moves over the network for an app that does not use it.
        #expect(rows.requests.allSatisfy { $0.bytes[.wifi] == 0 && $0.bytes[.cellular] == 0 })
    }
}
