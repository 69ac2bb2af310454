// SPDX-License-Identifier: GPL-3.0-or-later
import Power
import Quantities
import Testing
import Vocabulary
import Workload

@testable import Phone
@testable import PhoneCore

@Suite struct HeatTests {
    static func warm(_ celsius: Double, change: (inout Persona) -> Void = { _ in }) -> Persona {
        var persona = TestWorld.persona
        persona.ambient = [.celsius(celsius)]
        change(&persona)
        return persona
    }

    static func run(
        _ persona: Persona, device: DeviceModel = TestWorld.device(), load: Double = 0.3, days: Double = 1,
        scheduling: String = "opportunistic"
    ) -> (outcome: RunOutcome, hours: [DeviceHourRow]) {
        let rows = RowCollector()
        let apps = TestWorld.apps(20) { $0.foregroundLoad = load }
        let outcome = simulate(
            TestWorld.specification(
                apps: apps, persona: persona, device: device, days: days, tables: [.deviceHours],
                scheduling: scheduling), sink: rows)
        return (outcome, rows.hours)
    }

    @Test func `hard work in hot air makes the phone hot, in cool air it does not`() {
        let hot = Self.run(Self.warm(38), load: 2)
        let cool = Self.run(Self.warm(10), load: 2)
        for day in [hot, cool] {
            #expect(day.outcome("max_temperature_c") == day.hours.map(\.batteryCelsiusMaximum).max())
        }
        // Order is the claim, on both sides of the 42 and 40 °C at which the state becomes serious and ends.
        #expect(hot.outcome("hot_hours_per_day") > 0.1)
        #expect(hot.outcome("max_temperature_c") > 42)
        #expect(cool.outcome("hot_hours_per_day") == 0)
        #expect(cool.outcome("max_temperature_c") < 38.5)
        let seconds = hot.hours.map(\.hotSeconds).reduce(0, +)
        #expect(abs(seconds / 3600 - hot.outcome("hot_hours_per_day")) < 1e-6)
        #expect(hot.hours.allSatisfy { $0.hotSeconds <= $0.fairSeconds })
        // What heat takes from the clocks shows in the waiting; how much, in the tests of thermal states.
        #expect(hot.outcome("launch_wait_s_per_day") > cool.outcome("launch_wait_s_per_day"))
        #expect(hot.outcome.workloadFingerprint == cool.outcome.workloadFingerprint)
    }

    @Test func `an idle phone has the temperature of the air, hour by hour`() {
        var persona = Persona(name: "nobody")
        persona.ambient = (0..<24).map { .celsius($0 < 12 ? 5 : 30) }
        let apps = TestWorld.apps(1) { $0.pushesPerDay = 0 }
        let rows = RowCollector()
        _ = simulate(
            TestWorld.specification(apps: apps, persona: persona, days: 1, tables: [.deviceHours]), sink: rows)
        #expect(abs(rows.hours[10].batteryCelsius - 5) < 0.3)
        #expect(abs(rows.hours[22].batteryCelsius - 30) < 0.3)
    }

    @Test func `a hot phone lets no scheduled work run, and catches up when it cools`() {
        let hot = Self.run(Self.warm(44))
        #expect(hot.outcome("refreshes_per_day") == 0)
        var days = Self.warm(44)
        days.ambient = (0..<24).map { .celsius($0 < 12 ? 44 : 15) }
        // Order is the claim: how many it catches up with depends on when it is picked up after it has cooled.
        #expect(Self.run(days).outcome("refreshes_per_day") > 0)
    }

    @Test func `a critically hot phone does not charge, and a freezing one neither`() throws {
        for celsius in [47.0, -20] {
            var device = TestWorld.device()
            device.habits.initialLevel = 0.5
            let day = Self.run(Self.warm(celsius), device: device, days: 1)
            #expect(day.hours.map(\.chargedJoules).reduce(0, +) < 1e-6, "\(celsius)")
        }
    }

    @Test func `without heat every battery keeps the temperature it starts with`() {
        var device = TestWorld.device()
        device.power.heat = nil
        let day = Self.run(Self.warm(33), device: device, load: 2)
        #expect(day.hours.allSatisfy { $0.batteryCelsius == 33 })
        #expect(day.outcome("hot_hours_per_day") == 0)
    }

    @Test func `a cold and an old battery last shorter`() {
        func life(_ celsius: Double, health: Double) -> Double {
            var device = TestWorld.device()
            device.power.battery.health = health
            device.power.battery.resistanceGrowth = BatteryParameters.usualGrowth(health: health)
            let persona = Self.warm(celsius) { $0.charging.nightProbability = 0 }
            return Self.run(persona, device: device, days: 6).outcome("battery_life_h")
        }
        let new = life(22, health: 1)
        let old = life(22, health: 0.8)
        let cold = life(-15, health: 1)
        let both = life(-15, health: 0.8)
        #expect(abs(old / new - 0.8) < 0.06, "\(old / new)")
        // Order is the claim: what a cold cell gives less is a matter of Cells.
        #expect(cold < new)
        #expect(both < old && both < cold)
    }

    @Test func `a battery that cannot carry the peak slows the processors`() {
        var device = TestWorld.device()
        device.habits.initialLevel = 0.4
        device.power.battery.resistanceGrowth = 3
        let persona = Self.warm(-10) { $0.charging.nightProbability = 0 }
        let managed = Self.run(persona, device: device, days: 0.5).outcome
        device.habits.performanceManagement = false
        let free = Self.run(persona, device: device, days: 0.5).outcome
        // Order is the claim: which clock the battery carries is held in the tests of its peaks.
        #expect(managed("launch_ms_p95") > 1.1 * free("launch_ms_p95"))
    }
}
