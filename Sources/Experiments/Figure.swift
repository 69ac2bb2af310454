// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Statistics

/// Mean over replications or pairs, with an interval and a name for program output.
public struct Figure: Sendable, Equatable, CustomStringConvertible {
    /// Name in program output.
    public let name: String
    /// Unit of the value and of the interval.
    public let unit: String
    /// Mean; NaN if no replication has a value.
    public let value: Double
    /// Lower end of the interval; NaN if there is no interval.
    public let low: Double
    /// Upper end of the interval; NaN if there is no interval.
    public let high: Double
    /// Number of replications with a value.
    public let n: Int
    /// Number of replications without a value.
    public let withoutValue: Int
    /// Values of the replications, NaN for a missing value; empty if the figure is a difference.
    public let values: [Double]
    /// Direction that is better for the app.
    public var better = Metric.Direction.neutral

    /// Mean of values that are at least 0 and, if they are percentages, at most 100.
    ///
    /// The interval is cut at these bounds.
    ///
    /// - Parameter values: one value per replication, NaN for a missing value.
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

    /// Mean difference of pairs; pass nil if no pair has both values.
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

    /// The value with its interval; in per cent, also with the unit.
    public var description: String {
        guard n > 0 else { return unit == "%" ? "- %" : "-" }
        let ends = low.isFinite ? " [\(Figures.rough(low)), \(Figures.rough(high))]" : ""
        return Figures.rough(value) + ends + (unit == "%" ? " %" : "")
    }
}
