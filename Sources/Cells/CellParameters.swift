// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// A bare cell for studies of the cell itself: open-circuit voltage, series resistance and up to two RC pairs.
///
/// The phone's own battery is `BatteryParameters`, which lumps the resistances.
public struct CellParameters: Sendable {
    /// Interpolation of voltages between the points of their table; resistances and pairs follow straight lines.
    public enum Interpolation: String, Sendable, CaseIterable {
        /// Steffen's cubics, as for a phone's battery: smooth, and never beyond the values at the points.
        case monotone
        /// Straight lines.
        case linear
    }

    /// A resistor and a capacitor side by side, in series with the rest.
    public struct Pair: Sendable {
        /// Resistances, one for each state of the resistance table.
        public var resistances: [Resistance]
        /// Capacitances in farads, one for each state of the resistance table.
        public var capacitances: [Double]

        /// Creates a pair.
        public init(resistances: [Resistance], capacitances: [Double]) {
            self.resistances = resistances
            self.capacitances = capacitances
        }
    }

    /// Charge from empty to full of the voltage table, when new.
    public var capacity: Charge
    /// States of charge of the voltage table, rising from 0 to 1.
    public var voltageStates: [Double]
    /// Open-circuit voltages at those states, rising.
    public var voltages: [Voltage]
    /// States of charge of the resistances and the pairs, rising; the values are constant beyond the ends.
    public var resistanceStates: [Double]
    /// Series resistance at those states, at 25 °C, when new.
    public var resistances: [Resistance]
    /// The RC pairs: none, one or two.
    public var pairs: [Pair] = []
    /// Interpolation between the points of the voltages and of their change with temperature.
    public var interpolation = Interpolation.monotone
    /// Exponent k of the factor exp(k (1/T − 1/298.15 K)) on every resistance, in kelvins.
    public var resistanceTemperature = 0.0
    /// States of charge for the temperature coefficient of the voltage, rising; empty if the voltage does not change.
    public var entropyStates: [Double] = []
    /// Change of the open-circuit voltage per kelvin above 25 °C at those states.
    public var voltagesPerKelvin: [Voltage] = []
    /// Share of the capacity that ageing has left.
    public var health = 1.0
    /// Factor by which ageing has raised every resistance.
    public var resistanceGrowth = 1.0
    /// Voltage under load at which a discharge ends.
    public var cutoff = Voltage.volts(3.0)
    /// Largest voltage of charging.
    public var chargeLimit: Voltage

    /// Creates a cell with a voltage table and a series resistance.
    ///
    /// - Parameter capacity: Charge of the whole voltage table.
    public init(
        capacity: Charge, voltageStates: [Double], voltages: [Voltage], resistanceStates: [Double],
        resistances: [Resistance]
    ) {
        self.capacity = capacity
        self.voltageStates = voltageStates
        self.voltages = voltages
        self.resistanceStates = resistanceStates
        self.resistances = resistances
        chargeLimit = voltages.last ?? .volts(0)
    }

    /// The resistance under a slow load at each state of the resistance table: the sum of series and pairs.
    public var lumpedResistances: [Resistance] {
        resistances.indices.map { index in
            pairs.reduce(resistances[index]) { .ohms($0.ohms + $1.resistances[index].ohms) }
        }
    }

    /// This cell without its pairs; their resistances are added to the series resistance.
    public var lumped: CellParameters {
        var cell = self
        cell.resistances = lumpedResistances
        cell.pairs = []
        return cell
    }

    /// A cell of the same kind with another capacity and the same time constants and voltages at equal rates.
    public func scaled(to capacity: Charge) -> CellParameters {
        let factor = capacity.coulombs / self.capacity.coulombs
        var cell = self
        cell.capacity = capacity
        cell.resistances = resistances.map { .ohms($0.ohms / factor) }
        cell.pairs = pairs.map { pair in
            Pair(
                resistances: pair.resistances.map { .ohms($0.ohms / factor) },
                capacitances: pair.capacitances.map { $0 * factor })
        }
        return cell
    }

    /// The energy between empty and full at the open-circuit voltage, straight lines between the points.
    public var openCircuitEnergy: Energy {
        var voltsTimesState = 0.0
        for index in 1..<voltages.count {
            let width = voltageStates[index] - voltageStates[index - 1]
            voltsTimesState += width * (voltages[index].volts + voltages[index - 1].volts) / 2
        }
        return .joules(voltsTimesState * capacity.coulombs * health)
    }
}

extension CellParameters {
    /// The keys of the figures in files that studies of the cell alone use, with the values allowed.
    public static let keys: [FileKey<CellParameters>] = [
        .choice(\.interpolation, "interpolation", "interpolation between the points of the voltages"),
        .amount(\.chargeLimit, "charge_limit", .voltage, 0...20),
        .number(\.resistanceGrowth, "resistance_growth", 0.01...100, example: "1.5"),
    ]
}
