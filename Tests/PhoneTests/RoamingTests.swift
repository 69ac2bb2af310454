// SPDX-License-Identifier: GPL-3.0-or-later
import Power
import Quantities
import Testing
import Vocabulary
import Workload

@testable import Phone
@testable import PhoneCore

/// Changes between access points, on phones that nobody uses and that are always on Wi-Fi.
@Suite struct RoamingTests {
    private static func run(perHour rate: Double, atWork: Bool) -> (joules: Double, rows: RowCollector) {
        var persona = Persona(name: "nobody")
        (persona.wifi.home, persona.wifi.work, persona.wifi.roamsPerHour) = (1, 1, rate)
        if atWork {
            persona.workdaysPerWeek = 7
            persona.places.work = [0...24]
        }
        var device = TestWorld.device()
        device.power.radios[.wifi].joinEnergy = .joules(2)
        let rows = RowCollector()
        _ = simulate(
            TestWorld.specification(
                apps: TestWorld.apps(1) { $0.pushesPerDay = 0 }, persona: persona, device: device, days: 2,
                tables: [.deviceHours, .radio]), sink: rows)
        return (rows.hours.reduce(0) { $0 + $1.radioJoules[.wifi] }, rows)
    }

    @Test func `thirty changes an hour are 1440 in two days away from home, each for the energy of joining`() {
        let still = Self.run(perHour: 0, atWork: true)
        let walking = Self.run(perHour: 30, atWork: true)
        let changes = (walking.joules - still.joules) / 2
        // One deviation of a Poisson number of 1440 is 38.
        #expect(abs(changes - 1440) < 130, "\(changes)")
        #expect(abs(changes - changes.rounded()) < 1e-6, "\(changes)")
        // The table of radios pays for each.
        let paid = walking.rows.radio.reduce(0) { $0 + $1.joules } - still.rows.radio.reduce(0) { $0 + $1.joules }
        #expect(abs(paid - (walking.joules - still.joules)) < 1e-6)
    }

    @Test func `at home there is one access point`() {
        #expect(Self.run(perHour: 30, atWork: false).joules == Self.run(perHour: 0, atWork: false).joules)
    }
}
