// SPDX-License-Identifier: GPL-3.0-or-later
import Platform
import Quantities
import Workload

/// Figures and curves of a workload, so that you can check the workload before you use it in a comparison.
package struct UserCard: Sendable {
    /// A figure of a user.
    package struct Figure: Sendable {
        package let name: String
        package let value: Double
    }

    /// A curve of a user, over hours, ranks, sizes or times.
    package struct Curve: Sendable {
        package let name: String
        package let title: String
        /// Meaning of the points and of the values.
        package let axis: String
        package let unit: String
        package let points: [Double]
        package let values: [Double]
    }

    package private(set) var figures: [Figure] = []
    package private(set) var curves: [Curve] = []

    private static let times = [1.0, 5, 10, 30, 60, 300, 600, 1800, 3600]
    private static let kept = [1, 2, 3, 5, 8, 12, 20]

    package init(_ sample: UserSample) {
        addUse(sample)
        addSurroundings(sample)
    }

    private mutating func add(_ name: String, _ value: Double) {
        if value.isFinite { figures.append(Figure(name: name, value: value)) }
    }

    private mutating func add(
        _ name: String, _ title: String, _ axis: String, _ unit: String, _ points: [Double], _ values: [Double]
    ) {
        guard values.allSatisfy(\.isFinite) else { return }
        curves.append(Curve(name: name, title: title, axis: axis, unit: unit, points: points, values: values))
    }

    private static let hours = (0..<24).map { Double($0) }

    private static func below(_ values: [Double], _ points: [Double]) -> [Double] {
        points.map { point in Double(values.count { $0 <= point }) / Double(values.count) }
    }

    private mutating func addUse(_ sample: UserSample) {
        let days = Double(sample.days.count)
        guard sample.days.contains(where: { !$0.sessionStarts.isEmpty }) else { return }
        add("sessions a day", sample.perDay(\.sessionStarts.count))
        let launches = sample.perDay(\.visits.count)
        let seconds = sample.days.flatMap(\.sessionSeconds)
        add("hours a day with the screen on", seconds.reduce(0, +) / 3600 / days)
        let times = Self.times
        add(
            "sessions", "Length of sessions", "seconds", "share of sessions of at most this length", times,
            Self.below(seconds, times))
        let gaps = sample.days.flatMap { $0.gaps.map(\.seconds) }
        if !gaps.isEmpty {
            add(
                "gaps", "Time between sessions", "seconds", "share of gaps of at most this length", times,
                Self.below(gaps, times))
        }
        guard launches > 0 else { return }
        add("launches a day", launches)
        add("different apps a day", sample.perDay { Set($0.visits.map(\.app)).count })
        add("share of launches that open one of the five favourite apps", sample.topShare(5))
        add("share of launches that return to the previous app", sample.returnShare)
        let byHour = (0..<24).map { hour in sample.days.reduce(0) { $0 + $1.launchHours[hour] } / days }
        add("launches", "Launches by hour", "hour of the day", "launches a day", Self.hours, byHour)
        let counts = sample.launchCounts
        let all = Double(counts.reduce(0, +))
        let ranks = (0..<10).map { $0 < counts.count ? Double(counts[$0]) / all : 0 }
        add("popularity", "Favourite apps", "rank", "share of launches", (1...10).map(Double.init), ranks)
        add(
            "reuse", "Launches of recently used apps", "number of apps that count as recent", "share of launches",
            Self.kept.map(Double.init), sample.hits(Self.kept))
    }

    private mutating func addSurroundings(_ sample: UserSample) {
        let charged = sample.days.filter(\.knowsCharging)
        let charges = charged.flatMap(\.charges)
        if !charges.isEmpty {
            add("charges a day", Double(charges.count) / Double(charged.count))
            let levels = charges.map(\.startLevel).filter(\.isFinite)
            if !levels.isEmpty {
                let points = (1...10).map { Double($0) / 10 }
                add("median level when plugged in, %", 100 * levels.sorted()[levels.count / 2])
                add(
                    "level", "Battery level when plugged in", "level", "share at or below this level", points,
                    Self.below(levels, points))
            }
            let shares = (0..<24).map { hour in
                charged.reduce(0) { $0 + $1.chargingSeconds[hour] } / 3600 / Double(charged.count)
            }
            add(
                "charging", "Share of time on the charger, by hour", "hour of the day", "share of the time", Self.hours,
                shares)
        }
        let known = (0..<24).map { hour in sample.days.reduce(0) { $0 + $1.networkSeconds[hour] } }
        if known.allSatisfy({ $0 > 0 }) {
            let on = (0..<24).map { hour in sample.days.reduce(0) { $0 + $1.wifiSeconds[hour] } }
            add("share of the time on Wi-Fi", on.reduce(0, +) / known.reduce(0, +))
            add(
                "wifi", "Share of time on Wi-Fi, by hour", "hour of the day", "share of the time", Self.hours,
                zip(on, known).map(/))
        }
        let notified = sample.days.filter(\.knowsPushes)
        let pushes = notified.flatMap(\.pushes)
        guard pushes.count > 10 else { return }
        add("notifications a day", sample.pushesPerDay)
        add("share of notifications whose app is opened within 10 min", sample.opened(within: 600))
        let delays = [60.0, 300, 600, 1800, 3600, 14400, 86400]
        add(
            "answers", "App opened after its notification", "seconds", "share opened within this time", delays,
            delays.map { sample.opened(within: $0) })
    }
}
