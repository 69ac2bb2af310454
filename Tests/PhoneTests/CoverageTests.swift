// SPDX-License-Identifier: GPL-3.0-or-later
import Power
import Quantities
import Testing
import Vocabulary
import Workload

@testable import Phone
@testable import PhoneCore

/// Places with and without 5G, for phones that nobody uses: their radio draws 10 mW on 5G and 30 mW on what is older.
@Suite struct CoverageTests {
    /// Hours on each of the two, with a share of the places that have 5G.
    private static func hours(
        share: Double, persona change: (inout Persona) -> Void = { _ in }, fallsBack: Bool = true, days: Double = 1,
        replication: Int = 0
    ) -> (newer: Int, older: Int) {
        var persona = Persona(name: "nobody")
        persona.cellular.fiveG = share
        change(&persona)
        var device = TestWorld.device()
        var older = RadioParameters.lte2020
        device.power.radios[.cellular].idlePower = .milliwatts(10)
        older.idlePower = .milliwatts(30)
        device.power.cellularFallback = fallsBack ? older : nil
        device.power.smartData = false
        // Nobody charges it.
        device.power.battery.capacity = .milliampereHours(1_000_000)
        let rows = RowCollector()
        _ = simulate(
            TestWorld.specification(
                apps: TestWorld.apps(1) {
                    $0.pushesPerDay = 0
                    $0.refreshPeriod = .zero
                }, persona: persona, device: device, days: days, replication: replication, tables: [.deviceHours]),
            sink: rows)
        let watts = rows.hours.map { $0.radioJoules[.cellular] / 3600 }
        return (watts.count { abs($0 - 0.010) < 0.004 }, watts.count { abs($0 - 0.030) < 0.004 })
    }

    @Test func `with the share of all or of none every hour is on one of them`() {
        #expect(Self.hours(share: 1) == (24, 0))
        #expect(Self.hours(share: 0) == (0, 24))
    }

    @Test func `a phone that has nothing to fall back to does not mind`() {
        #expect(Self.hours(share: 0, fallsBack: false) == (24, 0))
    }

    @Test(arguments: [false, true])
    func `home and work are one location each, with 5G or without it for good`(works: Bool) {
        let found = (0..<24).map { replication in
            Self.hours(
                share: 0.5,
                persona: { persona in
                    guard works else { return }
                    persona.workdaysPerWeek = 7
                    persona.places.work = [0...24]
                }, days: 3, replication: replication)
        }
        #expect(found.allSatisfy { $0 == (72, 0) || $0 == (0, 72) })
        // 12 of 24, with a deviation of 2.4.
        #expect((5...19).contains(found.count { $0.newer == 72 }))
    }

    @Test func `every stay elsewhere is drawn anew`() {
        let found = Self.hours(
            share: 0.7,
            persona: { persona in
                persona.workdaysPerWeek = 7
                persona.places.commute = [0...12]
                persona.cellular.transit = 1
            }, days: 100)
        // Home is the same every night; of 100 journeys 70 have 5G, with a deviation of 4.6.
        let journeys = found.newer - (found.newer > 1200 ? 1200 : 0)
        #expect(found.newer + found.older == 2400)
        #expect(journeys.isMultiple(of: 12) && (55...85).contains(journeys / 12), "\(journeys / 12)")
    }

    @Test func `a radio without 5G in reach is on the older one whatever it is told`() {
        var parameters = PowerParameters.iPhone15
        parameters.cellularFallback = .lte2020
        parameters.cellularFallback?.idlePower = .milliwatts(40)
        parameters.smartData = false
        var system = PowerSystem(parameters, apps: 1)
        system.setNetwork(.cellular, at: .zero)
        let newer = system.totalPower.watts
        system.setNewerInReach(false, at: .seconds(1))
        #expect(abs(system.totalPower.watts - newer - 0.032) < 1e-9)
        let copy = PowerSystem(copying: system)
        system.setSparesRadio(true, at: .seconds(2))
        system.setSparesRadio(false, at: .seconds(3))
        #expect(abs(system.totalPower.watts - copy.totalPower.watts) < 1e-9)
        system.setNewerInReach(true, at: .seconds(4))
        #expect(abs(system.totalPower.watts - newer) < 1e-9)
    }
}
