// SPDX-License-Identifier: GPL-3.0-or-later
import CommandLineArguments
import Diagnostics
import Quantities
import Workload

/// Instant of a run as the user writes it: day and time of day (`2d14:05`), or date and time (`2026-03-05T03:00`).
struct Moment: ArgumentValue {
    /// Text on the command line.
    let text: String
    private let form: Form

    private enum Form {
        case sinceStart(SimDuration)
        case date(CalendarDate, SimDuration)
    }

    static var expectation: String {
        "an instant like 2d14:05, 2d14:05:30, 2026-03-05T03:00 or seconds since the run's first midnight"
    }

    init?(argument: String) {
        text = argument
        if let seconds = Double(argument), seconds >= 0, seconds < 1e9 {
            form = .sinceStart(.seconds(seconds))
            return
        }
        let words = argument.split(omittingEmptySubsequences: false) { $0 == "T" || $0 == " " }
        if words.count == 2, let date = CalendarDate(String(words[0])), let clock = Self.clock(words[1]) {
            form = .date(date, clock)
            return
        }
        let parts = argument.split(separator: "d", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let day = Int(parts[0]), (0..<10_000).contains(day), let clock = Self.clock(parts[1])
        else { return nil }
        form = .sinceStart(.days(Double(day)) + clock)
    }

    private static func clock(_ text: Substring) -> SimDuration? {
        let clock = text.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
        guard (2...3).contains(clock.count), let hour = clock[0], let minute = clock[1], (0..<24).contains(hour),
            (0..<60).contains(minute), let second = clock.count == 3 ? clock[2] : 0, (0..<60).contains(second)
        else { return nil }
        return .seconds(Double(hour * 3600 + minute * 60 + second))
    }

    /// Instant in a run that begins at midnight of a given day.
    ///
    /// - Throws: `Diagnostics` when the instant is before or after the run.
    func time(start: CalendarDate, length: SimDuration) throws(Diagnostics) -> SimTime {
        let since: SimDuration?
        switch form {
        case .sinceStart(let duration): since = duration
        case .date(let date, let clock):
            // The nanoseconds of three centuries would overflow.
            let days = date.daysSince1970 - start.daysSince1970
            since = (0..<100_000).contains(days) ? SimDuration.days(Double(days)) + clock : nil
        }
        guard let since, since <= length else {
            let days = UnitText.plain(length / .day)
            throw Diagnostics("\(text) lies outside of the run, which begins on \(start.text) and lasts \(days) days")
        }
        return .zero + since
    }

    /// Length of time in its two largest units.
    static func length(_ time: SimDuration) -> String {
        let seconds = Int(time.seconds.rounded())
        if seconds < 60 { return "\(seconds) s" }
        if seconds < 3600 { return "\(seconds / 60) min \(seconds % 60) s" }
        if seconds < 86400 { return "\(seconds / 3600) h \(seconds / 60 % 60) min" }
        return "\(seconds / 86400) d \(seconds / 3600 % 24) h"
    }
}
