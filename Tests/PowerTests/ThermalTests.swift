// SPDX-License-Identifier: GPL-3.0-or-later
import Numerics
import Power
import Quantities
import Testing
import Vocabulary

@Suite struct ThermalTests {
    static func phone(
        ambient: Double = 25, level: Double = 1, change: (inout HeatParameters) -> Void = { _ in }
    ) -> PowerSystem {
        var parameters = PowerParameters.iPhone15
        parameters.battery.resistance = .ohms(0)
        var heat = HeatParameters()
        change(&heat)
        parameters.heat = heat
        parameters.platform.suspendPower = .zero
        return PowerSystem(parameters, apps: 1, initialLevel: level, ambient: .celsius(ambient))
    }

    static func load(_ watts: Double, _ system: inout PowerSystem, at now: SimTime = .zero) -> LoadHandle {
        system.startLoad(.processor, .watts(watts), app: AppID(0), cause: .foreground, at: now)
    }

    @Test func `seven watts warm the skin to 43 degrees in about ten minutes`() {
        var system = Self.phone()
        _ = Self.load(7, &system)
        _ = system.nextBatteryEvent()
        // A single node of 145 J/K gets there after 608 s; the board's heat comes up to a minute later.
        #expect(system.bodyTemperature(at: .seconds(595)).celsius < 43)
        #expect(system.bodyTemperature(at: .seconds(670)).celsius > 43)
        #expect(abs(system.bodyTemperature(at: .zero + .hours(4)).celsius - (25 + 3.9 * 7)) < 0.1)
    }

    @Test(arguments: [(25.0, 4.615), (35.0, 2.051)])
    func `a steady power holds the skin at 43 degrees`(ambient: Double, watts: Double) {
        var system = Self.phone(ambient: ambient)
        _ = Self.load(watts, &system)
        _ = system.nextBatteryEvent()
        #expect(abs(system.bodyTemperature(at: .zero + .hours(5)).celsius - 43) < 0.1)
    }

    @Test func `temperatures under changing loads follow the differential equations`() throws {
        let heat = HeatParameters()
        var system = Self.phone()
        var equation = try OrdinaryDifferentialEquation(time: 0, state: [25, 25, 0], absoluteTolerance: 1e-10) {
            _, now, slopes in
            let across = (now[0] - now[1]) / heat.boardResistance
            slopes[0] = ((1 - heat.bodyShare) * now[2] - across) / heat.boardCapacity
            slopes[1] = (heat.bodyShare * now[2] + across - (now[1] - 25) / heat.airResistance) / heat.bodyCapacity
            slopes[2] = 0
        }
        var time = 0.0
        var handle = LoadHandle.none
        for (watts, seconds) in [(3.0, 40.0), (0.2, 3.0), (6.0, 0.4), (0.0, 900.0), (1.5, 77.7)] {
            if handle == .none {
                handle = Self.load(watts, &system)
            } else {
                system.setLoad(handle, to: .watts(watts), at: .seconds(time))
            }
            _ = system.nextBatteryEvent()
            equation = try OrdinaryDifferentialEquation(
                time: time, state: [equation.state[0], equation.state[1], watts], absoluteTolerance: 1e-10
            ) { _, now, slopes in
                let across = (now[0] - now[1]) / heat.boardResistance
                slopes[0] = ((1 - heat.bodyShare) * now[2] - across) / heat.boardCapacity
                slopes[1] = (heat.bodyShare * now[2] + across - (now[1] - 25) / heat.airResistance) / heat.bodyCapacity
                slopes[2] = 0
            }
            time += seconds
            _ = try equation.advance(to: time, watching: [])
            #expect(abs(system.boardTemperature(at: .seconds(time)).celsius - equation.state[0]) < 1e-6)
            #expect(abs(system.bodyTemperature(at: .seconds(time)).celsius - equation.state[1]) < 1e-6)
        }
    }

    @Test(arguments: 0..<6)
    func `temperatures do not depend on how often one looks`(seed: Int) {
        var draw = Draw(state: UInt64(seed) &* 4099 &+ 5)
        var often = Self.phone()
        var seldom = Self.phone()
        let (one, other) = (Self.load(1, &often), Self.load(1, &seldom))
        var now = SimTime.zero
        for _ in 0..<300 {
            let power = Power.milliwatts(Double(draw(2500)))
            often.setLoad(one, to: power, at: now)
            seldom.setLoad(other, to: power, at: now)
            _ = seldom.nextBatteryEvent()
            let end = now + .milliseconds(Double(draw([400, 6000, 60_000][draw(3)])))
            while now < end {
                _ = often.nextBatteryEvent()
                now = min(end, now + .milliseconds(130))
                often.flush(at: now)
            }
            #expect(abs(often.bodyTemperature(at: now).celsius - seldom.bodyTemperature(at: now).celsius) < 1e-4)
            #expect(abs(often.boardTemperature(at: now).celsius - seldom.boardTemperature(at: now).celsius) < 1e-4)
        }
    }

    @Test func `a cold cell warms as fast under many small changes as under few`() {
        func level(every step: SimDuration) -> Double {
            var parameters = PowerParameters.iPhone15
            parameters.heat = HeatParameters()
            var system = PowerSystem(parameters, apps: 1, initialLevel: 0.1, ambient: .celsius(5))
            let load = Self.load(3, &system)
            system.plugIn(.watts(20), at: .zero)
            var now = SimTime.zero
            var isHigh = false
            while now < .zero + .hours(1) {
                isHigh.toggle()
                system.setLoad(load, to: .milliwatts(isHigh ? 3010 : 2990), at: now)
                let end = now + step
                while system.nextBatteryEvent() <= end { _ = system.batteryEventReached(at: system.nextBatteryEvent()) }
                now = end
            }
            return system.level(at: now)
        }
        #expect(abs(level(every: .milliseconds(200)) - level(every: .seconds(20))) < 0.003)
    }

    @Test func `charging follows the temperature although nothing else happens`() {
        func charged(lookingEvery step: SimDuration) -> Double {
            var parameters = PowerParameters.iPhone15
            parameters.heat = HeatParameters()
            // A per cent takes half an hour.
            parameters.battery.capacity = .ampereHours(300)
            parameters.battery.resistance = .ohms(0)
            var system = PowerSystem(parameters, apps: 1, initialLevel: 0.1, ambient: .celsius(25))
            system.plugIn(.watts(20), at: .zero)
            system.setAmbient(.celsius(-30), at: .zero)
            var now = SimTime.zero
            while now < .zero + .hours(2) {
                let end = now + step
                while system.nextBatteryEvent() <= end { _ = system.batteryEventReached(at: system.nextBatteryEvent()) }
                system.flush(at: end)
                now = end
            }
            return system.chargedEnergy.joules
        }
        #expect(abs(charged(lookingEvery: .seconds(5)) / charged(lookingEvery: .hours(2)) - 1) < 0.1)
    }

    @Test func `each state is entered at its temperature and left below it`() {
        var system = Self.phone()
        let handle = Self.load(9, &system)
        var seen: [(ThermalState, Double)] = []
        func follow(until end: SimTime) {
            while system.nextBatteryEvent() <= end {
                let now = system.nextBatteryEvent()
                let before = system.thermalState
                _ = system.batteryEventReached(at: now)
                if system.thermalState != before {
                    seen.append((system.thermalState, system.bodyTemperature(at: now).celsius))
                }
            }
        }
        follow(until: .seconds(1200))
        #expect(system.thermalState == .critical)
        system.setLoad(handle, to: .milliwatts(100), at: .seconds(1200))
        follow(until: .seconds(9000))
        let expected: [(ThermalState, Double)] = [
            (.fair, 38.5), (.serious, 42), (.critical, 45.5), (.serious, 43.5), (.fair, 40), (.nominal, 36.5),
        ]
        #expect(seen.map(\.0) == expected.map(\.0))
        for (one, other) in zip(seen, expected) { #expect(abs(one.1 - other.1) < 1e-6, "\(one)") }
    }

    @Test func `the heat of charging alone is foreseen`() {
        var parameters = PowerParameters.iPhone15
        parameters.heat = HeatParameters()
        parameters.charger.wiredHeat = 0.9
        // No per cent is announced before.
        parameters.battery.capacity = .ampereHours(300)
        var system = PowerSystem(parameters, apps: 1, initialLevel: 0.1, ambient: .celsius(30))
        system.plugIn(.watts(20), at: .zero)
        var now = SimTime.zero
        while system.thermalState == .nominal, now < .zero + .hours(1) {
            now = system.nextBatteryEvent()
            _ = system.batteryEventReached(at: now)
        }
        #expect(system.thermalState == .fair)
        #expect(abs(system.bodyTemperature(at: now).celsius - 38.5) < 1e-4)
    }

    @Test func `a state is kept for its shortest stay`() {
        var system = Self.phone {
            $0.dwell = .minutes(10)
            $0.hysteresis = 0
        }
        let handle = Self.load(9, &system)
        var now = SimTime.zero
        func follow(while state: ThermalState) {
            while system.thermalState == state {
                now = system.nextBatteryEvent()
                _ = system.batteryEventReached(at: now)
            }
        }
        follow(while: .nominal)
        let entered = now
        system.setLoad(handle, to: .zero, at: now)
        follow(while: .fair)
        #expect(now - entered == .minutes(10))
    }

    @Test(arguments: 0..<20)
    func `no crossing is missed under random loads`(seed: Int) {
        var draw = Draw(state: UInt64(seed) &* 7919 &+ 3)
        var system = Self.phone(ambient: 20 + Double(seed))
        let handle = Self.load(1, &system)
        var now = SimTime.zero
        for _ in 0..<200 {
            system.setLoad(handle, to: .watts(Double(draw(120)) / 10), at: now)
            system.addEnergy(.storage, .joules(Double(draw(30))), app: AppID(0), cause: .relaunch, at: now)
            let next = now + .seconds(Double(draw(200)) + 0.5)
            // Whatever happens, the state must be that of a phone looked at every half second.
            while now < next {
                let deadline = system.nextBatteryEvent()
                let step = min(next, now + .milliseconds(500))
                now = deadline <= step ? deadline : step
                if deadline <= step { _ = system.batteryEventReached(at: deadline) }
                if system.isDead { return }
                let body = system.bodyTemperature(at: now).celsius
                let highest = [38.5, 42, 45.5, .infinity][Int(system.thermalState.rawValue)]
                #expect(body < highest + 1e-6)
            }
        }
    }

    @Test func `with all heat gone the phone comes to the temperature of its air`() {
        var system = Self.phone()
        let handle = Self.load(5, &system)
        _ = system.nextBatteryEvent()
        system.setLoad(handle, to: .zero, at: .seconds(3000))
        _ = system.nextBatteryEvent()
        system.setAmbient(.celsius(-5), at: .seconds(3000))
        #expect(system.bodyTemperature(at: .seconds(3000)).celsius > 40)
        #expect(abs(system.bodyTemperature(at: .zero + .hours(6)).celsius - -5) < 1e-3)
        #expect(abs(system.boardTemperature(at: .zero + .hours(6)).celsius - -5) < 1e-3)
    }
}
