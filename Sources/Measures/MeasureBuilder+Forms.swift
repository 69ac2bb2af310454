// SPDX-License-Identifier: GPL-3.0-or-later

/// Short forms of the usual metrics.
extension MeasureBuilder {
    // MARK: Amounts per day

    /// Declares a count and a metric: the count per simulated day.
    public mutating func perDay(
        _ name: String, unit: String = "1/d", _ better: Metric.Direction, _ definition: String,
        spread: Metric.Spread = .even
    ) -> Count {
        let own = count()
        metric(name, unit, better, definition, spread: spread) { $0[own] / $0.days }
        return own
    }

    /// Declares a count of apps and a metric that single apps can have: the count per simulated day.
    public mutating func perDayOfApp(
        _ name: String, unit: String = "1/d", _ better: Metric.Direction, _ definition: String,
        spread: Metric.Spread = .even
    ) -> AppCount {
        let own = appCount()
        perDay(name, unit: unit, better, definition, of: [own], spread: spread)
        return own
    }

    /// Declares a metric that single apps can have: the sum of several counts per simulated day.
    public mutating func perDay(
        _ name: String, unit: String = "1/d", _ better: Metric.Direction, _ definition: String, of counts: [AppCount],
        spread: Metric.Spread = .even
    ) {
        appMetric(name, unit, better, definition, spread: spread) { reading in
            counts.reduce(0) { $0 + reading[$1] } / reading.days
        }
    }

    /// Declares a metric: the amount of a meter per simulated day.
    public mutating func perDay(
        _ name: String, unit: String = "1/d", _ better: Metric.Direction, _ definition: String, of gauge: Gauge
    ) {
        metric(name, unit, better, definition) { $0[gauge] / $0.days }
    }

    // MARK: Shares and means

    /// Declares the ratio of one count to the sum of others; NaN if that sum is zero.
    public mutating func share(
        _ name: String, _ better: Metric.Direction, _ definition: String, _ part: AppCount, of whole: [AppCount]
    ) {
        appMetric(name, "1", better, definition) { reading in
            ratio(reading[part], whole.reduce(0) { $0 + reading[$1] })
        }
    }

    /// Declares the ratio of one count to the sum of others; NaN if that sum is zero.
    public mutating func share(
        _ name: String, _ better: Metric.Direction, _ definition: String, _ part: Count, of whole: [Count]
    ) {
        metric(name, "1", better, definition) { reading in
            ratio(reading[part], whole.reduce(0) { $0 + reading[$1] })
        }
    }

    /// Declares a mean: a sum divided by the number of its terms; NaN if there are none.
    public mutating func mean(
        _ name: String, _ unit: String, _ better: Metric.Direction, _ definition: String, _ sum: AppCount,
        over number: AppCount
    ) {
        appMetric(name, unit, better, definition) { ratio($0[sum], $0[number]) }
    }

    /// Declares a mean: a sum divided by the number of its terms; NaN if there are none.
    public mutating func mean(
        _ name: String, _ unit: String, _ better: Metric.Direction, _ definition: String, _ sum: Count,
        over number: Count, spread: Metric.Spread = .even
    ) {
        metric(name, unit, better, definition, spread: spread) { ratio($0[sum], $0[number]) }
    }

    // MARK: Distributions

    /// Declares the mean of a distribution; NaN if it is empty.
    public mutating func mean(
        _ name: String, _ unit: String, _ better: Metric.Direction, _ definition: String, of values: AppDistribution
    ) {
        appMetric(name, unit, better, definition) { $0[values].mean }
    }

    /// Declares the mean of a distribution; NaN if it is empty.
    public mutating func mean(
        _ name: String, _ unit: String, _ better: Metric.Direction, _ definition: String, of values: Distribution
    ) {
        metric(name, unit, better, definition) { $0[values].mean }
    }

    /// Declares a quantile of a distribution, multiplied by a scale; NaN if the distribution is empty.
    ///
    /// - Parameter share: 0 to 1, such as 0.95 for the 95th percentile.
    public mutating func quantile(
        _ name: String, _ unit: String, _ better: Metric.Direction, _ definition: String, _ share: Double,
        of values: AppDistribution, scale: Double = 1, spread: Metric.Spread = .even
    ) {
        appMetric(name, unit, better, definition, spread: spread) { scale * $0[values].quantile(share) }
    }

    /// Declares a quantile of a distribution, multiplied by a scale; NaN if the distribution is empty.
    public mutating func quantile(
        _ name: String, _ unit: String, _ better: Metric.Direction, _ definition: String, _ share: Double,
        of values: Distribution, scale: Double = 1
    ) {
        metric(name, unit, better, definition) { scale * $0[values].quantile(share) }
    }

    // MARK: Time

    /// Declares a value that varies over time, and its mean over time as a metric.
    ///
    /// For a value that is 0 or 1, the metric is the share of time during which the value is 1, in the unit `1`.
    public mutating func timeMean(
        _ name: String, unit: String = "1", _ better: Metric.Direction, _ definition: String,
        initially value: Double = 0
    ) -> TimeShare {
        let own = timeShare(initially: value)
        metric(name, unit, better, definition) { $0.integral(own) / $0.seconds }
        return own
    }

    /// Declares a value that is 0 or 1, and a metric: the hours per simulated day during which the value is 1.
    ///
    /// The spread is `momentary`, because such a state begins and ends when some quantity crosses a threshold.
    public mutating func hoursPerDay(
        _ name: String, _ better: Metric.Direction, _ definition: String, initially value: Double = 0
    ) -> TimeShare {
        let own = timeShare(initially: value)
        metric(name, "h/d", better, definition, spread: .momentary) { $0.integral(own) / 3600 / $0.days }
        return own
    }
}

/// Quotient of two numbers; NaN if the divisor is zero.
private func ratio(_ part: Double, _ whole: Double) -> Double { whole == 0 ? .nan : part / whole }
