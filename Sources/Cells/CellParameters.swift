// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// A single cell without a phone: open-circuit voltage, series resistance and up to two RC pairs.
///
/// The phone's own battery is `BatteryParameters`, which has one combined resistance.
public struct CellParameters: Sendable {
    /// Interpolation of voltages between the points of their table; resistances and pairs are interpolated linearly.
    public enum Interpolation: String, Sendable, CaseIterable {
        /// Steffen's cubic interpolation, as for a phone's battery: smooth, and never beyond the values at the points.
        case monotone
        /// Linear interpolation.
        case linear
    }

    /// A resistor and a capacitor in parallel, in series with the other parts.
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

    /// Charge of a new cell over the whole voltage table.
    public var capacity: Charge
    /// States of charge of the voltage table, increasing from 0 to 1.
    public var voltageStates: [Double]
    /// Open-circuit voltages at `voltageStates`, increasing.
    public var voltages: [Voltage]
    /// States of charge for the resistances and the pairs, increasing; values are constant beyond the ends.
    public var resistanceStates: [Double]
    /// Series resistance of a new cell at `resistanceStates`, at 25 °C.
    public var resistances: [Resistance]
    /// The RC pairs: none, one or two.
    public var pairs: [Pair] = []
    /// Interpolation between the points of the voltages and of their change with temperature.
    public var interpolation = Interpolation.monotone
    /// Constant k, in kelvins, of the factor exp(k (1/T − 1/298.15 K)) that multiplies every resistance.
    public var resistanceTemperature = 0.0
    /// States of charge of `voltagesPerKelvin`, increasing; empty if the voltage does not depend on temperature.
    public var entropyStates: [Double] = []
    /// Change of the open-circuit voltage per kelvin above 25 °C at `entropyStates`.
    public var voltagesPerKelvin: [Voltage] = []
    /// Share of the capacity that remains after ageing.
    public var health = 1.0
    /// Factor by which ageing multiplies every resistance.
    public var resistanceGrowth = 1.0
    /// Voltage under load at which a discharge ends.
    public var cutoff = Voltage.volts(3.0)
    /// Largest voltage while charging.
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

    /// Resistances under a slow load, one for each state of the resistance table: sums of series resistance and pairs.
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

    /// A cell with another capacity but equal time constants, and equal voltages at equal rates.
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

    /// Energy between empty and full at the open-circuit voltage, by linear interpolation between the points.
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
    /// The keys in files that only studies of the cell use, with their allowed values.
    public static let keys: [FileKey<CellParameters>] = [
        .choice(\.interpolation, "interpolation", "interpolation of the voltages between the points"),
        .amount(\.chargeLimit, "charge_limit", .voltage, 0...20),
        .number(\.resistanceGrowth, "resistance_growth", 0.01...100, example: "1.5"),
    ]
}
