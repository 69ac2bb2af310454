// SPDX-License-Identifier: GPL-3.0-or-later
import Power
import Quantities
import Testing
import Vocabulary
import Workload

@testable import Phone
@testable import PhoneCore

/// Phones whose device tells apart what they lie in; the air of the hour is one that none of them may have.
@Suite struct SurroundingsTests {
    private static func around(_ celsius: Double) -> Surrounding {
        // Quick to warm, so that each hour ends at its own temperature.
        Surrounding(air: .celsius(celsius), resistance: 2, capacity: 30)
    }

    private static func parameters() -> SurroundingParameters {
        var found = SurroundingParameters()
        (found.hand, found.pocket, found.table) = (around(31), around(27), around(21))
        (found.bedside, found.bed, found.pad) = (around(15), around(18), around(24))
        (found.car, found.sun, found.cable) = (around(5), around(36), around(11))
        return found
    }

    /// Temperatures at the ends of the hours of a phone that draws 20 mW.
    private static func hours(
        _ surroundings: (inout SurroundingParameters) -> Void, days: Double = 1, apps: Int = 1,
        persona change: ((inout Persona) -> Void)? = nil
    ) -> [DeviceHourRow] {
        var persona = Persona(name: "nobody")
        persona.ambient = [.celsius(-20)]
        change?(&persona)
        var device = TestWorld.device()
        var around = parameters()
        surroundings(&around)
        device.surroundings = around
        let rows = RowCollector()
        let apps = TestWorld.apps(apps) { $0.pushesPerDay = 0 }
        _ = simulate(
            TestWorld.specification(
                apps: apps, persona: persona, device: device, days: days, tables: [.deviceHours]), sink: rows)
        return rows.hours
    }

    private static func near(_ row: DeviceHourRow, _ celsius: Double) -> Bool {
        abs(row.batteryCelsius - celsius) < 0.6
    }

    @Test func `it rests beside the bed at night, and in a pocket or on a table by day`() {
        for (share, day) in [(1.0, 27.0), (0.0, 21.0)] {
            let rows = Self.hours({ $0.pocketShare = share })
            for row in rows {
                let isNight = row.hour >= 23 || row.hour < 8
                #expect(Self.near(row, isNight ? 15 : day), "hour \(row.hour): \(row.batteryCelsius)")
            }
        }
        let mixed = Self.hours({ $0.pocketShare = 0.7 }, days: 20).filter { (8..<23).contains(Int($0.hour) % 24) }
        let carried = Double(mixed.filter { $0.batteryCelsius > 24 }.count) / Double(mixed.count)
        // 300 hours: one deviation is 2.6 %.
        #expect(abs(carried - 0.7) < 0.1, "\(carried)")
    }

    @Test func `on the way it lies in a pocket or a car, elsewhere maybe in the sun`() {
        func day(_ change: (inout SurroundingParameters) -> Void) -> [DeviceHourRow] {
            Self.hours(
                change,
                persona: {
                    $0.workdaysPerWeek = 5
                    $0.places.commute = [8...10]
                    $0.places.work = [10...16]
                    $0.places.workdayOuting.probability = 1
                    $0.places.workdayOuting.start = ClockHour(mean: 16, deviation: 0)
                    $0.places.workdayOuting.length = LogNormal(median: .hours(6), sigma: 0)
                })
        }
        let walking = day { $0.pocketShare = 0 }
        #expect(Self.near(walking[9], 27) && Self.near(walking[12], 21) && Self.near(walking[17], 21))
        let driving = day {
            ($0.pocketShare, $0.carShare, $0.sunShare) = (0, 1, 1)
        }
        #expect(Self.near(driving[9], 5) && Self.near(driving[12], 21) && Self.near(driving[17], 36))
        // The sun is down, and the user still out.
        #expect(Self.near(driving[19], 21))
    }

    @Test func `in use it is in a hand, whatever it rests in`() {
        let busy: (inout Persona) -> Void = { persona in
            persona = TestWorld.persona
            persona.charging.nightProbability = 0
            persona.pickups.perDay = 400
            persona.ambient = [.celsius(-20)]
        }
        let rows = Self.hours(
            {
                let cold = Self.around(0)
                ($0.pocket, $0.table, $0.bedside) = (cold, cold, cold)
                $0.hand.air = .celsius(20)
            }, apps: 40, persona: busy)
        let warmest = rows.map(\.batteryCelsiusMaximum).max() ?? 0
        let coolest = rows.map(\.batteryCelsius).min() ?? 0
        #expect(warmest > 18 && coolest < 3, "\(coolest) \(warmest)")
    }

    @Test func `on a cable it is warm by the hour of the day, on a pad always alike`() {
        func charge(_ link: ChargerLink) -> [DeviceHourRow] {
            var persona = Persona(name: "nobody")
            persona.ambient = [.celsius(-20)]
            persona.charging.nightProbability = 1
            persona.charging.nightPlug = ClockHour(mean: 12, deviation: 0)
            persona.charging.workdayUnplug = ClockHour(mean: 30, deviation: 0)
            persona.charging.chargerPower = .watts(10)
            var device = TestWorld.device()
            device.surroundings = Self.parameters()
            let rows = RowCollector()
            var specification = TestWorld.specification(
                apps: TestWorld.apps(1) { $0.pushesPerDay = 0 }, persona: persona, device: device, days: 1,
                tables: [.deviceHours])
            specification.charger = Charger(power: .watts(10), link: link)
            _ = simulate(specification, sink: rows)
            return rows.hours
        }
        let cable = charge(.wired)
        let plugged = cable.filter { $0.pluggedSeconds == 3600 }.map { Int($0.hour) }
        #expect(plugged.contains(14) && plugged.contains(23), "\(plugged)")
        #expect(Self.near(cable[20], 11) && Self.near(cable[23], 18), "\(cable[20].batteryCelsius)")
        let pad = charge(.wireless)
        #expect(Self.near(pad[20], 24) && Self.near(pad[23], 24), "\(pad[20].batteryCelsius)")
    }

    @Test func `surroundings move no intent of the user, and a copy rests where its original does`() {
        var device = TestWorld.device()
        let plain = simulate(TestWorld.specification(device: device))
        device.surroundings = SurroundingParameters()
        let told = simulate(TestWorld.specification(device: device))
        #expect(plain.workloadFingerprint == told.workloadFingerprint)
        #expect(plain("energy_wh_per_day") != told("energy_wh_per_day"))
        var phone = Phone(TestWorld.specification(device: device), sink: nil)
        phone.start()
        phone.run(until: .zero + .hours(30.4))
        var copy = phone.copy(sink: nil)
        copy.run(until: copy.core.end)
        phone.run(until: phone.core.end)
        #expect(copy.outcome().fingerprint == told.fingerprint)
        #expect(phone.outcome().metrics.map(\.bitPattern) == told.metrics.map(\.bitPattern))
    }
}
