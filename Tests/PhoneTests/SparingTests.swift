// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Power
import Quantities
import Testing
import Vocabulary
import Workload

@testable import Phone
@testable import PhoneCore

/// Apps that look at Low Power Mode and the battery.
@Suite struct SparingTests {
    /// One visit from 100 s to 700 s, on a phone that begins with a level of its battery and is never offered Low Power
    /// Mode.
    private func day(
        _ rows: [String] = [], share: Double, level: Double, _ change: (inout AppModel) -> Void = { _ in }
    ) -> ScriptedDay {
        let rows = ["0,network,,wifi", "100,unlock,,", "100,open,app-0,600", "3000,lock,,"] + rows
        var day = ScriptedDay.plain(rows.sorted { Self.seconds($0) < Self.seconds($1) }) { app in
            app.lowPowerWork = share
            change(&app)
        }
        day.persona.charging.acceptsLowPowerMode = 0
        day.device.habits.initialLevel = level
        return day
    }

    private static func seconds(_ row: String) -> Double { Double(row.prefix { $0 != "," }) ?? 0 }

    /// Power of the cores under an app on screen.
    private func watts(_ load: Double) -> Double {
        let parameters = TestWorld.device().power
        return ProcessorPlan(parameters.processor, awake: parameters.platform.awakePower).interactivePower(load: load)
            .watts
    }

    @Test func `F54: while the battery is low it computes its share`() throws {
        func joules(_ share: Double, _ level: Double) throws -> (processor: Double, seconds: Double) {
            let rows = try day(share: share, level: level).run(tables: [.deviceHours, .events]).rows
            let active = try #require(rows.events.first { $0.event == .becomeActive }).time
            return (rows.hours.reduce(0) { $0 + $1.processorJoules }, 700 - active.seconds)
        }
        let (whole, seconds) = try joules(1, 0.15)
        let spared = whole - (try joules(0.25, 0.15)).processor
        #expect(abs(spared - (watts(0.3) - watts(0.075)) * seconds) < 1e-6 * whole, "\(spared)")
        #expect(try joules(0.25, 0.9).processor == joules(1, 0.9).processor)
    }

    @Test func `F54: in Low Power Mode it streams its share`() throws {
        func bytes(_ share: Double, _ isOn: Bool) throws -> Double {
            let day = day(["10,low_power_mode,,\(isOn ? "on" : "off")"], share: share, level: 0.9) {
                $0.foregroundRate = .megabitsPerSecond(8)
            }
            return try day.run(tables: []).outcome("wifi_bytes_per_day")
        }
        let (whole, quarter) = (try bytes(1, true), try bytes(0.25, true))
        #expect(whole > 300e6 && abs(quarter / whole - 0.25) < 1e-9, "\(whole) \(quarter)")
        #expect(try bytes(0.25, false) == whole)
    }

    /// Saves for want of power, and what is lost of the visit with a force quit after it.
    private func saves(
        _ rows: [String], share: Double = 0.5, level: Double = 0.9
    ) throws -> (at: [Double], lost: Double) {
        let day = day(rows + ["900,force_quit,app-0,"], share: share, level: level) {
            ($0.savesOnBackground, $0.savePeriod) = (false, .zero)
        }
        let (outcome, found) = try day.run(tables: [.events])
        let times = found.events.filter { $0.event == .lowPowerSave }.map { $0.time.seconds }
        #expect(outcome("low_power_saves_per_day") == Double(times.count))
        return (times, outcome("lost_work_s_per_day"))
    }

    @Test func `F54: it saves when Low Power Mode begins, and loses what comes after`() throws {
        let (times, lost) = try saves(["400,low_power_mode,,on", "600,low_power_mode,,off"])
        #expect(times == [400] && abs(lost - 300) < 1e-6)
        let careless = try saves(["400,low_power_mode,,on"], share: 1)
        #expect(careless.at.isEmpty && careless.lost > 595)
    }

    @Test func `it saves when the charger goes from a low battery, and not again for Low Power Mode`() throws {
        let rows = ["50,plug,,10", "300,unplug,,", "400,low_power_mode,,on", "500,low_power_mode,,off"]
        let (times, lost) = try saves(rows, level: 0.15)
        #expect(times == [300] && abs(lost - 400) < 1e-6)
        #expect(try saves(["300,low_power_mode,,on"], level: 0.15).at.isEmpty)
    }

    @Test func `it saves at the step at which Low Power Mode is offered`() throws {
        var day = day(share: 0.5, level: 0.2004)
        day.device.habits.brightness = 1
        let rows = try day.run(tables: [.events, .battery]).rows
        let reached = try #require(rows.battery.first { $0.percent <= 20 && $0.time > .zero }).time
        #expect(reached.seconds > 101 && reached.seconds < 700)
        #expect(rows.events.filter { $0.event == .lowPowerSave }.map(\.time) == [reached])
    }
}
