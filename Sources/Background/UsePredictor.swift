// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// Estimates from one user's past opens how likely the user opens each app soon.
///
/// The predictor divides the day into 48 half hours, separately for weekdays and weekends. For each half hour, it
/// stores the share of past days with an open of the app; recent days have more weight.
///
/// With data from few days, the estimate of a half hour also uses three wider estimates. They come from both kinds of
/// day together, from the three-hour block of the half hour, and from the app's average half hour. In the half hour
/// after an open, the share of quick returns has the most weight at first and then fades.
///
/// Apple states that it predicts use but does not publish the method (WWDC20 session 10063). The method and its
/// constants are assumptions.
public struct UsePredictor: Sendable {
    private struct Cell: BitwiseCopyable {
        /// Number of half hours with an open in this cell; each day multiplies it by `fade`.
        var count: Float = 0
        /// Last day on which the count was multiplied by `fade`.
        var day: Int32 = -1
    }

    private struct Recency: BitwiseCopyable {
        var lastOpened = SimTime(nanoseconds: .min / 2)
        /// Number of opens, and number of opens within half an hour after another open; each open first reduces both.
        var opens = 0.0
        var repeated = 0.0
        /// Number of half hours with an open, for the app's average; each day multiplies it by `fade`.
        var halfHours = 0.0
        var day: Int32 = 0
    }

    private static let halfHours = 48
    /// Number of half hours in a block, and of blocks in a day.
    private static let blockLength = 6
    private static let blocks = 8
    private static let cellsPerDay = halfHours + blocks
    /// Weight, in days, of a wider estimate within a narrower one; assumption.
    private static let leanWeight = 4.0
    private let window = SimDuration.minutes(30)
    private let startWeekday: Int
    /// Weight of a day relative to the following day: a half-life of four weeks; assumption.
    private let fade = 0.975_5
    private var cells: [Cell]
    private var apps: [Recency]
    /// The apps that were opened, in the order of their first opens.
    public private(set) var opened: [AppID] = []
    /// Number of weekdays and weekend days before the present day; each day multiplies both by `fade`.
    private var seen = (weekdays: 0.0, weekends: 0.0)
    private var today: Int32 = 0

    /// Creates a predictor without data; weekday 0 is Monday.
    public init(apps: Int, startWeekday: Int) {
        self.startWeekday = startWeekday
        cells = Array(repeating: Cell(), count: apps * 2 * Self.cellsPerDay)
        self.apps = Array(repeating: Recency(), count: apps)
    }

    /// Records that the user opened an app.
    public mutating func noteOpen(_ app: AppID, at now: SimTime) {
        advance(to: now)
        let index = Int(app.index)
        if apps[index].opens == 0 { opened.append(app) }
        let first = cell(index, isWeekend(today), 0)
        let halfHour = halfHour(now)
        let isNew = cells[first + halfHour].day != today
        if isNew {
            count(first + halfHour)
            count(first + Self.halfHours + halfHour / Self.blockLength)
        }
        recordRecency(index, now, newHalfHour: isNew)
    }

    private mutating func count(_ index: Int) {
        cells[index] = Cell(count: Float(faded(cells[index]) + 1), day: today)
    }

    private mutating func recordRecency(_ index: Int, _ now: SimTime, newHalfHour: Bool) {
        let again = now - apps[index].lastOpened <= window
        // About the last twenty opens count.
        apps[index].repeated = apps[index].repeated * 0.95 + (again ? 1 : 0)
        apps[index].opens = apps[index].opens * 0.95 + 1
        apps[index].lastOpened = now
        apps[index].halfHours = average(index) + (newHalfHour ? 1 : 0)
        apps[index].day = today
    }

    /// Probability that the user opens the app within the next half hour.
    public mutating func openLikelihood(_ app: AppID, at now: SimTime) -> Double {
        advance(to: now)
        let index = Int(app.index)
        guard apps[index].opens > 0 else { return neverOpened }
        let first = halfHour(now)
        let elapsed = (now.hourOfDay * 2) - Double(first)
        let here = share(index, today, first)
        let atEnd = first + 1 == Self.halfHours
        let next = share(index, atEnd ? today + 1 : today, atEnd ? 0 : first + 1)
        // A share s of a half hour contains no open with probability 1 - p s, if an open of probability p is uniform in
        // it.
        let habit = 1 - (1 - here * (1 - elapsed)) * (1 - next * elapsed)
        let since = (now - apps[index].lastOpened) / window
        guard since < 1 else { return habit }
        let repeatShare = (apps[index].repeated + 0.2) / (apps[index].opens + 4)
        return repeatShare * (1 - since) + habit * since
    }

    /// The likelihood of an open for each app that was never opened.
    public mutating func likelihoodOfOthers(at now: SimTime) -> Double {
        advance(to: now)
        return neverOpened
    }

    /// Likelihood of an open for an app without an open so far; small, and smaller with every day.
    ///
    /// Most apps of a phone with many apps are never opened.
    private var neverOpened: Double {
        let days = seen.weekdays + seen.weekends
        let leaning = Self.leanWeight / (days + Self.leanWeight)
        return 0.05 / (Double(Self.halfHours) * (days + 1)) * leaning * leaning * leaning
    }

    /// Estimated share of days of this kind with an open in this half hour.
    private func share(_ app: Int, _ day: Int32, _ halfHour: Int) -> Double {
        let weekend = isWeekend(day)
        let (index, otherIndex) = (cell(app, weekend, 0), cell(app, !weekend, 0))
        let own = faded(cells[index + halfHour])
        let both = own + faded(cells[otherIndex + halfHour])
        let days = (weekend ? seen.weekends : seen.weekdays) + (cells[index + halfHour].day == today ? 1 : 0)
        let allDays = seen.weekdays + seen.weekends + (cells[index + halfHour].day == today ? 1 : 0)
        let block = Self.halfHours + halfHour / Self.blockLength
        let inBlock = faded(cells[index + block]) + faded(cells[otherIndex + block])
        let average = (average(app) + 0.05) / (Double(Self.halfHours) * (allDays + 1))
        let weight = Self.leanWeight
        let blockShare = (inBlock / Double(Self.blockLength) + weight * average) / (allDays + weight)
        let pooled = (both + weight * blockShare) / (allDays + weight)
        // If this half hour has an open today, today counts as a day seen.
        return min(1, (own + weight * pooled) / (days + weight))
    }

    private func average(_ app: Int) -> Double { apps[app].halfHours * power(Int(today - apps[app].day)) }

    private func faded(_ cell: Cell) -> Double {
        cell.day < 0 ? 0 : Double(cell.count) * power(Int(today - cell.day))
    }

    private func power(_ days: Int) -> Double {
        var result = 1.0
        var base = fade
        var left = days
        while left > 0 {
            if left & 1 == 1 { result *= base }
            base *= base
            left >>= 1
        }
        return result
    }

    private mutating func advance(to now: SimTime) {
        let day = Int32(now.day)
        while today < day {
            let weekend = isWeekend(today)
            seen.weekdays = (seen.weekdays + (weekend ? 0 : 1)) * fade
            seen.weekends = (seen.weekends + (weekend ? 1 : 0)) * fade
            today += 1
        }
    }

    private func isWeekend(_ day: Int32) -> Bool { (startWeekday + Int(day)) % 7 >= 5 }
    private func halfHour(_ now: SimTime) -> Int { min(Self.halfHours - 1, Int(now.hourOfDay * 2)) }
    private func cell(_ app: Int, _ weekend: Bool, _ halfHour: Int) -> Int {
        (app * 2 + (weekend ? 1 : 0)) * Self.cellsPerDay + halfHour
    }
}
