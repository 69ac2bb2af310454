// SPDX-License-Identifier: GPL-3.0-or-later

/// A time in a form for people: `30.03.2025 11:33`, `3/30/25 11:33:24 AM`, `2025-03-30 11:33 +0200`.
struct WrittenTime {
    /// Range of the date in the bytes.
    let date: Range<Int>
    /// Whether the order of day and month is unknown.
    ///
    /// If points separate the parts, the day is first.
    let isOpen: Bool
    private let parts: [Int]
    /// Time since midnight in the zone of the text.
    private let nanoseconds: Int64
    /// Offset from UTC in seconds; nil if the time is local.
    private let offset: Int64?

    /// Reads a time; nil for any other text.
    init?(_ bytes: [UInt8], _ range: Range<Int>) {
        let text = bytes[range]
        guard let end = text.firstIndex(where: { " Tt,".utf8.contains($0) }),
            let parts = AppUsageText.dateParts(text[..<end])
        else { return nil }
        let words = String(decoding: text[end...], as: UTF8.self).drop { " Tt,".contains($0) }
        let (clock, offset) = Self.zone(words)
        guard clock.contains(":"), let (second, fraction) = Self.clock(clock) else { return nil }
        date = range.lowerBound..<end
        isOpen = parts[0] <= 99 && !text[..<end].contains(UInt8(ascii: "."))
        self.parts = parts
        self.offset = offset
        nanoseconds = Int64(second) * 1_000_000_000 + fraction
    }

    /// Nanoseconds since 1970; nil for an invalid day.
    ///
    /// The result is in UTC if the text contains a zone, otherwise in local time.
    ///
    /// - Parameter order: Order of day and month that is used when the text does not determine it.
    func instant(_ order: DateOrder) -> (nanoseconds: Int64, isUTC: Bool)? {
        let own = parts[0] > 99 ? DateOrder.yearFirst : isOpen ? order : .dayFirst
        guard let day = AppUsageText.day(parts, own) else { return nil }
        let midnight = Int64(day) * 86400 - (offset ?? 0)
        guard ForeignTime.isPossible(second: midnight) else { return nil }
        return (midnight * 1_000_000_000 + nanoseconds, offset != nil)
    }

    /// Splits a text into the time of day and a zone such as `Z`, `UTC`, `+02`, `+02:00`.
    private static func zone(_ text: Substring) -> (clock: Substring, offset: Int64?) {
        var text = text
        func trimmed(_ clock: Substring) -> Substring { clock.last == " " ? trimmed(clock.dropLast()) : clock }
        text = trimmed(text)
        for name in ["Z", "UTC", "GMT"] where text.uppercased().hasSuffix(name) {
            return (trimmed(text.dropLast(name.count)), 0)
        }
        guard let sign = text.lastIndex(where: { $0 == "+" || $0 == "-" }) else { return (text, nil) }
        let zone = text[sign...]
        guard let offset = LocalClock.offset(zone.count == 3 ? zone + "00" : String(zone)) else { return (text, nil) }
        return (trimmed(text[..<sign]), offset)
    }

    /// Seconds since midnight, and the fraction in nanoseconds after a point or comma.
    private static func clock(_ text: Substring) -> (second: Int, fraction: Int64)? {
        guard let point = text.firstIndex(where: { $0 == "." || $0 == "," }), text[..<point].contains(":"),
            text[..<point].allSatisfy({ $0.isNumber || $0 == ":" })
        else { return AppUsageText.clock(text).map { ($0, 0) } }
        let digits = text[text.index(after: point)...].prefix { $0.isASCII && $0.isNumber }
        guard !digits.isEmpty, let count = Int64((digits + "000000000").prefix(9)) else { return nil }
        return AppUsageText.clock(text[..<point] + text[digits.endIndex...]).map { ($0, count) }
    }
}
