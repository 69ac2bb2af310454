// SPDX-License-Identifier: GPL-3.0-or-later
import Workload

/// One entry of a battery history, before its time is known.
struct BatterystatsEntry {
    /// Form of an entry's time.
    enum When {
        /// Nanoseconds since the history began.
        case offset(Int64)
        /// Nanoseconds since the previous entry; may be negative.
        case step(Int64)
        /// Month, day and nanoseconds since midnight, without a year.
        case wall(month: Int, day: Int, nanoseconds: Int64)
    }

    var when: When
    /// Time on the phone's clock, in nanoseconds since 1970; nil when the entry does not contain it.
    var stamp: Int64?
    /// Whether the stamp is in UTC, not in local time.
    var isEpoch = false
    var level = -1
    var isRestart = false
    /// Whether the entry is the last one before the phone was switched off.
    var isShutdown = false
}

/// One of the three forms in which histories are printed; `offsets` and `walls` are the long forms.
enum BatterystatsForm {
    case offsets, walls, checkin

    /// Finds the form of a line; nil when the line is not an entry.
    init?(of line: Range<Int>, in bytes: [UInt8]) {
        if bytes.begins(line, "9,h,") {
            self = .checkin
        } else if Self.offsets.head(of: line, in: bytes) != nil {
            self = .offsets
        } else if Self.walls.head(of: line, in: bytes) != nil {
            self = .walls
        } else {
            return nil
        }
    }

    /// First words of an entry of one of the long forms.
    struct Head {
        /// The first two words, which contain the time.
        var first: Range<Int>
        var second: Range<Int>
        /// The rest of the line, from the third word on.
        var rest: Range<Int>
    }

    /// First words of a line; nil when the line is not an entry of this form.
    func head(of line: Range<Int>, in bytes: [UInt8]) -> Head? {
        var words = ByteLine(bytes, line)
        guard let first = words.part(), let second = words.part() else { return nil }
        switch self {
        case .offsets:
            let isOffset = bytes[first.lowerBound] == UInt8(ascii: "+") || bytes.equals(first, "0")
            guard isOffset, bytes[second.lowerBound] == UInt8(ascii: "("),
                bytes[second.upperBound - 1] == UInt8(ascii: ")")
            else { return nil }
        case .walls:
            guard first.count == 5, second.count == 12, Self.hasDashes(bytes, first, second) else { return nil }
            var next = words
            guard next.part() != nil else { return nil }
        case .checkin: return nil
        }
        return Head(first: first, second: second, rest: words.rest)
    }

    private static func hasDashes(_ bytes: [UInt8], _ day: Range<Int>, _ time: Range<Int>) -> Bool {
        bytes[day.lowerBound + 2] == UInt8(ascii: "-") && bytes[time.lowerBound + 2] == UInt8(ascii: ":")
            && bytes[time.lowerBound + 5] == UInt8(ascii: ":") && bytes[time.lowerBound + 8] == UInt8(ascii: ".")
    }

    /// Expected form of an entry, for messages.
    var expectation: String {
        switch self {
        case .offsets: "expected an offset such as +1m02s110ms, and a level"
        case .walls: "expected a time such as 02-10 18:58:16.453, and a level"
        case .checkin: "expected a step in milliseconds such as 9,h,809,-S"
        }
    }

    /// Reads an entry of one of the long forms; nil when a part of it is wrong.
    func entry(
        _ head: Head, in table: ForeignTable, into changes: inout BatterystatsChanges
    ) -> BatterystatsEntry? {
        let bytes = table.bytes
        guard
            let when = self == .offsets
                ? Self.offset(head.first, in: bytes).map({ .offset($0) })
                : Self.wall(head.first, head.second, in: bytes)
        else { return nil }
        var words = ByteLine(bytes, head.rest)
        var entry = BatterystatsEntry(when: when)
        guard let third = words.part() else { return entry }
        if bytes.equals(max(third.lowerBound, third.upperBound - 5)..<third.upperBound, "TIME:") {
            guard let word = words.part(), let stamp = Self.stamp(Substring(bytes.text(word))) else { return nil }
            entry.stamp = stamp
        } else if bytes.equals(third, "START") || bytes.equals(third, "SHUTDOWN") {
            entry.isRestart = true
            entry.isShutdown = bytes.equals(third, "SHUTDOWN")
        } else if let level = bytes.digits(third), level <= 100 {
            entry.level = level
            while let word = words.part() { changes.add(word, in: table) }
        } else if bytes[third.lowerBound] != UInt8(ascii: "*") {
            return nil
        }
        return entry
    }

    /// Nanoseconds of an offset such as `+1d02h03m04s005ms`, up to ten years.
    static func offset(_ word: Range<Int>, in bytes: [UInt8]) -> Int64? {
        if bytes.equals(word, "0") { return 0 }
        guard word.count > 1, bytes[word.lowerBound] == UInt8(ascii: "+") else { return nil }
        var index = word.lowerBound + 1
        var sum: Int64 = 0
        func end(while isWanted: (UInt8) -> Bool) -> Int {
            var end = index
            while end < word.upperBound, isWanted(bytes[end]) { end += 1 }
            return end
        }
        func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }
        while index < word.upperBound {
            let digits = index..<end(while: isDigit)
            index = digits.upperBound
            let unit = index..<end { !isDigit($0) }
            index = unit.upperBound
            guard digits.count <= 9, let number = bytes.digits(digits),
                let scale = Self.units.first(where: { bytes.equals(unit, $0.name) })?.milliseconds
            else { return nil }
            sum += Int64(number) * scale
            guard sum <= BatterystatsTimeline.longest / 1_000_000 else { return nil }
        }
        return sum * 1_000_000
    }

    private static let units: [(name: StaticString, milliseconds: Int64)] = [
        ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000),
    ]

    /// Time of two words such as `02-10` and `18:58:16.453`.
    ///
    /// The caller has checked the separators.
    private static func wall(_ day: Range<Int>, _ time: Range<Int>, in bytes: [UInt8]) -> BatterystatsEntry.When? {
        func number(_ word: Range<Int>, _ offset: Int, _ count: Int) -> Int? {
            bytes.digits(word.lowerBound + offset..<word.lowerBound + offset + count)
        }
        guard let month = number(day, 0, 2), let date = number(day, 3, 2), let hour = number(time, 0, 2),
            let minute = number(time, 3, 2), let second = number(time, 6, 2), let thousandths = number(time, 9, 3),
            (1...12).contains(month), (1...31).contains(date), hour < 24, minute < 60, second < 61
        else { return nil }
        let milliseconds = Int64(((hour * 60 + minute) * 60 + second) * 1000 + thousandths)
        return .wall(month: month, day: date, nanoseconds: milliseconds * 1_000_000)
    }

    /// Nanoseconds since 1970 of a local time such as `2026-01-31-13-23-04`, optionally with milliseconds.
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
        guard ForeignTime.isPossible(second: second) || ForeignTime.isUnset(second: second) else { return nil }
        return second * 1_000_000_000 + (clock.count == 4 ? clock[3] : 0) * 1_000_000
    }
}
