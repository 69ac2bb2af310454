import Background
import Quantities
import Vocabulary

/// Sums over predictions and what then happened, by how likely an open was called.
struct Calibration {
    /// Lower ends of the bins of likelihood.
    static let bins = [0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.6, 0.8]

    var said = [Double](repeating: 0, count: bins.count)
    var happened = [Double](repeating: 0, count: bins.count)
    var asked = [Double](repeating: 0, count: bins.count)
    private var squares = 0.0

    mutating func add(_ likelihood: Double, opened: Bool) {
        let bin = Self.bins.lastIndex { $0 <= likelihood } ?? 0
        said[bin] += likelihood
        happened[bin] += opened ? 1 : 0
        asked[bin] += 1
        let error = likelihood - (opened ? 1 : 0)
        squares += error * error
    }

    /// One row per bin.
    var rows: [PredictionRow] {
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
    var brier: Double { squares / total }

    /// How much better that is than always saying the share of all half hours that had an open: 1 is perfect, 0 no better.
    var skill: Double {
        let base = happened.reduce(0, +) / total
        return 1 - brier / (base * (1 - base))
    }

    /// Mean over bins, weighted by their predictions, of the squared distance between said and happened (Murphy 1973).
    var reliability: Double {
        var sum = 0.0
        for bin in asked.indices where asked[bin] > 0 {
            let distance = (said[bin] - happened[bin]) / asked[bin]
            sum += asked[bin] * distance * distance
        }
        return sum / total
    }
}

/// Holds what the predictor says against what the user does: every hour it asks about a few of the apps that the user has
/// opened before, and half an hour later it knows.
struct CalibrationMeter {
    private static let perHour = 16
    private static let window = SimDuration.minutes(30)
    private var apps: [Int32] = []
    private var isKnown: [Bool]
    private var random: PolicyRandom
    private var asked: [(app: Int32, likelihood: Double, opened: Bool)] = []
    private var askedAt = SimTime.zero

    init(apps: Int, seed: UInt64) {
        isKnown = Array(repeating: false, count: apps)
        random = PolicyRandom(seed: seed)
    }

    mutating func noteOpen(_ app: AppID, at now: SimTime) {
        if !isKnown[Int(app.index)] {
            isKnown[Int(app.index)] = true
            apps.append(app.index)
        }
        guard now - askedAt <= Self.window else { return }
        for index in asked.indices where asked[index].app == app.index { asked[index].opened = true }
    }

    /// Takes down what came of the last predictions, and asks for the next.
    mutating func nextHour(
        _ predictor: inout UsePredictor, into calibration: inout Calibration, at now: SimTime
    ) {
        for one in asked { calibration.add(one.likelihood, opened: one.opened) }
        asked.removeAll(keepingCapacity: true)
        askedAt = now
        for _ in 0..<min(Self.perHour, apps.count) {
            let app = apps[Int(random.nextUniform() * Double(apps.count))]
            asked.append((app, predictor.openLikelihood(AppID(Int(app)), at: now), false))
        }
    }
}
