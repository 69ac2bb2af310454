// SPDX-License-Identifier: GPL-3.0-or-later
import Power
import Quantities
import Testing
import Vocabulary
import Workload

@testable import Phone
@testable import PhoneCore

@Suite struct BehaviourTests {
    @Test func `more memory, fewer kills, and none when everything fits`() {
        let kills = [3.0, 4, 6, 64].map { gibibytes in
            let rows = RowCollector()
            let device = TestWorld.device(ram: .gibibytes(gibibytes))
            let outcome = simulate(TestWorld.specification(device: device, days: 3, tables: [.events]), sink: rows)
            let ends = rows.events.count { $0.reason != nil }
            #expect(abs(outcome("kills_per_day") * 3 - Double(ends)) < 1e-9)
            return ends
        }
        // Order is the claim: how many it is on each phone depends on what is drawn.
        #expect(kills[0] > kills[1])
        #expect(kills[1] > kills[2])
        #expect(kills[3] == 0)
    }

    @Test func `suspended apps die before the one on screen`() {
        let rows = RowCollector()
        let device = TestWorld.device(ram: .gibibytes(3))
        _ = simulate(TestWorld.specification(device: device, days: 3, tables: [.events]), sink: rows)
        let kills = rows.events.filter { $0.reason != nil }
        #expect(kills.count > 50)
        #expect(!kills.contains { $0.from == .active || $0.from == .inactive })
        #expect(kills.allSatisfy { abs($0.availableAfterMiB - $0.availableBeforeMiB - $0.freedMiB) < 1e-6 })
    }

    @Test func `memory is never given out twice, however large an app grows`() {
        let rows = RowCollector()
        let apps = TestWorld.apps(20) { app in
            app.foregroundFootprint = .mebibytes(1200)
            app.footprintSigma = 1
        }
        _ = simulate(TestWorld.specification(apps: apps, tables: [.events]), sink: rows)
        #expect(rows.events.contains { $0.reason != nil })
        #expect(rows.events.allSatisfy { $0.availableBeforeMiB >= 0 && $0.availableAfterMiB >= 0 })
    }

    @Test func `the time since a refresh does not grow with the run`() throws {
        func mean(_ opens: Int...) throws -> Double {
            let visits = opens.flatMap { ["\($0),unlock,,", "\($0),open,app-0,60", "\($0 + 100),lock,,"] }
            var day = ScriptedDay.plain(["0,network,,wifi"] + visits) { $0.refreshPeriod = .hour }
            day.scheduling = "immediate"
            return try day.run(tables: []).outcome("since_refresh_s_mean")
        }
        // Refreshes begin at 3,760 s and every hour, from 20,160 + 3,600 s on after the open at 20,100; each open comes
        // half an hour after one began. Half a second of a core, a second's wait, and 30 KiB down and 4 KiB up.
        let power = TestWorld.device().power
        let plan = ProcessorPlan(power.processor, awake: power.platform.awakePower)
        let age = 1800 - (0.5 / plan.workSpeed + 1 + 30 * 8192 / 80e6 + 4 * 8192 / 40e6)
        #expect(abs(try mean(100, 19_960) - (100 + age) / 2) < 1e-6)
        #expect(abs(try mean(100, 19_960, 79_420) - (100 + 2 * age) / 3) < 1e-6)
    }

    @Test func `immediate refreshes every hour, charger-and-wifi on the charger alone, each at the same price`() throws
    {
        func run(_ scheduling: String) throws -> RunOutcome {
            var day = ScriptedDay.plain(ScriptedDay.visit + ["40000,plug,,10", "50000,unplug,,"]) {
                $0.refreshPeriod = .hour
            }
            day.scheduling = scheduling
            return try day.run().outcome
        }
        let (immediate, patient) = (try run("immediate"), try run("charger-and-wifi"))
        // From 4,300 s on, against 40,000, 43,600 and 47,200 s, each an hour after the end of the one before.
        #expect(immediate("refreshes_per_day") == 23 && patient("refreshes_per_day") == 3)
        let energies = [immediate("background_energy_wh_per_day") / 23, patient("background_energy_wh_per_day") / 3]
        #expect(abs(energies[0] / energies[1] - 1) < 0.01, "\(energies)")
    }

    @Test func `saving on the way to the background loses no work, saving every hour does`() {
        let device = TestWorld.device(ram: .gibibytes(3))
        let careful = simulate(TestWorld.specification(device: device, days: 3))
        let careless = TestWorld.apps(40) { app in
            app.savesOnBackground = false
            app.savePeriod = .hours(1)
        }
        let rows = RowCollector()
        let lost = simulate(
            TestWorld.specification(apps: careless, device: device, days: 3, tables: [.appDays]), sink: rows)
        #expect(careful("lost_work_s_per_day") == 0)
        let seconds = rows.days.reduce(0) { $0 + $1.lostSeconds }
        #expect(seconds > 0 && abs(lost("lost_work_s_per_day") * 3 - seconds) < 1e-6)
    }

    @Test func `SDKs make launches slower and nothing else`() {
        let heavy = TestWorld.apps(40) { $0.sdkLaunchTime = .seconds(1) }
        let plain = simulate(TestWorld.specification(days: 3))
        let slow = simulate(TestWorld.specification(apps: heavy, days: 3))
        // A second more for each launch, times the app's draw, which has the mean e^(0.25² / 2); none for a resume.
        let more = slow("launch_wait_s_per_day") - plain("launch_wait_s_per_day")
        #expect(abs(more / slow("relaunches_per_day") - 1.03) < 0.1, "\(more)")
        #expect(slow.workloadFingerprint == plain.workloadFingerprint)
    }

    @Test func `fetching less often leaves older content at the open`() {
        let often = TestWorld.apps(40) { $0.refreshPeriod = .minutes(30) }
        let rarely = TestWorld.apps(40) { $0.refreshPeriod = .hours(12) }
        let ages = [often, rarely].map { apps in
            let rows = RowCollector()
            let specification = TestWorld.specification(
                apps: apps, days: 4, tables: [.events], scheduling: "immediate")
            let outcome = simulate(specification, sink: rows)
            #expect(abs(outcome("content_age_s_mean") / rows.meanContentAge - 1) < 1e-9)
            return rows.meanContentAge
        }
        // Order is the claim: kills, missing networks and opens themselves fetch or keep from it, too.
        #expect(ages[0] < ages[1])
    }

    @Test func `a user who only tops up keeps the phone alive`() {
        var persona = TestWorld.persona
        persona.charging.nightProbability = 0
        persona.charging.topUpsPerHour = 2
        persona.charging.topUpLevelScale = 0.3
        persona.charging.topUpLength = LogNormal(mu: 8.1, sigma: 0.3)
        let rows = RowCollector()
        let outcome = simulate(TestWorld.specification(persona: persona, days: 6, tables: [.deviceHours]), sink: rows)
        #expect(rows.hours.filter { $0.chargedJoules > 0 }.count > 3)
        #expect(outcome("dead_hours_per_day") == 0)
        persona.charging.topUpsPerHour = 0
        let others = RowCollector()
        let dead = simulate(TestWorld.specification(persona: persona, days: 6, tables: [.battery]), sink: others)
        let seconds = others.deadSeconds(until: .zero + .days(6))
        #expect(seconds > 0 && abs(dead("dead_hours_per_day") * 6 * 3600 - seconds) < 1e-3)
    }

    @Test func `events follow the life cycle`() {
        let rows = RowCollector()
        _ = simulate(TestWorld.specification(days: 1, tables: [.events]), sink: rows)
        let legal: Set<[ProcessState]> = [
            [.notRunning, .inactive], [.notRunning, .background], [.inactive, .active], [.active, .inactive],
            [.inactive, .background], [.background, .suspended], [.suspended, .inactive], [.suspended, .background],
            [.background, .inactive],
        ]
        // Warnings and alerts come to an app in whatever state it is.
        for row in rows.events where row.to != .notRunning && ![.memoryWarning, .alert].contains(row.event) {
            let isWork = row.from == .background && row.to == .background
            #expect(isWork || legal.contains([row.from, row.to]), "\(row.event) from \(row.from) to \(row.to)")
        }
    }
}
