// SPDX-License-Identifier: GPL-3.0-or-later

/// One number per run, with its name, its meaning and its better direction.
public struct Metric: Sendable {
    /// Which direction of a metric is better.
    public enum Direction: String, Sendable {
        case lower, higher, neutral
    }

    /// Spread of the values over runs, which decides what can be inferred from a few runs.
    ///
    /// Measurements show that the spread of all other metrics is even enough (docs/statistics.md).
    public enum Spread: Sendable, Equatable {
        /// A sum over many events.
        case even
        /// A value that depends on single moments of a run: a level at an hour, a maximum, or the time beyond a
        /// threshold.
        case momentary
        /// A value to which a few runs with very large values contribute most. Fewer than `fewest` runs allow no
        /// inference.
        case uneven(fewest: Int)
    }

    /// Name in experiment files and tables.
    public let name: String
    /// Unit, or `1` for shares.
    public let unit: String
    /// Definition of the value, as one line of text.
    public let definition: String
    /// Which direction is better.
    public let better: Direction
    /// Spread of the values over runs.
    public let spread: Spread
    /// Range of the possible values of a run.
    ///
    /// Because of rounding, a value may be outside the range by up to 1e-9.
    public let range: ClosedRange<Double>
    /// Whether single apps can have the metric, as `name(app=NAME)`.
    public var isOfApps: Bool {
        if case .app = formula { true } else { false }
    }

    /// Formula of the value over the measures of a run.
    let formula: Formula

    enum Formula: Sendable {
        case phone(@Sendable (Reading) -> Double)
        case app(@Sendable (AppReading) -> Double)
    }

    init(
        _ name: String, _ unit: String, _ better: Direction, _ definition: String, _ spread: Spread,
        _ range: ClosedRange<Double>?, _ formula: Formula
    ) {
        self.name = name
        self.unit = unit
        self.better = better
        self.spread = spread
        self.definition = definition
        self.range = range ?? Self.usualRange(unit)
        self.formula = formula
    }

    /// Whether a run can have this value.
    ///
    /// NaN, which means no value, is allowed.
    public func allows(_ value: Double) -> Bool {
        value.isNaN
            || value.isFinite && (range.lowerBound - Self.rounding...range.upperBound + Self.rounding).contains(value)
    }

    /// Tolerance of the range for sums of rounded numbers.
    private static let rounding = 1e-9

    /// Range of a metric that declares none: 0 to 1 for shares, 0 or more for amounts.
    private static func usualRange(_ unit: String) -> ClosedRange<Double> {
        switch unit {
        case "1": 0...1
        case "%": 0...100
        case "h/d": 0...24
        case "degC": -273.15 ... .infinity
        default: 0 ... .infinity
        }
    }
}
