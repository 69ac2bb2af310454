// SPDX-License-Identifier: GPL-3.0-or-later
import Numerics
import Quantities

/// A threshold of the state: `value` is zero at the threshold and positive before.
struct CellThreshold {
    var name: String
    /// Whether the experiment, or its present part, ends at the threshold.
    var isFinal = false
    /// State of charge at the threshold; nil for a threshold of another quantity.
    var level: Double?
    var value: (CellState) -> Double
}

extension CellExperiment {
    /// Applies a demand until an instant or a final threshold, and writes events and rows meanwhile.
    ///
    /// - Returns: The name of the final threshold reached; nil if none is reached.
    mutating func hold(
        _ demand: CellDemand, until end: Double, watching thresholds: [CellThreshold]
    ) throws(NumericsError) -> String? {
        if let met = thresholds.first(where: { $0.isFinal && $0.value(state) <= 0 }) { return record(met) }
        if case .current(let current) = demand, circuit.hasClosedForm(demand) {
            var motion = ClosedMotion(circuit: circuit, amperes: current.amperes, time: time, state: state)
            return try follow(&motion, demand, until: end, watching: thresholds)
        }
        var motion = try IntegratedMotion(circuit, demand, time: time, state: state)
        return try follow(&motion, demand, until: end, watching: thresholds)
    }

    private mutating func follow<Motion: CellMotion & ~Copyable>(
        _ motion: inout Motion, _ demand: CellDemand, until end: Double, watching thresholds: [CellThreshold]
    ) throws(NumericsError) -> String? {
        var thresholds = thresholds
        while time < end {
            let stop = min(end, nextRow)
            let fallen = try motion.advance(to: stop, watching: thresholds)
            time = motion.time
            state = motion.state
            if let fallen {
                let met = thresholds.remove(at: fallen)
                let name = record(met)
                if met.isFinal { return name }
            } else if stop < end {
                addRow(demand)
            }
        }
        return nil
    }

    private mutating func record(_ threshold: CellThreshold) -> String {
        record.events.append(.init(name: threshold.name, time: time))
        if let level = threshold.level { levelsAhead.removeAll { $0 == level } }
        return threshold.name
    }

    /// The next instant at which a regular row is written.
    private var nextRow: Double {
        guard let every else { return .infinity }
        var count = (time / every).rounded(.down) + 1
        if count * every <= time { count += 1 }
        return count * every
    }
}
