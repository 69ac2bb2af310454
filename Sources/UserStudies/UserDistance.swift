// SPDX-License-Identifier: GPL-3.0-or-later
import Numerics
import Platform
import Quantities
import Workload

/// Distance between recordings of two users in one property.
///
/// Source: models/recordings.md, section 7, "persona fitted to one user".
package struct UserDistance: Sendable {
    /// Name of the property, in words.
    package let name: String
    package let value: Double
    /// Largest distance that counts as near.
    package let limit: Double

    package var isNear: Bool { value <= limit }

    /// Distances in all properties for which both users have data.
    package static func all(between one: UserSample, and others: [UserSample]) -> [UserDistance] {
        var found: [UserDistance] = []
        func add(_ name: String, _ value: Double?, _ limit: Double) {
            if let value, value.isFinite { found.append(UserDistance(name: name, value: value, limit: limit)) }
        }
        func compare(_ name: String, _ limit: Double, _ values: (UserDay) -> [Double]) {
            add(name, ksDistance(one.days.flatMap(values), others.flatMap(\.days).flatMap(values)), limit)
        }
        compare("session length, KS distance", 0.10) { $0.sessionSeconds }
        compare("length of gaps between sessions, KS distance", 0.08) { $0.gaps.map(\.seconds) }
        if one.parts.contains(.apps) {
            compare("apps per session, KS distance", 0.10) { day in
                day.glances.map { _ in 0 } + day.appCounts.map { Double($0) }
            }
        }
        compare("length of app visits, KS distance", 0.12) { $0.visits.map(\.seconds).filter { $0 >= 1 } }
        addHits(one, others, add)
        let pairs: [(String, (UserSample) -> Double)] = [
            ("sessions a day, relative error", { $0.perDay(\.sessionStarts.count) }),
            ("launches a day, relative error", { $0.perDay(\.visits.count) }),
            ("different apps a day, relative error", { $0.perDay { Set($0.visits.map(\.app)).count } }),
        ]
        for (name, figure) in pairs { add(name, relative(figure(one), others.map(figure)), 0.10) }
        add(
            "share of launches that open one of the five favourite apps, error",
            absolute(one.topShare(5), others.map { $0.topShare(5) }), 0.08)
        add(
            "entropy of the next app given the current app, error in bits",
            absolute(one.nextAppBits, others.map(\.nextAppBits)), 0.35)
        add(
            "share of launches that return to the previous app, error",
            absolute(one.returnShare, others.map(\.returnShare)), 0.08)
        add("sessions by hour on working days, total variation distance", hours(one, others, isFree: false), 0.12)
        add("sessions by hour on other days, total variation distance", hours(one, others, isFree: true), 0.12)
        add("notifications a day, relative error", relative(one.pushesPerDay, others.map(\.pushesPerDay)), 0.15)
        add(
            "share of notifications whose app is opened within 10 min, error",
            absolute(one.opened(within: 600), others.map { $0.opened(within: 600) }), 0.06)
        return found
    }

    private static func addHits(
        _ one: UserSample, _ others: [UserSample], _ add: (String, Double?, Double) -> Void
    ) {
        guard one.launches.count > 100 else { return }
        func errors(_ capacities: [Int]) -> Double {
            let theirs = others.map { $0.hits(capacities) }
            return zip(one.hits(capacities), capacities.indices).map { own, index in
                abs(own - theirs.reduce(0) { $0 + $1[index] } / Double(theirs.count))
            }.max() ?? .nan
        }
        add("LRU hit rate with one app in memory, error", errors([1]), 0.06)
        add("LRU hit rates with 2 to 20 apps in memory, largest error", errors([2, 3, 5, 8, 12, 20]), 0.04)
    }

    private static func absolute(_ own: Double, _ others: [Double]) -> Double? {
        guard own.isFinite, let mean = spread(others.filter(\.isFinite))?.mean else { return nil }
        return abs(own - mean)
    }

    private static func relative(_ own: Double, _ others: [Double]) -> Double? {
        guard own > 0 else { return nil }
        return absolute(own, others).map { $0 / own }
    }

    private static func hours(_ one: UserSample, _ others: [UserSample], isFree: Bool) -> Double? {
        func shares(_ days: [UserDay]) -> [Double]? {
            var counts = [Double](repeating: 0, count: 24)
            for day in days where (day.weekday >= 5) == isFree {
                for start in day.sessionStarts { counts[min(Int(start), 23)] += 1 }
            }
            let total = counts.reduce(0, +)
            return total > 0 ? counts.map { $0 / total } : nil
        }
        guard let own = shares(one.days), let theirs = shares(others.flatMap(\.days)) else { return nil }
        return zip(own, theirs).reduce(0) { $0 + abs($1.0 - $1.1) } / 2
    }
}

/// Largest distance between two empirical distributions (Kolmogorov and Smirnov); nil if one of them is empty.
package func ksDistance(_ left: [Double], _ right: [Double]) -> Double? {
    guard !left.isEmpty, !right.isEmpty else { return nil }
    let (left, right) = (left.sorted(), right.sorted())
    var (i, j, largest) = (0, 0, 0.0)
    while i < left.count, j < right.count {
        let value = min(left[i], right[j])
        while i < left.count, left[i] <= value { i += 1 }
        while j < right.count, right[j] <= value { j += 1 }
        largest = max(largest, abs(Double(i) / Double(left.count) - Double(j) / Double(right.count)))
    }
    return largest
}

extension UserSample {
    /// Mean of a count over the days.
    package func perDay(_ count: (UserDay) -> Int) -> Double {
        days.isEmpty ? .nan : Double(days.reduce(0) { $0 + count($1) }) / Double(days.count)
    }

    /// Share of launches of the most frequently launched apps.
    package func topShare(_ count: Int) -> Double {
        let ranked = launchCounts
        let all = ranked.reduce(0, +)
        return all == 0 ? .nan : Double(ranked.prefix(count).reduce(0, +)) / Double(all)
    }

    /// Number of launches of each app, in descending order.
    package var launchCounts: [Int] {
        var counts: [Int: Int] = [:]
        for visit in days.flatMap(\.visits) { counts[visit.app, default: 0] += 1 }
        return counts.values.sorted(by: >)
    }

    /// For several numbers of apps, share of launches that find the app in memory if the phone keeps so many last apps.
    package func hits(_ capacities: [Int]) -> [Double] {
        let depths = CacheHits.depths(launches)
        return capacities.map { CacheHits.leastRecentlyUsed(depths, capacity: $0) }
    }

    /// Share of launches of the app that was launched two launches before.
    package var returnShare: Double {
        guard launches.count > 2 else { return .nan }
        return Double(zip(launches, launches.dropFirst(2)).count { $0 == $1 }) / Double(launches.count - 2)
    }

    /// Entropy of the next app, given the current app, in bits, with the correction of Miller and Madow.
    package var nextAppBits: Double {
        guard launches.count > 2 else { return .nan }
        var pairs: [[Int]: Int] = [:]
        var singles: [Int: Int] = [:]
        for (now, next) in zip(launches, launches.dropFirst()) {
            pairs[[now, next], default: 0] += 1
            singles[now, default: 0] += 1
        }
        let count = Double(launches.count - 1)
        func entropy(_ counts: [Int]) -> Double {
            let plain = counts.sorted().reduce(0.0) { $0 - Double($1) / count * log2(Double($1) / count) }
            return plain + Double(counts.count - 1) / (2 * count * log(2))
        }
        return entropy(Array(pairs.values)) - entropy(Array(singles.values))
    }

    /// Variance of the launches per hour, divided by their mean.
    package var dispersion: Double {
        guard let hours = spread(days.flatMap(\.launchHours)), hours.mean > 0 else { return .nan }
        return hours.deviation * hours.deviation / hours.mean
    }

    /// Notifications per day, over the days with recorded notifications.
    package var pushesPerDay: Double {
        let known = days.filter(\.knowsPushes)
        return known.isEmpty ? .nan : Double(known.reduce(0) { $0 + $1.pushes.count }) / Double(known.count)
    }

    /// Share of notifications whose app was opened within the given time in seconds.
    package func opened(within seconds: Double) -> Double {
        let pushes = days.flatMap(\.pushes)
        return pushes.isEmpty ? .nan : Double(pushes.count { $0.opened <= seconds }) / Double(pushes.count)
    }
}
