// SPDX-License-Identifier: GPL-3.0-or-later
import CommandLineArguments
import Experiments
import Quantities

/// An instant of a run as people write it: the day, counted from 0 as in the tables, and the time of day.
struct Moment: ArgumentValue {
    let time: SimTime

    init(_ time: SimTime) { self.time = time }

    static var expectation: String { "an instant like 2d14:05, 2d14:05:30 or seconds since the run's first midnight" }

    init?(argument: String) {
        if let seconds = Double(argument), seconds >= 0, seconds < 1e9 {
            time = .seconds(seconds)
            return
        }
        let parts = argument.split(separator: "d", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let day = Int(parts[0]), (0..<10_000).contains(day) else { return nil }
        let clock = parts[1].split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
        guard (2...3).contains(clock.count), let hour = clock[0], let minute = clock[1], (0..<24).contains(hour),
            (0..<60).contains(minute)
        else { return nil }
        guard let second = clock.count == 3 ? clock[2] : 0, (0..<60).contains(second) else { return nil }
        time = .zero + .days(Double(day)) + .seconds(Double(hour * 3600 + minute * 60 + second))
    }

    /// `2d14:05:30`, which `--at` takes back; half-seconds are cut off.
    var text: String { time.dayAndClock }

    /// A length of time in its two largest units.
    static func length(_ time: SimDuration) -> String {
        let seconds = Int(time.seconds.rounded())
        if seconds < 60 { return "\(seconds) s" }
        if seconds < 3600 { return "\(seconds / 60) min \(seconds % 60) s" }
        if seconds < 86400 { return "\(seconds / 3600) h \(seconds / 60 % 60) min" }
        return "\(seconds / 86400) d \(seconds / 3600 % 24) h"
    }
}
