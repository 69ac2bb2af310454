// SPDX-License-Identifier: GPL-3.0-or-later
import Workload

/// How "App Usage" writes dates, times, lengths and names.
enum AppUsageText {
    /// What a row of the history is about.
    enum Subject: Equatable {
        case screenOff, screenOnLocked, screenOnUnlocked
        case notification(String)
        /// A launcher or another part of the system in front.
        case system(String)
        case app(String)
        case nothing
    }

    /// Reads the name of a row.
    static func subject(_ name: String) -> Subject {
        switch name {
        case "Screen off", "Screen off (locked)", "Screen off (unlocked)", "Screen locked", "Device shutdown":
            return .screenOff
        case "Screen on (locked)": return .screenOnLocked
        case "Screen on", "Screen on (unlocked)", "Screen unlocked": return .screenOnUnlocked
        case "Device boot": return .nothing
        default: break
        }
        let posted = "Notification posted ("
        if name.hasPrefix(posted), name.hasSuffix(")") {
            return .notification(String(name.dropFirst(posted.count).dropLast()))
        }
        return isSystem(name) ? .system(name) : .app(name)
    }

    /// Launchers, parts of the system and the logger itself (docs/sources/users-and-traces.md, section 2.0).
    private static func isSystem(_ name: String) -> Bool {
        ["launcher", "Launcher", "App Usage", "Package installer", "Programme d", "Système", "System UI"].contains {
            name.contains($0)
        }
    }

    /// The three numbers of a date; nil for anything else.
    static func dateParts(_ text: String) -> [Int]? {
        let parts = text.split(whereSeparator: { "/.- ".contains($0) }).map { Int($0) }
        guard parts.count == 3 else { return nil }
        let numbers = parts.compactMap { $0 }
        return numbers.count == 3 ? numbers : nil
    }

    /// The day of a date; two digits of a year are of this century.
    static func day(_ parts: [Int], _ order: DateOrder) -> Int? {
        let (year, month, day) =
            switch order {
            case .dayFirst: (parts[2], parts[1], parts[0])
            case .monthFirst: (parts[2], parts[0], parts[1])
            case .yearFirst: (parts[0], parts[1], parts[2])
            }
        return CalendarDate(year: year < 100 ? 2000 + year : year, month: month, day: day)?.daysSince1970
    }

    /// Seconds since midnight of `17:30:12`, `5:30:12 PM` and the like.
    static func clock(_ text: String) -> Int? {
        let words = text.split(whereSeparator: { $0 == " " || $0 == "\u{202F}" || $0 == "\u{A0}" })
        guard let first = words.first, words.count <= 2, let numbers = numbers(first), numbers.count >= 2 else {
            return nil
        }
        var hour = numbers[0]
        if words.count == 2 {
            let half = words[1].uppercased().filter { $0 != "." }
            guard half == "AM" || half == "PM", (1...12).contains(hour) else { return nil }
            hour = hour % 12 + (half == "PM" ? 12 : 0)
        }
        let second = numbers.count == 3 ? numbers[2] : 0
        guard hour < 24, numbers[1] < 60, second < 60 else { return nil }
        return hour * 3600 + numbers[1] * 60 + second
    }

    /// Seconds of `04:30` (minutes and seconds) or `1:00:14`.
    static func length(_ text: String) -> Int? {
        guard let numbers = numbers(text[...]), numbers.count >= 2, numbers[0] < 1_000_000,
            numbers.dropFirst().allSatisfy({ $0 < 60 })
        else { return nil }
        return numbers.reduce(0) { $0 * 60 + $1 }
    }

    /// Whether the note of a battery row says that the phone is on the charger.
    static func isOnCharger(_ note: String) -> Bool {
        let note = note.lowercased()
        if ["unplug", "discharg", "not charging"].contains(where: note.contains) { return false }
        return ["plug", "charging"].contains(where: note.contains)
    }

    private static func numbers(_ text: Substring) -> [Int]? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { $0.allSatisfy(\.isNumber) ? Int($0) : nil }
        return (2...3).contains(parts.count) && numbers.count == parts.count ? numbers : nil
    }
}
