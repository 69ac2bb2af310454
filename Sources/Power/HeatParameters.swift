// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// Thermal state that the phone reports to apps, as `ProcessInfo.ThermalState`.
public enum ThermalState: UInt8, Sendable, CaseIterable, BitwiseCopyable, Comparable {
    case nominal, fair, serious, critical

    /// The name written into tables.
    public var name: String {
        switch self {
        case .nominal: "nominal"
        case .fair: "fair"
        case .serious: "serious"
        case .critical: "critical"
        }
    }

    /// Cooler before warmer.
    public static func < (left: ThermalState, right: ThermalState) -> Bool { left.rawValue < right.rawValue }
}

/// Thermal model of the phone: chips inside a body that the air cools, and its reaction to heat.
///
/// C₁ dT₁/dt = (1 − s) P − (T₁ − T₂)/R₁₂ and C₂ dT₂/dt = s P + (T₁ − T₂)/R₁₂ − (T₂ − T_air)/R_air. P is all power used.
/// Node 1 is the logic board. Node 2 is the body (frame, glass, display and battery), which has the skin's temperature.
public struct HeatParameters: Sendable {
    /// Heat capacity of the board, in J/K; assumption: 26 g at 0.85 J/(g K).
    public var boardCapacity = 22.5
    /// Heat capacity of the rest, in J/K; assumption: 171 g (iPhone 15, Apple) at 0.85 J/(g K), minus the board.
    public var bodyCapacity = 122.5
    /// Thermal resistance from the board to the body, in K/W; assumption: the chip is 15 K above the skin at 5 W.
    public var boardResistance = 3.0
    /// Thermal resistance from the body to the air, in K/W; 2-3 K/W more in a case or a pocket.
    ///
    /// The surface is 0.0246 m² (147.6 × 71.6 × 7.8 mm, Apple). Assumption of natural convection and radiation: 10.5
    /// W/(m² K).
    public var airResistance = 3.9
    /// Share of the heat that arises in the body itself: display, cell, antennas; assumption.
    public var bodyShare = 0.3
    /// Skin temperature above which the state is fair; assumption close to the first steps of Pixel 4 and 6 (39-40 °C).
    public var fairAbove = Temperature.celsius(38.5)
    /// Skin temperature above which the state is serious.
    ///
    /// Assumption, close to the threshold `MODERATE` of Pixel 6 (43 °C) and to the first processor cap of Pixel 4.
    public var seriousAbove = Temperature.celsius(42)
    /// Skin temperature above which the state is critical.
    ///
    /// Assumption, close to the threshold `SEVERE` of Pixel 6 (45 °C) and to the 45 °C at which skin hurts.
    public var criticalAbove = Temperature.celsius(45.5)
    /// Kelvins by which the phone must cool below a state's threshold to leave the state; Pixel 6: 1.4-1.9 K.
    public var hysteresis = 2.0
    /// Shortest stay in a state before a change to a cooler state (assumption).
    public var dwell = SimDuration.seconds(30)
    /// Share of the processors' speed left while serious; assumption (Pixel 4 goes from 2841 to 1805 MHz at 45 °C).
    public var seriousPerformance = 0.6
    /// Share of the processors' speed left while critical; assumption.
    public var criticalPerformance = 0.35
    /// Share of the charging power left while serious; assumption (Pixel 6 lowers its charging current from 39 °C on).
    public var seriousCharging = 0.5
    /// Share of the charging power left while critical.
    ///
    /// Assumption: charging stops (Apple Support 118431: "charging slows or stops").
    public var criticalCharging = 0.0
    /// Share of the brightness left while serious; assumption (Apple Support 118431: the display dims).
    public var seriousBrightness = 0.8
    /// Share of the brightness left while critical; assumption.
    public var criticalBrightness = 0.5
    /// Battery temperature below which charging is slow.
    ///
    /// Source: Linux `samsung-sdi-battery.c` (below 0 °C, 300 mA instead of 900-1500 mA).
    public var slowChargingBelow = Temperature.celsius(0)
    /// Share of the charging power left below `slowChargingBelow`, from the same source.
    public var coldCharging = 0.2
    /// Battery temperature below which the cell does not charge; `samsung-sdi-battery.c` has −5 to −50 °C.
    public var noChargingBelow = Temperature.celsius(-10)

    /// Creates the thermal parameters of a 171 g phone.
    public init() {}

    /// Errors in the values, with the names of the properties; empty when there are none.
    public var problems: [String] {
        var found: [String] = []
        let positive = [
            ("board_capacity", boardCapacity), ("body_capacity", bodyCapacity),
            ("board_resistance", boardResistance), ("air_resistance", airResistance),
        ]
        for (name, value) in positive where value <= 0 { found.append("heat.\(name) must be above zero") }
        if fairAbove.celsius >= seriousAbove.celsius || seriousAbove.celsius >= criticalAbove.celsius {
            found.append("heat.fair_above, serious_above and critical_above must increase in this order")
        }
        if hysteresis < 0 { found.append("heat.hysteresis must not be negative") }
        return found
    }

    /// Share of the processors' speed that a state leaves.
    public func performance(in state: ThermalState) -> Double {
        switch state {
        case .nominal, .fair: 1
        case .serious: seriousPerformance
        case .critical: criticalPerformance
        }
    }

    /// Share of the brightness that a state leaves.
    public func brightness(in state: ThermalState) -> Double {
        switch state {
        case .nominal, .fair: 1
        case .serious: seriousBrightness
        case .critical: criticalBrightness
        }
    }

    /// Share of the charging power that a state and the battery's temperature leave.
    public func charging(in state: ThermalState, battery: Temperature) -> Double {
        var cold = 1.0
        if battery.celsius < slowChargingBelow.celsius { cold = coldCharging }
        if battery.celsius < noChargingBelow.celsius { cold = 0 }
        switch state {
        case .nominal, .fair: return cold
        case .serious: return min(cold, seriousCharging)
        case .critical: return min(cold, criticalCharging)
        }
    }
}

extension HeatParameters {
    /// The keys of these values in files, with their allowed ranges.
    public static let keys: [FileKey<HeatParameters>] = [
        .quantity(\.boardCapacity, "board_capacity", .heatCapacity, 0.01...1e6),
        .quantity(\.bodyCapacity, "body_capacity", .heatCapacity, 0.01...1e6),
        .quantity(\.boardResistance, "board_resistance", .thermalResistance, 0.001...1e4),
        .quantity(\.airResistance, "air_resistance", .thermalResistance, 0.001...1e4),
        .share(\.bodyShare, "body_share"),
        .amount(\.fairAbove, "fair_above", .temperature, -60...150),
        .amount(\.seriousAbove, "serious_above", .temperature, -60...150),
        .amount(\.criticalAbove, "critical_above", .temperature, -60...150),
        .number(\.hysteresis, "hysteresis", 0...50, example: "2"),
        .time(\.dwell, "dwell", 0...86400),
        .quantity(\.seriousPerformance, "serious_performance", .fraction, 0.05...1),
        .quantity(\.criticalPerformance, "critical_performance", .fraction, 0.05...1),
        .share(\.seriousCharging, "serious_charging"),
        .share(\.criticalCharging, "critical_charging"),
        .share(\.seriousBrightness, "serious_brightness"),
        .share(\.criticalBrightness, "critical_brightness"),
        .amount(\.slowChargingBelow, "slow_charging_below", .temperature, -60...150),
        .share(\.coldCharging, "cold_charging"),
        .amount(\.noChargingBelow, "no_charging_below", .temperature, -60...150),
    ]
}
