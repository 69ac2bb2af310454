// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import PhoneCore
import Quantities
import Vocabulary

/// Sums over predictions and outcomes, grouped by the predicted likelihood of an open.
struct Calibration {
    /// Lower ends of the bins of likelihood.
    static let bins = [0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.6, 0.8]

    var said = [Double](repeating: 0, count: bins.count)
    var happened = [Double](repeating: 0, count: bins.count)
    var asked = [Double](repeating: 0, count: bins.count)
    var errors = [Double](repeating: 0, count: bins.count)
    var squares = 0.0

    /// One row per bin.
    var rows: [PredictionRow] {
        Self.bins.indices.map { bin in
            var row = PredictionRow()
            row.from = Self.bins[bin]
            row.to = bin + 1 < Self.bins.count ? Self.bins[bin + 1] : 1
            row.predictions = Int(asked[bin])
            row.predicted = said[bin] / asked[bin]
            row.opened = happened[bin] / asked[bin]
            row.squaredError = errors[bin] / asked[bin]
            return row
        }
    }

    private var total: Double { asked.reduce(0, +) }

    /// Mean squared difference between prediction and outcome (Brier 1950); NaN without predictions.
    var brier: Double { squares / total }

    /// Skill by the Brier score relative to a constant prediction: 1 is perfect, 0 equals the constant.
    ///
    /// The constant is the share of half hours with an open. The skill is NaN if all half hours or none had an open,
    /// because the constant is then always right.
    var skill: Double {
        let base = happened.reduce(0, +) / total
        let spread = base * (1 - base)
        return spread > 0 ? 1 - brier / spread : .nan
    }

    /// Mean squared distance from prediction to outcome over bins, weighted by the number of predictions (Murphy 1973).
    var reliability: Double {
        var sum = 0.0
        for bin in asked.indices where asked[bin] > 0 {
            let distance = (said[bin] - happened[bin]) / asked[bin]
            sum += asked[bin] * distance * distance
        }
        return sum / total
    }
}

/// The sums as measures of a run, and the metrics computed from them.
struct CalibrationMeasures: Sendable {
    private let said: [Count]
    private let happened: [Count]
    private let asked: [Count]
    private let errors: [Count]
    private let squares: Count

    init(_ builder: inout MeasureBuilder) {
        let bins = Calibration.bins.count
        (said, happened, asked) = (builder.counts(bins), builder.counts(bins), builder.counts(bins))
        errors = builder.counts(bins)
        squares = builder.count()
        let sums = self
        builder.metric(
            "prediction_brier", "1", .lower,
            "Brier score of the predicted probability that an app is opened within 30 min; each hour, predictions are "
                + "made for 16 apps drawn at random"
        ) { reading in sums.read { reading[$0] }.brier }
        builder.metric(
            "prediction_skill", "1", .higher,
            "1 - B / R, with B the Brier score and R the score of a prediction that is always the mean; 1 is perfect, "
                + "0 is no better than the mean; no value if every half hour had an open, or if none had",
            range: -.infinity...1
        ) { reading in sums.read { reading[$0] }.skill }
        builder.metric(
            "prediction_reliability", "1", .lower,
            "mean squared difference between predicted and observed frequency, over ten bins of likelihood (Murphy "
                + "1973)"
        ) { reading in sums.read { reading[$0] }.reliability }
    }

    /// Adds a prediction and its outcome.
    func add(_ likelihood: Double, opened: Bool, to measures: inout RunMeasures) {
        let bin = Calibration.bins.lastIndex { $0 <= likelihood } ?? 0
        measures.add(said[bin], likelihood)
        measures.add(happened[bin], opened ? 1 : 0)
        measures.add(asked[bin])
        let error = likelihood - (opened ? 1 : 0)
        measures.add(errors[bin], error * error)
        measures.add(squares, error * error)
    }

    /// Reads the present sums.
    func read(_ value: (Count) -> Double) -> Calibration {
        var result = Calibration()
        result.said = said.map(value)
        result.happened = happened.map(value)
        result.asked = asked.map(value)
        result.errors = errors.map(value)
        result.squares = value(squares)
        return result
    }
}
