// SPDX-License-Identifier: GPL-3.0-or-later
import Numerics
import Platform
import Quantities

/// State of a cell: its state of charge, and the voltages of its RC pairs.
struct CellState {
    /// State of charge, from 0 to 1.
    var charge: Double
    /// Volts across the first and the second pair; zero for an absent pair.
    var pairs = (0.0, 0.0)

    init(charge: Double, pairs: (Double, Double) = (0, 0)) {
        self.charge = charge
        self.pairs = pairs
    }

    init(_ values: some RandomAccessCollection<Double>) {
        let first = values.startIndex
        charge = values[first]
        pairs = (values[values.index(first, offsetBy: 1)], values[values.index(first, offsetBy: 2)])
    }

    var values: [Double] { [charge, pairs.0, pairs.1] }
}

/// The equations of a cell at one temperature.
///
/// dz/dt = −I / Q; dvₖ/dt = −vₖ / (Rₖ Cₖ) + I / Cₖ; V = U(z) − v₁ − v₂ − R₀ I (docs/energy.md). R₀, Rₖ and Cₖ all
/// depend on the state of charge.
struct CellCircuit: Sendable {
    /// One RC pair: ohms and farads as functions of the state of charge.
    struct Pair: Sendable {
        let ohms: CellCurve
        let farads: CellCurve
    }

    let open: CellCurve
    /// Voltage that the temperature adds to the open-circuit voltage.
    let warmth: CellCurve
    let series: CellCurve
    let pairs: [Pair]
    /// Charge from empty to full, in coulombs.
    let capacity: Double

    init(_ cell: CellParameters, temperature: Temperature) throws(NumericsError) {
        guard cell.pairs.count <= 2 else { fatalError("a cell cannot have more than two RC pairs") }
        let inverse = 1 / (temperature.celsius + 273.15) - 1 / 298.15
        let factor = exp(cell.resistanceTemperature * inverse) * cell.resistanceGrowth
        let kind = cell.interpolation
        open = try CellCurve(cell.voltageStates, cell.voltages.map(\.volts), kind)
        let kelvins = temperature.celsius - 25
        warmth =
            cell.entropyStates.isEmpty
            ? .constant(0)
            : try CellCurve(cell.entropyStates, cell.voltagesPerKelvin.map { $0.volts * kelvins }, kind)
        // Linear as in the battery of a phone, where every event reads the resistance.
        series = try CellCurve(cell.resistanceStates, cell.resistances.map { $0.ohms * factor }, .linear)
        var pairs: [Pair] = []
        for pair in cell.pairs {
            pairs.append(
                Pair(
                    ohms: try CellCurve(cell.resistanceStates, pair.resistances.map { $0.ohms * factor }, .linear),
                    farads: try CellCurve(cell.resistanceStates, pair.capacitances, .linear)))
        }
        self.pairs = pairs
        capacity = cell.capacity.coulombs * cell.health
    }

    /// Voltage across the series resistance and the load: the open-circuit voltage minus the voltages of the pairs.
    func driving(_ state: CellState) -> Double {
        open(state.charge) + warmth(state.charge) - state.pairs.0 - state.pairs.1
    }

    /// Largest possible power minus a constant power, times four series resistances; negative if the cell cannot
    /// deliver it.
    func room(for watts: Double, _ state: CellState) -> Double {
        let driving = driving(state)
        return driving * driving - 4 * series(state.charge) * watts
    }

    /// Current in amperes, positive when discharging.
    func current(_ demand: CellDemand, _ state: CellState) -> Double {
        switch demand {
        case .current(let current): current.amperes
        case .power(let power):
            ConstantPower.current(power: power.watts, open: driving(state), ohms: series(state.charge))
        case .voltage(let voltage): (driving(state) - voltage.volts) / series(state.charge)
        }
    }

    func volts(_ demand: CellDemand, _ state: CellState) -> Double {
        if case .voltage(let voltage) = demand { return voltage.volts }
        return driving(state) - series(state.charge) * current(demand, state)
    }

    /// The rate of change of the state, per second.
    func slope(_ demand: CellDemand, _ state: CellState) -> CellState {
        let amperes = current(demand, state)
        var slope = CellState(charge: -amperes / capacity)
        if pairs.count > 0 { slope.pairs.0 = change(of: pairs[0], state.pairs.0, amperes, state.charge) }
        if pairs.count > 1 { slope.pairs.1 = change(of: pairs[1], state.pairs.1, amperes, state.charge) }
        return slope
    }

    private func change(of pair: Pair, _ volts: Double, _ amperes: Double, _ charge: Double) -> Double {
        (amperes - volts / pair.ohms(charge)) / pair.farads(charge)
    }

    /// Whether the state has a closed form, as at rest, or under a constant current with pairs of constant values.
    func hasClosedForm(_ demand: CellDemand) -> Bool {
        guard case .current(let current) = demand else { return false }
        return current.amperes == 0 || pairs.allSatisfy { $0.ohms.isConstant && $0.farads.isConstant }
    }

    /// The state after some seconds of a constant current, by the closed form.
    func state(_ state: CellState, after seconds: Double, amperes: Double) -> CellState {
        var next = CellState(charge: state.charge - amperes * seconds / capacity)
        if pairs.count > 0 { next.pairs.0 = relaxed(pairs[0], state.pairs.0, seconds, amperes, state.charge) }
        if pairs.count > 1 { next.pairs.1 = relaxed(pairs[1], state.pairs.1, seconds, amperes, state.charge) }
        return next
    }

    private func relaxed(
        _ pair: Pair, _ volts: Double, _ seconds: Double, _ amperes: Double, _ charge: Double
    ) -> Double {
        let ohms = pair.ohms(charge)
        let target = ohms * amperes
        return target + (volts - target) * exp(-seconds / (ohms * pair.farads(charge)))
    }
}

/// A table over the state of charge, with one kind of interpolation between its points.
enum CellCurve: Sendable {
    case monotone(MonotoneCurve)
    case linear(LinearCurve)
    case constant(Double)

    init(_ x: [Double], _ y: [Double], _ kind: CellParameters.Interpolation) throws(NumericsError) {
        if let first = y.first, y.count == x.count, y.allSatisfy({ $0 == first }) {
            self = .constant(first)
            return
        }
        switch kind {
        case .monotone: self = .monotone(try MonotoneCurve(x: x, y: y))
        case .linear: self = .linear(try LinearCurve(x: x, y: y))
        }
    }

    var isConstant: Bool { if case .constant = self { true } else { false } }

    func callAsFunction(_ x: Double) -> Double {
        switch self {
        case .monotone(let curve): curve(x)
        case .linear(let curve): curve(x)
        case .constant(let value): value
        }
    }
}
