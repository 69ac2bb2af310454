// SPDX-License-Identifier: GPL-3.0-or-later
import Numerics
import Power
import Quantities
import Testing
import Vocabulary

/// A phone that is laid elsewhere, and a charger that holds its temperature.
@Suite struct SurroundingTests {
    @Test func `temperatures in changing surroundings follow the differential equations`() throws {
        let heat = HeatParameters()
        var system = ThermalTests.phone()
        let handle = ThermalTests.load(3, &system)
        var state = [25.0, 25.0]
        var time = 0.0
        let steps: [(surrounding: Surrounding, watts: Double, seconds: Double)] = [
            (Surrounding(air: .celsius(17), resistance: 5.4, capacity: 315), 3, 700),
            (Surrounding(air: .celsius(30), resistance: 2.5, capacity: 120), 0.2, 30),
            (Surrounding(air: .celsius(21), resistance: 9.4, capacity: 500), 1.5, 1900),
        ]
        for step in steps {
            system.setLoad(handle, to: .watts(step.watts), at: .seconds(time))
            system.setSurrounding(step.surrounding, at: .seconds(time))
            _ = system.nextBatteryEvent()
            let around = step.surrounding
            let air = around.air.celsius
            var equation = try OrdinaryDifferentialEquation(time: time, state: state, absoluteTolerance: 1e-10) {
                _, now, slopes in
                let across = (now[0] - now[1]) / heat.boardResistance
                slopes[0] = ((1 - heat.bodyShare) * step.watts - across) / heat.boardCapacity
                let away = (now[1] - air) / around.resistance
                slopes[1] = (heat.bodyShare * step.watts + across - away) / around.capacity
            }
            time += step.seconds
            _ = try equation.advance(to: time, watching: [])
            state = [equation.state[0], equation.state[1]]
            #expect(abs(system.boardTemperature(at: .seconds(time)).celsius - state[0]) < 1e-6)
            #expect(abs(system.bodyTemperature(at: .seconds(time)).celsius - state[1]) < 1e-6)
        }
    }

    @Test func `a phone that is laid into the sun becomes hot on time, and cools down elsewhere`() {
        var system = ThermalTests.phone()
        _ = ThermalTests.load(0.1, &system)
        _ = system.nextBatteryEvent()
        // 0.1 W end at 60.54 °C; one mass of 145 J/K behind 5.4 K/W is at 38.5 °C after 783 ln(35.54 / 22.04) = 374 s.
        system.setSurrounding(Surrounding(air: .celsius(60), resistance: 5.4, capacity: 122.5), at: .zero)
        var entered: [ThermalState: Double] = [:]
        while system.thermalState != .critical {
            let next = system.nextBatteryEvent()
            let before = system.thermalState
            _ = system.batteryEventReached(at: next)
            if system.thermalState != before { entered[system.thermalState] = next.seconds }
        }
        #expect(abs((entered[.fair] ?? 0) - 374) < 20, "\(entered)")
        #expect(abs((entered[.serious] ?? 0) - 783 * 0.6523) < 20, "\(entered)")
        let now = SimTime.seconds(3600)
        run(&system, from: .seconds(entered[.critical] ?? 0), to: now)
        system.setSurrounding(Surrounding(air: .celsius(10), resistance: 5.4, capacity: 122.5), at: now)
        run(&system, from: now, to: now + .hours(2))
        #expect(system.thermalState == .nominal)
        #expect(abs(system.bodyTemperature(at: now + .hours(2)).celsius - 10.54) < 0.1)
    }

    private static func pad(air: Double, held: Double? = 37) -> PowerSystem {
        var system = ThermalTests.phone(ambient: air, level: 0.1)
        system.setSurrounding(Surrounding(air: .celsius(air), resistance: 5.5, capacity: 182), at: .zero)
        var charger = Charger(power: .watts(20), link: .wireless, efficiency: 0.5)
        charger.heldTemperature = held.map(Temperature.celsius)
        system.plugIn(charger, at: .zero)
        return system
    }

    @Test(arguments: [24.0, 30])
    func `a pad that holds a temperature gives what the air takes away`(air: Double) {
        var system = Self.pad(air: air)
        let middle = SimTime.zero + .hours(1)
        run(&system, from: .zero, to: middle)
        let before = system.chargedEnergy.joules
        #expect(abs(system.bodyTemperature(at: middle).celsius - 37) < 0.3)
        run(&system, from: middle, to: middle + .minutes(10))
        // Of what comes in, 0.28 / 0.72 becomes heat beside it; nothing else does: no load, no resistance.
        let expected = (37 - air) / 5.5 * 0.72 / 0.28 * 600
        #expect(abs((system.chargedEnergy.joules - before) / expected - 1) < 0.02)
        let isWireless = system.isWireless
        #expect(isWireless)
    }

    @Test func `a cool phone gets all that a pad has, a hot one nothing`() {
        func charged(_ system: consuming PowerSystem) -> Double {
            run(&system, from: .zero, to: .seconds(30))
            return system.chargedEnergy.joules
        }
        #expect(abs(charged(Self.pad(air: 5)) - 300) < 0.01)
        #expect(abs(charged(Self.pad(air: 5, held: nil)) - 300) < 0.01)
        #expect(charged(Self.pad(air: 44)) < 0.01)
    }

    @Test func `a pad that holds a temperature leaves nothing behind when it is gone`() {
        var system = Self.pad(air: 44)
        system.unplug(at: .seconds(10))
        system.plugIn(.watts(20), at: .seconds(20))
        run(&system, from: .seconds(20), to: .seconds(50))
        // Serious heat leaves half of a capacity an hour, 1.6745 A, at the 3.68 V of an almost empty cell.
        #expect(abs(system.chargedEnergy.joules - 30 * 1.6745 * 3.682) < 2, "\(system.chargedEnergy)")
        let isWireless = system.isWireless
        #expect(!isWireless)
    }
}
