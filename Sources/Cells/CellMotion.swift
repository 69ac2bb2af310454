// SPDX-License-Identifier: GPL-3.0-or-later
import Numerics

/// The evolution of a cell under one demand.
protocol CellMotion: ~Copyable {
    var time: Double { get }
    var state: CellState { get }
    /// Advances to an instant or to the first threshold; returns the index of the threshold reached, or nil.
    mutating func advance(to end: Double, watching thresholds: [CellThreshold]) throws(NumericsError) -> Int?
}

extension CellCircuit {
    /// Longest time between two checks of thresholds, in seconds; it is longer at small currents.
    func longestStep(amperes: Double) -> Double {
        let twentiethOfPercent = 5e-4 * capacity / max(abs(amperes), 1e-9)
        return min(max(20, twentiethOfPercent), 3600)
    }
}

/// Evolution under a constant current, with pairs of constant values.
struct ClosedMotion: CellMotion {
    let circuit: CellCircuit
    let amperes: Double
    var time: Double
    var state: CellState

    mutating func advance(to end: Double, watching thresholds: [CellThreshold]) throws(NumericsError) -> Int? {
        let longest = circuit.longestStep(amperes: amperes)
        while time < end {
            let span = min(longest, end - time)
            let next = circuit.state(state, after: span, amperes: amperes)
            if let met = try firstMet(within: span, next, thresholds) {
                state = circuit.state(state, after: met.span, amperes: amperes)
                time += met.span
                return met.index
            }
            state = next
            time = span < longest ? end : time + span
        }
        return nil
    }

    private func firstMet(
        within span: Double, _ next: CellState, _ thresholds: [CellThreshold]
    ) throws(NumericsError) -> (span: Double, index: Int)? {
        var first: (span: Double, index: Int)?
        for index in thresholds.indices where thresholds[index].value(state) > 0 && thresholds[index].value(next) <= 0 {
            let root = try findRoot(
                of: { thresholds[index].value(circuit.state(state, after: $0, amperes: amperes)) }, in: 0...span)
            if first.map({ root < $0.span }) ?? true { first = (root, index) }
        }
        return first
    }
}

/// Evolution under any other demand, by integration.
struct IntegratedMotion: CellMotion, ~Copyable {
    private var solution: OrdinaryDifferentialEquation

    init(_ circuit: CellCircuit, _ demand: CellDemand, time: Double, state: CellState) throws(NumericsError) {
        let longest = circuit.longestStep(amperes: circuit.current(demand, state))
        solution = try OrdinaryDifferentialEquation(
            time: time, state: state.values, largestStep: longest
        ) { _, values, slopes in
            let slope = circuit.slope(demand, CellState(values))
            slopes[0] = slope.charge
            slopes[1] = slope.pairs.0
            slopes[2] = slope.pairs.1
        }
    }

    var time: Double { solution.time }
    var state: CellState { CellState(solution.state) }

    mutating func advance(to end: Double, watching thresholds: [CellThreshold]) throws(NumericsError) -> Int? {
        let functions = thresholds.map { threshold in { (values: [Double]) in threshold.value(CellState(values)) } }
        return try solution.advance(to: end, watching: functions)
    }
}
