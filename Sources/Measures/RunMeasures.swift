// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// Measures of one run so far: a value for every handle of a catalogue.
///
/// Adding an amount is an array store, and nothing is allocated after the start. Measures of apps are also kept per
/// app, but only for *watched* apps: those with requested metrics. Without watched apps, the measures of apps cost one
/// branch.
///
///     var measures = RunMeasures(catalogue, watching: [app])
///     measures.add(opens, of: app)
///     measures.restart(at: endOfWarmup)
///     …
///     let values = measures.values(at: end)     // one per metric of the catalogue
public struct RunMeasures: Sendable {
    /// Values of a meter at the end of the warm-up and at the last read.
    struct GaugeValue: BitwiseCopyable, Sendable {
        var start = 0.0
        var now = 0.0
    }

    /// The metrics that are computed from the measures.
    public let catalogue: MetricCatalogue
    /// Apps that have their own measures.
    public let watched: [AppID]
    /// The end of the warm-up; only later amounts and values count.
    public private(set) var start = SimTime.zero

    @usableFromInline var counts: [Double]
    var shares: [TimeIntegral]
    var distributions: [LogHistogram]
    var gauges: [GaugeValue]
    @usableFromInline var firstTimes: [SimTime]

    @usableFromInline let isWatching: Bool
    /// Amounts of watched apps, with one row per app.
    var watchedCounts: [Double]
    var watchedDistributions: [LogHistogram]
    var watchedGauges: [GaugeValue]

    /// Starts to measure at time zero.
    public init(_ catalogue: MetricCatalogue, watching apps: [AppID] = []) {
        let layout = catalogue.layout
        self.catalogue = catalogue
        watched = apps
        isWatching = !apps.isEmpty
        counts = Array(repeating: 0, count: layout.counts)
        shares = layout.shares.map { TimeIntegral($0) }
        distributions = Array(repeating: LogHistogram(), count: layout.distributions)
        gauges = Array(repeating: GaugeValue(), count: layout.gauges)
        firstTimes = Array(repeating: .distantFuture, count: layout.firstTimes)
        watchedCounts = Array(repeating: 0, count: apps.count * layout.appCounts)
        watchedDistributions = Array(repeating: LogHistogram(), count: apps.count * layout.appDistributions)
        watchedGauges = Array(repeating: GaugeValue(), count: apps.count * layout.appGauges)
    }

    // MARK: Recording

    /// Adds an amount, which is 1 by default.
    @inlinable
    public mutating func add(_ count: Count, _ amount: Double = 1) { counts[Int(count.index)] += amount }

    /// Adds an amount that belongs to an app; an amount of the system counts for the phone only.
    @inlinable
    public mutating func add(_ count: AppCount, of app: AppID, _ amount: Double = 1) {
        counts[Int(count.index)] += amount
        if isWatching { addWatched(count, of: app, amount) }
    }

    /// Sets a value that holds from now on.
    public mutating func set(_ share: TimeShare, _ value: Double, at now: SimTime) {
        shares[Int(share.index)].set(value, at: now)
    }

    /// Adds a value to a distribution.
    public mutating func record(_ distribution: Distribution, _ value: Double) {
        distributions[Int(distribution.index)].add(value)
    }

    /// Adds a value that belongs to an app.
    public mutating func record(_ distribution: AppDistribution, of app: AppID, _ value: Double) {
        distributions[Int(distribution.index)].add(value)
        guard isWatching, let row = watched.firstIndex(of: app) else { return }
        watchedDistributions[position(distribution, row: row)].add(value)
    }

    /// Records an event; only the first time since the warm-up is kept.
    @inlinable
    public mutating func mark(_ first: FirstTime, at now: SimTime) {
        if firstTimes[Int(first.index)] == .distantFuture { firstTimes[Int(first.index)] = now }
    }

    /// Stores the value of a meter.
    ///
    /// Store the values of all meters before `restart` and before you read values.
    public mutating func set(_ gauge: Gauge, _ value: Double) { gauges[Int(gauge.index)].now = value }

    /// Stores the value of a meter for the whole phone.
    public mutating func set(_ gauge: AppGauge, _ value: Double) { gauges[Int(gauge.index)].now = value }

    /// Stores the value of a meter for an app, if the app is watched.
    public mutating func set(_ gauge: AppGauge, of app: AppID, _ value: Double) {
        guard let row = watched.firstIndex(of: app) else { return }
        watchedGauges[position(gauge, row: row)].now = value
    }

    /// Ends the warm-up.
    ///
    /// Counts, distributions and first times are cleared. Time shares keep their values, and their integrals start
    /// again. Meters count from their present values.
    public mutating func restart(at now: SimTime) {
        start = now
        for index in counts.indices { counts[index] = 0 }
        for index in watchedCounts.indices { watchedCounts[index] = 0 }
        for index in shares.indices { shares[index].restart(at: now) }
        for index in distributions.indices { distributions[index].removeAll() }
        for index in watchedDistributions.indices { watchedDistributions[index].removeAll() }
        for index in gauges.indices { gauges[index].start = gauges[index].now }
        for index in watchedGauges.indices { watchedGauges[index].start = watchedGauges[index].now }
        for index in firstTimes.indices { firstTimes[index] = .distantFuture }
    }

    // MARK: Results

    /// Whether to count the outcome of an action that began at `time`; false if the action began in the warm-up.
    public func counts(since time: SimTime) -> Bool { time > start || start == .zero }

    /// The sum of all amounts since the warm-up.
    public subscript(count: Count) -> Double { counts[Int(count.index)] }
    /// The sum of the amounts of all apps since the warm-up.
    public subscript(count: AppCount) -> Double { counts[Int(count.index)] }
    /// All values since the warm-up.
    public subscript(distribution: Distribution) -> LogHistogram { distributions[Int(distribution.index)] }
    /// The values of all apps since the warm-up.
    public subscript(distribution: AppDistribution) -> LogHistogram { distributions[Int(distribution.index)] }
    /// The value that holds now.
    public subscript(share: TimeShare) -> Double { shares[Int(share.index)].value }

    /// The phone's values of all metrics, in the order of the catalogue.
    public func values(at now: SimTime) -> [Double] {
        let phone = Reading(measures: self, now: now)
        let apps = AppReading(measures: self, now: now, row: nil)
        return catalogue.metrics.map { metric in
            let value =
                switch metric.formula {
                case .phone(let formula): formula(phone)
                case .app(let formula): formula(apps)
                }
            assert(metric.allows(value), "\(metric.name) is \(value), outside of \(metric.range)")
            return value
        }
    }

    /// The value of a metric for a watched app.
    ///
    /// - Precondition: Single apps can have the metric, and the app is watched.
    public func value(of metric: Int, app: AppID, at now: SimTime) -> Double {
        guard let row = watched.firstIndex(of: app) else { fatalError("app \(app.index) is not watched") }
        guard case .app(let formula) = catalogue.metrics[metric].formula else {
            fatalError("the metric \(catalogue.metrics[metric].name) has no value for a single app")
        }
        return formula(AppReading(measures: self, now: now, row: row))
    }

    func days(until now: SimTime) -> Double { (now - start) / .day }
    func seconds(until now: SimTime) -> Double { (now - start).seconds }

    @usableFromInline
    mutating func addWatched(_ count: AppCount, of app: AppID, _ amount: Double) {
        guard let row = watched.firstIndex(of: app) else { return }
        watchedCounts[position(count, row: row)] += amount
    }

    func position(_ count: AppCount, row: Int) -> Int { row * catalogue.layout.appCounts + Int(count.column) }
    func position(_ gauge: AppGauge, row: Int) -> Int { row * catalogue.layout.appGauges + Int(gauge.column) }
    func position(_ distribution: AppDistribution, row: Int) -> Int {
        row * catalogue.layout.appDistributions + Int(distribution.column)
    }
}
