// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import Diagnostics
import Power
import Quantities
import Testing
import Vocabulary
import Workload

@testable import Phone
@testable import PhoneCore

/// What happens when the intents of a day meet a phone in a state that nobody planned for.
@Suite struct SurprisesTests {
    /// Replays rows of a workload file for one day and returns the hours of the device.
    private func replay(
        _ rows: [String], level: Double = 1, scheduling: String = "opportunistic",
        change: (inout AppModel) -> Void = { _ in }
    ) throws -> (outcome: RunOutcome, hours: [DeviceHourRow]) {
        let text = "# covered_s: 0 to 86400\nt_s,event,app,value\n" + rows.joined(separator: "\n") + "\n"
        let apps = TestWorld.apps(3, change: change)
        let file = try WorkloadFile(bytes: Array(text.utf8), name: "rows")
        var device = TestWorld.device()
        device.habits.initialLevel = level
        var specification = TestWorld.specification(
            apps: apps, device: device, days: 1, tables: [.deviceHours], scheduling: scheduling)
        specification.recording = try TraceRecording(file: file, apps: apps, chargerWatts: 10)
        specification.fillsRecording = false
        let collector = RowCollector()
        let outcome = simulate(specification, sink: collector)
        return (outcome, collector.hours)
    }

    @Test func `a charge goes on when the end of the top-up that it took over comes`() throws {
        let (_, hours) = try replay([
            "3600,top_up,,level=1 until=3700 seconds=7200 watts=10", "5400,plug,,10", "18000,unplug,,",
        ])
        #expect(hours.filter { $0.wallJoules > 0 }.map(\.hour) == [1, 2, 3, 4])
    }

    @Test func `the end of a top-up that was cut short does not end the next charge`() throws {
        let (_, hours) = try replay([
            "0,plug,,10", "60,unplug,,", "3600,top_up,,level=1 until=3700 seconds=9000 watts=10",
            "5400,plug,,10", "5500,unplug,,", "7200,plug,,10", "18000,unplug,,",
        ])
        #expect(hours.filter { $0.wallJoules > 0 }.map(\.hour) == [0, 1, 2, 3, 4])
    }

    @Test func `a phone that revives in the middle of a session goes dark at its end`() throws {
        let (outcome, hours) = try replay(
            ["1,unlock,,", "1,open,app-0,", "7200,plug,,10", "10800,open,app-1,", "11000,lock,,", "21600,unplug,,"],
            level: 0.02)
        // Dead from some instant of the first two hours until the charger comes at 7,200 s.
        #expect((0.001...2).contains(outcome("dead_hours_per_day")))
        let watts = TestWorld.device().power.steadyPower(of: .general)[.display].watts
        #expect(abs(hours[3].displayJoules / (watts * 200) - 1) < 1e-6)
        #expect(hours[3].screenSeconds == 200)
        #expect(hours[4...].allSatisfy { $0.displayJoules == 0 })
    }

    @Test func `F49: an interruption does not fetch the news again`() throws {
        func bytes(_ rows: [String]) throws -> Double {
            let session = ["0,network,,wifi", "100,unlock,,", "100,open,app-0,"] + rows + ["160,lock,,"]
            let (outcome, _) = try replay(session) { app in
                app.refreshPeriod = .zero
                app.pushesPerDay = 0
            }
            return outcome("wifi_bytes_per_day")
        }
        #expect(try bytes([]) > 0, "the open itself fetches")
        #expect(try bytes(["110,interrupt,app-0,5", "130,interrupt,app-0,5"]) == bytes([]))
    }

    @Test func `a session costs no background energy because work was under way when it began`() throws {
        func backgroundEnergy(sessionFrom start: Int) throws -> Double {
            let rows = ["0,network,,wifi", "\(start),unlock,,", "\(start + 7200),lock,,"]
            let (outcome, _) = try replay(rows, scheduling: "immediate") { app in
                app.completionProbability = 0
                app.pushesPerDay = 0
            }
            return outcome("background_energy_wh_per_day")
        }
        // The refreshes of the first hour run from 1:00:00 to 1:00:30.
        let before = try backgroundEnergy(sessionFrom: 3500)
        let during = try backgroundEnergy(sessionFrom: 3605)
        #expect(before > 0)
        #expect(abs(during - before) < 0.01)
    }

    @Test func `a run that starts with a low battery counts its first minutes`() throws {
        let (outcome, _) = try replay(["0,network,,none"], level: 0.19)
        #expect(outcome("hours_below_20_pct_per_day") == 24)
    }
}
