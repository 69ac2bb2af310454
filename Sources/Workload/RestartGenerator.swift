// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import RandomStreams

/// Restarts of the phone: at night by the system, and by day by a user who has just put the phone away.
struct RestartGenerator: Sendable {
    /// Hours in which a system restarts automatically (assumption, after Apple's "installs overnight").
    static let night = 2.0..<4.0
    /// Time without a session after a restart, so that the phone is not used while it starts.
    private static let pause = SimDuration.minutes(3)

    private let persona: Persona
    private var calendar: DayCalendar
    private var stream: RandomStream

    init(persona: Persona, startWeekday: Int, keys: StreamKeys) {
        self.persona = persona
        calendar = DayCalendar(persona: persona, startWeekday: startWeekday, keys: keys)
        stream = keys.stream("restarts")
    }

    /// The restart of a day, if any; `intents` contains the day's intents, in order.
    mutating func draw(day: Int, among intents: some Sequence<Intent>) -> Intent? {
        guard persona.restarts.perMonth > 0 else { return nil }
        let happens = stream.uniform() < persona.restarts.perMonth / 30
        let isAtNight = stream.uniform() < persona.restarts.nightShare
        let part = stream.uniform()
        guard happens else { return nil }
        let clock =
            isAtNight
            ? Self.night.lowerBound + part * (Self.night.upperBound - Self.night.lowerBound)
            : persona.hour(at: part, isWorkday: calendar.day(day).isWorkday)
        let start = SimTime.zero + .days(Double(day))
        return Self.quiet(from: start + .hours(clock), afterSession: !isAtNight, until: start + .day, among: intents)
            .map { Intent(.restart, at: $0) }
    }

    /// The first instant, from a given one on, at which the screen is off and stays off for a while; nil if there is
    /// none.
    private static func quiet(
        from start: SimTime, afterSession: Bool, until end: SimTime, among intents: some Sequence<Intent>
    ) -> SimTime? {
        var candidate: SimTime? = afterSession ? nil : start
        for intent in intents {
            if let time = candidate, intent.time > time + pause { return time }
            switch intent.kind {
            case .unlock: candidate = nil
            case .lock:
                let put = intent.time + .second
                // Sessions of the next day are not known yet.
                if put + pause > end { return nil }
                if put >= start { candidate = put } else if !afterSession { candidate = start }
            default: break
            }
        }
        return candidate.flatMap { $0 < end ? $0 : nil }
    }
}

extension Persona {
    /// The hour by which a share of a day's activity has passed.
    func hour(at part: Double, isWorkday: Bool) -> Double {
        let hours = isWorkday ? workdayHours : freeDayHours
        var left = part * hours.reduce(0, +)
        for (hour, weight) in hours.enumerated() {
            if left < weight { return Double(hour) + left / weight }
            left -= weight
        }
        return 23
    }
}
