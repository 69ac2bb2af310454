// SPDX-License-Identifier: GPL-3.0-or-later
import Workload

/// Parses dates, times, lengths and names of "App Usage".
enum AppUsageText {
    /// Subjects of a row of the history.
    enum Subject: Equatable {
        case screenOff, screenOnLocked, screenOnUnlocked
        case notification(String)
        /// A launcher or another part of the system is on screen.
        case system(String)
        case app(String)
        /// The phone was switched off or on.
        case shutdown, boot
        case nothing
    }

    /// Kind of workload row for a subject, with the name of its app; nil for a subject without a row.
    static func event(_ subject: Subject) -> (kind: WorkloadEventKind, name: String?)? {
        switch subject {
        case .app(let name): (.open, name)
        case .system(let name): (.home, name)
        case .notification(let name): (.notification, name)
        case .shutdown, .boot: (.restart, nil)
        case .screenOff, .screenOnLocked, .screenOnUnlocked, .nothing: nil
        }
    }

    /// Finds the subject of a row by its name.
    static func subject(_ name: String) -> Subject {
        switch name {
        case "Screen off", "Screen off (locked)", "Screen off (unlocked)", "Screen locked": return .screenOff
        case "Device shutdown": return .shutdown
        case "Device boot": return .boot
        case "Screen on (locked)": return .screenOnLocked
        case "Screen on", "Screen on (unlocked)", "Screen unlocked": return .screenOnUnlocked
        case "Notification history enabled": return .nothing
        default: break
        }
        let posted = "Notification posted ("
        if name.hasPrefix(posted), name.hasSuffix(")") {
            return .notification(String(name.dropFirst(posted.count).dropLast()))
        }
        return isSystem(name) ? .system(name) : .app(name)
    }

    /// Whether a name is that of a launcher, a part of the system or the logger itself (models/recordings.md, section
    /// 2.0).
    private static func isSystem(_ name: String) -> Bool {
        ["launcher", "Launcher", "App Usage", "Package installer", "Programme d", "Système", "System UI"].contains {
            name.contains($0)
        }
    }

    /// The three numbers of a date; nil for any other text.
    static func dateParts(_ text: some StringProtocol) -> [Int]? { dateParts(Array(text.utf8)) }

    /// The three numbers of a date in bytes; nil for any other bytes.
    static func dateParts(_ text: some Collection<UInt8>) -> [Int]? {
        var parts: [Int] = []
        var number: Int?
        for byte in text {
            if byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") {
                guard number ?? 0 < 100_000 else { return nil }
                number = (number ?? 0) * 10 + Int(byte - UInt8(ascii: "0"))
            } else if "/.- ".utf8.contains(byte) {
                if let number { parts.append(number) }
                number = nil
            } else {
                return nil
            }
        }
        if let number { parts.append(number) }
        return parts.count == 3 ? parts : nil
    }

    /// Day of a date; years of two digits are years from 2000 on.
    static func day(_ parts: [Int], _ order: DateOrder) -> Int? {
        let (year, month, day) =
            switch order {
            case .dayFirst: (parts[2], parts[1], parts[0])
            case .monthFirst: (parts[2], parts[0], parts[1])
            case .yearFirst: (parts[0], parts[1], parts[2])
            }
        return CalendarDate(year: year < 100 ? 2000 + year : year, month: month, day: day)?.daysSince1970
    }

    /// Seconds since midnight of a time such as `17:30:12` or `5:30:12 PM`.
    static func clock(_ text: some StringProtocol) -> Int? { clock(Array(text.utf8)[...]) }

    /// Seconds since midnight of a time in bytes, such as `17:30:12` or `5:30:12 PM`.
    static func clock(_ text: ArraySlice<UInt8>) -> Int? {
        let digits = text.prefix { isOfTime($0) }
        guard let (hours, minutes, seconds) = numbers(digits) else { return nil }
        var hour = hours
        if digits.count < text.count {
            let half = String(decoding: text[digits.endIndex...], as: UTF8.self).uppercased()
                .filter { $0 != "." && $0 != " " && $0 != "\u{202F}" && $0 != "\u{A0}" }
            guard half == "AM" || half == "PM", (1...12).contains(hour) else { return nil }
            hour = hour % 12 + (half == "PM" ? 12 : 0)
        }
        guard hour < 24, minutes < 60, seconds ?? 0 < 60 else { return nil }
        return hour * 3600 + minutes * 60 + (seconds ?? 0)
    }

    /// Length in seconds of `04:30` (minutes and seconds) or `1:00:14`.
    static func length(_ text: some StringProtocol) -> Int? { length(Array(text.utf8)[...]) }

    /// Length in seconds of bytes such as `04:30` or `1:00:14`.
    static func length(_ text: ArraySlice<UInt8>) -> Int? {
        guard let (first, second, third) = numbers(text), second < 60, third ?? 0 < 60 else { return nil }
        return third.map { first * 3600 + second * 60 + $0 } ?? first * 60 + second
    }

    /// Whether a note of the battery log means that the phone is charging; nil when the note does not mention charging.
    ///
    /// Example of a note: `level changed, screen off, charge on`.
    static func isOnCharger(_ note: String) -> Bool? {
        let note = note.lowercased()
        if ["unplug", "discharg", "not charging", "charge off"].contains(where: note.contains) { return false }
        return ["plug", "charging", "charge on"].contains(where: note.contains) ? true : nil
    }

    private static func isOfTime(_ byte: UInt8) -> Bool {
        byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") || byte == UInt8(ascii: ":")
    }

    /// Two or three numbers separated by colons, none above a million.
    private static func numbers(_ text: ArraySlice<UInt8>) -> (Int, Int, Int?)? {
        var numbers = (0, 0, 0)
        var count = 0
        var digits = 0
        for byte in text {
            guard isOfTime(byte) else { return nil }
            if byte == UInt8(ascii: ":") {
                guard digits > 0, count < 2 else { return nil }
                count += 1
                digits = 0
                continue
            }
            digits += 1
            guard digits <= 6 else { return nil }
            let digit = Int(byte - UInt8(ascii: "0"))
            switch count {
            case 0: numbers.0 = numbers.0 * 10 + digit
            case 1: numbers.1 = numbers.1 * 10 + digit
            default: numbers.2 = numbers.2 * 10 + digit
            }
        }
        guard digits > 0, count > 0 else { return nil }
        return (numbers.0, numbers.1, count == 2 ? numbers.2 : nil)
    }
}
