// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import Measures
import PhoneCore
import Quantities
import Vocabulary

/// Compares the use predictor with the user's opens.
///
/// Every hour, the meter samples apps that the user has opened before. It compares the prediction for each with the
/// opens of the next half hour.
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

    /// Counts the outcomes of the last predictions, and makes the next predictions.
    mutating func nextHour(
        _ predictor: inout UsePredictor, into measures: inout RunMeasures, _ handles: CalibrationMeasures,
        at now: SimTime
    ) {
        for one in asked { handles.add(one.likelihood, opened: one.opened, to: &measures) }
        asked.removeAll(keepingCapacity: true)
        askedAt = now
        for _ in 0..<min(Self.perHour, apps.count) {
            let app = apps[Int(random.nextUniform() * Double(apps.count))]
            asked.append((app, predictor.openLikelihood(AppID(Int(app)), at: now), false))
        }
    }
}
