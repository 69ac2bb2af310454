// SPDX-License-Identifier: GPL-3.0-or-later
import Numerics
import Platform
import Quantities
import RandomStreams
import Vocabulary
import Workload

/// The persona that behaves like the user of a recording, with the uncertainty of each of its figures.
///
/// A figure is right if simulated recordings of the persona have the values of this recording, on average and for the
/// same length. This is indirect inference (Gourieroux, Monfort and Renault 1993, doi:10.1002/jae.3950080507). It
/// corrects the bias of a short recording, as far as the model of users is right. Intervals extend two standard errors
/// to either side. The standard error is the larger one of two estimates. One is from simulated recordings of the
/// persona, the other from resampled days of this recording.
package struct PersonaFit: Sendable {
    /// A figure with its interval.
    package struct Figure: Sendable {
        package let parameter: HabitParameter
        package let value: Double
        package let interval: ClosedRange<Double>
        /// Standard error on the scale of the figure.
        let error: Double
    }

    /// Amount of simulation in a fit.
    package struct Effort: Sendable {
        /// Number of rounds that move the figures, and number of simulated recordings in each round.
        var rounds = 6
        var recordings = 12
        /// Number of simulated recordings, and of resamples of the days, for the intervals.
        var forIntervals = 40
        /// Longest simulated recording, in days.
        var longest = 60

        package init() {}

        package init(rounds: Int, recordings: Int, forIntervals: Int) {
            self.rounds = rounds
            self.recordings = recordings
            self.forIntervals = forIntervals
        }
    }

    /// The persona.
    package private(set) var persona: Persona
    /// Figures that the recording determines, in the order of `HabitParameter.all`.
    package private(set) var figures: [Figure] = []
    /// Distances of simulated recordings of the persona from this recording.
    package private(set) var goodness: [UserDistance] = []
    /// Whether the recording determines the hours of working days, and those of free days.
    package private(set) var knowsHours = (workday: false, freeDay: false)
    /// Number of whole days that are used for the fit.
    package let days: Int
    /// Most frequent level of the cellular signal, which the persona has everywhere; nil if it was not recorded.
    package let signal: SignalLevel?

    private static let seed: UInt64 = 7_201

    private let sample: UserSample
    private let effort: Effort
    private let reach: [Double]
    private var coupling: Coupling?

    /// Fits a persona to a recording.
    ///
    /// - Parameters:
    ///   - base: Persona that provides the figures that the recording does not determine.
    ///   - answers: Habits for notifications if the base has none.
    ///   - categories: Known categories of apps, by the name of the app.
    package init(
        _ sample: UserSample, base: Persona, answers: Persona.Notifications, categories: [String: String] = [:],
        effort: Effort = Effort()
    ) {
        self.sample = sample
        self.effort = effort
        days = sample.days.count
        signal = sample.usualSignal
        reach = TopUpFit.reach(base)
        var start = base
        start.games = nil
        start.pickups.workdayFactor = 1
        start.charging.nightLevel = 1
        start.charging.nightLevelDeviation = 0
        if sample.parts.contains(.pushes), start.notifications == nil { start.notifications = answers }
        if let signal {
            start.cellular.homeSignal = signal
            start.cellular.workSignal = signal
            start.cellular.transitSignal = signal
            start.cellular.otherSignal = signal
        }
        persona = start
        let shift = sample.apps.map { name in categories[name].map { log(VisitLengths.factor(category: $0)) } ?? 0 }
        let found = HabitEstimates(sample, base: start, shift: shift, reach: reach)
        if let hours = found.workdayHours {
            persona.workdayHours = hours
            knowsHours.workday = true
        }
        if let hours = found.freeDayHours {
            persona.freeDayHours = hours
            knowsHours.freeDay = true
        }
        let target = zip(HabitParameter.all, found.values).map { $1.isNaN ? .nan : $0.onto($1) }
        var position = target
        if !found["wifi.country_factor"].isNaN { position[HabitParameter.index("wifi.country_factor")] = 0 }
        approach(&position, on: target)
        addFigures(position, shift)
        let again = recordings(of: persona, count: effort.recordings, purpose: "goodness")
        goodness = UserDistance.all(between: sample, and: again)
    }

    /// Moves the figures in a few rounds, so that simulated recordings come close to the values of this recording.
    private mutating func approach(_ position: inout [Double], on target: [Double]) {
        apply(position)
        for round in 0..<effort.rounds {
            let shown = shownMeans("round \(round)")
            if round == 1, Self.coupled.allSatisfy({ !target[$0].isNaN }) {
                let here = position
                let user = self
                coupling = Coupling(Self.coupled) { moved in
                    var (other, there) = (user, here)
                    for (index, change) in zip(Self.coupled, moved) { there[index] += change }
                    other.apply(there)
                    let means = other.shownMeans("coupling")
                    return Self.coupled.map { means[$0] }
                }
            }
            // Later rounds use smaller steps, so that they correct less of the sampling noise of the previous round.
            let step = round < 2 ? 1 : 2 / Double(round + 1)
            var moves = zip(target, shown).map { $1.isNaN ? 0 : $0 - $1 }
            coupling?.solve(&moves)
            for index in target.indices where !target[index].isNaN && !isDirect(index) {
                let move = min(max(moves[index], -1), 1)
                position[index] = limited(position[index] + step * move, HabitParameter.all[index])
            }
            apply(position)
        }
    }

    /// Figures that each change the values of the others too.
    private static let coupled = ["in_use_share", "burst_share", "answer_share"].map {
        HabitParameter.index("notifications." + $0)
    }

    /// Whether a figure is estimated without simulation.
    ///
    /// Rare events are counted. If a recording has no offers, its top-ups are fitted to levels, which simulated
    /// recordings do not have.
    private func isDirect(_ index: Int) -> Bool {
        let key = HabitParameter.all[index].key
        if HabitParameter.counted.contains(key) { return true }
        return key.hasPrefix("charging.top_up") && !sample.days.contains { !$0.offers.isEmpty }
    }

    private func limited(_ value: Double, _ parameter: HabitParameter) -> Double {
        switch parameter.key {
        case "pickups.day_correlation": min(max(value, -1.8), 1.8)
        case "notifications.burst_share": min(value, parameter.onto(0.45))
        case "pickups.gap_shape": min(max(value, log(0.15)), log(15))
        case "apps.zipf", "notifications.zipf": min(max(value, 0), 8)
        case "pickups.day_sigma": min(max(value, log(0.01)), log(2.5))
        default: value
        }
    }

    private mutating func apply(_ position: [Double]) {
        for (parameter, value) in zip(HabitParameter.all, position) where !value.isNaN {
            persona[keyPath: parameter.value] = parameter.back(value)
        }
    }

    private func shownMeans(_ purpose: String) -> [Double] {
        let shown = recordings(of: persona, count: effort.recordings, purpose: purpose).map(onScale)
        return HabitParameter.all.indices.map { index in
            let values = shown.map { $0[index] }.filter { !$0.isNaN }
            return values.count * 2 > shown.count ? values.reduce(0, +) / Double(values.count) : .nan
        }
    }

    private func onScale(_ sample: UserSample) -> [Double] {
        let found = HabitEstimates(sample, base: persona, shift: [], reach: reach)
        return zip(HabitParameter.all, found.values).map { $1.isNaN ? .nan : $0.onto($1) }
    }

    /// Simulates recordings of a persona.
    ///
    /// The simulated recordings are as long as this one, up to `Effort.longest`, and have as many apps that notify.
    private func recordings(of persona: Persona, count: Int, purpose: String) -> [UserSample] {
        let apps = Self.apps(for: persona, senders: Set(sample.days.flatMap(\.pushes).map(\.app)).count)
        let days = min(max(sample.days.count, 1), effort.longest)
        let weekday = sample.days.first?.weekday ?? 0
        let seed = RandomStream(seed: Self.seed, replication: 0, entity: "fit", purpose: purpose)
        return (0..<count).map { number in
            var stream = seed
            let source = PersonaWorkload(
                persona: persona, apps: apps, seed: stream.nextBits(), replication: number, startWeekday: weekday,
                days: days)
            return UserSample(WorkloadFile(of: .persona(source), apps: apps, days: days), startWeekday: weekday)
        }
    }

    /// The apps in use and 200 untried ones; the first `senders` apps notify.
    private static func apps(for persona: Persona, senders: Int) -> [AppModel] {
        (0..<(persona.apps.active + 200)).map { number in
            var app = AppModel(name: "app-\(number)", category: "utility")
            // Apps in use must be the first ones, but their order does not matter.
            app.popularity = number < persona.apps.active ? 1 : 1e-9
            if number < senders { app.pushesPerDay = 1 }
            return app
        }
    }

    private mutating func addFigures(_ position: [Double], _ shift: [Double]) {
        let made = recordings(of: persona, count: effort.forIntervals, purpose: "intervals").map(onScale)
        var stream = RandomStream(seed: Self.seed, replication: 0, entity: "fit", purpose: "days")
        let drawn = (0..<effort.forIntervals).map { _ in
            let indices = sample.days.indices.map { _ in stream.integer(below: sample.days.count) }
            let found = HabitEstimates(sample.resampled(indices), base: persona, shift: shift, reach: reach)
            return zip(HabitParameter.all, found.values).map { $1.isNaN ? Double.nan : $0.onto($1) }
        }
        let (ofMade, ofDays) = (errors(made), errors(drawn))
        let newApps = HabitEstimates(sample, base: persona, shift: shift, reach: reach).newAppsError
        for (index, parameter) in HabitParameter.all.enumerated() where !position[index].isNaN {
            var error = max(isDirect(index) ? 0 : ofMade[index], ofDays[index])
            // Draws of days lose rare apps, so they cannot estimate the error of their number.
            if parameter.key == "apps.active" {
                error = max(ofMade[index], newApps * Double(days) / max(persona.apps.activeCount, 1))
            }
            if parameter.key == "apps.new_per_day" { error = newApps }
            var ends = [-2, 2].map { parameter.back(position[index] + $0 * error) }
            if HabitParameter.counted.contains(parameter.key) { ends[0] = max(ends[0], 0) }
            figures.append(
                Figure(
                    parameter: parameter, value: persona[keyPath: parameter.value], interval: ends[0]...ends[1],
                    error: error))
        }
    }

    /// Standard errors of the figures from rows of values, one row for each recording.
    private func errors(_ rows: [[Double]]) -> [Double] {
        var found = HabitParameter.all.indices.map { index in
            spread(rows.map { $0[index] }.filter { !$0.isNaN })?.deviation ?? 0
        }
        guard let coupling else { return found }
        let moved = rows.map { row in
            var moves = row
            coupling.solve(&moves)
            return moves
        }
        for index in Self.coupled {
            found[index] = spread(moved.map { $0[index] }.filter { !$0.isNaN })?.deviation ?? 0
        }
        return found
    }
}
