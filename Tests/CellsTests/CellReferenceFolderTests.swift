// SPDX-License-Identifier: GPL-3.0-or-later
import Cells
import Quantities
import Testing

/// Every row of every reference curve.
///
/// `swift test --filter CellReferenceFolderTests` prints the errors of each case; whole curves
/// are taken from the folder that `FLOTSAM_BATTERY_REFERENCE` names.
@Suite struct CellReferenceFolderTests {
    @Test(arguments: [
        ("discharge_0.2C", CellDemand.current(.amperes(0.6698))), ("discharge_0.5C", .current(.amperes(1.6745))),
        ("discharge_1C", .current(.amperes(3.349))), ("constpower_0.5W", .power(.watts(0.5))),
        ("constpower_1W", .power(.watts(1))), ("constpower_3W", .power(.watts(3))),
    ])
    func `the circuit follows another solver within a tenth of a millivolt`(name: String, demand: CellDemand) throws {
        let curve = try ReferenceFile("ecm_" + name)
        let every = curve.times[1]
        var experiment = try CellExperiment(ReferenceCells.circuit, charge: 1, every: every)
        let record = try experiment.run(.steps([.init(start: 0, demand: demand)]))
        var (volts, late, charge) = (0.0, 0.0, 0.0)
        for (index, time) in curve.times.enumerated() where index < curve.times.count - 1 {
            let row = try #require(record.rows.first { abs($0.time - time) < 1e-6 })
            let difference = abs(row.voltage.volts - curve.volts[index])
            if curve.charges[index] > 0.01 { volts = max(volts, difference) } else { late = max(late, difference) }
            charge = max(charge, abs(row.charge - curve.charges[index]))
        }
        print("ecm_\(name): \(volts * 1000) mV, last 1 % \(late * 1000) mV, soc \(charge)")
        #expect(volts < 1e-4)
        #expect(charge < 1e-6)
    }

    @Test(arguments: [0.5, 1.0]) func `the circuit is charged as another solver has it`(rate: Double) throws {
        let curve = try ReferenceFile("ecm_cccv_\(rate == 1 ? "1" : "0.5")C")
        let amperes = 3.349 * rate
        var experiment = try CellExperiment(ReferenceCells.circuit, charge: 0, every: 10)
        let record = try experiment.run(.charge(.amperes(amperes), limit: .volts(4.2), end: .amperes(0.16745)))
        // The other solver's rows go on from its own, early end of the constant current; only those before compare.
        var (volts, late, charge) = (0.0, 0.0, 0.0)
        for (index, time) in curve.times.enumerated() {
            guard let row = record.rows.first(where: { abs($0.time - time) < 1e-6 }) else { continue }
            let difference = abs(row.voltage.volts - curve.volts[index])
            if curve.charges[index] > 0.01 { volts = max(volts, difference) } else { late = max(late, difference) }
            charge = max(charge, abs(row.charge - curve.charges[index]))
        }
        print("ecm_cccv_\(rate)C: \(volts * 1000) mV, first 1 % \(late * 1000) mV, soc \(charge)")
        print(record.events.map { "\($0.name) \($0.time)" })
        #expect(volts < 1e-4)
        #expect(charge < 1e-6)
    }

    @Test(arguments: ["0.05C", "0.2C", "0.5C", "1C"], [false, true])
    func `the pouch cell's voltage under a current is near that of the physics`(rate: String, pairs: Bool) throws {
        let curve = try ReferenceFile("lco_discharge_\(rate)_25C")
        let cell = pairs ? ReferenceCells.pouch : ReferenceCells.pouch.lumped
        let record = try Self.record(cell, .current(.amperes(curve.amperes[0])), every: 5)
        let limit = rate == "0.05C" ? 0.020 : 0.015
        let rms = Self.rms(record, curve)
        let end = try #require(record.time(of: "V<=3.0")) / curve.times[curve.times.count - 1] - 1
        print("lco_discharge_\(rate) \(pairs ? "2-RC" : "R(SoC)"): rms \(rms * 1000) mV, end \(end * 100) %")
        #expect(rms < limit)
        #expect(abs(end) < 0.01)
    }

    @Test(arguments: ["0.05", "0.2", "0.5", "1", "2", "4"], [false, true])
    func `the pouch cell lasts as long as the physics says`(watts: String, pairs: Bool) throws {
        let curve = try ReferenceFile("lco_constpower_\(watts)WperAh_25C")
        let cell = pairs ? ReferenceCells.pouch : ReferenceCells.pouch.lumped
        let power = (Double(watts) ?? 0) * cell.capacity.ampereHours
        let record = try Self.record(cell, .power(.watts(power)), every: 10)
        let last = curve.times[curve.times.count - 1]
        let end = try #require(record.time(of: "V<=3.0")) / last - 1
        let bucket = cell.openCircuitEnergy.joules / power / last - 1
        let rms = Self.rms(record, curve) * 1000
        print(
            "lco_constpower_\(watts) \(pairs ? "2-RC" : "R(SoC)"): \(end * 100) %, bucket \(bucket * 100) %, \(rms) mV")
        #expect(abs(end) < 0.01)
    }

    private static func record(_ cell: CellParameters, _ demand: CellDemand, every: Double) throws -> CellRecord {
        var experiment = try CellExperiment(cell, charge: 1, every: every)
        return try experiment.run(.steps([.init(start: 0, demand: demand)]))
    }

    /// Over the first 98 per cent of the common time.
    private static func rms(_ record: CellRecord, _ curve: ReferenceFile) -> Double {
        let common = min(record.rows[record.rows.count - 1].time, curve.times[curve.times.count - 1]) * 0.98
        var (sum, count, current) = (0.0, 0.0, 0)
        for (index, time) in curve.times.enumerated() where time <= common {
            while current + 1 < record.rows.count, record.rows[current + 1].time <= time { current += 1 }
            let row = record.rows[current]
            let next = record.rows[min(current + 1, record.rows.count - 1)]
            let share = next.time > row.time ? (time - row.time) / (next.time - row.time) : 0
            let volts = row.voltage.volts + share * (next.voltage.volts - row.voltage.volts)
            sum += (volts - curve.volts[index]) * (volts - curve.volts[index])
            count += 1
        }
        return (sum / count).squareRoot()
    }

    @Test(arguments: [false, true]) func `a pulsed load ends when the physics says`(pairs: Bool) throws {
        let curve = try ReferenceFile("lco_pulsed_power_25C")
        let cell = pairs ? ReferenceCells.pouch : ReferenceCells.pouch.lumped
        var experiment = try CellExperiment(cell, charge: 1)
        let record = try experiment.run(.steps(ReferenceCells.pulses(cell.capacity)))
        let end = try #require(record.time(of: "V<=3.0")) / curve.times[curve.times.count - 1] - 1
        print("lco_pulsed \(pairs ? "2-RC" : "R(SoC)"): end \(end * 100) %")
        #expect(abs(end) < 0.01)
    }

    @Test(arguments: ["0.5C", "1C"], [false, true])
    func `the pouch cell is charged as the physics says`(rate: String, pairs: Bool) throws {
        let curve = try ReferenceFile("lco_cccv_\(rate)_25C")
        let cell = pairs ? ReferenceCells.pouch : ReferenceCells.pouch.lumped
        var experiment = try CellExperiment(cell, charge: 0, every: 10)
        let record = try experiment.run(
            .charge(
                .amperes(-curve.amperes[1]), limit: .volts(4.2), end: .amperes(0.05 * cell.capacity.ampereHours)))
        let full = try #require(record.time(of: "CC_end_V>=4.2"))
        let row = try #require(record.rows.first { $0.time == full })
        let reached = try #require(curve.volts.firstIndex { $0 >= 4.19999 })
        let passed = try #require(record.rows.firstIndex { $0.charge >= 0.8 })
        let (a, b) = (record.rows[passed - 1], record.rows[passed])
        let t80 = a.time + (0.8 - a.charge) / (b.charge - a.charge) * (b.time - a.time)
        print(
            "lco_cccv_\(rate) \(pairs ? "2-RC" : "R(SoC)"): CC end soc \(row.charge) (\(curve.charges[reached])), t80",
            t80 / 60, curve.time(ofCharge: 0.8) / 60, record.events)
        #expect(abs(row.charge - curve.charges[reached]) < 0.03)
        #expect(abs(t80 / curve.time(ofCharge: 0.8) - 1) < 0.02)
    }
}
