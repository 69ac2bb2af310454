// SPDX-License-Identifier: GPL-3.0-or-later
import Workload

/// Turns offsets, steps and stamps of a battery history into one time that never goes back.
///
/// Entries keep their distances. A clock that is set back is not followed, one that is set forward (or a phone that was
/// off) is: there, the state of the phone is unknown.
struct BatterystatsTimeline {
    /// Longest history, in nanoseconds: ten years.
    static let longest: Int64 = 3660 * 86400 * 1_000_000_000
    /// A stamp this far from the time counted so far is the same time, rounded.
    private static let rounding: Int64 = 2_000_000_000
    /// Steps back up to this length are entries out of order, not a clock that was set.
    private static let disorder: Int64 = 60_000_000_000

    /// Whether a stamp told the day.
    private(set) var knowsDay = false
    private(set) var notes: [String] = []

    /// What is added to an entry's own time.
    private var shift: Int64 = 0
    /// The entry's own time: the offset, the sum of steps, the wall clock.
    private var own: Int64 = 0
    /// The last time that was given back.
    private var last: Int64?
    private var year = 2000
    private var days = DayMemory()

    /// What entries before the first stamp have to be moved by; read once.
    private(set) var correction: Int64 = 0

    /// Takes what the clock showed at an entry; whether there is a gap before it.
    mutating func set(_ stamp: Int64, at when: BatterystatsEntry.When) -> Bool {
        guard advance(to: when) else { return false }
        guard knowsDay, let last else {
            begin(stamp, at: when)
            return false
        }
        let jump = stamp - (own + shift)
        guard jump > Self.rounding, stamp > last else {
            if jump < -Self.rounding { remark("the clock was set back; times go on as before") }
            return false
        }
        shift += jump
        remark("the clock was set forward, or the phone was off")
        return true
    }

    /// Takes the first stamp; what came before it keeps its distance.
    private mutating func begin(_ stamp: Int64, at when: BatterystatsEntry.When) {
        let delta = stamp - (own + shift)
        if case .wall = when {
            year = CalendarDate(daysSince1970: Int(stamp / 86_400_000_000_000)).parts.year
            own = 0
            _ = advance(to: when)
            // Stamps are rounded to seconds, entries are not.
            shift = abs(stamp - own) < Self.rounding ? 0 : stamp - own
        } else {
            shift = stamp - own
        }
        if let last {
            self.last = last + delta
            correction = delta
        }
        knowsDay = true
    }

    /// The time of an entry; nil when its day does not exist, or is more than ten years away.
    mutating func time(of when: BatterystatsEntry.When) -> Int64? {
        guard advance(to: when) else { return nil }
        var time = own + shift
        if let last, time < last {
            // A wall clock that went back by more than disorder was set; offsets never are.
            if case .wall = when, last - time > Self.disorder {
                guard shift <= Self.longest else { return nil }
                shift += last - time
                remark("the clock was set back; times go on as before")
            }
            time = last
        }
        last = time
        return time
    }

    private mutating func advance(to when: BatterystatsEntry.When) -> Bool {
        switch when {
        case .offset(let offset): own = offset
        case .step(let step): own = min(max(own + step, 0), Self.longest)
        case .wall(let month, let day, let nanoseconds):
            guard let date = days.daysSince1970(year: year, month: month, day: day) else { return false }
            var time = Int64(date) * 86_400_000_000_000 + nanoseconds
            // Half a year back is the turn of a year.
            if own - time > 183 * 86_400_000_000_000, year < 2099,
                let next = CalendarDate(year: year + 1, month: month, day: day)
            {
                year += 1
                time = Int64(next.daysSince1970) * 86_400_000_000_000 + nanoseconds
            }
            own = time
        }
        return true
    }

    private mutating func remark(_ text: String) {
        if !notes.contains(text) { notes.append(text) }
    }
}
