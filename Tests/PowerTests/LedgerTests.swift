// SPDX-License-Identifier: GPL-3.0-or-later
import Power
import Quantities
import Testing
import Vocabulary

@Suite struct LedgerTests {
    @Test(arguments: [UInt64(1), 2, 3])
    func `the ledger closes over a random day with charging`(seed: UInt64) {
        var draw = Draw(state: seed)
        var system = PowerSystem(.iPhone15, apps: 20, initialLevel: 0.6)
        let stored = system.storedEnergy
        var handles: [LoadHandle] = []
        var now = SimTime.zero
        for _ in 0..<5000 {
            let next = now + .milliseconds(Double(draw(20000)))
            run(&system, from: now, to: next)
            now = next
            disturb(&system, &handles, &draw, at: now)
        }
        // Not booked yet: what all loads took since.
        now = now + .milliseconds(20)
        let used = system.usedEnergy(at: now).joules
        #expect(used > system.ledgerEnergy.joules)
        system.flush(at: now)
        let booked = system.ledgerEnergy.joules
        #expect(abs(used - booked) < 1e-9 * booked)
        let given = system.terminalEnergy.joules + system.adapterEnergy.joules
        #expect(booked > 1000)
        #expect(abs(booked - given) < 1e-9 * booked)
        let apps = (-1..<20).reduce(0.0) { $0 + system.energy(of: AppID($1)).joules }
        #expect(abs(booked - apps) < 1e-9 * booked)
        let change = stored.joules - system.storedEnergy.joules
        let flow = system.terminalEnergy.joules - system.chargedEnergy.joules + system.cellLoss.joules
        #expect(abs(change - flow) < 1e-9 * stored.joules)
        #expect(system.wallEnergy.joules >= (system.chargedEnergy.joules + system.adapterEnergy.joules) / 0.76)
    }

    @Test func `the memory draws its share of what the cores draw, in front and behind, and is booked apart`() {
        var parameters = PowerParameters.iPhone15
        let plain = PowerSystem(parameters, apps: 1).processor
        parameters.processor.memoryShare = 0.24
        var system = PowerSystem(parameters, apps: 1)
        #expect(abs(system.processor.workPower / plain.workPower - 1.24) < 1e-12)
        #expect(abs(system.processor.launchPower / plain.launchPower - 1.24) < 1e-12)
        #expect(abs(system.processor.interactivePower(load: 1) / plain.interactivePower(load: 1) - 1.24) < 1e-12)
        _ = system.startLoad(
            .processor, system.processor.workPower, app: AppID(0), cause: .backgroundTask, at: .zero)
        system.addEnergy(.processor, .joules(12.4), app: AppID(0), cause: .push, at: .zero)
        system.flush(at: .seconds(100))
        // A core of 200 mW in a cluster of 15 mW for 100 s.
        #expect(abs(system.energy(of: .processor, cause: .backgroundTask).joules - 21.5) < 1e-9)
        #expect(abs(system.energy(of: .memory, cause: .backgroundTask).joules - 0.24 * 21.5) < 1e-9)
        #expect(abs(system.energy(of: .processor, cause: .push).joules - 10) < 1e-9)
        #expect(abs(system.energy(of: .memory, cause: .push).joules - 2.4) < 1e-9)
        #expect(abs(system.energy(of: AppID(0), .background).joules - 1.24 * 21.5 - 12.4) < 1e-9)
    }

    @Test func `the cell owes a tenth of a joule at most, and pays it when something changes`() {
        var system = PowerSystem(.iPhone15, apps: 1)
        func owed() -> Double { system.ledgerEnergy.joules - system.terminalEnergy.joules }
        for second in 1...5 {
            system.addSmallEnergy(.storage, .joules(0.02), app: AppID(0), cause: .push, at: .seconds(Double(second)))
        }
        #expect(abs(owed() - 0.1) < 1e-9)
        system.addSmallEnergy(.storage, .joules(0.02), app: AppID(0), cause: .push, at: .seconds(6))
        #expect(abs(system.terminalEnergy.joules - 0.12 - 6 * 0.020) < 1e-9)
        system.addSmallEnergy(.storage, .joules(0.02), app: AppID(0), cause: .push, at: .seconds(7))
        system.flush(at: .seconds(7))
        #expect(abs(owed()) < 1e-9)
        #expect(abs(system.energy(of: AppID(0), .background).joules - 0.14) < 1e-12)
    }

    @Test func `a phone that does nothing draws its floor only`() {
        var system = PowerSystem(.iPhone15, apps: 1)
        run(&system, from: .zero, to: .zero + .day)
        #expect(abs(system.terminalEnergy.joules - 0.020 * 86400) < 1e-6)
        #expect(system.energy(of: .platform, cause: .idle) == system.ledgerEnergy)
        #expect(system.terminalEnergy == system.terminalEnergyScreenOff)
    }

    @Test(arguments: [1, 6.5]) func `splitting an interval changes nothing`(step: Double) {
        let end = SimTime.seconds(24_960)
        var whole = PowerSystem(.iPhone15, apps: 1, initialLevel: 0.75)
        var split = PowerSystem(.iPhone15, apps: 1, initialLevel: 0.75)
        _ = whole.startLoad(.processor, .watts(1.3), app: AppID(0), cause: .foreground, at: .zero)
        _ = split.startLoad(.processor, .watts(1.3), app: AppID(0), cause: .foreground, at: .zero)
        for piece in 1...Int(24_960 / step) { split.flush(at: .seconds(Double(piece) * step)) }
        whole.flush(at: end)
        let energy = whole.ledgerEnergy.joules
        #expect(abs(energy - split.ledgerEnergy.joules) < 1e-12 * energy)
        #expect(abs(whole.terminalEnergy.joules - split.terminalEnergy.joules) < 1e-12 * energy)
        #expect(abs(whole.level(at: end) - split.level(at: end)) < 1e-9)
        #expect(whole.level(at: end) < 0.1)
        #expect(abs(whole.cellLoss.joules - split.cellLoss.joules) < 1e-9 * energy)
    }

    @Test(arguments: 0..<8) func `the order of simultaneous changes changes no energy`(order: Int) {
        func energies(_ order: Int) -> (ledger: Double, cell: Double, level: Double) {
            var system = PowerSystem(.iPhone15, apps: 4)
            var handles: [LoadHandle] = []
            for step in 0..<60 {
                let now = SimTime.seconds(Double(step) * 37)
                var changes = Array(0..<4)
                for index in 0..<order { changes.swapAt(index % 4, (index * 3 + step) % 4) }
                for change in changes {
                    switch change {
                    case 0: if step % 2 == 1 { system.stopLoad(handles[step / 2], at: now) }
                    case 1:
                        if step % 2 == 0 {
                            let power = Power.milliwatts(Double(step * 13 % 700))
                            let load = system.startLoad(
                                .processor, power, app: AppID(1), cause: .foreground, at: now)
                            handles.append(load)
                        }
                    case 2:
                        system.setDisplay(on: step % 3 > 0, brightness: 0.6, app: AppID(2), at: now)
                    default: if step == 20 { system.plugIn(.watts(5), at: now) }
                    }
                }
                _ = system.nextBatteryEvent()
            }
            system.flush(at: .seconds(3600))
            return (
                system.ledgerEnergy.joules, system.terminalEnergy.joules + system.adapterEnergy.joules,
                system.level(at: .seconds(3600))
            )
        }
        let (one, other) = (energies(0), energies(order))
        #expect(one.ledger > 1000)
        #expect(abs(one.ledger - other.ledger) < 1e-12 * one.ledger)
        #expect(abs(one.cell - other.cell) < 1e-12 * one.cell)
        #expect(abs(one.level - other.level) < 1e-12)
    }

    @Test func `a stopped load stays stopped and its handle is worth nothing`() {
        var system = PowerSystem(.iPhone15, apps: 2)
        let first = system.startLoad(.processor, .watts(1), app: AppID(0), cause: .foreground, at: .zero)
        system.stopLoad(first, at: .seconds(1))
        let second = system.startLoad(.processor, .watts(2), app: AppID(1), cause: .foreground, at: .seconds(1))
        system.stopLoad(first, at: .seconds(2))
        system.setLoad(second, to: .watts(4), at: .seconds(2))
        system.flush(at: .seconds(3))
        #expect(abs(system.energy(of: AppID(0)).joules - 1) < 1e-9)
        #expect(abs(system.energy(of: AppID(1)).joules - 6) < 1e-9)
    }

    @Test func `being awake costs one wake-up and the awake power however many hold it`() {
        var system = PowerSystem(.iPhone15, apps: 2)
        system.holdAwake(app: AppID(0), cause: .push, at: .zero)
        system.holdAwake(app: AppID(1), cause: .push, at: .seconds(1))
        system.releaseAwake(at: .seconds(2))
        system.releaseAwake(at: .seconds(10))
        system.flush(at: .seconds(20))
        #expect(system.wakeups == 1)
        #expect(abs(system.energy(of: AppID(0), .background).joules - (0.25 + 1.8)) < 1e-9)
    }

    @Test(arguments: [UInt64(4), 5, 6])
    func `energies only grow and every way of adding up agrees`(seed: UInt64) {
        var draw = Draw(state: seed)
        var system = PowerSystem(.iPhone13, apps: 20, initialLevel: 0.15)
        var handles: [LoadHandle] = []
        var now = SimTime.zero
        var before = [Double](repeating: 0, count: 5)
        for _ in 0..<3000 {
            let next = now + .milliseconds(Double(draw(60000)))
            run(&system, from: now, to: next)
            now = next
            disturb(&system, &handles, &draw, at: now)
            system.flush(at: now)
            let after = [
                system.ledgerEnergy, system.terminalEnergy, system.wallEnergy, system.cellLoss, system.chargedEnergy,
            ].map(\.joules)
            #expect(zip(before, after).allSatisfy { $0 <= $1 })
            before = after
        }
        let total = system.ledgerEnergy.joules
        let causes = Cause.allCases.reduce(0.0) { $0 + system.energy(for: $1).joules }
        let components = Component.allCases.reduce(0.0) { $0 + system.energy(of: $1).joules }
        let scopes = (-1..<20).reduce(0.0) { sum, app in
            Scope.allCases.reduce(sum) { $0 + system.energy(of: AppID(app), $1).joules }
        }
        #expect(abs(causes - total) < 1e-9 * total)
        #expect(abs(components - total) < 1e-9 * total)
        #expect(abs(scopes - total) < 1e-9 * total)
        #expect(system.terminalEnergyScreenOff <= system.terminalEnergy)
    }

    @Test func `a load of zero power books nothing and changes nothing`() {
        var system = PowerSystem(.iPhone15, apps: 1)
        let floor = system.totalPower
        let idle = system.nextBatteryEvent()
        let handle = system.startLoad(.sensors, .zero, app: AppID(0), cause: .foreground, at: .zero)
        #expect(system.totalPower == floor)
        #expect(system.nextBatteryEvent() == idle)
        system.stopLoad(handle, at: .seconds(100))
        system.flush(at: .seconds(100))
        #expect(system.energy(of: AppID(0)) == .zero)
        #expect(abs(system.ledgerEnergy.joules - 2) < 1e-9)
    }

    @Test func `loads that start and stop leave the total power exactly where it was`() {
        var system = PowerSystem(.iPhone15, apps: 20)
        let floor = system.totalPower
        var draw = Draw(state: 9)
        var handles: [LoadHandle] = []
        for step in 0..<2000 {
            let power = Power.watts(Double(draw(1_000_003)) / 777_777)
            handles.append(system.startLoad(.processor, power, app: .system, cause: .idle, at: .seconds(Double(step))))
            if handles.count > 30 { system.stopLoad(handles.remove(at: draw(30)), at: .seconds(Double(step))) }
        }
        for handle in handles { system.stopLoad(handle, at: .seconds(2000)) }
        #expect(system.totalPower == floor)
    }
}
