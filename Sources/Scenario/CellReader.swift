// SPDX-License-Identifier: GPL-3.0-or-later
import Cells
import ConfigText
import Diagnostics
import Power
import Quantities

/// Reads a cell.
///
/// Phones use only the shape of the curves; studies of the cell use all keys.
struct CellReader {
    private static var volts: ValueReader<Voltage> { .amount(.voltage, 0...20) }
    private static var ohms: ValueReader<Resistance> { .amount(.resistance, 1e-9...100) }
    private static var farads: ValueReader<Double> { .quantity(.capacitance, 1e-9...1e12) }

    /// Reads every key of a cell.
    ///
    /// For an omitted key, the value in `battery` does not change.
    ///
    /// - Returns: The cell, for studies of the cell; nil if the capacity is missing.
    static func read(_ map: MapReader, into battery: inout BatteryParameters) -> CellParameters? {
        let capacity = map.optional("capacity", ValueReader<Charge>.amount(.charge, 1e-3...1e9))
        let resistance = map.optional("resistance", ohms)
        readVoltages(map, into: &battery)
        map.set(&battery, BatteryParameters.cellKeys)
        var cell = CellParameters(
            capacity: capacity ?? battery.capacity, voltageStates: battery.voltageStates, voltages: battery.voltages,
            resistanceStates: battery.resistanceStates, resistances: [])
        readResistances(map, whole: resistance, into: &cell, &battery)
        map.set(&cell, CellParameters.keys)
        let change = ValueReader<Voltage>.amount(.voltage, -0.1...0.1)
        if let table = readTable(map, "entropy_states", "voltages_per_kelvin", change, whole: false) {
            (cell.entropyStates, cell.voltagesPerKelvin) = table
        }
        battery.resistance = .ohms(battery.resistance.ohms * cell.resistanceGrowth)
        cell.resistanceTemperature = battery.resistanceTemperature
        cell.cutoff = battery.cutoff
        cell.health = battery.health
        return capacity == nil ? nil : cell
    }

    private static func readVoltages(_ map: MapReader, into battery: inout BatteryParameters) {
        guard let table = readTable(map, "voltage_states", "voltages", volts, whole: true) else { return }
        (battery.voltageStates, battery.voltages) = table
        for (low, high) in zip(table.1, table.1.dropFirst()) where low >= high {
            map.cursor("voltages")?.fail("expected rising voltages, found \(low.volts) V before \(high.volts) V")
            break
        }
    }

    /// Reads either `r0` and the RC pairs, or factors by which one resistance is multiplied.
    private static func readResistances(
        _ map: MapReader, whole: Resistance?, into cell: inout CellParameters, _ battery: inout BatteryParameters
    ) {
        let factor = ValueReader<Double>.number(0.001...1000, example: "1.6")
        // These keys are read in all cases, so that they are in the schema.
        for key in ["r0", "r1", "r2"] { _ = map.optional(key, .list(of: ohms)) }
        for key in ["c1", "c2"] { _ = map.optional(key, .list(of: farads)) }
        if map.has("r0") {
            if map.has("resistance_factors") {
                map.cursor("resistance_factors")?.fail("either \"r0\" or \"resistance_factors\", not both")
            }
            if whole != nil { map.cursor("resistance")?.fail("either \"r0\" or \"resistance\", not both") }
            readCircuit(map, into: &cell)
            battery.resistanceStates = cell.resistanceStates
            let lumped = cell.lumpedResistances.map(\.ohms)
            if let lowest = lumped.min() { battery.resistanceFactors = lumped.map { $0 / lowest } }
            return
        }
        if let table = readTable(map, "resistance_states", "resistance_factors", factor, whole: false) {
            (battery.resistanceStates, battery.resistanceFactors) = table
        }
        let base = whole ?? BatteryParameters(capacity: cell.capacity).resistance
        cell.resistanceStates = battery.resistanceStates
        cell.resistances = battery.resistanceFactors.map { .ohms(base.ohms * $0) }
        for key in ["r1", "c1", "r2", "c2"] { map.cursor(key)?.fail("\"\(key)\" needs \"r0\"") }
    }

    private static func readCircuit(_ map: MapReader, into cell: inout CellParameters) {
        if let table = readTable(map, "resistance_states", "r0", ohms, whole: false) {
            (cell.resistanceStates, cell.resistances) = table
        }
        for (r, c) in [("r1", "c1"), ("r2", "c2")] where map.has(r) || map.has(c) {
            guard let resistances = map.required(r, .list(of: ohms)),
                let capacitances = map.required(c, .list(of: farads))
            else { continue }
            for (key, count) in [(r, resistances.count), (c, capacitances.count)] where count != cell.resistances.count
            {
                map.cursor(key)?.fail(
                    "r0 and \(key) must have the same number of items, found \(cell.resistances.count) and \(count)")
            }
            guard resistances.count == cell.resistances.count, capacitances.count == resistances.count else { continue }
            cell.pairs.append(.init(resistances: resistances, capacitances: capacitances))
        }
    }

    /// Reads two lists of equal length, the first with ascending states of charge; nil when both are missing.
    static func readTable<T>(
        _ map: MapReader, _ states: String, _ values: String, _ reader: ValueReader<T>, whole: Bool
    ) -> ([Double], [T])? {
        guard map.has(states) || map.has(values) else { return nil }
        guard let x = map.required(states, .list(of: .share)), let y = map.required(values, .list(of: reader)),
            let cursor = map.cursor(values)
        else { return nil }
        if x.count != y.count {
            cursor.fail("\(states) and \(values) must have the same number of items, found \(x.count) and \(y.count)")
        } else if x.count < 2 || zip(x, x.dropFirst()).contains(where: { $0 >= $1 }) {
            map.cursor(states)?.fail("expected at least two rising states of charge")
        } else if whole, x.first != 0 || x.last != 1 {
            map.cursor(states)?.fail("expected states of charge from 0 % to 100 %")
        } else {
            return (x, y)
        }
        return nil
    }
}

/// Reads a cell from the library or from a file, for studies of the cell.
///
/// - Parameter word: Name of a cell or path of a file.
/// - Throws: All problems of the file.
public func loadCell(_ word: String, library: ModelLibrary? = nil) throws(Diagnostics) -> CellParameters {
    let report = ConfigReport()
    let source = SourceText(name: "--cell", text: word)
    let trees = ModelTrees(library: library ?? .located(), report: report)
    let location = Node.Location(source: source, line: 1, column: 1, length: max(word.count, 1))
    let cursor = Cursor(Node(.scalar(word, quoted: true), at: location), report: report)
    var cell: CellParameters?
    if let whole = trees.whole(cursor, .cells) {
        let map = MapReader(Cursor(whole, report: report))
        readHeader(map)
        var battery = BatteryParameters(capacity: .milliampereHours(1000))
        cell = CellReader.read(map, into: &battery)
        if map.isMap, !map.has("capacity") {
            map.reportMissing("capacity", example: "3349 mAh")
        }
        map.finish()
    }
    guard let cell, !report.problems.hasErrors else { throw report.problems.ordered }
    return cell
}
