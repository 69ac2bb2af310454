// SPDX-License-Identifier: GPL-3.0-or-later

/// A day of the Gregorian calendar.
public struct CalendarDate: Sendable, Equatable {
    /// Days since 1970-01-01.
    public var daysSince1970: Int

    /// Creates a date from days since 1970-01-01.
    public init(daysSince1970: Int) { self.daysSince1970 = daysSince1970 }

    /// Creates a date from its parts; nil when there is no such day.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...12).contains(month), (1...31).contains(day), (0...9999).contains(year) else { return nil }
        daysSince1970 = Self.days(year: year, month: month, day: day)
        guard parts == (year, month, day) else { return nil }
    }

    /// Reads `YYYY-MM-DD`; nil for anything else.
    public init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].utf8.count == 4, let year = Int(parts[0]), let month = Int(parts[1]),
            let day = Int(parts[2])
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// Message about the month, or the last day of the month, of a text that has the form of a date; nil for other
    /// texts.
    public static func lastDay(ofMonthIn text: String) -> String? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].utf8.count == 4, let year = Int(parts[0]), let month = Int(parts[1]),
            Int(parts[2]) != nil, year >= 0
        else { return nil }
        guard (1...12).contains(month) else { return "a year has 12 months; dates are year-month-day" }
        let last = (28...31).last { CalendarDate(year: year, month: month, day: $0) != nil } ?? 28
        return "that month ends on \(parts[0])-\(parts[1])-\(last)"
    }

    /// Day of the week, from 0 for Monday to 6 for Sunday.
    public var weekday: Int { ((daysSince1970 + 3) % 7 + 7) % 7 }

    /// Year, month and day (Howard Hinnant, "chrono-compatible low-level date algorithms", civil_from_days).
    public var parts: (year: Int, month: Int, day: Int) {
        let z = daysSince1970 + 719_468
        let era = (z >= 0 ? z : z - 146_096) / 146_097
        let dayOfEra = z - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shifted + 2) / 5 + 1)
    }

    /// The date as `YYYY-MM-DD`.
    public var text: String {
        func padded(_ number: Int, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        let (year, month, day) = parts
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }

    /// Days since 1970-01-01 of a date, by `days_from_civil` of the same source.
    private static func days(year: Int, month: Int, day: Int) -> Int {
        let y = month <= 2 ? year - 1 : year
        let era = (y >= 0 ? y : y - 399) / 400
        let yearOfEra = y - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
