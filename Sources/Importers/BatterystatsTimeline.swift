// SPDX-License-Identifier: GPL-3.0-or-later
import Workload

/// Converts offsets, steps and stamps of a battery history to one counted time, which never decreases.
///
/// When the clock is set, the counted times between entries do not change, because the phone continues to run. After a
/// restart, the counted time follows the clock, because only the clock shows how long the phone was off. A clock that
/// is set forward by more than a year was wrong before, so earlier entries are moved. Android treats the start of its
/// statistics in the same way (`BatteryStatsImpl.ensureStartClockTime`).
struct BatterystatsTimeline {
    /// Longest history, in nanoseconds: ten years.
    static let longest: Int64 = 3660 * 86400 * 1_000_000_000
    /// Largest difference between a stamp and the counted time that counts as rounding, in nanoseconds.
    private static let rounding: Int64 = 2_000_000_000
    /// Longest step back that counts as entries out of order, in nanoseconds.
    ///
    /// A longer step means that the clock was set.
    private static let disorder: Int64 = 60_000_000_000
    /// Longest step forward of a correct clock, in nanoseconds.
    ///
    /// A clock that is set forward by a longer step was wrong before.
    private static let year: Int64 = 366 * 86_400_000_000_000

    /// Whether a stamp contained the day.
    private(set) var knowsDay = false
    private(set) var notes: [String] = []

    /// Difference between the counted time and the entry's own time.
    private var shift: Int64 = 0
    /// Own time of the entry: the offset, the sum of steps, or the wall clock.
    private var own: Int64 = 0
    /// Last time that was returned.
    private var last: Int64?
    /// Difference between the phone's clock and the counted time, as of the last setting of the clock.
    private var lead: Int64 = 0
    private var wasUnset = false
    private var year = 2000
    private var days = DayMemory()

    /// Processes the time of the clock at an entry.
    ///
    /// Returns the time by which earlier entries must be moved.
    mutating func set(_ stamp: Int64, at when: BatterystatsEntry.When, afterRestart: Bool) -> Int64 {
        guard advance(to: when) else { return 0 }
        guard knowsDay, last != nil else { return begin(stamp, at: when) }
        let jump = stamp - (own + shift) - lead
        if jump > Self.year {
            remark("the clock was set forward by more than a year, so earlier entries are moved to the new time")
            lead = 0
            return begin(stamp, at: when)
        }
        if case .wall = when { return follow(afterRestart: afterRestart) }
        if afterRestart {
            // A clock that is set back and forward many times would move the counted time beyond every plausible one.
            let mayFollow = own + shift < ForeignTime.end - jump
            if jump > Self.rounding, mayFollow { shift += jump } else if abs(jump) > Self.rounding { lead += jump }
        } else if abs(jump) > Self.rounding {
            lead += jump
            remark("the clock was set \(jump > 0 ? "forward" : "back"); this change is ignored")
        }
        return 0
    }

    /// Processes the stamp of a clock that was not set yet and so shows a time before the first phones.
    mutating func setNothing(at when: BatterystatsEntry.When) {
        wasUnset = true
        _ = advance(to: when)
    }

    /// Processes a stamp of a wall clock.
    ///
    /// Every entry contains this clock, so only a step back shows that the clock was set.
    private mutating func follow(afterRestart: Bool) -> Int64 {
        guard let last, shift <= Self.longest else { return 0 }
        if afterRestart, own >= last { shift = 0 }
        if own + shift < last - Self.rounding {
            shift += last - (own + shift)
            remark("the clock was set back; this change is ignored")
        }
        return 0
    }

    /// Uses the first stamp, or the first correct one.
    ///
    /// Times between earlier entries do not change.
    private mutating func begin(_ stamp: Int64, at when: BatterystatsEntry.When) -> Int64 {
        var delta = stamp - (own + shift)
        if case .wall = when {
            year = CalendarDate(daysSince1970: Int(stamp / 86_400_000_000_000)).parts.year
            own = 0
            _ = advance(to: when)
            // Stamps are rounded to seconds, but entries are not.
            shift = abs(stamp - own) < Self.rounding ? 0 : stamp - own
            // No entry shows how long before the setting of a wall clock the previous entry was.
            if knowsDay || wasUnset, let last { delta = own + shift - last }
        } else {
            shift = stamp - own
        }
        knowsDay = true
        guard let last else { return 0 }
        self.last = last + delta
        return delta
    }

    /// Time of an entry; nil when its day does not exist or is more than ten years away.
    mutating func time(of when: BatterystatsEntry.When) -> Int64? {
        guard advance(to: when) else { return nil }
        var time = own + shift
        if let last, time < last {
            // A wall clock that goes back by more than `disorder` was set. Offsets are never set.
            if case .wall = when, last - time > Self.disorder {
                guard shift <= Self.longest else { return nil }
                shift += last - time
                remark("the clock was set back; this change is ignored")
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
            // A step back by more than half a year means that a new year began.
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
