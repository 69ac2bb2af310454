// SPDX-License-Identifier: GPL-3.0-or-later
import Cells
import Power
import Quantities
import Testing
import Vocabulary

/// The phone's battery with two RC pairs, against the stand-alone cell and in its accounts.
@Suite struct BatteryPairsTests {
    /// docs/energy.md: 60 % at once, 10 % within 8 s, 30 % within 60 s (assumption there).
    static let pairs: [BatteryParameters.Pair] = [
        .init(share: 0.1, time: .seconds(8)), .init(share: 0.3, time: .seconds(60)),
    ]

    static var phone: PowerParameters {
        var parameters = PowerParameters.iPhone15.isothermal
        parameters.battery.pairs = pairs
        return parameters
    }

    /// A battery whose resistance does not follow the state of charge, and the same cell alone.
    static var twins: (phone: PowerParameters, cell: CellParameters) {
        var battery = BatteryParameters(capacity: .milliampereHours(3349), resistance: .ohms(0.12))
        battery.resistanceStates = [0, 1]
        battery.resistanceFactors = [1, 1]
        battery.emptyVoltage = .volts(3.0)
        battery.pairs = pairs
        var cell = CellParameters(
            capacity: battery.capacity, voltageStates: battery.voltageStates, voltages: battery.voltages,
            resistanceStates: [0, 1], resistances: [.ohms(0.072), .ohms(0.072)])
        cell.pairs = [
            .init(resistances: [.ohms(0.012), .ohms(0.012)], capacitances: [8 / 0.012, 8 / 0.012]),
            .init(resistances: [.ohms(0.036), .ohms(0.036)], capacitances: [60 / 0.036, 60 / 0.036]),
        ]
        return (PowerParameters(battery: battery).isothermal, cell)
    }

    @Test(arguments: [0.5, 4.0]) func `levels and death come when the cell alone says so`(watts: Double) throws {
        var system = BatteryTests.constant(.watts(watts), Self.twins.phone)
        var found: [Int: Double] = [:]
        var died = 0.0
        run(&system, from: .zero, to: .seconds(50 * 3600)) { event, now in
            if case .level(let percent) = event { found[percent] = now.seconds }
            if event == .died { died = now.seconds }
        }
        var experiment = try CellExperiment(Self.twins.cell, charge: 1)
        let record = try experiment.run(.steps([.init(start: 0, demand: .power(.watts(watts)))]))
        for (percent, name) in [(80, "soc<=0.8"), (50, "soc<=0.5"), (10, "soc<=0.1")] {
            let time = try #require(record.time(of: name))
            #expect(abs(try #require(found[percent]) - time) < 1e-3, "\(percent) %")
        }
        #expect(abs(died - (try #require(record.time(of: "V<=3.0")))) < 1e-3)
    }

    @Test func `an unplugged charger takes nothing from the wall`() {
        var parameters = Self.phone
        parameters.charger.connectedPower = .watts(0.3)
        var system = BatteryTests.constant(.watts(1), parameters, level: 1)
        system.plugIn(.watts(20), at: .zero)
        system.flush(at: .seconds(3600))
        let wall = system.wallEnergy.joules
        #expect(wall > 0.3 * 3600)
        system.unplug(at: .seconds(3600))
        system.flush(at: .seconds(7200))
        #expect(system.wallEnergy.joules == wall)
    }

    @Test func `the voltage recovers as the cell alone does`() throws {
        var system = BatteryTests.constant(.watts(0.02), Self.twins.phone)
        let load = system.startLoad(.processor, .watts(5), app: AppID(0), cause: .foreground, at: .seconds(10))
        system.stopLoad(load, at: .seconds(70))
        var experiment = try CellExperiment(Self.twins.cell, charge: 1)
        let steps = [(0, 0.02), (10, 5.02), (70, 0.02)].map {
            CellLoad.Step(start: $0.0, demand: .power(.watts($0.1)))
        }
        let record = try experiment.run(.steps(steps), until: 100)
        system.flush(at: .seconds(70))
        #expect(abs(system.terminalVoltage.volts - record.rows[2].voltage.volts) < 1e-7)
        system.flush(at: .seconds(100))
        #expect(abs(system.terminalVoltage.volts - record.rows[3].voltage.volts) < 1e-7)
        #expect(record.rows[3].voltage.volts - record.rows[2].voltage.volts > 0.02)
    }

    @Test func `splitting an interval changes the level by less than a billionth`() {
        var whole = BatteryTests.constant(.watts(3), Self.phone)
        var split = BatteryTests.constant(.watts(3), Self.phone)
        for third in 1...3000 { split.flush(at: .seconds(Double(third) * 2.333)) }
        let end = SimTime.seconds(7000)
        #expect(abs(whole.level(at: end) - split.level(at: end)) < 1e-9)
        whole.flush(at: end)
        #expect(abs(whole.cellLoss.joules - split.cellLoss.joules) < 1e-9 * whole.terminalEnergy.joules)
        #expect(whole.level(at: end) < 0.6)
    }

    @Test(arguments: [UInt64(1), 2]) func `the account closes over a random time with charging`(seed: UInt64) {
        var draw = Draw(state: seed)
        var system = PowerSystem(Self.phone, apps: 20, initialLevel: 0.6)
        let stored = system.storedEnergy
        var handles: [LoadHandle] = []
        var now = SimTime.zero
        for _ in 0..<400 {
            let next = now + .milliseconds(Double(draw(20000)))
            run(&system, from: now, to: next)
            now = next
            disturb(&system, &handles, &draw, at: now)
        }
        system.flush(at: now)
        let given = system.terminalEnergy.joules + system.adapterEnergy.joules
        #expect(abs(system.ledgerEnergy.joules - given) < 1e-9 * given)
        let change = stored.joules - system.storedEnergy.joules
        let flow = system.terminalEnergy.joules - system.chargedEnergy.joules + system.cellLoss.joules
        #expect(abs(change - flow) < 1e-9 * stored.joules)
    }

    @Test func `a charge ends full once and the phone then rests`() {
        var system = PowerSystem(Self.phone, apps: 1, initialLevel: 0.5)
        system.plugIn(.watts(20), at: .zero)
        var events: [BatteryEvent] = []
        run(&system, from: .zero, to: .seconds(4 * 3600)) { event, _ in events.append(event) }
        #expect(events.filter { $0 == .full }.count == 1)
        #expect(system.level(at: .seconds(4 * 3600)) == 1)
        #expect(system.nextBatteryEvent() == .distantFuture)
    }

    @Test func `a burst kills a nearly empty phone when its pairs have filled, not at once`() throws {
        var system = BatteryTests.constant(.watts(0.1), Self.phone, level: 0.004)
        let before = system.terminalVoltage.volts
        #expect(before > 3.3)
        // The cut-off lies between the voltage at once and that after minutes.
        _ = system.startLoad(.processor, .watts(9.4), app: AppID(0), cause: .foreground, at: .zero)
        #expect(system.terminalVoltage.volts > 3.0)
        var died: SimTime?
        run(&system, from: .zero, to: .seconds(600)) { event, now in if event == .died { died = now } }
        let seconds = try #require(died).seconds
        #expect(seconds > 2 && seconds < 60, "\(seconds)")
    }
}
