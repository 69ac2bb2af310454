// SPDX-License-Identifier: GPL-3.0-or-later
import Numerics
import Platform
import Quantities
import Vocabulary

/// The figures of a workload file that `workload stats` prints.
///
/// All figures follow the rules of models/recordings.md, section 2.0. Counts, shares and fits use the days that the
/// recording covers whole; hit ratios use every launch. A figure without data in the file is omitted.
public struct WorkloadStatistics: Sendable {
    /// One figure.
    public struct Figure: Sendable, Equatable {
        /// Name of the figure, which never changes.
        public var name: String
        /// Value of the figure.
        public var value: Double
    }

    /// All figures, in a fixed order.
    public private(set) var figures: [Figure] = []

    /// Computes the figures of a file.
    public init(of file: WorkloadFile) {
        let days = WholeDays(file)
        add("days", days.count)
        let sessions = file.screenSessions
        addSessions(sessions, days)
        let launches = file.launches(in: sessions)
        addLaunches(launches, days)
        addVisits(launches, days)
        addHits(launches.map(\.app))
        addHours(sessions, days)
        addCharging(file)
        addOthers(file, days)
    }

    /// The value of a figure; nil when there is none of this name.
    public subscript(name: String) -> Double? { figures.first { $0.name == name }?.value }

    private mutating func add(_ name: String, _ value: Double) {
        if value.isFinite { figures.append(Figure(name: name, value: value)) }
    }

    private mutating func addSessions(_ all: [ScreenSession], _ days: WholeDays) {
        let sessions = all.filter { days.contains($0.start) }
        guard !sessions.isEmpty else { return }
        add("sessions_per_day", Double(sessions.count) / days.count)
        addSpread("session_s", sessions.map(\.seconds))
        let gaps = zip(all, all.dropFirst()).filter { days.contains($0.0.end) }.map { ($1.start - $0.end).seconds }
        addSpread("gap_s", gaps.filter { $0 > 0 })
    }

    private mutating func addLaunches(_ all: [Launch], _ days: WholeDays) {
        let launches = all.filter { days.contains($0.time) }
        guard !launches.isEmpty else { return }
        add("launches_per_day", Double(launches.count) / days.count)
        let perDay = Dictionary(grouping: launches, by: \.time.day).mapValues { Set($0.map(\.app)).count }
        add("distinct_apps_per_day", Double(perDay.values.reduce(0, +)) / days.count)
        add("distinct_apps", Double(Set(launches.map(\.app)).count))
        var counts: [Int: Int] = [:]
        for launch in launches { counts[launch.app, default: 0] += 1 }
        let ranked = counts.values.sorted(by: >)
        if let exponent = Self.zipfExponent(ranked) { add("zipf_mle", exponent) }
        for top in [1, 5, 10] {
            add("top\(top)_share", Double(ranked.prefix(top).reduce(0, +)) / Double(launches.count))
        }
    }

    private mutating func addVisits(_ launches: [Launch], _ days: WholeDays) {
        let visits = launches.filter { days.contains($0.time) }.map(\.seconds).filter { !$0.isNaN }
        guard !visits.isEmpty else { return }
        add("app_hours_per_day", visits.reduce(0, +) / 3600 / days.count)
        addSpread("visit_s", visits.filter { $0 > 0 })
    }

    private mutating func addHits(_ launches: [Int]) {
        guard !launches.isEmpty else { return }
        let depths = CacheHits.depths(launches)
        for capacity in [1, 2, 3, 5, 8, 12, 20] {
            add("lru_hit_c\(capacity)", CacheHits.leastRecentlyUsed(depths, capacity: capacity))
        }
        for capacity in [3, 5, 8, 12] { add("belady_hit_c\(capacity)", CacheHits.belady(launches, capacity: capacity)) }
        for capacity in [3, 5, 8, 12] {
            add("lfu_hit_c\(capacity)", CacheHits.leastFrequentlyUsed(launches, capacity: capacity))
        }
    }

    private mutating func addHours(_ all: [ScreenSession], _ days: WholeDays) {
        var counts = [Double](repeating: 0, count: 24)
        for session in all where days.contains(session.start) { counts[Int(session.start.hourOfDay)] += 1 }
        let total = counts.reduce(0, +)
        guard total > 0 else { return }
        for hour in 0..<24 { add("hour_\(hour < 10 ? "0" : "")\(hour)", counts[hour] / total) }
    }

    private mutating func addCharging(_ file: WorkloadFile) {
        let sessions = file.chargeSessions
        guard !sessions.isEmpty else { return }
        let days = (file.coveredParts[.charging] ?? file.covered).days
        add("charge_sessions_per_day", Double(sessions.count) / days)
        addQuantiles("charge_start_level", sessions.map(\.startLevel))
        addQuantiles("charge_end_level", sessions.map(\.endLevel))
        let minutes = sessions.map(\.minutes)
        addQuantiles("charge_min", minutes)
        addLogNormal("charge_min", minutes)
        add("charge_under_30_min_share", Double(minutes.count { $0 < 30 }) / Double(minutes.count))
        add("charge_over_4_h_share", Double(minutes.count { $0 > 240 }) / Double(minutes.count))
        add("charge_long_nights_per_day", Double(sessions.count { $0.isLongNight }) / days)
        add("charge_time_share", minutes.reduce(0, +) / 1440 / days)
    }

    private mutating func addOthers(_ file: WorkloadFile, _ days: WholeDays) {
        let notifications = file.events.count { [.push, .notification].contains($0.kind) && days.contains($0.time) }
        if notifications > 0 { add("notifications_per_day", Double(notifications) / days.count) }
        let topUps = file.events.count { $0.kind == .topUp && days.contains($0.time) }
        if topUps > 0 { add("top_up_offers_per_day", Double(topUps) / days.count) }
        addNetwork(file)
    }

    private mutating func addNetwork(_ file: WorkloadFile) {
        var seconds = [Double](repeating: 0, count: Network.allCases.count)
        var last: WorkloadEvent?
        for event in file.events where event.kind == .network {
            if let last { seconds[Int(last.network)] += (event.time - last.time).seconds }
            last = event
        }
        guard let last else { return }
        seconds[Int(last.network)] += max((file.covered.upperBound - last.time).seconds, 0)
        add("wifi_share", seconds[Int(Network.wifi.rawValue)] / seconds.reduce(0, +))
    }

    // MARK: Distributions

    private mutating func addSpread(_ name: String, _ values: [Double]) {
        guard !values.isEmpty else { return }
        let sorted = values.sorted()
        add(name + "_median", quantile(0.5, ofSorted: sorted))
        add(name + "_mean", Moments(values).mean)
        add(name + "_p90", quantile(0.9, ofSorted: sorted))
        addLogNormal(name, values)
    }

    /// Adds the mean and the deviation of ln x over the values of at least one; the names omit the unit, as in
    /// `session_lognormal_mu`.
    private mutating func addLogNormal(_ name: String, _ values: [Double]) {
        let logarithms = values.filter { $0 >= 1 }.map { log($0) }
        guard logarithms.count > 1 else { return }
        let moments = Moments(logarithms)
        // The deviation uses the divisor n, as the published fits do.
        let deviation = moments.standardDeviation * (Double(moments.count - 1) / Double(moments.count)).squareRoot()
        let stem = name.split(separator: "_").dropLast().joined(separator: "_")
        add(stem + "_lognormal_mu", moments.mean)
        add(stem + "_lognormal_sigma", deviation)
    }

    private mutating func addQuantiles(_ name: String, _ values: [Double]) {
        let sorted = values.filter { !$0.isNaN }.sorted()
        guard !sorted.isEmpty else { return }
        for (label, fraction) in [("p10", 0.1), ("median", 0.5), ("p90", 0.9)] {
            add("\(name)_\(label)", quantile(fraction, ofSorted: sorted))
        }
    }

    /// The most likely exponent s of the law 1 / rank^s, fitted to all ranks; nil if it is not between 0 and 20.
    ///
    /// The likelihood is largest where the mean of ln(rank) over the launches equals its mean under the law.
    package static func zipfExponent(_ ranked: [Int]) -> Double? {
        guard ranked.count > 1 else { return nil }
        let total = Double(ranked.reduce(0, +))
        let observed = ranked.enumerated().reduce(0) { $0 + Double($1.element) * log(Double($1.offset + 1)) } / total
        func excess(_ exponent: Double) -> Double {
            var weights = 0.0
            var sum = 0.0
            for rank in 1...ranked.count {
                let logarithm = log(Double(rank))
                let weight = exp(-exponent * logarithm)
                weights += weight
                sum += weight * logarithm
            }
            return sum / weights - observed
        }
        return try? findRoot(of: excess, in: 0...20, tolerance: 1e-10)
    }
}

/// The days that a file covers from midnight to midnight, or the whole recording when there are none.
package struct WholeDays {
    package let span: Range<SimTime>
    /// Number of these days.
    package let count: Double

    package init(_ file: WorkloadFile) {
        let day = SimDuration.day.nanoseconds
        let first = (file.covered.lowerBound.nanoseconds + day - 1) / day
        let end = file.covered.upperBound.nanoseconds / day
        if first < end {
            span = SimTime(nanoseconds: first * day)..<SimTime(nanoseconds: end * day)
            count = Double(end - first)
        } else {
            span = file.covered
            count = file.covered.days
        }
    }

    func contains(_ time: SimTime) -> Bool { span.contains(time) }
}

extension Range<SimTime> {
    /// The length in days.
    public var days: Double { (upperBound - lowerBound) / .day }
}
