// SPDX-License-Identifier: GPL-3.0-or-later
import Platform
import Quantities
import Structures
import Vocabulary

/// Prediction of the next app from the user's own past: habits by hour of day, and which app follows which.
///
/// Sources: Parate, Böhmer, Chu, Ganesan and Marlin (UbiComp 2013, doi:10.1145/2493432.2493490) predict from the
/// previous app. Lee and Park (CMC 68(3), 2021, doi:10.32604/cmc.2021.017872), among others, use rules of usage
/// patterns. The way in which this project counts and combines both is its own choice.
struct UseHistory: Sendable {
    private struct Pair: Hashable {
        var first: AppID
        var second: AppID
    }

    private static let hours = 24
    /// Weight, in days, of the app's average hour in the count of a single hour; assumption.
    private static let leanDays = 3.0
    /// Weight, in opens, of the app's overall share in the counts after a given app; assumption.
    private static let leanOpens = 5.0

    /// Above this weight of a day, all weights are divided by it; a half-life of an hour reaches it in three weeks.
    private static let largestWeight = 0x1p500

    /// Weighted opens of an app, by hour of day and in total.
    private struct Opens {
        var byHour: [Double] = Array(repeating: 0, count: UseHistory.hours)
        var total = 0.0

        mutating func multiply(by factor: Double) {
            for hour in byHour.indices { byHour[hour] *= factor }
            total *= factor
        }
    }

    private var opens = GrowingAppTable(Opens())
    private var all = Opens()
    /// Weighted number of opens of any app right after a given app; `pairs` has the opens of one app after another.
    private var after = GrowingAppTable(0.0)
    private var pairs: [Pair: Double] = [:]

    private let halfLife: Double
    private var today = 0
    /// Weight of the present day; it doubles every half-life, which is equivalent to halving the weights of earlier
    /// days.
    private var weight = 1.0
    /// Sum of the weights of all days before the present day.
    private var seen = 0.0
    private var last = AppID.system

    /// Creates a history without data.
    init(halfLife: SimDuration) { self.halfLife = max(halfLife / .day, 0.01) }

    /// Adds an open of an app.
    mutating func recordOpen(_ app: AppID, at now: SimTime) {
        advance(to: now)
        let hour = Self.hour(now)
        opens[app].byHour[hour] += weight
        opens[app].total += weight
        all.byHour[hour] += weight
        all.total += weight
        if last != .system {
            pairs[Pair(first: last, second: app), default: 0] += weight
            after[last] += weight
        }
        last = app
    }

    /// Probability that the user opens the app within the horizon.
    ///
    /// Habitual opens come at the rate of their hours. Independently, the next open may be of this app, with a
    /// probability that depends on the previous app. The next open counts only if it comes within the horizon.
    mutating func openProbability(_ app: AppID, within horizon: SimDuration, at now: SimTime) -> Double {
        advance(to: now)
        let habit = expected(opens[app], within: horizon, at: now)
        let anything = expected(all, within: horizon, at: now)
        let next = nextShare(app) * (1 - exp(-anything))
        return 1 - (1 - next) * exp(-habit)
    }

    /// The share of this app among the opens after the last app, smoothed with the app's share of all opens.
    private func nextShare(_ app: AppID) -> Double {
        guard all.total > 0 else { return 0 }
        let lean = Self.leanOpens * weight
        let pair = pairs[Pair(first: last, second: app)] ?? 0
        return (pair + lean * opens[app].total / all.total) / (after[last] + lean)
    }

    /// Mean number of opens within the horizon; the rate of an hour is smoothed with that of the average hour.
    private func expected(_ opens: Opens, within horizon: SimDuration, at now: SimTime) -> Double {
        let hourOfDay = now.hourOfDay
        var hour = Self.hour(now)
        var left = horizon.seconds / 3600
        var piece = min(left, 1 - (hourOfDay - Double(hour)))
        let lean = Self.leanDays * weight
        let passed = seen + weight * hourOfDay / Double(Self.hours)
        let average = opens.total / (Double(Self.hours) * (passed + lean))
        var sum = 0.0
        while left > 0 {
            // The part of the present day that has passed counts as a part of an observed day.
            let part = min(1, max(0, hourOfDay - Double(hour)))
            sum += piece * (opens.byHour[hour] + lean * average) / (seen + weight * part + lean)
            left -= piece
            piece = min(left, 1)
            hour = (hour + 1) % Self.hours
        }
        return sum
    }

    private mutating func advance(to now: SimTime) {
        guard now.day > today else { return }
        let factor = exp2(1 / halfLife)
        while today < now.day {
            seen += weight
            weight *= factor
            today += 1
            if weight > Self.largestWeight { scale(by: 1 / Self.largestWeight) }
        }
    }

    /// Multiplies all weights, so that they stay finite; only their ratios matter.
    private mutating func scale(by ratio: Double) {
        weight *= ratio
        seen *= ratio
        all.multiply(by: ratio)
        opens.updateAll { $0.multiply(by: ratio) }
        after.updateAll { $0 *= ratio }
        pairs = pairs.mapValues { $0 * ratio }
    }

    private static func hour(_ now: SimTime) -> Int { min(hours - 1, max(0, Int(now.hourOfDay))) }
}
