// SPDX-License-Identifier: GPL-3.0-or-later
// Cells owns the bare cell: a circuit of tables, a resistance and up to two RC pairs, under explicit loads.
// In: parameters of a cell and a load. Out: rows over time, and the instants at which thresholds were reached.
// It does not depend on a phone. It uses a closed form if one exists, and otherwise an adaptive integration with
// located events. The phone's own battery, which is optimised for speed, is in `Power`; both use `ConstantPower`.
// Read first: this file, `CellParameters.swift`, `CellCircuit.swift`.

import Numerics
import Quantities

/// An accurate run of a single cell under a load, to compare the model with measurements and other solvers.
///
/// Rests, and constant currents through constant pairs, use the closed form. All other loads are integrated by an
/// eighth-order method, and each event is located inside its step.
///
///     var experiment = try CellExperiment(cell, charge: 1)
///     let record = try experiment.run(.steps([.init(start: 0, demand: .power(.watts(3)))]))
///     record.time(of: "V<=3.0")
public struct CellExperiment: Sendable {
    /// States of charge that count as events when the cell passes them downwards.
    static let levels = [0.8, 0.5, 0.2, 0.1, 0.05]
    /// Longest time of an experiment, in seconds: a run stops after three years.
    static let horizon = 1e8

    let cell: CellParameters
    let circuit: CellCircuit
    var time = 0.0
    var state: CellState
    var record = CellRecord()
    var levelsAhead: [Double]
    /// Seconds between rows.
    let every: Double?

    /// Prepares a rested cell.
    ///
    /// - Parameters:
    ///   - cell: Parameters of the cell.
    ///   - charge: State of charge at the start, from 0 to 1.
    ///   - temperature: Temperature of the cell throughout.
    ///   - every: Seconds between regular rows, in addition to the rows at changes of load; nil for no regular rows.
    /// - Throws: An error that names the fault in a table of the cell.
    public init(
        _ cell: CellParameters, charge: Double, temperature: Temperature = .celsius(25), every: Double? = nil
    ) throws(NumericsError) {
        guard (charge >= 0 && charge <= 1 && every.map { $0 > 0 } ?? true) else {
            fatalError("the charge must lie between 0 and 1, and the time between rows must be positive")
        }
        self.cell = cell
        self.every = every
        circuit = try CellCircuit(cell, temperature: temperature)
        state = CellState(charge: charge)
        levelsAhead = Self.levels.filter { $0 < charge }
    }

    /// Runs a load to its end.
    ///
    /// - Parameter end: Latest time, in seconds, at which the run stops.
    /// - Throws: An error when an integration fails.
    public mutating func run(_ load: CellLoad, until end: Double = .infinity) throws(NumericsError) -> CellRecord {
        let end = min(end, Self.horizon)
        switch load {
        case .steps(let steps): try run(steps, until: end)
        case .charge(let current, let limit, let last): try charge(current, limit: limit, end: last, until: end)
        }
        return record
    }

    private mutating func run(_ steps: [CellLoad.Step], until end: Double) throws(NumericsError) {
        guard let first = steps.first else { return }
        time = first.start
        var demand = first.demand
        for index in steps.indices {
            demand = steps[index].demand
            let rests = !demand.discharges && !demand.charges
            let last = index + 1 == steps.count
            let stop = min(last ? (rests && end == Self.horizon ? time : end) : steps[index + 1].start, end)
            addRow(demand)
            if try hold(demand, until: stop, watching: thresholds(demand)) != nil || time >= end { break }
        }
        addRow(demand)
    }

    private mutating func charge(
        _ current: Current, limit: Voltage, end last: Current, until end: Double
    ) throws(NumericsError) {
        let constant = CellDemand.current(.amperes(-current.amperes))
        addRow(constant)
        let circuit = circuit
        let full = CellThreshold(name: "CC_end_V>=\(limit.volts)", isFinal: true) {
            limit.volts - circuit.volts(constant, $0)
        }
        guard try hold(constant, until: end, watching: [full]) != nil else { return addRow(constant) }
        let held = CellDemand.voltage(limit)
        addRow(held)
        let done = CellThreshold(name: "CV_end_I<=" + rateText(last), isFinal: true) {
            -circuit.current(held, $0) - last.amperes
        }
        _ = try hold(held, until: end, watching: [done])
        addRow(held)
    }

    /// A current as a share of the capacity if that share is a round number; otherwise in amperes.
    private func rateText(_ current: Current) -> String {
        let hours = cell.capacity.ampereHours / current.amperes
        let rounded = hours.rounded()
        let isRound = rounded < 1e9 && abs(hours - rounded) < 1e-3 * rounded
        return isRound ? "C/\(Int(rounded))" : "\(current.amperes)A"
    }

    /// The thresholds that can be reached under a demand.
    private func thresholds(_ demand: CellDemand) -> [CellThreshold] {
        let circuit = circuit
        var found: [CellThreshold] = []
        if demand.discharges {
            found += levelsAhead.map { level in
                CellThreshold(name: "soc<=\(level)", level: level) { $0.charge - level }
            }
            let cutoff = cell.cutoff.volts
            found.append(
                CellThreshold(name: "V<=\(cutoff)", isFinal: true) { circuit.volts(demand, $0) - cutoff })
            found.append(CellThreshold(name: "soc<=0.0", isFinal: true) { $0.charge })
            if case .power(let power) = demand {
                found.append(
                    CellThreshold(name: "brown_out", isFinal: true) { circuit.room(for: power.watts, $0) })
            }
        } else if demand.charges {
            let limit = cell.chargeLimit.volts
            found.append(
                CellThreshold(name: "V>=\(limit)", isFinal: true) { limit - circuit.volts(demand, $0) })
        }
        return found
    }

    /// Writes a row; it replaces an earlier row for the same instant.
    mutating func addRow(_ demand: CellDemand) {
        let row = CellRecord.Row(
            time: time, charge: state.charge, voltage: .volts(circuit.volts(demand, state)),
            current: .amperes(circuit.current(demand, state)))
        if record.rows.last?.time == time { record.rows.removeLast() }
        record.rows.append(row)
    }
}
