// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import RandomStreams

/// Location of the user.
package enum Location: String, Sendable, CaseIterable, BitwiseCopyable {
    case home, work, transit, other, abroad

    /// Number of the location in intents and rows.
    var number: UInt8 { UInt8(Self.allCases.firstIndex(of: self) ?? 0) }
    /// Creates the location of a number; home for an unknown number.
    package init(number: UInt8) {
        self = Self.allCases.indices.contains(Int(number)) ? Self.allCases[Int(number)] : .home
    }
    /// Whether the user stays for hours and the phone recognises the location; false in transit, elsewhere and abroad.
    package var isUsual: Bool { self == .home || self == .work }
}

/// A stay in one location.
package struct Stay: Sendable, BitwiseCopyable {
    package var start: SimTime
    package var end: SimTime
    package var location: Location
}

/// The user's locations, a day at a time: work, commute, outings, journeys, and home for the rest.
package struct LocationTimeline: Sendable {
    private let persona: Persona
    private var calendar: DayCalendar
    private var stream: RandomStream

    /// Creates the locations of a workload with these streams.
    package init(persona: Persona, startWeekday: Int, keys: StreamKeys) {
        self.persona = persona
        calendar = DayCalendar(persona: persona, startWeekday: startWeekday, keys: keys)
        stream = keys.stream("outings")
    }

    /// The stays of a day from midnight to midnight, without a gap; days must be requested in order.
    package mutating func stays(day: Int) -> [Stay] {
        var away = fixedStays(of: day - 1, on: day) + fixedStays(of: day, on: day)
        away.sort { $0.start < $1.start }
        if let outing = drawOuting(day: day) { away = Self.inserting(outing, into: away) }
        if calendar.day(day).isAbroad {
            let start = SimTime.zero + .days(Double(day))
            return [Stay(start: start, end: start + .day, location: .abroad)]
        }
        return Self.fillingWithHome(away, day: day)
    }

    /// Work and commute of the shift that begins on one day, cut to the hours of another day.
    private mutating func fixedStays(of shift: Int, on day: Int) -> [Stay] {
        guard shift >= 0, calendar.day(shift).isWorkday else { return [] }
        let windows =
            persona.places.commute.map { ($0, Location.transit) } + persona.places.work.map { ($0, Location.work) }
        let dayStart = SimTime.zero + .days(Double(day))
        return windows.compactMap { window, location in
            let base = SimTime.zero + .days(Double(shift))
            let start = max(base + .hours(window.lowerBound), dayStart)
            let end = min(base + .hours(window.upperBound), dayStart + .day)
            return start < end ? Stay(start: start, end: end, location: location) : nil
        }
    }

    private mutating func drawOuting(day: Int) -> Stay? {
        let habits = calendar.day(day).isWorkday ? persona.places.workdayOuting : persona.places.freeDayOuting
        let happens = stream.uniform() < habits.probability
        let hour = stream.normal(mean: habits.start.mean, sd: habits.start.deviation)
        let seconds = habits.length.draw(&stream)
        let dayStart = SimTime.zero + .days(Double(day))
        let start = max(dayStart + .hours(hour), dayStart)
        let end = min(start + .seconds(seconds), dayStart + .day)
        return happens && start < end ? Stay(start: start, end: end, location: .other) : nil
    }

    /// Inserts an outing where the user would be at home; the part that overlaps with work or a commute is cut away.
    private static func inserting(_ outing: Stay, into away: [Stay]) -> [Stay] {
        var outing = outing
        for stay in away where stay.start < outing.end && stay.end > outing.start {
            if stay.start <= outing.start { outing.start = stay.end } else { outing.end = stay.start }
        }
        guard outing.start < outing.end else { return away }
        return (away + [outing]).sorted { $0.start < $1.start }
    }

    private static func fillingWithHome(_ away: [Stay], day: Int) -> [Stay] {
        var result: [Stay] = []
        var now = SimTime.zero + .days(Double(day))
        let end = now + .day
        for stay in away where stay.end > now {
            if stay.start > now { result.append(Stay(start: now, end: stay.start, location: .home)) }
            var stay = stay
            stay.start = max(stay.start, now)
            result.append(stay)
            now = stay.end
        }
        if now < end { result.append(Stay(start: now, end: end, location: .home)) }
        return result
    }
}
