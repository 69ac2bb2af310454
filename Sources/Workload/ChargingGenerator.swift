// SPDX-License-Identifier: GPL-3.0-or-later
import Platform
import Quantities
import RandomStreams
import Vocabulary

/// Nightly charges and top-ups (models/recordings.md, sections 2.5 and 5.6).
///
/// The hazard of a top-up at level L is h0 f exp(-L/L0), with f depending on the location. Top-ups are a thinned
/// Poisson process of rate h0 f. A point becomes a charge if L is at most an exponential draw of mean L0. The intent is
/// the point with its draw. Intents are therefore equal under every policy, and the realised plug-ins depend on the
/// policy.
package struct ChargingGenerator: Sendable {
    /// The shortest nightly charge (assumption).
    static let shortestNight = SimDuration.minutes(30)

    private let persona: Persona
    private var calendar: DayCalendar
    private var nightStream: RandomStream
    private var topUpStream: RandomStream
    private var habitStream: RandomStream
    private var nightLevels: RandomStream
    private var nextNight = -1
    private var nights: [(plug: SimTime, unplug: SimTime)] = []

    init(persona: Persona, startWeekday: Int, keys: StreamKeys) {
        self.persona = persona
        calendar = DayCalendar(persona: persona, startWeekday: startWeekday, keys: keys)
        nightStream = keys.stream("night-charges")
        topUpStream = keys.stream("top-ups")
        habitStream = keys.stream("work-and-car-charges")
        nightLevels = keys.stream("night-levels")
    }

    /// Appends a day's charging; some of it may lie before or after the day.
    mutating func generate(day: Int, stays: [Stay], into intents: inout [Intent]) {
        nights.removeAll { $0.unplug < .zero + .days(Double(day)) }
        while nextNight <= day + 1 {
            drawNight(nextNight, into: &intents)
            nextNight += 1
        }
        for stay in stays {
            appendTopUps(during: stay, into: &intents)
            appendHabit(during: stay, into: &intents)
        }
    }

    private mutating func drawNight(_ night: Int, into intents: inout [Intent]) {
        let habits = persona.charging
        let happens = nightStream.uniform() < habits.nightProbability
        let plugHour = nightStream.normal(mean: habits.nightPlug.mean, sd: habits.nightPlug.deviation)
        let endsNextDay = habits.workdayUnplug.mean <= habits.nightPlug.mean
        let lastDay = night + (endsNextDay ? 1 : 0)
        let end = calendar.day(max(lastDay, 0)).isWorkday ? habits.workdayUnplug : habits.freeDayUnplug
        let unplugHour = nightStream.normal(mean: end.mean, sd: end.deviation)
        guard happens else { return }
        // On a journey, nights follow local time.
        let zone = calendar.day(max(night, 0)).zone
        var plug = SimTime.zero + .days(Double(night)) + .hours(plugHour - zone)
        let unplug = max(SimTime.zero + .days(Double(lastDay)) + .hours(unplugHour - zone), plug + Self.shortestNight)
        guard unplug > .zero else { return }
        plug = max(plug, .zero)
        if let last = nights.last { plug = max(plug, last.unplug + .minute) }
        guard plug < unplug else { return }
        nights.append((plug, unplug))
        guard habits.nightLevel < 1 else {
            intents.append(Intent(.plug, at: plug, value: habits.chargerPower.watts))
            return intents.append(Intent(.unplug, at: unplug))
        }
        let level = nightLevels.normal(mean: habits.nightLevel, sd: habits.nightLevelDeviation)
        intents.append(
            Intent(
                .topUp, at: plug, value: min(max(level, 0), 1), duration: unplug - plug,
                watts: habits.chargerPower.watts))
    }

    private mutating func appendTopUps(during stay: Stay, into intents: inout [Intent]) {
        let habits = persona.charging
        let rate = habits.topUpsPerHour * Self.factor(stay.location)
        guard rate > 0 else { return }
        var now = stay.start
        while true {
            // The comparison is in hours, because the gap of a rare habit may exceed the range of `SimTime`.
            let gap = topUpStream.exponential(mean: 1 / rate)
            guard gap < (stay.end - now).seconds / 3600 else { return }
            now += .hours(gap)
            let level = topUpStream.exponential(mean: habits.topUpLevelScale)
            let length = SimDuration.seconds(habits.topUpLength.draw(&topUpStream))
            if isNight(now) { continue }
            let duration = stay.location == .home || stay.location == .abroad ? length : min(length, stay.end - now)
            intents.append(
                Intent(.topUp, at: now, value: min(level, 1), duration: duration, watts: habits.topUpWatts))
        }
    }

    /// Appends the use of the charger at work or in the car.
    private mutating func appendHabit(during stay: Stay, into intents: inout [Intent]) {
        let habits = persona.charging
        let probability = stay.location == .work ? habits.workProbability : habits.carProbability
        guard stay.location == .work || stay.location == .transit, probability > 0 else { return }
        let happens = habitStream.uniform() < probability
        let length = SimDuration.seconds(habits.topUpLength.draw(&habitStream))
        guard happens else { return }
        intents.append(
            Intent(
                .topUp, at: stay.start, value: habits.convenienceLevel, until: stay.end,
                duration: stay.location == .transit ? stay.end - stay.start : min(length, stay.end - stay.start),
                watts: habits.topUpWatts))
    }

    private func isNight(_ time: SimTime) -> Bool {
        nights.contains { $0.plug <= time && time < $0.unplug }
    }

    /// Factor for the chargers within reach: home 1, work .7, car .6, other .2 (estimates: models/recordings.md,
    /// section 5.6).
    ///
    /// On a journey, the factor is between those of home and elsewhere (assumption).
    package static func factor(_ location: Location) -> Double {
        switch location {
        case .home: 1
        case .work: 0.7
        case .transit, .abroad: 0.6
        case .other: 0.2
        }
    }
}
