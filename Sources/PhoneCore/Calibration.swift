import Quantities
import Vocabulary

/// Sums over predictions and what then happened, by how likely an open was called.
package struct Calibration {
    package init() {}

    /// Lower ends of the bins of likelihood.
    package static let bins = [0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.6, 0.8]

    package var said = [Double](repeating: 0, count: bins.count)
    package var happened = [Double](repeating: 0, count: bins.count)
    package var asked = [Double](repeating: 0, count: bins.count)
    private var squares = 0.0

    package mutating func add(_ likelihood: Double, opened: Bool) {
        let bin = Self.bins.lastIndex { $0 <= likelihood } ?? 0
        said[bin] += likelihood
        happened[bin] += opened ? 1 : 0
        asked[bin] += 1
        let error = likelihood - (opened ? 1 : 0)
        squares += error * error
    }

    /// One row per bin.
    package var rows: [PredictionRow] {
        Self.bins.indices.map { bin in
            var row = PredictionRow()
            row.from = Self.bins[bin]
            row.to = bin + 1 < Self.bins.count ? Self.bins[bin + 1] : 1
            row.predictions = Int(asked[bin])
            row.predicted = said[bin] / asked[bin]
            row.opened = happened[bin] / asked[bin]
            return row
        }
    }

    private var total: Double { asked.reduce(0, +) }

    /// Mean squared difference between what was said and what happened (Brier 1950); NaN without predictions.
    package var brier: Double { squares / total }

    /// How much better that is than always saying the share of all half hours that had an open: 1 is perfect, 0 no better.
    package var skill: Double {
        let base = happened.reduce(0, +) / total
        return 1 - brier / (base * (1 - base))
    }

    /// Mean over bins, weighted by their predictions, of the squared distance between said and happened (Murphy 1973).
    package var reliability: Double {
        var sum = 0.0
        for bin in asked.indices where asked[bin] > 0 {
            let distance = (said[bin] - happened[bin]) / asked[bin]
            sum += asked[bin] * distance * distance
        }
        return sum / total
    }
}
