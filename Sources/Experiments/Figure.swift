// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Statistics

/// A mean over replications, or over pairs of them, with the ends of its interval and a name for programs.
public struct Figure: Sendable, Equatable, CustomStringConvertible {
    /// Name for programs.
    public let name: String
    /// Unit of the value and of the ends.
    public let unit: String
    /// The mean; not a number where no replication has a value.
    public let value: Double
    /// Lower end of the interval; not a number where the replications do not tell it.
    public let low: Double
    /// Upper end.
    public let high: Double
    /// Replications with a value.
    public let n: Int
    /// Replications without one.
    public let withoutValue: Int
    /// The values of the replications, not a number where there is none; empty for a difference.
    public let values: [Double]
    /// Which way the app is better off.
    public var better = Metric.Direction.neutral

    /// The mean of values of which none is below zero, nor above 100 of per cent, so that the interval ends there.
    ///
    /// - Parameter values: One for each replication, not a number where it has none.
    init(_ name: String, _ values: [Double], _ unit: String, level: Double) {
        let finite = values.filter(\.isFinite)
        let mean = finite.isEmpty ? nil : MeanInterval(finite, level: level)
        let isSure = mean?.halfWidth.isFinite == true
        self.name = name
        self.unit = unit
        value = mean?.mean ?? .nan
        low = isSure ? max(0, mean?.low ?? 0) : .nan
        high = isSure ? min(unit == "%" ? 100 : .infinity, mean?.high ?? 0) : .nan
        n = finite.count
        withoutValue = values.count - finite.count
        self.values = values
    }

    /// A difference between pairs; nil for pairs of which none has both values.
    init(_ name: String, _ paired: PairedComparison?, _ unit: String, of replications: Int) {
        self.name = name
        self.unit = unit
        let isSure = paired?.halfWidth.isFinite == true
        value = paired?.difference ?? .nan
        low = isSure ? paired?.low ?? .nan : .nan
        high = isSure ? paired?.high ?? .nan : .nan
        n = paired?.n ?? 0
        withoutValue = replications - n
        values = []
    }

    /// The value with the ends of its interval, and the unit where it is per cent.
    public var description: String {
        guard n > 0 else { return unit == "%" ? "- %" : "-" }
        let ends = low.isFinite ? " [\(Figures.rough(low)), \(Figures.rough(high))]" : ""
        return Figures.rough(value) + ends + (unit == "%" ? " %" : "")
    }
}
