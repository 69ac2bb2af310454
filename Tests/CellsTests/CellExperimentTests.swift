// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Numerics
import Cells
import Quantities
import Testing

/// The stand-alone cell against closed forms, and the promises of its record.
@Suite struct CellExperimentTests {
    /// 1 Ah, 4 V when full, 3 V when empty, 0.1 Ω; the pairs are 0.05 Ω with 10 s and 0.02 Ω with 100 s.
    static func plain(pairs: Int) -> CellParameters {
        var cell = CellParameters(
            capacity: .ampereHours(1), voltageStates: [0, 1], voltages: [.volts(3), .volts(4)],
            resistanceStates: [0, 1], resistances: [.ohms(0.1), .ohms(0.1)])
        let all: [CellParameters.Pair] = [
            .init(resistances: [.ohms(0.05), .ohms(0.05)], capacitances: [200, 200]),
            .init(resistances: [.ohms(0.02), .ohms(0.02)], capacitances: [5000, 5000]),
        ]
        cell.pairs = Array(all.prefix(pairs))
        return cell
    }

    static func run(
        _ cell: CellParameters, _ demands: [(Double, CellDemand)], charge: Double = 1, until end: Double = .infinity,
        every: Double? = nil
    ) throws -> CellRecord {
        var experiment = try CellExperiment(cell, charge: charge, every: every)
        return try experiment.run(.steps(demands.map { .init(start: $0.0, demand: $0.1) }), until: end)
    }

    @Test func `a current through constant pairs follows the closed form`() throws {
        let record = try Self.run(Self.plain(pairs: 2), [(0, .current(.amperes(2)))], until: 50)
        let row = record.rows[record.rows.count - 1]
        let charge = 1 - 2 * 50 / 3600.0
        let pairs = 0.1 * (1 - exp(-5)) + 0.04 * (1 - exp(-0.5))
        #expect(abs(row.charge - charge) < 1e-14)
        #expect(abs(row.voltage.volts - (3 + charge - 0.2 - pairs)) < 1e-13)
    }

    @Test func `the closed form and the integration agree`() throws {
        // A table with a bend of 1e-12 is no longer constant, and is integrated.
        var bent = Self.plain(pairs: 2)
        bent.pairs[0].capacitances[0] += 1e-12
        let demands: [(Double, CellDemand)] = [(0, .current(.amperes(1))), (600, .current(.amperes(3)))]
        let closed = try Self.run(Self.plain(pairs: 2), demands)
        let integrated = try Self.run(bent, demands)
        #expect(closed.events.map(\.name) == integrated.events.map(\.name))
        for (a, b) in zip(closed.events, integrated.events) { #expect(abs(a.time - b.time) < 1e-6) }
        for (a, b) in zip(closed.rows, integrated.rows) { #expect(abs(a.voltage.volts - b.voltage.volts) < 1e-9) }
    }

    @Test(arguments: [0.2, 1.0, 4.0]) func `a power without pairs passes its levels by quadrature`(watts: Double) throws
    {
        var cell = Self.plain(pairs: 0)
        cell.cutoff = .volts(2)
        let record = try Self.run(cell, [(0, .power(.watts(watts)))])
        for level in [0.8, 0.5, 0.2, 0.1, 0.05] {
            let seconds = try integrate(
                { state in
                    let open = 3 + state
                    return 3600 * (2 * 0.1) / (open - (open * open - 0.4 * watts).squareRoot())
                }, from: level, to: 1)
            #expect(abs(try #require(record.time(of: "soc<=\(level)")) - seconds) < 1e-6 * seconds)
        }
    }

    @Test(arguments: [0, 1, 2]) func `splitting an interval changes the charge by less than a billionth`(pairs: Int)
        throws
    {
        let cell = pairs == 0 ? ReferenceCells.circuit.lumped : ReferenceCells.circuit
        var parted = cell
        if pairs == 1 { parted.pairs.removeLast() }
        let power = CellDemand.power(.watts(3))
        let whole = try Self.run(parted, [(0, power)], until: 9000)
        let cuts = stride(from: 0, to: 9000, by: 7.3).map { ($0, power) }
        let split = try Self.run(parted, cuts, until: 9000)
        #expect(whole.rows.count == 2)
        #expect(split.rows.count == cuts.count + 1)
        let (a, b) = (whole.rows[1], split.rows[cuts.count])
        #expect(a.time == b.time)
        #expect(abs(a.charge - b.charge) < 1e-9)
        #expect(abs(a.voltage.volts - b.voltage.volts) < 1e-8)
        for (a, b) in zip(whole.events, split.events) { #expect(abs(a.time - b.time) < 1e-4) }
    }

    @Test func `pairs relax at rest and the last load of zero ends the record`() throws {
        let record = try Self.run(
            Self.plain(pairs: 1), [(0, .current(.amperes(2))), (100, .current(.amperes(0))), (130, .power(.watts(0)))])
        #expect(record.rows.map(\.time) == [0, 100, 130])
        let left = 0.1 * (1 - exp(-10)) * exp(-3)
        #expect(abs(record.rows[2].voltage.volts - (3 + record.rows[2].charge - left)) < 1e-13)
        #expect(record.rows[2].current.amperes == 0)
    }

    @Test func `rows come at changes of load, at the end and at every so many seconds`() throws {
        let record = try Self.run(
            Self.plain(pairs: 2), [(5, .power(.watts(1))), (30, .power(.watts(2)))], until: 42, every: 10)
        #expect(record.rows.map(\.time) == [5, 10, 20, 30, 40, 42])
        #expect(abs(record.rows[3].voltage.volts * record.rows[3].current.amperes - 2) < 1e-12)
    }

    @Test func `a load that the voltage cannot carry ends the record at once`() throws {
        let record = try Self.run(Self.plain(pairs: 0), [(0, .power(.watts(1))), (60, .power(.watts(39)))])
        #expect(record.events.map(\.name) == ["V<=3.0"])
        #expect(record.rows.map(\.time) == [0, 60])
        var low = Self.plain(pairs: 0)
        low.cutoff = .volts(1)
        let beyond = try Self.run(low, [(0, .power(.watts(41)))])
        #expect(beyond.events.map(\.name) == ["brown_out"])
        let empty = try Self.run(low, [(0, .current(.amperes(1)))])
        #expect(empty.events.last?.name == "soc<=0.0")
        #expect(abs((empty.events.last?.time ?? 0) - 3600) < 1e-9)
    }

    @Test func `a negative load charges up to the limit`() throws {
        let record = try Self.run(Self.plain(pairs: 0), [(0, .current(.amperes(-1)))], charge: 0.5)
        #expect(record.events.map(\.name) == ["V>=4.0"])
        #expect(abs(record.events[0].time - 0.4 * 3600) < 1e-9)
    }

    @Test func `cold raises the resistance, age raises it and takes capacity`() throws {
        var cell = Self.plain(pairs: 0)
        cell.resistanceTemperature = 2500
        var cold = try CellExperiment(cell, charge: 1, temperature: .celsius(0))
        let load = CellLoad.steps([.init(start: 0, demand: .current(.amperes(1)))])
        let sag = 4 - (try cold.run(load)).rows[0].voltage.volts
        #expect(abs(sag - 0.1 * exp(2500 * (1 / 273.15 - 1 / 298.15))) < 1e-12)
        cell.health = 0.8
        cell.resistanceGrowth = 2
        cell.cutoff = .volts(2.5)
        var old = try CellExperiment(cell, charge: 1)
        let record = try old.run(load)
        #expect(abs(record.rows[0].voltage.volts - 3.8) < 1e-12)
        #expect(abs((record.time(of: "soc<=0.0") ?? 0) - 0.8 * 3600) < 1e-9)
    }

    @Test func `a charge down to any positive current is possible`() throws {
        var experiment = try CellExperiment(Self.plain(pairs: 0), charge: 0.95)
        let load = CellLoad.charge(.amperes(1), limit: .volts(4), end: .amperes(1e-300))
        let record = try experiment.run(load, until: 10)
        #expect(record.events.map(\.name) == ["CC_end_V>=4.0"] && record.rows.last?.time == 10)
    }

    @Test func `warmth moves the open-circuit voltage by its table`() throws {
        var cell = Self.plain(pairs: 0)
        cell.entropyStates = [0, 1]
        cell.voltagesPerKelvin = [.millivolts(-1), .millivolts(-0.2)]
        let load = CellLoad.steps([.init(start: 0, demand: .current(.amperes(0)))])
        var warm = try CellExperiment(cell, charge: 0.5, temperature: .celsius(45))
        #expect(abs(try warm.run(load).rows[0].voltage.volts - (3.5 - 0.012)) < 1e-12)
        var usual = try CellExperiment(cell, charge: 0.5)
        #expect(try usual.run(load).rows[0].voltage.volts == 3.5)
    }

    @Test func `a cell scaled to another capacity does the same under a scaled load`() throws {
        let cell = ReferenceCells.circuit
        let twice = cell.scaled(to: .ampereHours(2 * cell.capacity.ampereHours))
        let one = try Self.run(cell, [(0, .power(.watts(3)))])
        let other = try Self.run(twice, [(0, .power(.watts(6)))])
        for (a, b) in zip(one.events, other.events) { #expect(abs(a.time - b.time) < 1e-5) }
    }
}
