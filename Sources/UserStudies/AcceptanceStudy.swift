// SPDX-License-Identifier: GPL-3.0-or-later
import Platform
import Quantities
import RandomStreams
import Workload

/// Distance of generated users from recorded ones, by the tests of models/recordings.md, section 7.
///
/// The limits are those for users in general; numbers in brackets are sections of that file. Distances are computed
/// over all seeds together, and their intervals over seeds that are resampled with replacement.
package struct AcceptanceStudy: Sendable {
    /// Result of one test.
    package struct Row: Sendable {
        /// Number of the test in the section.
        package let number: Int
        package let statistic: String
        /// Name of the quantity with its limits.
        package let band: String
        package let found: Double
        /// Interval that contains the value in 95 % of the resamples of seeds.
        package let interval: ClosedRange<Double>
        package let passed: Bool
    }

    package private(set) var rows: [Row] = []

    private let samples: [UserSample]
    /// Indices of all samples, followed by indices that are drawn with replacement.
    private let draws: [[Int]]

    /// Tests a persona, or people of a population.
    ///
    /// - Parameters:
    ///   - name: Name of the persona, whose own values are in section 6; nil for the people of a population.
    ///   - samples: One sample for each seed, or for each person.
    package init(persona name: String?, samples: [UserSample], base: Persona, redraws: Int = 200) {
        self.samples = samples
        var stream = RandomStream(seed: 1, replication: 0, entity: "acceptance", purpose: "seeds")
        draws =
            [Array(samples.indices)]
            + (0..<redraws).map { _ in
                samples.indices.map { _ in stream.integer(below: samples.count) }
            }
        addSessions(base)
        addApps()
        if let name, let expected = RecordedUsers.personas[name] {
            addCounts(expected)
        } else if name == nil {
            addPeople()
        }
        addDays()
        addHours(name)
        addSurroundings(name)
        addNotifications()
        rows = rows.enumerated().sorted { ($0.element.number, $0.offset) < ($1.element.number, $1.offset) }.map(
            \.element)
    }

    // MARK: Rows

    private mutating func add(
        _ number: Int, _ statistic: String, _ low: Double, _ high: Double, _ value: ([Int]) -> Double
    ) {
        let found = draws.map(value)
        guard found[0].isFinite else { return }
        let sorted = found.dropFirst().filter(\.isFinite).sorted()
        func end(_ share: Double) -> Double {
            sorted.isEmpty ? found[0] : sorted[Int((Double(sorted.count - 1) * share).rounded())]
        }
        let most = PersonaFit.short(high)
        let band = low == 0 ? "at most \(most)" : "\(PersonaFit.short(low)) to \(most)"
        rows.append(
            Row(
                number: number, statistic: statistic, band: band, found: found[0], interval: end(0.025)...end(0.975),
                passed: found[0] >= low && found[0] <= high))
    }

    /// Adds the mean over seeds of a value.
    private mutating func addMean(
        _ number: Int, _ statistic: String, _ low: Double, _ high: Double, _ figure: (UserSample) -> Double
    ) {
        let values = samples.map(figure)
        add(number, statistic, low, high) { Self.mean($0.map { values[$0] }.filter(\.isFinite)) }
    }

    /// Adds the largest error of several values.
    ///
    /// An error is the distance of a mean over seeds from the expected value.
    private mutating func addErrors(
        _ number: Int, _ statistic: String, _ limit: Double, _ expected: [Double], _ figures: (UserSample) -> [Double]
    ) {
        let values = samples.map(figures)
        add(number, statistic, 0, limit) { draw in
            expected.indices.map { index in
                abs(Self.mean(draw.map { values[$0][index] }) - expected[index])
            }.max() ?? .nan
        }
    }

    /// Adds the largest distance between the distribution of the values of all seeds and the expected one, at the
    /// points of a grid.
    private mutating func addDistance(
        _ number: Int, _ statistic: String, _ limit: Double, _ grid: [Double], _ expected: (Double) -> Double,
        _ values: (UserDay) -> [Double]
    ) {
        let counts = samples.map { sample -> [Double] in
            let sorted = sample.days.flatMap(values).sorted()
            var index = 0
            return grid.map { point in
                while index < sorted.count, sorted[index] <= point { index += 1 }
                return Double(index)
            } + [Double(sorted.count)]
        }
        let target = grid.map(expected)
        add(number, statistic, 0, limit) { draw in
            let all = draw.reduce(0) { $0 + counts[$1][grid.count] }
            guard all > 0 else { return .nan }
            return grid.indices.map { point in
                abs(draw.reduce(0) { $0 + counts[$1][point] } / all - target[point])
            }.max() ?? .nan
        }
    }

    private static func mean(_ values: [Double]) -> Double {
        values.isEmpty ? .nan : values.reduce(0, +) / Double(values.count)
    }

    private static let seconds = (0..<400).map { exp(Double($0) / 399 * log(2e5)) }

    // MARK: Tests

    private mutating func addSessions(_ base: Persona) {
        addDistance(1, "session length, KS distance", 0.18, Self.seconds, RecordedUsers.session) { $0.sessionSeconds }
        addDistance(2, "length of gaps between sessions, KS distance", 0.15, Self.seconds, RecordedUsers.gap) {
            $0.gaps.map(\.seconds)
        }
        let flat = [Double](repeating: 1, count: 48)
        addMean(3, "Weibull shape of gaps in operational time", 0.45, 0.70) {
            HabitEstimates($0, base: base, shift: [], reach: flat)["pickups.gap_shape"]
        }
        let sums = RecordedUsers.appsPerSession.indices.map { RecordedUsers.appsPerSession[...$0].reduce(0, +) }
        addErrors(4, "apps per session (0, 1, 2, 3-5, 6+), KS distance", 0.20, sums) { sample in
            let counts = sample.days.flatMap { day in day.glances.map { _ in 0 } + day.appCounts }
            return [0, 1, 2, 5, Int.max].map { most in
                Double(counts.count { $0 <= most }) / Double(max(counts.count, 1))
            }
        }
        addDistance(5, "length of app visits, KS distance", 0.20, Self.seconds, RecordedUsers.visit) { day in
            day.visits.map(\.seconds).filter { $0 >= 1 }
        }
    }

    private mutating func addApps() {
        let hits = samples.map { $0.hits(RecordedUsers.kept) }
        let best = samples.map { sample in
            RecordedUsers.keptForBest.map { CacheHits.belady(sample.launches, capacity: $0) }
        }
        func errors(_ columns: [Int]) -> ([Int]) -> Double {
            { draw in
                columns.map { column in
                    abs(Self.mean(draw.map { hits[$0][column] }) - RecordedUsers.hits[column])
                }.max() ?? .nan
            }
        }
        add(6, "LRU hit rate with one app in memory, error", 0, 0.10, errors([0]))
        add(6, "LRU hit rates with 2 to 20 apps in memory, largest error", 0, 0.10, errors([1, 2, 3, 4, 5, 6]))
        add(7, "best hit rate minus LRU hit rate with 3 to 12 apps in memory, largest error", 0, 0.04) { draw in
            RecordedUsers.keptForBest.indices.map { index in
                let column = RecordedUsers.kept.firstIndex(of: RecordedUsers.keptForBest[index]) ?? 0
                return abs(Self.mean(draw.map { best[$0][index] - hits[$0][column] }) - RecordedUsers.gains[index])
            }.max() ?? .nan
        }
        addMean(9, "Zipf exponent of launches", 1.0, 1.7) { WorkloadStatistics.zipfExponent($0.launchCounts) ?? .nan }
        addMean(9, "share of launches that open one of the five favourite apps", 0.55, 0.85) { $0.topShare(5) }
        addMean(10, "entropy of the next app given the current app, in bits", 2.0, 3.5, \.nextAppBits)
        addMean(10, "share of launches that return to the previous app", 0.25, 0.50, \.returnShare)
        addMean(12, "launches in an hour, variance divided by mean", 6, 25, \.dispersion)
    }

    private static let counts: [(String, @Sendable (UserSample) -> Double)] = [
        ("sessions a day", { $0.perDay(\.sessionStarts.count) }), ("launches a day", { $0.perDay(\.visits.count) }),
        ("different apps a day", { $0.perDay { Set($0.visits.map(\.app)).count } }),
        (
            "hours a day with an app on screen",
            { sample in
                let seconds = sample.days.reduce(0) { $0 + $1.visits.reduce(0) { $0 + $1.seconds } }
                return seconds / 3600 / Double(max(sample.days.count, 1))
            }
        ),
    ]

    private mutating func addCounts(_ expected: [Double]) {
        for (count, value) in zip(Self.counts, expected) {
            addMean(8, count.0, 0.9 * value, 1.1 * value, count.1)
        }
    }

    /// Adds the tests that apply only to the people of a population.
    ///
    /// Eight in ten recorded users unlock their phones 57 to 189 times a day (2.3). Launches and apps must be in the
    /// range of the recorded users (2.1).
    private mutating func addPeople() {
        let sessions = samples.map(Self.counts[0].1)
        add(8, "share of people with 57 to 189 sessions a day", 0.7, 0.9) { draw in
            Double(draw.count { sessions[$0] >= 57 && sessions[$0] <= 189 }) / Double(draw.count)
        }
        addMean(8, Self.counts[1].0, 121, 272, Self.counts[1].1)
        addMean(8, Self.counts[2].0, 15.3, 23.1, Self.counts[2].1)
    }

    /// Adds the variation between days, divided by that of three recorded users, which is .40 on average (2.1).
    private mutating func addDays() {
        let recorded = (0.32 + 0.44 + 0.43) / 3
        addMean(8, "standard deviation of ln(sessions a day), divided by the recorded one", 0.6, 1.6) { sample in
            let logs = sample.days.filter { !$0.sessionStarts.isEmpty }.map { log(Double($0.sessionStarts.count)) }
            return (spread(logs)?.deviation ?? .nan) / recorded
        }
    }

    private mutating func addHours(_ name: String?) {
        guard !Self.livesByNight(name) else { return }
        for (title, isFree, expected) in [
            ("sessions by hour on working days, total variation distance", false, RecordedUsers.workdayHours),
            ("sessions by hour on other days, total variation distance", true, RecordedUsers.freeDayHours),
        ] {
            let counts = samples.map { sample in
                (0..<24).map { hour in
                    Double(
                        sample.days.filter { ($0.weekday >= 5) == isFree }.reduce(0) { total, day in
                            total + day.sessionStarts.count { Int($0) == hour }
                        })
                }
            }
            let sum = expected.reduce(0, +)
            add(11, title, 0, 0.22) { draw in
                let hours = (0..<24).map { hour in draw.reduce(0) { $0 + counts[$1][hour] } }
                let all = hours.reduce(0, +)
                return zip(hours, expected).reduce(0) { $0 + abs($1.0 / all - $1.1 / sum) } / 2
            }
        }
    }

    /// Whether the user works at night.
    ///
    /// Hours of the day are then not compared, because there is no recording of such a user.
    private static func livesByNight(_ name: String?) -> Bool { name == "night-shift" }

    private mutating func addSurroundings(_ name: String?) {
        let levels = (1...100).map { Double($0) / 100 }
        addDistance(13, "battery level when plugged in, KS distance", 0.25, levels, RecordedUsers.plugLevel) { day in
            day.charges.map(\.startLevel).filter(\.isFinite)
        }
        let minutes = (0..<400).map { exp(Double($0) / 399 * log(3000)) }
        addDistance(13, "length of charges, KS distance", 0.25, minutes, RecordedUsers.chargeMinutes) { day in
            day.charges.map(\.minutes)
        }
        if !Self.livesByNight(name) {
            addByHour("share of time on the charger, by hour, mean error", RecordedUsers.charging, \.chargingSeconds)
            addByHour(
                "share of time on the charger and Wi-Fi, by hour, mean error", RecordedUsers.chargingOnWiFi,
                \.chargingOnWiFi)
        }
        addMean(15, "share of the time on Wi-Fi", 0.68, 0.88) { sample in
            sample.days.reduce(0) { $0 + $1.wifiSeconds.reduce(0, +) }
                / sample.days.reduce(0) { $0 + $1.networkSeconds.reduce(0, +) }
        }
        addMean(15, "share of the charging time on Wi-Fi", 0.78, 0.98) { sample in
            sample.days.reduce(0) { $0 + $1.chargingOnWiFi.reduce(0, +) }
                / sample.days.reduce(0) { $0 + $1.chargingSeconds.reduce(0, +) }
        }
    }

    private mutating func addByHour(_ title: String, _ expected: [Double], _ seconds: KeyPath<UserDay, [Double]>) {
        let shares = samples.map { sample in
            (0..<24).map { hour in
                sample.days.reduce(0) { $0 + $1[keyPath: seconds][hour] } / 3600 / Double(max(sample.days.count, 1))
            }
        }
        add(14, title, 0, 0.15) { draw in
            (0..<24).reduce(0) { total, hour in
                total + abs(Self.mean(draw.map { shares[$0][hour] }) - expected[hour]) / 24
            }
        }
    }

    private mutating func addNotifications() {
        addMean(16, "notifications a day", 50, 250, \.pushesPerDay)
        addMean(16, "share of notifications less than 5 s after another", 0.075, 0.195) { sample in
            let pushes = sample.days.flatMap(\.pushes)
            return pushes.isEmpty ? .nan : Double(pushes.count(where: \.isBurst)) / Double(pushes.count)
        }
        addMean(16, "share of notifications whose app is opened within 1 min", 0.07, 0.19) { $0.opened(within: 60) }
        addMean(16, "share of notifications whose app is opened within 10 min", 0.17, 0.29) { $0.opened(within: 600) }
        addMean(16, "share of notifications whose app is opened within 1 h", 0.285, 0.405) { $0.opened(within: 3600) }
    }
}
