// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import RandomStreams

/// Kind of each day: work or free, at home or on a journey, and the time zone.
///
/// Holidays and days of leave are single free days (assumption); a journey consists of free days. Days are drawn one by
/// one and kept, so that all readers see the same days.
package struct DayCalendar: Sendable {
    /// One day.
    struct Day: Sendable, BitwiseCopyable {
        /// Whether the day has the profile of a working day.
        var isWorkday: Bool
        /// Whether the user is on a journey.
        var isAbroad: Bool
        /// Hours by which local clocks are ahead of those at home.
        var zone: Double
    }

    private let persona: Persona
    private let startWeekday: Int
    private var trips: RandomStream
    private var zones: RandomStream
    private var leave: RandomStream
    private var days: [Day] = []
    /// Days left of the present journey, and its time zone.
    private var journey = (left: 0, zone: 0.0)

    /// Creates the calendar of a workload with these streams; `startWeekday` is 0 when the first day is a Monday.
    package init(persona: Persona, startWeekday: Int, keys: StreamKeys) {
        self.persona = persona
        self.startWeekday = startWeekday
        trips = keys.stream("journeys")
        zones = keys.stream("time-zones")
        leave = keys.stream("days-off")
    }

    /// A day, counted from the run's first midnight; earlier days are like those of the first week.
    mutating func day(_ day: Int) -> Day {
        guard day >= 0 else {
            return Day(isWorkday: persona.isWorkday(weekday: startWeekday + 7 + day % 7), isAbroad: false, zone: 0)
        }
        while days.count <= day { drawDay() }
        return days[day]
    }

    private mutating func drawDay() {
        let isAbroad = draw(persona.places)
        let isWorkday = persona.isWorkday(weekday: startWeekday + days.count)
        let isOff = isWorkday && takesLeave()
        days.append(
            Day(isWorkday: isWorkday && !isOff && !isAbroad, isAbroad: isAbroad, zone: isAbroad ? journey.zone : 0))
    }

    /// Draws whether the next day is one of a journey, which lasts whole days.
    private mutating func draw(_ habits: Persona.Places) -> Bool {
        guard habits.tripsPerYear > 0 else { return false }
        if journey.left == 0, trips.uniform() < habits.tripsPerYear / 365 {
            journey.left = max(1, Int((habits.tripLength.draw(&trips) / 86400).rounded()))
            // Assumption: zones are whole hours apart (a few are half an hour off), and at most half a day.
            let spread = habits.tripZoneDeviation / .hour
            let zone = spread > 0 ? zones.normal(mean: 0, sd: spread) : 0
            journey.zone = min(max(zone.rounded(), -12), 12)
        }
        guard journey.left > 0 else { return false }
        journey.left -= 1
        return true
    }

    private mutating func takesLeave() -> Bool {
        let perYear = persona.places.daysOffPerYear
        guard perYear > 0 else { return false }
        return leave.uniform() < perYear / (365 * Double(persona.workdaysPerWeek) / 7)
    }
}
