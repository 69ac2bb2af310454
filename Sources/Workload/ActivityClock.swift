// SPDX-License-Identifier: GPL-3.0-or-later
import Platform
import Quantities
import RandomStreams

/// The user's activity over the hours and days: the rate whose integral is operational time.
///
/// The rate is constant within an hour. It is the weight of the hour, times the factor of the kind of day, times a
/// lognormal factor of the day. The lognormal factor has mean 1 and an AR(1) logarithm (models/recordings.md, section
/// 5.1).
struct ActivityClock: Sendable {
    private let workday: [Double]
    private let freeDay: [Double]
    private let persona: Persona
    private var calendar: DayCalendar
    private var stream: RandomStream
    private var dayFactors: [Double] = []
    private var lastDeviation = 0.0

    /// Creates the clock; `perDay` is the integral over a mean working day.
    init(persona: Persona, perDay: Double, calendar: DayCalendar, stream: RandomStream) {
        self.persona = persona
        self.calendar = calendar
        self.stream = stream
        workday = Self.rates(persona.workdayHours, perDay * persona.pickups.workdayFactor)
        freeDay = Self.rates(persona.freeDayHours, perDay * persona.pickups.freeDayFactor)
    }

    /// The instant at which the integral from `start` reaches `amount`; `distantFuture` when it never does.
    mutating func advance(_ start: SimTime, by amount: Double) -> SimTime {
        var left = amount
        var hour = start.hour
        var within = Double(start.nanoseconds - Int64(hour) * SimDuration.hour.nanoseconds) / 3.6e12
        let lastHour = hour + 24 * 366
        while hour < lastHour {
            let rate = rate(hour: hour)
            let available = rate * (1 - within)
            if available >= left && rate > 0 {
                return SimTime.zero + SimDuration(nanoseconds: Int64(hour) * SimDuration.hour.nanoseconds)
                    + .hours(within + left / rate)
            }
            left -= available
            hour += 1
            within = 0
        }
        return .distantFuture
    }

    /// The factor of a day, counted from the run's first midnight.
    mutating func factor(day: Int) -> Double {
        while dayFactors.count <= day { drawDayFactor() }
        return dayFactors[day]
    }

    /// The rate per hour in an hour, counted from the run's first midnight.
    private mutating func rate(hour: Int) -> Double {
        let day = hour / 24
        while dayFactors.count <= day { drawDayFactor() }
        let kind = calendar.day(day)
        // On a journey the user lives by local time.
        let local = (hour % 24 + Int(kind.zone) + 24) % 24
        return (kind.isWorkday ? workday : freeDay)[local] * dayFactors[day]
    }

    private mutating func drawDayFactor() {
        let sigma = persona.pickups.daySigma
        let correlation = dayFactors.isEmpty ? 0 : persona.pickups.dayCorrelation
        let fresh = stream.normal() * (1 - correlation * correlation).squareRoot()
        lastDeviation = correlation * lastDeviation + fresh
        dayFactors.append(exp(sigma * lastDeviation - sigma * sigma / 2))
    }

    private static func rates(_ weights: [Double], _ perDay: Double) -> [Double] {
        let total = weights.reduce(0, +)
        return weights.map { total > 0 ? $0 / total * perDay : 0 }
    }
}
