// SPDX-License-Identifier: GPL-3.0-or-later
import Numerics
import Platform
import Quantities
import Workload

/// Estimates of a persona's figures from a recording, one for each `HabitParameter`; NaN if the recording has no data
/// for the figure.
///
/// Some estimates are biased, mostly those from a short recording. `PersonaFit` corrects the bias.
struct HabitEstimates {
    private(set) var values = [Double](repeating: .nan, count: HabitParameter.all.count)
    /// Smoothed shares of the sessions by hour, on working days and on free days; nil for fewer than two days of that
    /// kind.
    private(set) var workdayHours: [Double]?
    private(set) var freeDayHours: [Double]?

    /// Standard error of the number of new apps per day, which are rare events.
    private(set) var newAppsError = 0.0

    private let base: Persona
    private let sample: UserSample

    /// Estimates the figures.
    ///
    /// - Parameters:
    ///   - base: Persona that determines the working days and the places of chargers.
    ///   - shift: For each app, the change in the logarithm of visit lengths that is due to its category.
    ///   - reach: `TopUpFit.reach` of the same persona.
    init(_ sample: UserSample, base: Persona, shift: [Double], reach: [Double]) {
        self.base = base
        self.sample = sample
        if sample.parts.contains(.sessions) { addPickups() }
        if sample.parts.contains(.apps) || sample.parts.contains(.sessions) { addApps(shift) }
        addNotifications()
        addCharging(reach)
        addNetwork()
        addRare()
    }

    subscript(key: String) -> Double { values[HabitParameter.index(key)] }

    private mutating func set(_ key: String, _ value: Double?) {
        guard let value, value.isFinite else { return }
        values[HabitParameter.index(key)] = value
    }

    private func isWorkday(_ day: UserDay) -> Bool { base.isWorkday(weekday: day.weekday) }

    // MARK: Pick-ups

    private mutating func addPickups() {
        let work = sample.days.filter(isWorkday)
        let free = sample.days.filter { !isWorkday($0) }
        func mean(_ days: [UserDay]) -> Double {
            days.isEmpty ? .nan : Double(days.reduce(0) { $0 + $1.sessionStarts.count }) / Double(days.count)
        }
        let (onWork, onFree) = (mean(work), mean(free))
        set("pickups.per_day", work.isEmpty ? onFree : onWork)
        if onWork > 0, free.count > 1 { set("pickups.free_day_factor", onFree / onWork) }
        workdayHours = work.count > 1 ? Self.hours(work) : nil
        freeDayHours = free.count > 1 ? Self.hours(free) : nil
        addDays(onWork.isNaN ? onFree : onWork, onFree.isNaN ? onWork : onFree)
        addGaps(onWork.isNaN ? onFree : onWork, onFree.isNaN ? onWork : onFree)
        addSessions()
    }

    /// Adds the variation and the correlation of days, from ln(sessions of the day / mean for that kind of day).
    private mutating func addDays(_ onWork: Double, _ onFree: Double) {
        var logs: [Double] = []
        var pairs: [(Double, Double)] = []
        for day in sample.days where !day.sessionStarts.isEmpty {
            let own = log(Double(day.sessionStarts.count) / (isWorkday(day) ? onWork : onFree))
            logs.append(own)
            guard let before = day.sessionsBefore, before > 0 else { continue }
            let wasWorkday = base.isWorkday(weekday: (day.weekday + 6) % 7)
            pairs.append((log(Double(before) / (wasWorkday ? onWork : onFree)), own))
        }
        set("pickups.day_sigma", spread(logs)?.deviation)
        guard pairs.count > 6 else { return }
        set("pickups.day_correlation", min(max(correlation(pairs.map(\.0), pairs.map(\.1)), -0.9), 0.9))
    }

    /// Adds the shape of gaps in operational time.
    ///
    /// Operational time passes at the rate of sessions for the hour, the kind of day and the activity of the day.
    private mutating func addGaps(_ onWork: Double, _ onFree: Double) {
        let flat = [Double](repeating: 1.0 / 24, count: 24)
        let (work, free) = (workdayHours ?? freeDayHours ?? flat, freeDayHours ?? workdayHours ?? flat)
        var factors: [Int: Double] = [:]
        for day in sample.days {
            let usual = isWorkday(day) ? onWork : onFree
            factors[day.number] = usual > 0 ? max(Double(day.sessionStarts.count) / usual, 0.05) : 1
        }
        var lengths: [Double] = []
        for day in sample.days {
            for gap in day.gaps where gap.seconds >= 1 {
                var time = gap.start
                var length = 0.0
                while time < gap.end {
                    let next = min(gap.end, .zero + .hours(Double(time.hour + 1)))
                    let weekday = (day.weekday + time.day - day.number) % 7
                    let isWork = base.isWorkday(weekday: weekday)
                    let rate = (isWork ? work : free)[time.hour % 24] * (isWork ? onWork : onFree)
                    length += rate * (factors[time.day] ?? 1) * (next - time).seconds / 3600
                    time = next
                }
                if length > 0 { lengths.append(length) }
            }
        }
        set("pickups.gap_shape", Self.weibullShape(lengths))
    }

    /// Most likely shape of a Weibull distribution, found as the root of the derivative of the likelihood.
    static func weibullShape(_ values: [Double]) -> Double? {
        guard values.count >= 10 else { return nil }
        let logs = values.map { log($0) }
        let mean = logs.reduce(0, +) / Double(logs.count)
        // Values are divided by their geometric mean, so that powers do not overflow.
        func excess(_ shape: Double) -> Double {
            var (sum, weighted) = (0.0, 0.0)
            for value in logs {
                let power = exp(shape * (value - mean))
                sum += power
                weighted += power * (value - mean)
            }
            return weighted / sum - 1 / shape
        }
        return try? findRoot(of: excess, in: 0.1...20, tolerance: 1e-6)
    }

    private mutating func addSessions() {
        let glances = sample.days.flatMap(\.glances)
        let counts = sample.days.flatMap(\.appCounts)
        guard !counts.isEmpty else { return }
        set("pickups.glance_share", Double(glances.count) / Double(glances.count + counts.count))
        var glance = StayFit()
        for seconds in glances { glance.add(seconds: seconds) }
        set("glance.median", glance.parameters.map { exp($0.mu) })
        set("glance.sigma", glance.parameters?.sigma)
        let mean = Double(counts.reduce(0) { $0 + $1 - 1 }) / Double(counts.count)
        set("pickups.extra_apps_mean", max(mean, 0.001))
        guard mean > 0 else { return }
        var numbers: [Int: Double] = [:]
        for count in counts { numbers[count - 1, default: 0] += 1 }
        let sorted = numbers.sorted { $0.key < $1.key }
        let shape = exp(
            peak(
                of: { logShape in
                    let shape = exp(logShape)
                    return sorted.reduce(0) { total, number in
                        let n = Double(number.key)
                        let chance = lgamma(n + shape) - lgamma(shape) + n * log(mean / (shape + mean))
                        return total + number.value * (chance + shape * log(shape / (shape + mean)))
                    }
                }, in: log(0.02)...log(50)))
        set("pickups.extra_apps_shape", shape)
    }

    // MARK: Apps

    private mutating func addApps(_ shift: [Double]) {
        let choices = sample.days.flatMap(\.choices)
        guard let fit = ChoiceFit(choices) else { return }
        set("apps.zipf", fit.zipf)
        set("apps.repeat_last", fit.repeatLast)
        set("apps.go_back", fit.goBack)
        let half = (sample.days.map(\.number).min() ?? 0) + sample.days.count / 2
        let late = sample.days.filter { $0.number >= half }
        let fresh = late.isEmpty ? 0 : Double(late.reduce(0) { $0 + $1.newApps }) / Double(late.count)
        set("apps.new_per_day", fresh)
        // Source of the formula: Gehrels 1986 (doi:10.1086/164079), equation 7.
        newAppsError = (1 + (fresh * Double(late.count) + 0.75).squareRoot()) / Double(max(late.count, 1))
        set("apps.active", max(Double(fit.ranked.count) - fresh * Double(sample.days.count), 2))
        var weights = (sum: 0.0, shifted: 0.0)
        for (rank, app) in fit.ranked.enumerated() {
            let weight = pow(Double(rank + 1), -fit.zipf)
            weights.sum += weight
            weights.shifted += weight * (shift.isEmpty ? 0 : shift[app])
        }
        let mean = weights.shifted / weights.sum
        var stays = StayFit()
        for visit in sample.days.flatMap(\.visits) where visit.seconds < base.visit.cap {
            stays.add(seconds: visit.seconds, shift: shift.isEmpty ? 0 : shift[visit.app] - mean)
        }
        set("visit.median", stays.parameters.map { exp($0.mu) })
        set("visit.sigma", stays.parameters?.sigma)
    }

    // MARK: Surroundings

    private mutating func addNotifications() {
        let days = sample.days.filter(\.knowsPushes)
        let pushes = days.flatMap(\.pushes)
        guard pushes.count >= 30 else { return }
        let count = Double(pushes.count)
        set("notifications_per_day", count / Double(days.count))
        var counts: [Int: Int] = [:]
        for push in pushes { counts[push.app, default: 0] += 1 }
        set("notifications.zipf", WorkloadStatistics.zipfExponent(counts.values.sorted(by: >)))
        set("notifications.burst_share", Double(pushes.count(where: \.isBurst)) / count)
        set("notifications.in_use_share", Double(pushes.count(where: \.whileOn)) / count)
        set("notifications.answer_share", Double(pushes.count { $0.opened <= 600 }) / count)
    }

    private mutating func addCharging(_ reach: [Double]) {
        let days = sample.days.filter(\.knowsCharging)
        guard days.count > 1 else { return }
        let nights = days.flatMap { day in day.charges.filter(\.isNight).map { (day, $0) } }
        let others = days.flatMap { $0.charges.filter { !$0.isNight } }
        let withNight = days.count { day in day.charges.contains { $0.isNight } }
        set("charging.night_probability", Double(withNight) / Double(days.count))
        addClock("charging.night_plug", nights.map { $0.1.plug })
        let ends = nights.map { (base.isWorkday(weekday: ($0.0.weekday + 1) % 7), $0.1.unplug - 24) }
        addClock("charging.workday_unplug", ends.filter(\.0).map(\.1))
        addClock("charging.free_day_unplug", ends.filter { !$0.0 }.map(\.1))
        var lengths = others.map(\.minutes)
        let offers = days.flatMap(\.offers)
        if offers.isEmpty {
            let hazard = TopUpFit(days, persona: base, reach: reach).parameters
            set("charging.top_ups_per_hour", hazard?.perHour)
            set("charging.top_up_level_scale", hazard?.levelScale)
        } else {
            addOffers(offers.map(\.level), days, reach)
            lengths = offers.map(\.minutes)
        }
        // Top-ups away from home end with the stay, so the logarithms are fitted without a correction.
        guard lengths.count >= 5, let logs = spread(lengths.filter { $0 > 0 }.map { log($0 * 60) }) else { return }
        set("charging.top_up_length.median", exp(logs.mean))
        set("charging.top_up_length.sigma", max(logs.deviation, 0.05))
    }

    private mutating func addClock(_ key: String, _ hours: [Double]) {
        guard hours.count >= 3, let clock = spread(hours) else { return }
        set(key + ".mean", clock.mean)
        set(key + ".deviation", max(clock.deviation, 0.05))
    }

    /// Adds the level scale and the rate of top-ups, from the levels up to which a generated workload accepts offers to
    /// charge.
    ///
    /// These levels are exponentially distributed and limited to a full battery.
    private mutating func addOffers(_ levels: [Double], _ days: [UserDay], _ reach: [Double]) {
        guard levels.count >= 5 else { return }
        let below = levels.count { $0 < 1 }
        set("charging.top_up_level_scale", levels.reduce(0, +) / Double(max(below, 1)))
        var hours = 0.0
        for day in days {
            let half = isWorkday(day) ? 0 : 24
            hours += reach[half..<half + 24].reduce(0, +)
        }
        // There are no offers during a night's charge at home.
        hours -= days.flatMap(\.charges).filter(\.isNight).reduce(0) { $0 + $1.unplug - $1.plug }
        set("charging.top_ups_per_hour", Double(levels.count) / max(hours, 1))
    }

    private mutating func addNetwork() {
        let known = sample.days.reduce(0) { $0 + $1.networkSeconds.reduce(0, +) }
        guard sample.parts.contains(.network), known > 86400 else { return }
        let onWiFi = sample.days.reduce(0) { $0 + $1.wifiSeconds.reduce(0, +) }
        set("wifi.country_factor", onWiFi / known)
    }

    /// Adds rare events per month of thirty days.
    ///
    /// Personas have at most one event a day.
    private mutating func addRare() {
        guard !sample.days.isEmpty else { return }
        func perMonth(_ count: (UserDay) -> Int, of things: Int = 1) -> Double {
            let all = 30 * Double(sample.days.reduce(0) { $0 + count($1) }) / Double(sample.days.count)
            return min(30, all / Double(max(things, 1)))
        }
        if sample.parts.contains(.restarts) { set("restarts.per_month", perMonth(\.restarts)) }
        guard sample.parts.contains(.installs) else { return }
        set("installs.per_month", perMonth(\.installs))
        // The persona's rate is per app. The recording contains only the apps that were used or changed.
        set("installs.updates_per_month", perMonth(\.updates, of: sample.apps.count))
    }

    /// Shares of the sessions by hour, smoothed with the neighbouring hours.
    ///
    /// No share is zero.
    private static func hours(_ days: [UserDay]) -> [Double] {
        var counts = [Double](repeating: 0.5, count: 24)
        for day in days { for start in day.sessionStarts { counts[min(Int(start), 23)] += 1 } }
        let total = counts.reduce(0, +)
        return counts.indices.map { hour in
            (0.25 * counts[(hour + 23) % 24] + 0.5 * counts[hour] + 0.25 * counts[(hour + 1) % 24]) / total
        }
    }
}
