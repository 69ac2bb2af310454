// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// All measures since the end of the warm-up, for the formula of a metric of the phone.
public struct Reading: Sendable {
    let measures: RunMeasures
    let now: SimTime

    /// Time since the end of the warm-up, in days.
    public var days: Double { measures.days(until: now) }
    /// Time since the end of the warm-up, in seconds.
    public var seconds: Double { measures.seconds(until: now) }

    /// The sum of all amounts.
    public subscript(count: Count) -> Double { measures[count] }
    /// The sum over all apps.
    public subscript(count: AppCount) -> Double { measures[count] }

    /// The integral of a value over time: the value times seconds.
    public func integral(_ share: TimeShare) -> Double { measures.shares[Int(share.index)].integral(until: now) }

    /// All values of a distribution.
    public subscript(distribution: Distribution) -> LogHistogram { measures[distribution] }
    /// The values of all apps.
    public subscript(distribution: AppDistribution) -> LogHistogram { measures[distribution] }

    /// Increase of a meter since the end of the warm-up.
    public subscript(gauge: Gauge) -> Double { atEnd(gauge) - atStart(gauge) }
    /// Increase of a meter of apps since the end of the warm-up, for the whole phone.
    public subscript(gauge: AppGauge) -> Double { atEnd(gauge) - atStart(gauge) }
    /// Value of a meter at the end of the warm-up.
    public func atStart(_ gauge: Gauge) -> Double { measures.gauges[Int(gauge.index)].start }
    /// Value of a meter now.
    public func atEnd(_ gauge: Gauge) -> Double { measures.gauges[Int(gauge.index)].now }
    /// Value of a meter of apps at the end of the warm-up, for the whole phone.
    public func atStart(_ gauge: AppGauge) -> Double { measures.gauges[Int(gauge.index)].start }
    /// Value of a meter of apps now, for the whole phone.
    public func atEnd(_ gauge: AppGauge) -> Double { measures.gauges[Int(gauge.index)].now }

    /// Time from the end of the warm-up to the first occurrence of an event; nil if the event did not occur.
    public func duration(to first: FirstTime) -> SimDuration? {
        let time = measures.firstTimes[Int(first.index)]
        return time == .distantFuture ? nil : time - measures.start
    }
}

/// The measures of apps since the end of the warm-up, for the formula of a metric that single apps can have.
///
/// One formula gives both the value of the phone, from the sums over all apps, and the value of a single app.
public struct AppReading: Sendable {
    let measures: RunMeasures
    let now: SimTime
    /// Row of the watched app; nil for the whole phone.
    let row: Int?

    /// Time since the end of the warm-up, in days.
    public var days: Double { measures.days(until: now) }
    /// Time since the end of the warm-up, in seconds.
    public var seconds: Double { measures.seconds(until: now) }

    /// The sum of the app's amounts.
    public subscript(count: AppCount) -> Double {
        row.map { measures.watchedCounts[measures.position(count, row: $0)] } ?? measures[count]
    }

    /// The app's values.
    public subscript(distribution: AppDistribution) -> LogHistogram {
        row.map { measures.watchedDistributions[measures.position(distribution, row: $0)] } ?? measures[distribution]
    }

    /// Increase of a meter for the app since the end of the warm-up.
    public subscript(gauge: AppGauge) -> Double { atEnd(gauge) - atStart(gauge) }
    /// Value of a meter for the app at the end of the warm-up.
    public func atStart(_ gauge: AppGauge) -> Double { value(gauge).start }
    /// Value of a meter for the app now.
    public func atEnd(_ gauge: AppGauge) -> Double { value(gauge).now }

    private func value(_ gauge: AppGauge) -> RunMeasures.GaugeValue {
        row.map { measures.watchedGauges[measures.position(gauge, row: $0)] } ?? measures.gauges[Int(gauge.index)]
    }
}
