// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Testing
import Vocabulary

@testable import Phone
@testable import PhoneCore

/// Launches that wait for the network, and what is lost with a process by the cause of its end.
@Suite struct LaunchRequestTests {
    private func delay(_ rows: [String], _ change: (inout AppModel) -> Void) throws -> Double {
        let events = try ScriptedDay.plain(rows, change).run(tables: [.events]).rows.events
        return try #require(events.first { $0.event == .launch && $0.app == AppID(0) }).delaySeconds
    }

    @Test func `F18: a launch waits for the request that its code waits for`() throws {
        let bare = try delay(ScriptedDay.visit) { _ in }
        let waiting = try delay(ScriptedDay.visit) {
            $0.launchRequest = ByteCount(10_000_000)
            $0.launchRequestWait = .seconds(2)
        }
        // 10 MB at 80 Mbit/s are a second, and the question is sent in less than a millisecond.
        #expect(abs(waiting - bare - 3) < 2e-3)
        // Without a network the request fails at once.
        let offline = try delay(Array(ScriptedDay.visit.dropFirst(1))) {
            $0.launchRequest = ByteCount(10_000_000)
            $0.launchRequestWait = .seconds(2)
        }
        #expect(offline == bare)
    }

    @Test func `SDKs of half a second add half a second to every launch, and nothing to a resume`() throws {
        func delays(_ sdk: SimDuration) throws -> [Double] {
            let rows = ["100,unlock,,", "100,open,app-0,60", "200,open,app-0,60", "400,lock,,"]
            let events = try ScriptedDay.plain(rows) { $0.sdkLaunchTime = sdk }.run(tables: [.events]).rows.events
            return events.filter { $0.event == .launch }.map(\.delaySeconds)
        }
        let (bare, with) = (try delays(.zero), try delays(.milliseconds(500)))
        #expect(bare.count == 2 && with.count == 2)
        #expect(abs(with[0] - bare[0] - 0.5) < 1e-9 && with[1] == bare[1])
    }

    @Test func `a launch that gets no answer is ended by the watchdog, again and again`() throws {
        let day = ScriptedDay.plain {
            $0.launchRequest = ByteCount(1000)
            $0.launchRequestStalls = 1
        }
        let (outcome, rows) = try day.run(tables: [.events])
        let ends = rows.events.filter { $0.event == .exit }
        // The user opens it three times more.
        #expect(ends.map(\.exit) == Array(repeating: .watchdog, count: 4))
        #expect(ends.map(\.time) == [120, 140, 160, 180].map { .zero + .seconds($0) })
        #expect(outcome("exits_fg_watchdog_per_day") == 4)
        var patient = day
        patient.device.habits.requestTimeout = .seconds(10)
        let launch = try #require(try patient.run(tables: [.events]).rows.events.first { $0.event == .launch })
        let bare = try delay(ScriptedDay.visit) { _ in }
        #expect(abs(launch.delaySeconds - bare - 10) < 1e-9)
    }

    @Test func `a process that waits for the network computes no longer`() throws {
        let energies = try [0.0, 10].map { wait in
            let day = ScriptedDay.plain {
                $0.launchRequest = ByteCount(1)
                $0.launchRequestWait = .seconds(wait)
            }
            let hours = try day.run(tables: [.deviceHours]).rows.hours
            return hours[0].processorJoules
        }
        // Ten seconds of the visit's load, 30 % of a core, are taken off by the wait; ten of a launch would be more.
        #expect(energies[1] < energies[0])
    }

    @Test func `what is lost is counted by the cause of the end`() throws {
        var day = ScriptedDay.plain(["0,network,,wifi", "100,unlock,,", "100,open,app-0,600", "3000,lock,,"]) {
            $0.savePeriod = .zero
            $0.faults.crashesPerHour = 60
        }
        let crashed = try day.run(tables: [.events]).outcome
        #expect(crashed("lost_work_crash_s_per_day") == crashed("lost_work_s_per_day"))
        #expect(crashed("lost_work_crash_s_per_day") > 10)
        day.apps[0].faults.crashesPerHour = 0
        day.rows = ["100,unlock,,", "100,open,app-0,600", "400,force_quit,app-0,", "3000,lock,,"]
        day.apps[0].savesOnBackground = false
        let quit = try day.run(tables: [.events]).outcome
        #expect(quit("lost_work_order_s_per_day") == 300)
        #expect(quit("lost_work_crash_s_per_day") == 0 && quit("lost_work_s_per_day") == 300)
    }
}
