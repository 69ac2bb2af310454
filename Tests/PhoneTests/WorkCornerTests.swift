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

/// Work in the background that is interrupted, held, cut off or answered, at instants that can be worked out by hand.
@Suite struct WorkCornerTests {
    private func second(_ row: String) -> Int { Int(row.prefix { $0 != "," }) ?? 0 }

    /// The app is left at 700 s, and asks for a refresh every hour from 4,300 s on.
    private func hourly(_ rows: [String] = [], _ change: (inout AppModel) -> Void = { _ in }) -> ScriptedDay {
        let all = (ScriptedDay.visit + rows).sorted { second($0) < second($1) }
        var day = ScriptedDay.plain(all) {
            $0.refreshPeriod = .hour
            change(&$0)
        }
        day.scheduling = "immediate"
        return day
    }

    private func runs(_ day: ScriptedDay) throws -> [RequestRow] {
        try day.run(tables: [.requests]).rows.requests.filter { $0.started != .distantFuture }
    }

    @Test func `a short absence of the network holds nothing back, one of an hour holds it for the window`() throws {
        func held(_ rows: String...) throws -> [SimTime] {
            var day = hourly(rows)
            (day.scheduling, day.device.background.herdWindow) = ("opportunistic", .minutes(7))
            return try day.run(tables: [.decisions]).rows.decisions.filter { $0.rule == "herd" }.map(\.time)
        }
        #expect(TestWorld.device().background.longAbsence == .hour)
        #expect(try held("4000,network,,none", "7599,network,,wifi").isEmpty)
        let times = try held("4000,network,,none", "7600,network,,wifi")
        #expect(times.first == .seconds(7600) && times.allSatisfy { $0 < .seconds(7600 + 420) })
    }

    @Test func `an app that is opened ends its work`() throws {
        let day = hourly(["4310,unlock,,", "4310,open,app-0,60", "4400,lock,,"]) { $0.refreshWait = .seconds(25) }
        let first = try #require(try runs(day).first)
        #expect(first.started == .seconds(4300) && first.ended == .seconds(4310) && first.outcome == "cancelled")
    }

    @Test func `a server that fails ends refreshes and no processing`() throws {
        var day = hourly(["10,plug,,10"]) {
            $0.traits.refreshFails = 1
            $0.processingPerDay = 100
            $0.processingTime = .seconds(5)
        }
        day.apps[0].processingNeedsPower = false
        let rows = try runs(day)
        let refreshes = rows.filter { $0.work == .refresh }
        let processing = rows.filter { $0.work == .processing }
        #expect(refreshes.count == 23 && refreshes.allSatisfy { $0.outcome == "failed" })
        #expect(processing.count > 5 && processing.allSatisfy { $0.outcome == "success" })
    }

    @Test func `work in the background makes the processor busy`() throws {
        // One core of the phone's: the other app's processing fills it, and the opportunistic policy waits.
        func busy(_ cores: Double) throws -> Bool {
            var day = hourly(["5,plug,,10", "3500,unlock,,", "3500,open,app-1,30", "3600,lock,,"])
            day.device.background.processorCores = cores
            day.scheduling = "opportunistic"
            day.apps[1].processingPerDay = 400
            day.apps[1].processingTime = .minutes(20)
            let decisions = try day.run(tables: [.decisions]).rows.decisions
            return decisions.contains { $0.rule == "processor-busy" }
        }
        #expect(try busy(1))
        #expect(try !busy(1000))
    }

    // MARK: Pushes

    /// A phone that nobody touches, with three silent pushes an hour to its one app.
    private func pushed(_ change: (inout AppModel) -> Void) -> ScriptedDay {
        .plain(["0,network,,wifi"]) {
            $0.traits.silentPushesPerDay = 72
            change(&$0)
        }
    }

    @Test func `a run for an event ends at its limit`() throws {
        let rows = try runs(pushed { $0.refreshProcessorTime = .seconds(500) })
        #expect(rows.count > 20)
        #expect(rows.allSatisfy { $0.ended - $0.started == .seconds(30) && $0.outcome == "expired" })
        #expect(rows.allSatisfy { $0.granted == .seconds(30) })
    }

    @Test func `an event that waits for its server costs what keeps the phone awake, and no more`() throws {
        func joules(_ wait: Double) throws -> [Double] {
            try runs(pushed { ($0.refreshWait, $0.refreshBytes) = (.seconds(wait), .zero) }).map(\.joules)
        }
        let awake = TestWorld.device().power.platform.awakePower.watts
        // Now and then an alert to be shown comes in between; most runs are alone.
        let differences = zip(try joules(11), try joules(1)).dropFirst(5).map { $0 - $1 }.sorted()
        #expect(differences.count > 20 && abs(differences[differences.count / 2] - 10 * awake) < 1e-6)
    }

    @Test func `an alert is answered once, by the first open within the hour`() throws {
        let rows = [
            "0,network,,wifi", "200,push,app-0,", "250,unlock,,", "300,open,app-0,60", "900,open,app-0,60",
            "1500,open,app-0,60", "2000,lock,,", "10000,push,app-0,", "14000,unlock,,", "14000,open,app-0,60",
            "15000,lock,,",
        ]
        #expect(try ScriptedDay.plain(rows).run().outcome("answered_alerts_per_day") == 1)
    }

    @Test func `an extension that shows an alert fetches its bytes and costs its time`() throws {
        func hour(_ hasExtension: Bool) throws -> DeviceHourRow {
            let day = ScriptedDay.plain(["0,network,,wifi", "200,push,app-0,"]) {
                $0.traits.hasNotificationService = hasExtension
            }
            return try day.run(tables: [.deviceHours]).rows.hours[0]
        }
        let (with, without) = (try hour(true), try hour(false))
        let device = TestWorld.device()
        let figures = device.background.pushes
        let bytes = figures.extensionBytes + PhoneCore.requestBytes
        #expect(with.bytes[.wifi] - without.bytes[.wifi] == bytes.bytes)
        let plan = ProcessorPlan(device.power.processor, awake: device.power.platform.awakePower)
        let joules = (plan.workPower * plan.duration(ofWork: figures.extensionTime)).joules
        #expect(joules > 0 && abs(with.processorJoules - without.processorJoules - joules) < 1e-6)
    }

    // MARK: Measures

    @Test func `an app that asks for no refreshes has no time since one`() throws {
        #expect(try ScriptedDay.plain().run().outcome("since_refresh_s_mean").isNaN)
        let day = hourly(["20000,unlock,,", "20000,open,app-0,60", "21000,lock,,"])
        let (outcome, rows) = try day.run(tables: [.requests])
        // The last of the hourly refreshes before the open at 20,000 s began at 18,700 s.
        let last = try #require(rows.requests.first { $0.started == .seconds(18_700) })
        #expect(last.outcome == "success")
        // At the open at 100 s there was none since the beginning.
        let mean = (100 + 20_000 - last.ended.seconds) / 2
        #expect(abs(outcome("since_refresh_s_mean") - mean) < 1e-6)
    }

    @Test func `under a policy that starts nothing every request misses its deadline`() {
        let outcome = simulate(TestWorld.specification(days: 4, scheduling: "never"))
        #expect(outcome("deadline_miss_share") == 1)
    }

    @Test func `the workload's fingerprint is that of all that arrives, whatever the policies do`() {
        func fingerprint(_ silent: Double, _ scheduling: String = "never") -> UInt64 {
            let apps = TestWorld.apps(5) { $0.traits.silentPushesPerDay = silent }
            return simulate(TestWorld.specification(apps: apps, days: 1, scheduling: scheduling)).workloadFingerprint
        }
        #expect(fingerprint(24) == fingerprint(24, "immediate"))
        #expect(fingerprint(24) != fingerprint(25))
    }
}
