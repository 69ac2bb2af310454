// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// A cell with its pack: open-circuit voltage and resistance over the state of charge.
public struct BatteryParameters: Sendable {
    /// A resistor and a capacitor in parallel, in series with the rest of the resistance.
    public struct Pair: Sendable {
        /// Share of the whole resistance.
        public var share: Double
        /// Time constant.
        public var time: SimDuration

        /// Creates a pair.
        public init(share: Double, time: SimDuration) {
            self.share = share
            self.time = time
        }
    }

    /// Charge from empty to full of the voltage table, when new.
    public var capacity: Charge
    /// States of charge of the voltage table, rising from 0 to 1.
    public var voltageStates: [Double]
    /// Open-circuit voltages at `voltageStates`, rising.
    public var voltages: [Voltage]
    /// Resistance of the whole pack at 25 °C and a middle state of charge.
    public var resistance: Resistance
    /// States of charge of the resistance table, rising.
    public var resistanceStates: [Double]
    /// Multiples of the resistance at `resistanceStates`.
    public var resistanceFactors: [Double]
    /// Exponent of the resistance's temperature factor exp(k (1/T − 1/298.15 K)), in kelvins.
    public var resistanceTemperature: Double
    /// Parts of the resistance whose voltage lags behind the current; at most two, and none for the fast method.
    public var pairs: [Pair] = []
    /// Voltage under load at which the phone dies at once.
    public var cutoff: Voltage
    /// Open-circuit voltage at which the phone shows 0 % and shuts down.
    public var emptyVoltage: Voltage
    /// Share of the capacity that ageing has left.
    public var health: Double
    /// Factor by which ageing has raised every resistance.
    public var resistanceGrowth = 1.0
    /// Mean current at which a cold or old cell must keep the empty voltage, as a multiple of the capacity per hour.
    ///
    /// Assumption: a heavy hour of the day.
    public var reserveRate = 0.2
    /// Shown level at which a dead phone starts again on the charger.
    public var revivalLevel: Double

    /// Creates a pack.
    ///
    /// - Parameters:
    ///   - capacity: Charge of the whole voltage table.
    ///   - resistance: Resistance of the pack at 25 °C. `nil` for 0.40 Ω·Ah divided by the capacity (assumption within
    ///     the 0.33-0.49 Ω·Ah of Qualcomm's `batterydata` device trees).
    public init(capacity: Charge, resistance: Resistance? = nil) {
        self.capacity = capacity
        self.resistance = resistance ?? .ohms(0.40 / capacity.ampereHours)
        voltageStates = Self.phonePackStates
        voltages = Self.phonePackVoltages
        resistanceStates = [0.03, 0.10, 0.30, 0.80, 1.0]
        resistanceFactors = [1.6, 1.25, 1.0, 1.0, 1.05]
        resistanceTemperature = 2500
        cutoff = .volts(3.0)
        emptyVoltage = .volts(3.4)
        health = 1
        revivalLevel = 0.02
    }

    /// The growth of the resistance that usually comes with a loss of capacity.
    ///
    /// Assumption: the resistance is doubled after 800 cycles. After 500 cycles, 80 % of the capacity is left (Apple,
    /// phones up to iPhone 14).
    public static func usualGrowth(health: Double) -> Double { 1 + (1 - health) / 0.2 * 500 / 800 }

    /// States of charge of a 4.35 V phone pack.
    ///
    /// Source: Linux device-tree patch for msm8916-longcheer-l8150 (2500 mAh, 9.5 Wh), open-circuit voltages at 25 °C.
    static var phonePackStates: [Double] {
        [
            0, 0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07, 0.08, 0.09, 0.10, 0.11, 0.13, 0.16, 0.20, 0.25, 0.30, 0.35,
            0.40, 0.45, 0.50, 0.55, 0.60, 0.65, 0.70, 0.75, 0.80, 0.85, 0.90, 0.95, 1,
        ]
    }

    /// Open-circuit voltages at `phonePackStates`, from the same source.
    static var phonePackVoltages: [Voltage] {
        let millivolts: [Double] = [
            3000, 3336, 3457, 3537, 3597, 3641, 3666, 3674, 3677, 3679, 3680, 3681, 3688, 3709, 3729, 3747, 3767, 3783,
            3798, 3817, 3839, 3872, 3919, 3962, 4001, 4049, 4100, 4153, 4208, 4265, 4330,
        ]
        return millivolts.map(Voltage.millivolts)
    }
}

extension BatteryParameters {
    /// The keys of these values in files, with their allowed ranges.
    public static let keys: [FileKey<BatteryParameters>] = [
        .amount(\.resistance, "resistance", .resistance, 0...10),
        .quantity(\.health, "health", .fraction, 0.01...1),
        .number(\.reserveRate, "reserve_rate", 0...5, example: "0.2"),
        .share(\.revivalLevel, "revival_level"),
    ]
    /// The keys of values whose defaults depend on the health, with their allowed ranges.
    public static let agingKeys: [FileKey<BatteryParameters>] = [
        .number(\.resistanceGrowth, "resistance_growth", 0.5...10, example: "1.6")
    ]
    /// The keys in files of all values of the cell except its curves, with their allowed ranges.
    public static let cellKeys: [FileKey<BatteryParameters>] = [
        .number(\.resistanceTemperature, "resistance_temperature", 0...1e5, example: "2500"),
        .amount(\.cutoff, "cutoff", .voltage, 0...20),
        .amount(\.emptyVoltage, "empty_voltage", .voltage, 0...20),
        .quantity(\.health, "health", .fraction, 0.01...1),
    ]
}
