// SPDX-License-Identifier: GPL-3.0-or-later
import Cells
import Numerics
import Quantities
import Scenario

extension CellBench {
    /// Applies the load and compares the result with the measurements.
    func measure() throws -> [String: Double] {
        let steps = zip(curve, curve.dropFirst()).map { $1.time - $0.time }
        var experiment = try CellExperiment(
            cell, charge: charge, temperature: temperature, every: steps.first)
        let record = try experiment.run(load)
        var values: [String: Double] = [:]
        for event in record.events { values[event.name] = event.time }
        values["end_s"] = record.rows.last?.time
        values["end_charge"] = record.rows.last?.charge
        values["bucket_end_s"] = try bucketEnd
        if let turn = record.events.first(where: { $0.name.hasPrefix("CC_end") }) {
            values["turn_charge"] = record.rows.first { $0.time == turn.time }?.charge
            values["t80_s"] = turnTime(record, at: 0.8, current: record.rows[0].current.amperes)
        }
        if !curve.isEmpty { compare(record, &values) }
        if !events.isEmpty {
            let errors = events.map { known in abs((record.time(of: known.name) ?? .infinity) - known.time) }
            values["event_error_s"] = errors.max()
        }
        return values
    }

    /// Time at which charging at constant current reaches a state of charge; NaN when the phase of constant current
    /// ends earlier.
    private func turnTime(_ record: CellRecord, at level: Double, current: Double) -> Double {
        let time = (level - charge) * cell.capacity.ampereHours * 3600 / abs(current)
        let turn = record.events.first { $0.name.hasPrefix("CC_end") }?.time ?? 0
        return time <= turn ? time : .nan
    }

    /// Time at which the battery would be empty in a model that only stores energy, without voltage and resistance.
    private var bucketEnd: Double {
        get throws {
            guard case .steps(let steps) = load else { return .nan }
            let curve = try LinearCurve(x: cell.voltageStates, y: cell.voltages.map(\.volts))
            let mean = curve.integral(from: 0, to: charge)
            var left = mean * cell.capacity.ampereHours * 3600
            for (index, step) in steps.enumerated() {
                guard case .power(let power) = step.demand else { return .nan }
                let length = index + 1 < steps.count ? steps[index + 1].start - step.start : .infinity
                if power.watts * length >= left { return step.start + left / power.watts }
                left -= power.watts > 0 ? power.watts * length : 0
            }
            return .nan
        }
    }

    /// Deviations from the measured curve, at the times that are in both the curve and the record.
    ///
    /// The largest voltage deviation excludes the last percent of charge, where the curve is steep.
    private func compare(_ record: CellRecord, _ values: inout [String: Double]) {
        var squares = 0.0
        var largest = 0.0
        var charge = 0.0
        var count = 0
        var index = 0
        for sample in curve {
            while index < record.rows.count, record.rows[index].time < sample.time - 1e-6 { index += 1 }
            guard index < record.rows.count, abs(record.rows[index].time - sample.time) < 1e-6 else { continue }
            let row = record.rows[index]
            let difference = row.voltage.volts - sample.volts
            count += 1
            squares += difference * difference
            if sample.charge > 0.01 { largest = max(largest, abs(difference)) }
            charge = max(charge, abs(row.charge - sample.charge))
        }
        values["voltage_rms_mv"] = count == 0 ? .nan : 1000 * (squares / Double(count)).squareRoot()
        values["voltage_max_mv"] = count == 0 ? .nan : 1000 * largest
        values["charge_max"] = count == 0 ? .nan : charge
    }
}
