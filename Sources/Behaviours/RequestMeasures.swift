// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import Measures
import PhoneCore
import Quantities
import Vocabulary

/// Measures of refresh and processing tasks.
package struct RequestMeasures: Sendable {
    let gaps: AppDistribution
    let nights: AppCount
    let longNights: AppCount
    let processingEnded: AppCount
    let processingCompleted: AppCount
    let ended: AppCount
    let expired: AppCount
    /// Number of requests for each outcome, from the request table.
    let outcomes: [Gauge]
    let calibration: CalibrationMeasures

    package init(_ builder: inout MeasureBuilder) {
        gaps = builder.appDistribution()
        builder.quantile(
            "refresh_gap_median_s", "s", .neutral,
            "median time between two refreshes of an app (to within 1 %); no value for an app with fewer than two "
                + "refreshes",
            0.5, of: gaps, spread: .uneven(fewest: 80))
        (nights, longNights) = (builder.appCount(), builder.appCount())
        builder.share(
            "overnight_gap_share", .neutral,
            "share of nights in which an app's longest gap between refreshes lasts 6 to 13 h; a gap counts if it "
                + "lasts less than a day, its middle lies between 21:00 and 6:00, and the app was on screen in the "
                + "day before",
            longNights, of: [nights])
        calibration = CalibrationMeasures(&builder)
        (processingEnded, processingCompleted) = (builder.appCount(), builder.appCount())
        builder.share(
            "processing_completed_share", .higher,
            "share of the processing tasks that completed, among those that started and ended",
            processingCompleted, of: [processingEnded])
        (ended, expired) = (builder.appCount(), builder.appCount())
        builder.share(
            "expired_share", .lower,
            "share of the refresh and processing tasks that were cut off early, among those that started and ended",
            expired,
            of: [ended])
        let outcomes = RequestOutcome.allCases.map { _ in builder.gauge() }
        self.outcomes = outcomes
        builder.metric(
            "deadline_miss_share", "1", .lower,
            "share of the refresh and processing requests that were given up at their deadline, among those that were "
                + "given up, succeeded, expired or failed"
        ) { reading in
            func number(_ outcome: RequestOutcome) -> Double { reading[outcomes[Int(outcome.rawValue)]] }
            let missed = number(.never)
            let all = number(.success) + number(.expired) + number(.failed) + missed
            return all == 0 ? .nan : missed / all
        }
    }
}

/// The longest gap between refreshes of an app in a night.
struct AppNight {
    /// The day on which the night ends.
    var day = -1
    var longest = SimDuration.zero

    /// Whether the gap lasts six to thirteen hours, as github owntracks/ios#839 and others report.
    var isLong: Bool { longest >= .hours(6) && longest <= .hours(13) }
}

extension Requests {
    /// Reads the number of requests for each outcome.
    package func readMeters(_ core: inout PhoneCore) {
        for (gauge, number) in zip(measures.outcomes, core.background.outcomes) {
            core.measures.set(gauge, Double(number))
        }
    }

    /// Begins to count nights again, because the measures begin again.
    package mutating func endWarmup() {
        for index in nights.indices { nights[index] = AppNight() }
    }

    /// Writes the rows of predictions and their outcomes.
    package func recordPredictions(_ core: inout PhoneCore) {
        guard core.book.tables.contains(.predictions) else { return }
        for row in measures.calibration.read({ core.measures[$0] }).rows { core.book.sink?.write(row) }
    }
}
