// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Testing
import Vocabulary

@testable import Power

/// What is easily booked a little wrong: tails by who caused them, time with a dark screen, heat of the cell itself.
@Suite struct SmallDifferenceTests {
    private func send(_ cause: Cause, at seconds: Double, _ system: inout PowerSystem) -> SimTime {
        system.beginTransfer(
            .cellular, down: .zero, up: .zero, app: AppID(0), cause: cause, at: .seconds(seconds))
    }

    @Test func `the tail after work on screen is the foreground's, and no other`() {
        // A tail of LTE of 2012 takes 11.576 s at 1.06 W.
        var system = RadioTests.system(.lte2012)
        system.setNetwork(.cellular, at: .zero)
        _ = send(.transfer, at: 1, &system)
        run(&system, from: .seconds(1), to: .seconds(30))
        #expect(system.foregroundTailEnergy == .zero)
        _ = send(.foreground, at: 30, &system)
        run(&system, from: .seconds(30), to: .seconds(60))
        #expect(abs(system.foregroundTailEnergy.joules - 12.27056) < 1e-9)
    }

    @Test func `a transfer in the tail begins at once, one in a queue when the others are done`() {
        var system = RadioTests.system(.lte2012)
        system.setNetwork(.cellular, at: .zero)
        let idle = send(.transfer, at: 1, &system)
        #expect(idle == .seconds(1.26))
        run(&system, from: .seconds(1), to: .seconds(6))
        let inTail = send(.transfer, at: 6, &system)
        #expect(inTail == .seconds(6))
    }

    @Test func `a slow connection slows both ways`() {
        func seconds(down: Double, up: Double, factor: Double) -> Double {
            var system = RadioTests.system(.lte2020)
            system.setNetwork(.cellular, at: .zero)
            let end = system.beginTransfer(
                .cellular, down: .mebibytes(down), up: .mebibytes(up), rateFactor: factor, app: AppID(0),
                cause: .transfer, at: .seconds(1))
            return (end - SimTime.seconds(1)).seconds
        }
        for (down, up) in [(10.0, 0.0), (0, 10)] {
            let fixed = seconds(down: 0, up: 0, factor: 1)
            let whole = seconds(down: down, up: up, factor: 1) - fixed
            #expect(abs(seconds(down: down, up: up, factor: 0.25) - fixed - 4 * whole) < 1e-6)
            #expect(whole > 0.1)
        }
    }

    @Test func `what the battery gives with the display off is counted with the display off alone`() {
        var parameters = PowerParameters.iPhone15.isothermal
        parameters.platform.suspendPower = .zero
        var system = PowerSystem(parameters, apps: 1)
        system.setDisplay(on: true, brightness: 0.5, app: AppID(0), at: .zero)
        _ = system.startLoad(.processor, .watts(2), app: AppID(0), cause: .foreground, at: .zero)
        run(&system, from: .zero, to: .seconds(100))
        #expect(system.secondsScreenOff == 0 && system.terminalEnergyScreenOff == .zero)
        system.setDisplay(on: false, brightness: 0, app: .system, at: .seconds(100))
        run(&system, from: .seconds(100), to: .seconds(150))
        #expect(abs(system.secondsScreenOff - 50) < 1e-9)
        let ambient = parameters.display.ambientPower.watts
        #expect(abs(system.terminalEnergyScreenOff.joules - 50 * (2 + ambient)) < 1e-6)
    }

    @Test func `a worn battery sinks by its grown resistance`() {
        func sag(_ growth: Double) -> Double {
            var parameters = PowerParameters.iPhone15.isothermal
            parameters.platform.suspendPower = .zero
            parameters.battery.resistanceGrowth = growth
            var system = PowerSystem(parameters, apps: 1, initialLevel: 0.6)
            let open = system.terminalVoltage.volts
            _ = system.startLoad(.other, .watts(4), app: AppID(0), cause: .foreground, at: .zero)
            return open - system.terminalVoltage.volts
        }
        // The current rises a little as the voltage falls.
        #expect(sag(1) > 0.02)
        #expect(sag(2) / sag(1) > 2 && sag(2) / sag(1) < 2.2)
    }

    @Test func `the temperature that is foretold is the one that comes, the cell's own heat included`() {
        var parameters = PowerParameters.iPhone15
        parameters.heat = HeatParameters()
        parameters.platform.suspendPower = .zero
        var system = PowerSystem(parameters, apps: 1, initialLevel: 0.9, ambient: .celsius(20))
        _ = system.startLoad(.other, .watts(5), app: AppID(0), cause: .foreground, at: .zero)
        let later = SimTime.zero + .minutes(10)
        let foretold = system.bodyTemperature(at: later).celsius
        run(&system, from: .zero, to: later)
        #expect(foretold > 30)
        // The loss, worth 0.4 K, changes by a quarter as the cell empties and warms.
        #expect(abs(foretold - system.bodyTemperature(at: later).celsius) < 0.15)
    }

    @Test func `the highest temperature stays when the phone has cooled`() {
        var system = ThermalTests.phone()
        let load = ThermalTests.load(7, &system)
        run(&system, from: .zero, to: .zero + .minutes(20))
        let hot = system.bodyTemperature(at: .zero + .minutes(20)).celsius
        system.stopLoad(load, at: .zero + .minutes(20))
        run(&system, from: .zero + .minutes(20), to: .zero + .hours(3))
        #expect(system.bodyTemperature(at: .zero + .hours(3)).celsius < 30)
        #expect(abs(system.highestTemperature.celsius - hot) < 0.5 && hot > 43)
        // The end of a warm-up forgets the highest of the run, not that of the hour, whose row is still to be written.
        let ofHour = system.recentHighestTemperature
        system.restartHighestTemperature()
        #expect(system.highestTemperature.celsius < 30 && system.recentHighestTemperature == ofHour)
        system.restartRecentHighestTemperature()
        #expect(system.recentHighestTemperature == system.highestTemperature)
    }

    @Test func `a thermal state lasts for its dwell time, however fast the phone cools`() {
        var system = ThermalTests.phone { heat in
            heat.dwell = .minutes(5)
            heat.airResistance = 1
        }
        let load = ThermalTests.load(40, &system)
        var fair: SimTime?
        run(&system, from: .zero, to: .zero + .minutes(1)) { _, _ in }
        var now = SimTime.zero
        while system.thermalState == .nominal, now < .zero + .hours(1) {
            let next = system.nextBatteryEvent()
            guard next < .distantFuture else { break }
            now = next
            _ = system.batteryEventReached(at: now)
        }
        fair = system.thermalState == .nominal ? nil : now
        system.stopLoad(load, at: now)
        system.setAmbient(.celsius(-20), at: now)
        var left: SimTime?
        while left == nil, now < .zero + .hours(2) {
            let next = system.nextBatteryEvent()
            guard next < .distantFuture else { break }
            now = next
            _ = system.batteryEventReached(at: now)
            if system.thermalState == .nominal { left = now }
        }
        #expect(fair != nil && left != nil)
        if let fair, let left { #expect(left - fair >= .minutes(5) && left - fair < .minutes(6)) }
    }

    @Test func `a phone that browned out starts a minute later on its charger, not at once`() {
        var parameters = PowerParameters.iPhone15.isothermal
        parameters.platform.suspendPower = .zero
        var system = PowerSystem(parameters, apps: 1, initialLevel: 0.5)
        _ = system.startLoad(.other, .watts(200), app: AppID(0), cause: .foreground, at: .seconds(10))
        let death = system.nextBatteryEvent()
        #expect(death == .seconds(10))
        #expect(system.batteryEventReached(at: death) == .died)
        system.plugIn(.watts(10), at: .seconds(20))
        #expect(system.nextBatteryEvent() == .seconds(70))
        #expect(system.batteryEventReached(at: .seconds(70)) == .revived)
    }
}
