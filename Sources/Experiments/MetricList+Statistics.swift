// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Statistics

extension Preference {
    /// Preference for a direction of a metric.
    init(_ better: Metric.Direction) {
        switch better {
        case .lower: self = .lower
        case .higher: self = .higher
        case .neutral: self = .neither
        }
    }
}

extension Spread {
    /// Converts the spread that a metric declares to the spread of the module `Statistics`.
    init(_ spread: Metric.Spread) {
        switch spread {
        case .even: self = .even
        case .momentary: self = .momentary
        case .uneven(let fewest): self = .uneven(fewest: fewest)
        }
    }
}

extension PairedComparison {
    /// Compares the values of a metric according to its spread.
    init(
        _ pairs: (baseline: [Double], alternative: [Double]), of entry: MetricList.Entry, level: Double
    ) {
        self.init(
            baseline: pairs.baseline, alternative: pairs.alternative, level: level, spread: Spread(entry.spread))
    }
}
