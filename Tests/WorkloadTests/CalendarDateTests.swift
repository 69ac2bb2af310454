// SPDX-License-Identifier: GPL-3.0-or-later
import Testing
import Workload

@Suite struct CalendarDateTests {
    /// Days since 1970-01-01 as `date -u -d … +%s` has them, over 86,400.
    @Test(arguments: [
        ("1970-01-01", 0, 3), ("2000-02-29", 11_016, 1), ("2000-03-01", 11_017, 2), ("2024-02-29", 19_782, 3),
        ("2026-03-01", 20_513, 6), ("1600-02-29", -135_081, 1), ("1900-03-01", -25_508, 3), ("2400-02-29", 157_113, 1),
        ("2399-12-31", 157_053, 4), ("2400-12-31", 157_419, 6),
    ])
    func `days count from 1970 through every kind of leap year`(text: String, days: Int, weekday: Int) {
        let date = CalendarDate(text)
        #expect(date?.daysSince1970 == days)
        #expect(date?.weekday == weekday)
        #expect(CalendarDate(daysSince1970: days).text == text)
    }

    @Test(arguments: ["1900-02-29", "2100-02-29", "2023-02-29", "2024-02-30", "2024-13-01", "2024-04-31", "24-01-01"])
    func `days that are not are none`(text: String) { #expect(CalendarDate(text) == nil) }

    @Test func `every day of four hundred years comes back from its text, one after the other`() {
        var last: (year: Int, month: Int, day: Int) = (1999, 12, 31)
        var wrong = 0
        for day in 10_957..<(10_957 + 146_097) {
            let parts = CalendarDate(daysSince1970: day).parts
            let isNext =
                parts == (last.year, last.month, last.day + 1) || parts == (last.year, last.month + 1, 1)
                || parts == (last.year + 1, 1, 1)
            let back = CalendarDate(year: parts.year, month: parts.month, day: parts.day)
            if !isNext || back?.daysSince1970 != day { wrong += 1 }
            last = parts
        }
        #expect(wrong == 0)
        #expect(last == (2399, 12, 31))
    }
}
