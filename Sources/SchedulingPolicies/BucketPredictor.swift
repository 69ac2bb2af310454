// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// Standby bucket of an app according to Android's app prediction.
///
/// The predicted bucket replaces the bucket that depends on the time since the last use.
///
/// `AppStandbyController` uses a predictor's bucket for twelve hours (`mPredictionTimeoutMillis`), and the time
/// thresholds if there is no prediction. The predictor itself is not public. Assumptions: the predictor uses the
/// likelihood of an open within half an hour, and a factor of two between buckets. An app that was opened in the last
/// hour is always active, and a restricted app stays restricted until it is opened.
struct BucketPredictor: Sendable {
    private struct Answer: BitwiseCopyable {
        var bucket = StandbyBucket.rare
        var at = SimTime(nanoseconds: .min / 2)
    }

    /// Time for which a predicted bucket is valid.
    private static let trust = SimDuration.hours(12)
    /// Time for which a use alone makes an app active (`mStrongUsageTimeoutMillis`).
    private static let afterUse = SimDuration.hour
    /// Least likelihood at which an app is active; zero without a predictor.
    private let active: Double
    private var answers: [Answer] = []

    init(active: Double) { self.active = active }

    /// The bucket of a request's app; `usual` is the bucket according to the time thresholds.
    mutating func bucket(of request: RequestView, usual: StandbyBucket, at now: SimTime) -> StandbyBucket {
        guard active > 0, usual != .restricted else { return usual }
        if now - request.lastOpened < Self.afterUse { return .active }
        let index = Int(request.app.index)
        if index >= answers.count {
            answers.append(
                contentsOf: repeatElement(Answer(), count: max(index + 1, answers.count * 2) - answers.count))
        }
        if now - answers[index].at >= Self.trust {
            answers[index] = Answer(bucket: bucket(likelihood: request.openLikelihood), at: now)
        }
        return answers[index].bucket
    }

    private func bucket(likelihood: Double) -> StandbyBucket {
        likelihood >= active
            ? .active : likelihood >= active / 2 ? .workingSet : likelihood >= active / 4 ? .frequent : .rare
    }
}
