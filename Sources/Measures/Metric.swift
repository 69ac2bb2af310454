// SPDX-License-Identifier: GPL-3.0-or-later

/// One number per run: what it is called, what it means, and which way is better.
public struct Metric: Sendable {
    /// Which way a metric is better.
    public enum Direction: String, Sendable {
        case lower, higher, neutral
    }

    /// How values of runs are spread, which decides what a few of them tell of the others.
    ///
    /// What is neither is measured to be even enough: docs/statistics.md.
    public enum Spread: Sendable, Equatable {
        /// Sums over many events.
        case even
        /// Hangs on single moments of a run: the level at an hour, a highest value, the time beyond a threshold.
        case momentary
        /// Mostly made by a few runs that have very much of it: fewer than so many tell nothing.
        case uneven(fewest: Int)
    }

    /// Name as in experiment files and tables.
    public let name: String
    /// Unit, or `1` for shares.
    public let unit: String
    /// What is counted, and over what.
    public let definition: String
    /// Which way is better.
    public let better: Direction
    /// How its values are spread over runs.
    public let spread: Spread
    /// The values that a run can have; rounding may leave it by a billionth.
    public let range: ClosedRange<Double>
    /// Whether it may be asked of a single app, as `name(app=NAME)`.
    public var isOfApps: Bool {
        if case .app = formula { true } else { false }
    }

    /// How its value follows from what a run measured.
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

    /// Whether a run can have this value, or no value (NaN).
    public func allows(_ value: Double) -> Bool {
        value.isNaN
            || value.isFinite && (range.lowerBound - Self.rounding...range.upperBound + Self.rounding).contains(value)
    }

    /// By how much sums of rounded numbers may leave the range.
    private static let rounding = 1e-9

    /// The range of a metric that declares no other: of shares the whole, of amounts whatever is not negative.
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
