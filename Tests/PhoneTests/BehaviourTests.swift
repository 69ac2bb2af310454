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
        let outcomes = [3.0, 4, 6, 64].map { gibibytes in
            simulate(TestWorld.specification(device: TestWorld.device(ram: .gibibytes(gibibytes)), days: 3))
        }
        let kills = outcomes.map { $0("kills_per_day") }
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

    @Test func `the time since a refresh does not grow with the run`() {
        let short = simulate(TestWorld.specification(days: 4, scheduling: "immediate"))
        let long = simulate(TestWorld.specification(days: 16, scheduling: "immediate"))
        #expect(long("since_refresh_s_mean") < 2 * short("since_refresh_s_mean"))
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
        let lost = simulate(TestWorld.specification(apps: careless, device: device, days: 3))
        #expect(careful("lost_work_s_per_day") == 0)
        #expect(lost("lost_work_s_per_day") > 0)
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
        let fresh = simulate(TestWorld.specification(apps: often, days: 4, scheduling: "immediate"))
        let stale = simulate(TestWorld.specification(apps: rarely, days: 4, scheduling: "immediate"))
        #expect(fresh("content_age_s_mean") < stale("content_age_s_mean"))
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
        #expect(simulate(TestWorld.specification(persona: persona, days: 6))("dead_hours_per_day") > 0)
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
