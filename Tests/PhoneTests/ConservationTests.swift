// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import Power
import Processes
import Quantities
import Testing
import Vocabulary
import Workload

@testable import Phone
@testable import PhoneCore

/// Energy and memory are checked at the end of every simulated hour by the phone itself, which traps; these tests walk
/// through the corners.
@Suite struct ConservationTests {
    @Test(arguments: [2.0, 3, 4, 8])
    func `the ledger closes and memory sums to RAM on phones of every size`(gibibytes: Double) {
        let device = TestWorld.device(ram: .gibibytes(gibibytes))
        let outcome = simulate(TestWorld.specification(device: device, days: 3))
        #expect(outcome.ledgerError <= 1e-9)
    }

    @Test(arguments: ["jetsam", "lru", "largest-first", "random"], ["opportunistic", "immediate", "charger-and-wifi"])
    func `they hold under every pair of policies`(eviction: String, scheduling: String) {
        let outcome = simulate(TestWorld.specification(days: 3, eviction: eviction, scheduling: scheduling))
        #expect(outcome.ledgerError <= 1e-9)
    }

    /// The app is suspended from 700 s on; the run ends in its second hour.
    @Test func `what the freezer writes in an hour that the end of the run cuts off is charged`() throws {
        var day = ScriptedDay.plain()
        day.device.os.freezer = FreezerRules()
        var specification = try day.specification(tables: [])
        specification.duration = .seconds(5000)
        var phone = Phone(specification, sink: nil)
        phone.start()
        phone.run(until: .seconds(4000))
        let now = phone.core.now
        #expect(phone.core.processes.forceFreeze(AppID(0), at: now) == nil)
        phone.run(until: phone.core.end)
        _ = phone.outcome()
        let written = phone.core.processes.written
        let expected = day.device.power.storage.writing(written * (1 / day.device.memory.compressorRatio)).joules
        let booked = phone.core.power.energy(of: .storage, cause: .idle).joules
        #expect(written > .zero && abs(booked - expected) < 1e-9, "\(booked), not \(expected)")
    }

    @Test func `they hold while the battery dies and revives`() {
        var persona = TestWorld.persona
        persona.charging.nightProbability = 0.1
        persona.pickups.perDay = 150
        let outcome = simulate(TestWorld.specification(persona: persona, days: 6))
        // The corner is reached; how often is drawn.
        #expect(outcome("dead_hours_per_day") > 0)
        #expect(outcome("missed_visits_per_day") > 0)
        #expect(outcome.ledgerError <= 1e-9)
    }

    @Test func `a phone that nobody touches draws its floor and nothing else`() {
        let device = TestWorld.device()
        let apps = TestWorld.apps(5) { app in
            app.refreshPeriod = .zero
            app.pushesPerDay = 0
        }
        var silent = device
        silent.background.connections.heartbeat = .zero
        let outcome = simulate(
            TestWorld.specification(apps: apps, persona: Persona(name: "nobody"), device: silent, days: 1))
        let floor = (device.power.platform.suspendPower + device.power.radios[.cellular].idlePower) * SimDuration.day
        #expect(abs(outcome("energy_wh_per_day") - floor.wattHours) < 1e-3 * floor.wattHours)
        #expect(outcome("wakeups_per_day") == 0)
        #expect(outcome("resumes_per_day") == 0)
    }

    @Test func `between visits the phone goes back to its floor, whatever happened before`() {
        var persona = TestWorld.persona
        persona.pickups.perDay = 150
        persona.pickups.extraAppsMean = 3
        for hour in 0..<6 {
            persona.workdayHours[hour] = 0
            persona.freeDayHours[hour] = 0
        }
        let apps = TestWorld.apps(30) { app in
            app.refreshPeriod = .zero
            app.pushesPerDay = 0
            app.finishesTask = true
        }
        let rows = RowCollector()
        let specification = TestWorld.specification(apps: apps, persona: persona, days: 4, tables: [.deviceHours])
        _ = simulate(specification, sink: rows)
        let floor = specification.device.power.platform.suspendPower.watts * 3600
        let quiet = rows.hours.filter { $0.opens == 0 && $0.screenSeconds == 0 }.map(\.platformJoules)
        #expect(quiet.count > 3)
        // The last visit of the hour before may still have its grace of half a minute.
        let grace = specification.device.power.platform.awakePower.watts * 40
        #expect(quiet.allSatisfy { $0 >= floor * (1 - 1e-9) && $0 <= floor + grace })
    }

    @Test func `every request that ended has a row, whether it ran or not`() {
        let rows = RowCollector()
        _ = simulate(TestWorld.specification(days: 4, tables: [.requests], scheduling: "never"), sink: rows)
        #expect(Set(rows.requests.map(\.outcome)) == ["replaced", "cancelled", "never"])
        #expect(rows.requests.allSatisfy { $0.started == .distantFuture && $0.ended >= $0.submitted && !$0.foundNew })
        // Of each app at most one request is pending, and the next is submitted when or after it ends.
        for app in Set(rows.requests.map(\.app)) {
            let own = rows.requests.filter { $0.app == app && $0.work == .refresh }
            #expect(zip(own, own.dropFirst()).allSatisfy { $0.ended <= $1.submitted })
        }
    }

    @Test func `rows of the hours add up to the metrics`() {
        let rows = RowCollector()
        let outcome = simulate(TestWorld.specification(days: 2, tables: [.deviceHours]), sink: rows)
        #expect(rows.hours.count == 48)
        let joules = rows.hours.map { row -> Double in
            let radios = row.radioJoules[.wifi] + row.radioJoules[.cellular]
            let media = row.audioJoules + row.videoJoules + row.cameraJoules + row.graphicsJoules
            let others = row.storageJoules + row.memoryJoules + row.locationJoules + row.bluetoothJoules
            return row.displayJoules + row.processorJoules + radios + row.platformJoules + media + others
        }
        for (hour, sum) in zip(rows.hours, joules) {
            #expect(abs(hour.causeJoules.reduce(0, +) - sum) < 1e-9 * max(sum, 1))
        }
        let wattHours = joules.reduce(0, +) / 3600 / 2
        #expect(abs(wattHours - outcome("energy_wh_per_day")) < 1e-6 * wattHours)
        #expect(Double(rows.hours.map(\.relaunches).reduce(0, +)) == 2 * outcome("relaunches_per_day"))
        #expect(Double(rows.hours.map(\.kills).reduce(0, +)) == 2 * outcome("kills_per_day"))
    }

    @Test func `an hour and a day that the end cuts off have their rows, too`() {
        let rows = RowCollector()
        let outcome = simulate(
            TestWorld.specification(days: 1.52, tables: [.deviceHours, .appDays]), sink: rows)
        #expect(rows.hours.count == 37)
        #expect(rows.days.count == 2 * 40)
        let opens = (outcome("resumes_per_day") + outcome("relaunches_per_day")) * 1.52
        #expect(rows.days.map { Double($0.opens) }.reduce(0, +) == opens.rounded())
    }

    @Test func `rows of the apps add up to the rows of the device`() {
        let rows = RowCollector()
        _ = simulate(TestWorld.specification(days: 2, tables: [.deviceHours, .appDays]), sink: rows)
        #expect(rows.days.count == 2 * 40)
        #expect(rows.days.map { Int($0.opens) }.reduce(0, +) == rows.hours.map(\.opens).reduce(0, +))
        #expect(rows.days.map { Int($0.kills) }.reduce(0, +) == rows.hours.map(\.kills).reduce(0, +))
        #expect(rows.days.allSatisfy { $0.opens == $0.resumes + $0.warm + $0.cold })
    }
}
