// SPDX-License-Identifier: GPL-3.0-or-later
import Power
import Quantities
import Testing
import Vocabulary

@Suite struct ChargerTests {
    static func plugged(load: Power, watts: Double, level: Double, link: ChargerLink = .wired) -> PowerSystem {
        var system = BatteryTests.constant(load, .iPhone15, level: level)
        system.plugIn(.watts(watts), link: link, at: .zero)
        return system
    }

    @Test func `the running phone is served before the cell`() {
        // 5 W at 75 %: 3.75 W inside; 2 W run the phone, 1.75 W charge.
        var system = Self.plugged(load: .watts(2), watts: 5, level: 0.5)
        system.flush(at: .seconds(60))
        #expect(abs(system.adapterEnergy.joules - 120) < 1e-9)
        #expect(abs(system.chargedEnergy.joules - 105) < 1e-6)
        #expect(system.terminalEnergy == .zero)
        #expect(abs(system.wallEnergy.joules - 300) < 1e-5)
    }

    @Test func `a load beyond the adapter takes the rest from the cell`() {
        var system = Self.plugged(load: .watts(5), watts: 5, level: 0.5)
        system.flush(at: .seconds(60))
        #expect(abs(system.adapterEnergy.joules - 225) < 1e-9)
        #expect(abs(system.terminalEnergy.joules - 75) < 1e-9)
        #expect(system.chargedEnergy == .zero)
        #expect(system.level(at: .seconds(60)) < 0.5)
    }

    @Test func `charging is limited by the adapter first and by the cell near the end`() {
        func power(watts: Double, level: Double) -> Double {
            var system = Self.plugged(load: .zero, watts: watts, level: level)
            system.flush(at: .seconds(1))
            return system.chargedEnergy.joules
        }
        #expect(abs(power(watts: 5, level: 0.1) - 3.75) < 1e-6)
        #expect(abs(power(watts: 5, level: 0.5) - 3.75) < 1e-6)
        #expect(power(watts: 20, level: 0.3) > power(watts: 20, level: 0.7))
        #expect(power(watts: 20, level: 0.7) > power(watts: 20, level: 0.9))
        #expect(power(watts: 20, level: 0.9) > power(watts: 20, level: 0.99))
        #expect(power(watts: 20, level: 0.99) > 0)
    }

    @Test func `a wireless charger wastes more of the wall's energy`() {
        var system = Self.plugged(load: .watts(0.5), watts: 15, level: 0.2, link: .wireless)
        system.flush(at: .seconds(600))
        let inside = system.chargedEnergy.joules + system.adapterEnergy.joules
        #expect(abs(inside / system.wallEnergy.joules - 0.5) < 1e-9)
    }

    @Test func `each whole per cent is announced once on the way up`() {
        var system = Self.plugged(load: .milliwatts(300), watts: 20, level: 0.105)
        var seen: [Int] = []
        run(&system, from: .zero, to: .seconds(3 * 3600)) { event, _ in
            if case .level(let percent) = event { seen.append(percent) }
        }
        // At 10.5 % the phone shows 11 already, as it did on the way down.
        #expect(seen == Array(12...99))
        #expect(system.percent == 100)
    }

    @Test func `a full phone on the charger lives from the adapter alone`() {
        var system = Self.plugged(load: .watts(1), watts: 20, level: 1)
        let stored = system.storedEnergy
        run(&system, from: .zero, to: .seconds(3600))
        #expect(system.storedEnergy == stored)
        #expect(system.terminalEnergy == .zero)
        #expect(abs(system.adapterEnergy.joules - 3600) < 1e-6)
    }

    @Test func `a dead phone draws nothing and starts with its floor when it revives`() {
        var system = BatteryTests.constant(.watts(3), .iPhone15, level: 0.01)
        run(&system, from: .zero, to: .seconds(3600))
        #expect(system.isDead == true)
        let booked = system.ledgerEnergy
        #expect(system.startLoad(.other, .watts(1), app: AppID(0), cause: .push, at: .seconds(3600)) == .none)
        system.addEnergy(.storage, .joules(1), app: AppID(0), cause: .push, at: .seconds(3600))
        system.flush(at: .seconds(7200))
        #expect(system.ledgerEnergy == booked)
        system.plugIn(.watts(20), at: .seconds(7200))
        var revived = SimTime.distantFuture
        run(&system, from: .seconds(7200), to: .seconds(9000)) { event, now in if event == .revived { revived = now } }
        #expect(system.isDead == false)
        #expect(revived < .seconds(7500))
        #expect(system.percent >= 2)
    }
}
