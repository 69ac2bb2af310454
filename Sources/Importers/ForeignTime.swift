// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Workload

/// Converts numbers and stamps of foreign files to times.
///
/// The range of the results is so small that sums cannot overflow.
enum ForeignTime {
    /// Unit of a number.
    enum Unit: String, CaseIterable {
        case seconds = "s"
        case milliseconds = "ms"
        case microseconds = "us"
        case nanoseconds = "ns"

        /// Number of units per second.
        var perSecond: Int64 {
            switch self {
            case .seconds: 1
            case .milliseconds: 1000
            case .microseconds: 1_000_000
            case .nanoseconds: 1_000_000_000
            }
        }
    }

    /// Plausible days in a phone's log, from 2005 to 2100, since 1970.
    static let days: Range<Int64> = 12784..<47482
    /// Plausible times, in seconds since 1970.
    private static let seconds = days.lowerBound * 86400..<days.upperBound * 86400
    /// End of the plausible times, in nanoseconds since 1970.
    static let end = seconds.upperBound * 1_000_000_000
    /// Seconds from 1970 to 2001, when Apple's count of time begins.
    private static let appleEpoch: Int64 = 978_307_200

    /// Whether a time, in seconds since 1970, is plausible in a phone's log.
    static func isPossible(second: Int64) -> Bool { seconds.contains(second) }

    /// Whether a time is before 2005, which shows that the phone's clock was not set after the phone started.
    static func isUnset(second: Int64) -> Bool { (0..<seconds.lowerBound).contains(second) }

    /// Converts a decimal number to nanoseconds since 1970; nil for other texts and for implausible times.
    ///
    /// Without a unit, the size of the number determines the unit: seconds, or a smaller unit for a number with more
    /// digits.
    static func nanoseconds(_ text: some Collection<UInt8>, unit: Unit? = nil, sinceApple: Bool = false) -> Int64? {
        guard let (whole, billionths) = decimal(text) else { return nil }
        // The divisors are constants, so that the compiler can avoid slow divisions.
        let (count, fraction) =
            switch unit ?? Self.unit(of: whole) {
            case .seconds: (whole, billionths)
            case .milliseconds: (whole / 1000, whole % 1000 * 1_000_000 + billionths / 1000)
            case .microseconds: (whole / 1_000_000, whole % 1_000_000 * 1000 + billionths / 1_000_000)
            case .nanoseconds: (whole / 1_000_000_000, whole % 1_000_000_000)
            }
        let second = sinceApple ? count &+ appleEpoch : count
        return isPossible(second: second) ? second * 1_000_000_000 + fraction : nil
    }

    /// Smallest number that is not read as seconds.
    private static let largest: Int64 = 100_000_000_000

    /// Unit in which a number of this size is a time near the present.
    private static func unit(of number: Int64) -> Unit {
        if largest > number { return .seconds }
        if largest * 1000 > number { return .milliseconds }
        return largest * 1_000_000 > number ? .microseconds : .nanoseconds
    }

    /// Whole part and billionths of a non-negative number.
    ///
    /// A number with an exponent is read as `Double`.
    private static func decimal(_ text: some Collection<UInt8>) -> (whole: Int64, billionths: Int64)? {
        var whole: Int64 = 0
        var billionths: Int64 = 0
        var digits = 0
        var decimals = -1
        for byte in text {
            if byte == UInt8(ascii: "."), decimals < 0, digits > 0 {
                decimals = 0
            } else if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
                guard let value = Double(String(decoding: text, as: UTF8.self)), value >= 0, value < 9e18 else {
                    return nil
                }
                return (Int64(value), Int64((value - value.rounded(.down)) * 1e9))
            } else if byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") {
                let digit = Int64(byte - UInt8(ascii: "0"))
                if decimals < 0 {
                    digits += 1
                    // A present time in nanoseconds has 19 digits.
                    guard digits <= 18 || digits == 19 && whole <= 922_337_203_685_477_579 else { return nil }
                    whole = whole * 10 + digit
                } else {
                    decimals += 1
                    if decimals <= 9 { billionths = billionths * 10 + digit }
                }
            } else {
                return nil
            }
        }
        guard digits > 0 else { return nil }
        for _ in max(0, min(decimals, 9))..<9 { billionths *= 10 }
        return (whole, billionths)
    }

    /// Reads stamps such as `2025-03-30T11:33:24.430Z`, `2018-01-16 06:01:05` or `20160420143000`.
    ///
    /// The result is in nanoseconds since 1970: in UTC if the stamp contains its zone, otherwise in local time.
    static func stamp(_ text: some StringProtocol) -> (nanoseconds: Int64, isUTC: Bool)? {
        var days = DayMemory()
        let bytes = Array(text.utf8)
        return stamp(bytes, bytes.indices, &days)
    }

    /// Reads a stamp from a range of bytes.
    ///
    /// `days` caches the day of the previous stamp.
    static func stamp(
        _ bytes: [UInt8], _ range: Range<Int>, _ days: inout DayMemory
    ) -> (nanoseconds: Int64, isUTC: Bool)? {
        let characters = bytes[range]
        func number(_ start: Int, digits: Int = 2) -> Int? {
            let start = range.lowerBound + start
            return start + digits <= range.upperBound ? bytes.digits(start..<start + digits) : nil
        }
        let isPlain = characters.count == 14
        guard let year = number(0, digits: 4), let month = number(isPlain ? 4 : 5), let day = number(isPlain ? 6 : 8),
            let hour = number(isPlain ? 8 : 11), let minute = number(isPlain ? 10 : 14),
            let seconds = number(isPlain ? 12 : 17), hour < 24, minute < 60, seconds < 61,
            let date = days.daysSince1970(year: year, month: month, day: day)
        else { return nil }
        var second = Int64(date) * 86400 + Int64(hour * 3600 + minute * 60 + seconds)
        var rest = isPlain ? [] : characters.dropFirst(19)
        var nanoseconds: Int64 = 0
        if rest.first == UInt8(ascii: ".") {
            let digits = rest.dropFirst().prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
            nanoseconds = decimal([UInt8(ascii: "0"), UInt8(ascii: ".")] + digits)?.billionths ?? 0
            rest = rest.dropFirst(1 + digits.count)
        }
        guard rest.isEmpty || isZone(rest) else { return nil }
        if !rest.isEmpty { second -= LocalClock.offset(String(decoding: rest, as: UTF8.self)) ?? 0 }
        guard isPossible(second: second) else { return nil }
        return (second * 1_000_000_000 + nanoseconds, !rest.isEmpty)
    }

    private static func isZone(_ text: ArraySlice<UInt8>) -> Bool {
        LocalClock.offset(String(decoding: text, as: UTF8.self)) != nil
    }
}

/// Caches the last day, because most rows of a log have the same day as the previous row.
struct DayMemory {
    private var last = (year: 0, month: 0, day: 0)
    private var days = 0

    /// Days from 1970-01-01 to a date; nil when the date does not exist.
    mutating func daysSince1970(year: Int, month: Int, day: Int) -> Int? {
        if day != last.day || month != last.month || year != last.year {
            guard let date = CalendarDate(year: year, month: month, day: day) else { return nil }
            (last, days) = ((year, month, day), date.daysSince1970)
        }
        return days
    }
}
