// SPDX-License-Identifier: GPL-3.0-or-later
import Power
import Quantities
import Testing
import Vocabulary
import Workload

@testable import Phone
@testable import PhoneCore

/// What the system does for itself, by the hours of a run in which no app uses the location or Bluetooth.
@Suite struct ServicesTests {
    private static func rows(initialLevel: Double = 1, _ change: (inout ServiceParameters) -> Void) -> RowCollector {
        var device = TestWorld.device()
        device.habits.initialLevel = initialLevel
        var services = ServiceParameters()
        change(&services)
        device.services = services
        let rows = RowCollector()
        _ = simulate(TestWorld.specification(device: device, days: 2, tables: [.deviceHours]), sink: rows)
        return rows
    }

    @Test func `each service draws its power by day and by night, on its own part`() {
        let rows = Self.rows {
            $0.location = .init(day: .milliwatts(25), night: .milliwatts(5))
            $0.findMy = .init(day: .milliwatts(8), night: .zero)
        }
        #expect(rows.hours.count == 48)
        for row in rows.hours {
            // The row of hour h describes the hour that began h hours after the first midnight.
            let isDay = (8..<23).contains(Int(row.hour) % 24)
            #expect(abs(row.locationJoules - 3600 * (isDay ? 0.025 : 0.005)) < 1e-7, "hour \(row.hour)")
            #expect(abs(row.bluetoothJoules - 3600 * (isDay ? 0.008 : 0)) < 1e-7, "hour \(row.hour)")
        }
    }

    @Test func `processor and mobile radio draw as much more as the services say`() {
        let quiet = Self.rows { _ in }
        let busy = Self.rows {
            $0.push = .init(day: .milliwatts(14), night: .milliwatts(5))
            $0.housekeeping = .init(day: .milliwatts(43), night: .milliwatts(28))
            $0.signalling = .init(day: .milliwatts(30), night: .milliwatts(2))
            $0.data = .init(day: .milliwatts(12), night: .milliwatts(3))
        }
        // Before the first visit nothing else can differ.
        for hour in 0..<4 {
            let more = busy.hours[hour].processorJoules - quiet.hours[hour].processorJoules
            #expect(abs(more - 3600 * 0.033) < 1e-6, "hour \(hour): \(more)")
            let radio = busy.hours[hour].radioJoules[.cellular] - quiet.hours[hour].radioJoules[.cellular]
            #expect(abs(radio - 3600 * 0.002) < 1e-6, "hour \(hour): \(radio)")
            let data = busy.hours[hour].radioJoules[.wifi] - quiet.hours[hour].radioJoules[.wifi]
            #expect(abs(data - 3600 * 0.003) < 1e-6, "hour \(hour): \(data)")
        }
    }

    @Test func `away from Wi-Fi they draw more on the way and on visits alone`() {
        var device = TestWorld.device()
        var services = ServiceParameters()
        services.locationAway = .milliwatts(70)
        services.signallingAway = .milliwatts(180)
        device.services = services
        var persona = TestWorld.persona
        (persona.wifi.home, persona.wifi.work, persona.wifi.transit, persona.wifi.other) = (0, 0, 0, 0)
        (persona.places.work, persona.places.commute) = ([9...17], [8...9])
        (persona.places.workdayOuting.probability, persona.places.freeDayOuting.probability) = (0, 0)
        let rows = RowCollector()
        _ = simulate(
            TestWorld.specification(persona: persona, device: device, days: 2, tables: [.deviceHours]), sink: rows)
        // An hour on the way to work, nothing at home and at work.
        for row in rows.hours {
            let expected = Int(row.hour) % 24 == 8 ? 252.0 : 0
            #expect(abs(row.locationJoules - expected) < 1e-6, "hour \(row.hour)")
        }
        // A recording that says nothing of locations is taken to be on the way.
        persona.wifi.home = 1
        let joined = RowCollector()
        _ = simulate(
            TestWorld.specification(persona: persona, device: device, days: 1, tables: [.deviceHours]), sink: joined)
        #expect(joined.hours[3].locationJoules == 0 && abs(joined.hours[8].locationJoules - 252) < 1e-6)
    }

    @Test func `days may begin and end at any hour, over midnight or never`() {
        let late = Self.rows {
            $0.location = .init(day: .milliwatts(25), night: .milliwatts(5))
            ($0.dayBegins, $0.dayEnds) = (22, 3)
        }
        let days = late.hours.filter { $0.locationJoules > 50 }.map { Int($0.hour) % 24 }
        #expect(Set(days) == [22, 23, 0, 1, 2])
        let never = Self.rows {
            $0.location = .init(day: .milliwatts(25), night: .milliwatts(5))
            ($0.dayBegins, $0.dayEnds) = (8, 8)
        }
        #expect(never.hours.allSatisfy { abs($0.locationJoules - 18) < 1e-7 })
    }

    @Test func `a dead phone does nothing for itself, and begins again when it is on`() {
        let rows = Self.rows(initialLevel: 0.04) { $0.location = .init(day: .milliwatts(900), night: .milliwatts(900)) }
        let joules = rows.hours.map(\.locationJoules)
        #expect(joules.contains(0))
        let dead = joules.firstIndex(of: 0) ?? 0
        #expect(joules[dead...].contains { abs($0 - 3240) < 1e-6 })
    }
}
