// SPDX-License-Identifier: GPL-3.0-or-later

/// Physical dimension of a number, with its units.
public enum Dimension: String, CaseIterable, Sendable {
    case time, power, energy, charge, current, voltage, resistance, temperature, bytes, dataRate, frequency, fraction
    case capacitance, luminance, heatCapacity, thermalResistance

    /// Name of the dimension with its article: "a power".
    public var name: String {
        switch self {
        case .time: "a time"
        case .power: "a power"
        case .energy: "an energy"
        case .charge: "a charge"
        case .current: "a current"
        case .voltage: "a voltage"
        case .resistance: "a resistance"
        case .temperature: "a temperature"
        case .bytes: "a size"
        case .dataRate: "a data rate"
        case .frequency: "a frequency"
        case .fraction: "a share"
        case .capacitance: "a capacitance"
        case .luminance: "a luminance"
        case .heatCapacity: "a heat capacity"
        case .thermalResistance: "a thermal resistance"
        }
    }

    /// Example of a value, as users write it.
    public var example: String {
        switch self {
        case .time: "15 min"
        case .power: "350 mW"
        case .energy: "12.4 Wh"
        case .charge: "3349 mAh"
        case .current: "1.2 A"
        case .voltage: "3.85 V"
        case .resistance: "0.12 ohm"
        case .temperature: "25 degC"
        case .bytes: "4 GiB"
        case .dataRate: "80 Mbit/s"
        case .frequency: "2 GHz"
        case .fraction: "95 %"
        case .capacitance: "2200 F"
        case .luminance: "200 nit"
        case .heatCapacity: "120 J/K"
        case .thermalResistance: "8 K/W"
        }
    }

    /// Units of the dimension, the SI base unit first.
    public var units: [UnitOfMeasure] {
        switch self {
        case .time:
            [
                .init("s"), .init("ns", per: 1e9), .init("us", per: 1e6), .init("µs", per: 1e6, shown: false),
                .init("ms", per: 1e3), .init("min", of: 60), .init("h", of: 3600), .init("d", of: 86400),
            ]
        case .power: [.init("W"), .init("uW", per: 1e6), .init("mW", per: 1e3), .init("kW", of: 1e3, shown: false)]
        case .energy:
            [
                .init("J"), .init("nJ", per: 1e9, shown: false), .init("uJ", per: 1e6), .init("mJ", per: 1e3),
                .init("kJ", of: 1e3), .init("mWh", of: 3600, per: 1e3, shown: false), .init("Wh", of: 3600),
            ]
        case .charge: [.init("C"), .init("mAh", of: 3600, per: 1e3), .init("Ah", of: 3600)]
        case .current: [.init("A"), .init("uA", per: 1e6), .init("mA", per: 1e3)]
        case .voltage: [.init("V"), .init("mV", per: 1e3)]
        case .resistance:
            [.init("ohm"), .init("mohm", per: 1e3), .init("Ω", shown: false), .init("mΩ", per: 1e3, shown: false)]
        case .temperature: [.init("degC"), .init("°C", shown: false), .init("K", shown: false, minus: 273.15)]
        case .bytes:
            [
                .init("B"), .init("kB", of: 1e3, shown: false), .init("MB", of: 1e6, shown: false),
                .init("GB", of: 1e9, shown: false), .init("KiB", of: 1024), .init("MiB", of: 1_048_576),
                .init("GiB", of: 1_073_741_824),
            ]
        case .dataRate:
            [
                .init("bit/s"), .init("kbit/s", of: 1e3), .init("Mbit/s", of: 1e6), .init("Gbit/s", of: 1e9),
                .init("B/s", of: 8, shown: false), .init("kB/s", of: 8e3, shown: false),
                .init("MB/s", of: 8e6, shown: false),
            ]
        case .frequency: [.init("Hz"), .init("kHz", of: 1e3), .init("MHz", of: 1e6), .init("GHz", of: 1e9)]
        case .fraction: [.init("%", per: 100)]
        case .capacitance: [.init("F"), .init("mF", per: 1e3), .init("kF", of: 1e3)]
        case .luminance: [.init("nit"), .init("cd/m2", shown: false)]
        case .heatCapacity: [.init("J/K")]
        case .thermalResistance: [.init("K/W")]
        }
    }
}

/// One unit: base = value × multiplier / divisor - offset, with integer factors so that decimal values stay exact.
public struct UnitOfMeasure: Sendable {
    /// Spelling of the unit.
    public let symbol: String
    /// Number of base units in this unit, before the division by `divisor`.
    let multiplier: Double
    /// Power of ten by which the value is divided.
    let divisor: Double
    /// Number that is subtracted after scaling (kelvin to degrees Celsius).
    public let offset: Double
    /// Whether values are printed in this unit.
    public let isShown: Bool

    /// Creates a unit.
    init(_ symbol: String, of multiplier: Double = 1, per divisor: Double = 1, shown: Bool = true, minus: Double = 0) {
        self.symbol = symbol
        self.multiplier = multiplier
        self.divisor = divisor
        offset = minus
        isShown = shown
    }

    /// The value in base units.
    func base(_ value: Double) -> Double { value * multiplier / divisor - offset }
    /// A base value in this unit.
    public func scaled(_ base: Double) -> Double { (base + offset) * divisor / multiplier }
}
