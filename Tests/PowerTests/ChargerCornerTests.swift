// SPDX-License-Identifier: GPL-3.0-or-later
import Power
import Quantities
import Testing
import Vocabulary

/// Heat of coil and cable, the first minutes of a charger, and charging in heat and cold.
@Suite struct ChargerCornerTests {
    /// A phone so heavy that it keeps the temperature of its air for minutes.
    private func phone(at celsius: Double, load: Power, level: Double = 0.5) -> PowerSystem {
        var parameters = PowerParameters.iPhone15
        var heat = HeatParameters()
        (heat.bodyCapacity, heat.boardCapacity) = (1e9, 1e9)
        parameters.heat = heat
        parameters.platform.suspendPower = .zero
        var system = PowerSystem(parameters, apps: 1, initialLevel: level, ambient: .celsius(celsius))
        _ = system.startLoad(.other, load, app: AppID(0), cause: .foreground, at: .zero)
        return system
    }

    /// The adapter runs the phone alone, so that nothing else makes heat: 2 W / (1 - share lost in the circuit).
    @Test(arguments: [(ChargerLink.wired, 0.08), (.wireless, 0.28)])
    func `a coil makes more heat than a cable from the same power`(link: ChargerLink, lost: Double) {
        var parameters = PowerParameters.iPhone15
        parameters.heat = HeatParameters()
        parameters.platform.suspendPower = .zero
        var system = PowerSystem(parameters, apps: 1, initialLevel: 0.5, ambient: .celsius(20))
        _ = system.startLoad(.other, .watts(2), app: AppID(0), cause: .foreground, at: .zero)
        system.plugIn(Charger(power: .watts(2), link: link, efficiency: 1), at: .zero)
        run(&system, from: .zero, to: .zero + .hours(4))
        #expect(system.terminalEnergy == .zero && system.chargedEnergy == .zero)
        // 3.9 K/W from the body to the air.
        #expect(abs(system.bodyTemperature(at: .zero + .hours(4)).celsius - (20 + 3.9 * 2 / (1 - lost))) < 0.01)
    }

    /// A phone that is held draws 1 W from the adapter, of which 8 % are lost in it, and the circuit takes 0.27 W.
    @Test func `what a connected charger takes warms the phone and comes from the wall`() {
        var parameters = PowerParameters.iPhone15
        parameters.heat = HeatParameters()
        parameters.platform.suspendPower = .zero
        parameters.charger.holdLevel = 0.5
        parameters.charger.connectedPower = .watts(0.27)
        var system = PowerSystem(parameters, apps: 1, initialLevel: 0.6, ambient: .celsius(20))
        _ = system.startLoad(.other, .watts(1), app: AppID(0), cause: .foreground, at: .zero)
        system.plugIn(Charger(power: .watts(20), efficiency: 0.75), at: .zero)
        run(&system, from: .zero, to: .zero + .hours(4))
        #expect(system.terminalEnergy == .zero && system.chargedEnergy == .zero)
        #expect(abs(system.wallEnergy.joules - 14_400 * 1.27 / 0.75) < 1e-6)
        #expect(abs(system.adapterEnergy.joules - 14_400) < 1e-6 && abs(system.ledgerEnergy.joules - 14_400) < 1e-6)
        // 3.9 K/W from the body to the air.
        let held = system.bodyTemperature(at: .zero + .hours(4)).celsius
        #expect(abs(held - (20 + 3.9 * (1 / 0.92 + 0.27))) < 0.01)
        system.unplug(at: .zero + .hours(4))
        run(&system, from: .zero + .hours(4), to: .zero + .hours(8))
        let free = system.bodyTemperature(at: .zero + .hours(8)).celsius
        // The cell loses a hundredth of what it gives.
        #expect(abs(free - (20 + 3.9)) < 0.15, "\(free)")
    }

    /// The efficiency of a whole charge holds what its circuit takes.
    @Test func `a charge takes no more from the wall for what its circuit takes`() {
        func charged(_ connected: Power) -> (wall: Double, cell: Double) {
            var parameters = PowerParameters.iPhone15.isothermal
            parameters.charger.connectedPower = connected
            var system = PowerSystem(parameters, apps: 1, initialLevel: 0.2)
            system.plugIn(Charger(power: .watts(8), efficiency: 0.5), at: .zero)
            run(&system, from: .zero, to: .zero + .minutes(5))
            return (system.wallEnergy.joules, system.chargedEnergy.joules)
        }
        let (plain, busy) = (charged(.zero), charged(.watts(1)))
        #expect(plain == busy && abs(plain.wall - 8 * 300) < 1e-2)
    }

    @Test func `the first minutes of a charger end with its plug`() {
        var parameters = PowerParameters.iPhone15.isothermal
        parameters.platform.suspendPower = .zero
        func unplugged(boost: Power?) -> PowerSystem {
            var system = PowerSystem(parameters, apps: 1, initialLevel: 0.3)
            _ = system.startLoad(.other, .watts(1), app: AppID(0), cause: .foreground, at: .zero)
            system.plugIn(
                Charger(power: .watts(10), efficiency: 1, sustainedPower: boost, boost: .minutes(7)), at: .zero)
            run(&system, from: .zero, to: .zero + .minutes(3))
            system.unplug(at: .zero + .minutes(3))
            run(&system, from: .zero + .minutes(3), to: .zero + .minutes(20))
            return system
        }
        var system = unplugged(boost: .watts(5))
        var plain = unplugged(boost: nil)
        let (level, expected) = (system.level(at: .zero + .minutes(20)), plain.level(at: .zero + .minutes(20)))
        #expect(level == expected)
        #expect(system.terminalVoltage == plain.terminalVoltage)
        #expect(abs(system.adapterEnergy.joules - 180) < 1e-9 && abs(system.chargedEnergy.joules - 9 * 180) < 1e-3)
        #expect(abs(system.terminalEnergy.joules - 17 * 60) < 1e-9)
        let (next, other) = (system.nextBatteryEvent(), plain.nextBatteryEvent())
        #expect(next == other)
    }

    @Test func `a charger falls to its lasting power after its first minutes`() {
        var parameters = PowerParameters.iPhone15.isothermal
        parameters.platform.suspendPower = .zero
        var system = PowerSystem(parameters, apps: 1, initialLevel: 0.2)
        system.plugIn(
            Charger(power: .watts(8), efficiency: 0.5, sustainedPower: .watts(5), boost: .minutes(7)), at: .zero)
        run(&system, from: .zero, to: .zero + .minutes(10))
        #expect(abs(system.chargedEnergy.joules - (4 * 420 + 2.5 * 180)) < 1e-3)
        #expect(abs(system.wallEnergy.joules - (8 * 420 + 5 * 180)) < 1e-2)
    }

    /// A 5 W adapter brings 3.75 W, of which the phone uses 0.75; heat and cold leave a share of the other three.
    @Test(arguments: [
        (25.0, 1.0), (40, 1), (43, 0.5), (46, 0), (0.5, 1), (-0.5, 0.2), (-9.5, 0.2), (-10.5, 0),
    ])
    func `heat and cold leave a share of what an adapter has to spare`(celsius: Double, share: Double) {
        var system = phone(at: celsius, load: .watts(0.75))
        system.plugIn(.watts(5), at: .zero)
        run(&system, from: .zero, to: .seconds(1))
        let before = (system.chargedEnergy.joules, system.adapterEnergy.joules)
        run(&system, from: .seconds(1), to: .seconds(101))
        #expect(abs(system.chargedEnergy.joules - before.0 - 300 * share) < 0.01)
        #expect(abs(system.adapterEnergy.joules - before.1 - 75) < 1e-9)
        #expect(system.terminalEnergy == .zero)
    }

    /// A cell without resistance takes at 43 °C half the current that it takes at 25 °C, whatever the adapter has.
    @Test func `heat halves the current that the cell takes from a strong adapter`() {
        func joules(at celsius: Double) -> Double {
            var parameters = PowerParameters.iPhone15
            var heat = HeatParameters()
            (heat.bodyCapacity, heat.boardCapacity) = (1e9, 1e9)
            parameters.heat = heat
            parameters.battery.resistance = .ohms(0)
            var system = PowerSystem(parameters, apps: 1, initialLevel: 0.5, ambient: .celsius(celsius))
            system.plugIn(.watts(500), at: .zero)
            run(&system, from: .zero, to: .seconds(10))
            return system.chargedEnergy.joules
        }
        // In ten seconds the fuller cell's voltage and limit are others by less than a hundredth.
        #expect(joules(at: 25) > 100)
        #expect(abs(joules(at: 43) / joules(at: 25) - 0.5) < 0.005)
    }

    @Test func `another air moves no temperature at once`() {
        var system = ThermalTests.phone(ambient: 20)
        _ = ThermalTests.load(4, &system)
        _ = system.nextBatteryEvent()
        let now = SimTime.seconds(120)
        let before = (system.bodyTemperature(at: now).celsius, system.boardTemperature(at: now).celsius)
        #expect(before.1 - before.0 > 5)
        system.setAmbient(.celsius(-10), at: now)
        #expect(abs(system.bodyTemperature(at: now).celsius - before.0) < 1e-9)
        #expect(abs(system.boardTemperature(at: now).celsius - before.1) < 1e-9)
    }
}
