// SPDX-License-Identifier: GPL-3.0-or-later
import Workload

/// One entry of a battery history, before its time is known.
struct BatterystatsEntry {
    /// How an entry says when it happened.
    enum When {
        /// Nanoseconds since the history began.
        case offset(Int64)
        /// Nanoseconds since the entry before; may be negative.
        case step(Int64)
        /// Month, day and nanoseconds since midnight, without a year.
        case wall(month: Int, day: Int, nanoseconds: Int64)
    }

    var when: When
    /// What the clock showed, in nanoseconds since 1970, in an entry that says it.
    var stamp: Int64?
    /// Whether the stamp is of UTC.
    var isEpoch = false
    var level = -1
    var changes: [Substring] = []
    var isRestart = false
}

/// The three forms in which histories are printed.
enum BatterystatsForm {
    case offsets, walls, checkin

    /// The form of a line; nil when it is no entry.
    init?(of line: ArraySlice<UInt8>) {
        if line.starts(with: "9,h,".utf8) {
            self = .checkin
            return
        }
        let words = line.split(separator: 32, maxSplits: 3, omittingEmptySubsequences: true)
        guard words.count >= 2, let first = words[0].first else { return nil }
        let isOffset = first == UInt8(ascii: "+") || words[0].elementsEqual([UInt8(ascii: "0")])
        if isOffset, words[1].first == UInt8(ascii: "("), words[1].last == UInt8(ascii: ")") {
            self = .offsets
        } else if words[0].count == 5, words[1].count == 12, Self.hasDashes(words[0], words[1]), words.count > 2 {
            self = .walls
        } else {
            return nil
        }
    }

    private static func hasDashes(_ day: ArraySlice<UInt8>, _ time: ArraySlice<UInt8>) -> Bool {
        day[day.startIndex + 2] == UInt8(ascii: "-") && time[time.startIndex + 2] == UInt8(ascii: ":")
            && time[time.startIndex + 5] == UInt8(ascii: ":") && time[time.startIndex + 8] == UInt8(ascii: ".")
    }

    /// What an entry of this form looks like.
    var expectation: String {
        switch self {
        case .offsets: "expected an offset such as +1m02s110ms, and a level"
        case .walls: "expected a time such as 02-10 18:58:16.453, and a level"
        case .checkin: "expected a step in milliseconds such as 9,h,809,-S"
        }
    }

    /// Reads a line of one of the long forms; nil when something in it is wrong.
    func entry(_ line: Substring) -> BatterystatsEntry? {
        let words = line.split(separator: " ")
        guard words.count >= 2, let when = self == .offsets ? Self.since(words[0]) : Self.wall(words[0], words[1])
        else { return nil }
        var entry = BatterystatsEntry(when: when)
        guard words.count > 2 else { return entry }
        if words[2].hasSuffix("TIME:") {
            guard words.count > 3, let stamp = Self.stamp(words[3]) else { return nil }
            entry.stamp = stamp
        } else if words[2] == "START" || words[2] == "SHUTDOWN" {
            entry.isRestart = true
        } else if let level = Int(words[2]), (0...100).contains(level) {
            entry.level = level
            entry.changes = Array(words.dropFirst(3))
        } else if !words[2].hasPrefix("*") {
            return nil
        }
        return entry
    }

    private static func since(_ word: Substring) -> BatterystatsEntry.When? { offset(word).map { .offset($0) } }

    /// `+1d02h03m04s005ms` in nanoseconds, up to ten years.
    static func offset(_ word: Substring) -> Int64? {
        if word == "0" { return 0 }
        let units: [(String, Int64)] = [("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1)]
        var rest = word.dropFirst()
        var sum: Int64 = 0
        guard word.first == "+", !rest.isEmpty else { return nil }
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            let after = rest.dropFirst(digits.count)
            let unit = after.prefix { $0.isLetter }
            guard digits.count <= 9, let number = Int64(digits),
                let scale = units.first(where: { $0.0 == unit })?.1
            else { return nil }
            sum += number * scale
            guard sum <= BatterystatsTimeline.longest / 1_000_000 else { return nil }
            rest = after.dropFirst(unit.count)
        }
        return sum * 1_000_000
    }

    private static func wall(_ day: Substring, _ time: Substring) -> BatterystatsEntry.When? {
        let date = day.split(separator: "-").compactMap { Int($0) }
        let clock = time.split(whereSeparator: { $0 == ":" || $0 == "." }).compactMap { Int64($0) }
        guard date.count == 2, (1...12).contains(date[0]), (1...31).contains(date[1]), clock.count == 4,
            (0..<24).contains(clock[0]), (0..<60).contains(clock[1]), (0..<61).contains(clock[2]),
            (0..<1000).contains(clock[3])
        else { return nil }
        let milliseconds = ((clock[0] * 60 + clock[1]) * 60 + clock[2]) * 1000 + clock[3]
        return .wall(month: date[0], day: date[1], nanoseconds: milliseconds * 1_000_000)
    }

    /// `2026-01-31-13-23-04`, or with milliseconds behind, in nanoseconds since 1970 of local time.
    static func stamp(_ text: Substring) -> Int64? {
        let parts = text.split(separator: "-")
        guard parts.count == 6 || parts.count == 7, let day = CalendarDate(parts[0..<3].joined(separator: "-")) else {
            return nil
        }
        let clock = parts[3...].compactMap { Int64($0) }
        guard clock.count == parts.count - 3, (0..<24).contains(clock[0]), (0..<60).contains(clock[1]),
            (0..<61).contains(clock[2]), (0..<1000).contains(clock.count == 4 ? clock[3] : 0)
        else { return nil }
        let second = Int64(day.daysSince1970) * 86400 + clock[0] * 3600 + clock[1] * 60 + clock[2]
        guard ForeignTime.isPossible(second: second) else { return nil }
        return second * 1_000_000_000 + (clock.count == 4 ? clock[3] : 0) * 1_000_000
    }
}
