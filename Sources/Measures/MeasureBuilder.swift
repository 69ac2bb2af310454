// SPDX-License-Identifier: GPL-3.0-or-later

/// Collects the declarations of a run's measures.
///
/// Each behaviour declares its own measures once and keeps the handles.
///
///     struct PushMeasures {
///         let sent: AppCount
///         let delay: AppDistribution
///
///         init(_ builder: inout MeasureBuilder) {
///             sent = builder.perDayOfApp("pushes_per_day", .neutral, "pushes sent to apps")
///             delay = builder.appDistribution()
///             builder.quantile("push_delay_s_p95", "s", .lower, "95th percentile of the delay", 0.95, of: delay)
///         }
///     }
///
/// Single apps can have a metric if its formula reads only measures of apps. The catalogue keeps the order of the
/// declarations.
public struct MeasureBuilder: Sendable {
    /// Number of measures of each kind, and the initial values of time shares.
    struct Layout: Sendable {
        var counts = 0
        var appCounts = 0
        var shares: [Double] = []
        var distributions = 0
        var appDistributions = 0
        var gauges = 0
        var appGauges = 0
        var firstTimes = 0
    }

    private(set) var layout = Layout()
    private(set) var metrics: [Metric] = []
    /// Present names of metrics by their former names.
    private(set) var aliases: [String: String] = [:]

    /// Creates a builder without declarations.
    public init() {}

    // MARK: Measures

    /// A counter or a sum of the whole phone.
    public mutating func count() -> Count {
        defer { layout.counts += 1 }
        return Count(index: layout.counts)
    }

    /// Several counters at once, such as one per category.
    public mutating func counts(_ number: Int) -> [Count] { (0..<number).map { _ in count() } }

    /// A counter or a sum whose amounts each belong to an app.
    public mutating func appCount() -> AppCount {
        defer {
            layout.counts += 1
            layout.appCounts += 1
        }
        return AppCount(index: layout.counts, column: layout.appCounts)
    }

    /// The integral over time of a value that begins with `value`.
    public mutating func timeShare(initially value: Double = 0) -> TimeShare {
        defer { layout.shares.append(value) }
        return TimeShare(index: layout.shares.count)
    }

    /// A distribution of positive values.
    public mutating func distribution() -> Distribution {
        defer { layout.distributions += 1 }
        return Distribution(index: layout.distributions)
    }

    /// A distribution of positive values each of which belongs to an app.
    public mutating func appDistribution() -> AppDistribution {
        defer {
            layout.distributions += 1
            layout.appDistributions += 1
        }
        return AppDistribution(index: layout.distributions, column: layout.appDistributions)
    }

    /// A meter whose value is kept elsewhere, such as in the energy ledger.
    public mutating func gauge() -> Gauge {
        defer { layout.gauges += 1 }
        return Gauge(index: layout.gauges)
    }

    /// A meter whose value is kept elsewhere, with a value for the phone and one for each app.
    public mutating func appGauge() -> AppGauge {
        defer {
            layout.gauges += 1
            layout.appGauges += 1
        }
        return AppGauge(index: layout.gauges, column: layout.appGauges)
    }

    /// The first instant after the warm-up at which an event happens.
    public mutating func firstTime() -> FirstTime {
        defer { layout.firstTimes += 1 }
        return FirstTime(index: layout.firstTimes)
    }

    // MARK: Metrics

    /// Declares a metric of the whole phone.
    ///
    /// - Parameters:
    ///   - unit: Unit as written in `columns.csv`, such as `1/d`, `s`, `Wh/d`; `1` for a share.
    ///   - definition: Definition of the value, as one line without a full stop.
    ///   - spread: Spread of the values over runs.
    ///   - range: Possible values, if they differ from the usual range of the unit.
    public mutating func metric(
        _ name: String, _ unit: String, _ better: Metric.Direction, _ definition: String, spread: Metric.Spread = .even,
        range: ClosedRange<Double>? = nil, formula: @escaping @Sendable (Reading) -> Double
    ) {
        append(Metric(name, unit, better, definition, spread, range, .phone(formula)))
    }

    /// Declares a metric of the phone that single apps can have, too.
    ///
    /// For an app, its formula is applied to the measures of that app.
    public mutating func appMetric(
        _ name: String, _ unit: String, _ better: Metric.Direction, _ definition: String, spread: Metric.Spread = .even,
        formula: @escaping @Sendable (AppReading) -> Double
    ) {
        append(Metric(name, unit, better, definition, spread, nil, .app(formula)))
    }

    /// Keeps the former name of a metric, so that a request by that name can be answered.
    ///
    /// - Precondition: A metric has the present name, and none has the former name.
    public mutating func alias(_ old: String, of name: String) {
        guard (metrics.contains { $0.name == name }) else { fatalError("the alias \(old) belongs to no metric") }
        guard (!metrics.contains { $0.name == old }) else {
            fatalError("the alias \(old) is also the name of a metric")
        }
        aliases[old] = name
    }

    private mutating func append(_ metric: Metric) {
        guard Self.isName(metric.name) else {
            fatalError("'\(metric.name)' is not a valid name of a metric: use lower_case_words_like_these")
        }
        guard (!metrics.contains { $0.name == metric.name }) else {
            fatalError("the metric \(metric.name) is declared twice")
        }
        metrics.append(metric)
    }

    /// Whether a text consists of lower-case words of letters and digits, joined by underscores.
    static func isName(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                byte == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            }
    }
}
