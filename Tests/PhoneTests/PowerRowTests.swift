// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Power
import Quantities
import Testing
import Vocabulary

@testable import Phone
@testable import PhoneCore

/// What `radio.csv` and `battery.csv` say, against the books of the same run.
@Suite struct PowerRowTests {
    private func world(_ change: (inout PowerParameters) -> Void = { _ in }) -> RowCollector {
        var device = TestWorld.device()
        change(&device.power)
        let rows = RowCollector()
        let specification = TestWorld.specification(
            device: device, days: 2, tables: [.radio, .battery, .deviceHours])
        _ = simulate(specification, sink: rows)
        return rows
    }

    /// Joules of a radio by its rows.
    private func joules(_ rows: RowCollector, _ radio: String, until end: Double) -> Double {
        let own = rows.radio.filter { $0.radio == radio }
        let ends = own.dropFirst().map(\.time.seconds) + [end]
        return zip(own, ends).reduce(0) { $0 + $1.0.watts * ($1.1 - $1.0.time.seconds) + $1.0.joules }
    }

    @Test func `rows of radios hold all of their energy, joins and switches to 5G included`() {
        let rows = world { $0.radios[.cellular].promotionExtraEnergy = .joules(1.2) }
        for interface in Interface.allCases {
            let booked = rows.hours.reduce(0) { $0 + $1.radioJoules[interface] }
            let read = joules(rows, interface.name, until: 2 * 86_400)
            #expect(abs(read - booked) < 1e-6 * booked, "\(interface.name)")
            #expect(booked > 100)
        }
        let joins = rows.radio.filter { $0.radio == "wifi" && $0.joules > 0 }
        #expect(joins.count > 2 && joins.allSatisfy { $0.joules == 0.75 && $0.state == "idle" && $0.app == .system })
        let switches = rows.radio.filter { $0.radio == "cellular" && $0.joules > 0 }
        #expect(switches.count > 10 && switches.allSatisfy { abs($0.joules - 1.2) < 1e-9 && $0.state == "promotion" })
    }

    @Test func `rows of the battery hold the time with the screen on to the last second`() {
        let rows = world()
        let ends: [Double] = rows.battery.dropFirst().map(\.time.seconds) + [2 * 86_400]
        let read = zip(rows.battery, ends).reduce(0.0) { $0 + ($1.0.screenOn ? $1.1 - $1.0.time.seconds : 0) }
        let booked = rows.hours.reduce(0.0) { $0 + $1.screenSeconds }
        #expect(abs(read - booked) < 1e-6 && booked > 3600)
    }

    /// Open circuit and resistance are functions of the level, which falls between two rows of one per cent.
    @Test func `the voltage between two levels is that of the row's own instant`() {
        let rows = world()
        var falls = 0
        for (before, after) in zip(rows.battery, rows.battery.dropFirst()) {
            let isQuiet = before.loadWatts == after.loadWatts && before.percent == after.percent
            guard isQuiet, !after.pluggedIn, !before.pluggedIn, after.time - before.time > .minutes(5) else { continue }
            #expect(after.volts < before.volts, "at \(after.time.seconds) s")
            falls += 1
        }
        #expect(falls > 5)
    }
}
