// SPDX-License-Identifier: GPL-3.0-or-later
import Experiments
import Statistics

/// Unit in which the values of a column have few digits, such as MB/d for hundreds of millions of B/d.
struct ScaledUnit {
    /// Symbol of the unit.
    let unit: String
    /// Factor from the metric's own unit to this unit.
    let factor: Double

    private static let steps: [String: [(unit: String, per: Double)]] = [
        "B": [("kB", 1e3), ("MB", 1e6), ("GB", 1e9)], "s": [("min", 60), ("h", 3600)], "ms": [("s", 1000)],
    ]
    /// A larger unit is used if the largest value has at least this size in it.
    private static let least = 2.0

    /// Chooses the unit by the largest value.
    init(_ unit: String, largest: Double) {
        let parts = unit.split(separator: "/", maxSplits: 1)
        let step = Self.steps[String(parts.first ?? "")]?.last { largest >= Self.least * $0.per }
        guard let step else {
            (self.unit, factor) = (unit, 1)
            return
        }
        self.unit = step.unit + (parts.count == 2 ? "/" + parts[1] : "")
        factor = 1 / step.per
    }

    func short(_ value: Double) -> String { Figures.short(value * factor) }

    func interval(_ paired: PairedComparison, times units: Double = 1) -> String {
        Figures.interval(paired, times: factor * units)
    }
}
