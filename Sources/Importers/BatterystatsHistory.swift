// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Quantities
import Workload

/// The lines of a battery history, as `dumpsys batterystats --history` prints them.
struct BatterystatsHistory {
    /// One line: what changed, and when.
    struct Line {
        /// Nanoseconds since the history was reset.
        var offset: Int64
        /// Percent.
        var level: Int
        /// What changed, as printed: `+screen`, `plug=usb`, `+top=10123:"com.example"`.
        var changes: [Substring]
    }

    /// When the history was reset, in seconds since 1970 of local time; nil when it does not say.
    private(set) var reset: Int64?
    /// The lines by time.
    private(set) var lines: [Line] = []
    /// Everything wrong with the text.
    private(set) var problems = Diagnostics()

    init(name: String, text: String) {
        let byteOrderMark: Character = "\u{FEFF}"
        let body = text.first == byteOrderMark ? text.dropFirst() : text[...]
        var number = 0
        for line in body.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            number += 1
            read(line, number, name)
        }
        if lines.isEmpty, problems.isEmpty {
            problems.append(
                Diagnostic(
                    "\(name) holds no battery history",
                    hint: "it is what adb shell dumpsys batterystats --history prints"))
        }
    }

    private mutating func read(_ line: Substring, _ number: Int, _ name: String) {
        let words = line.split(separator: " ")
        // Lines of a history begin with an offset and the length of their record in parentheses.
        guard words.count >= 3, words[1].first == "(", words[1].last == ")", words[0] == "0" || words[0].first == "+"
        else { return }
        guard let offset = Self.offset(words[0]) else {
            fail("expected an offset such as +1m02s110ms, found \"\(words[0])\"", line, number, name)
            return
        }
        if let stamp = words.last(where: { $0.contains("-") }), words[2].hasSuffix("TIME:") {
            if reset == nil { reset = Self.seconds(stamp) }
            return
        }
        guard let level = Int(words[2]), (0...100).contains(level) else { return }
        if let last = lines.last?.offset, offset < last {
            fail("this line is earlier than the one before", line, number, name)
            return
        }
        lines.append(Line(offset: offset, level: level, changes: Array(words.dropFirst(3))))
    }

    private mutating func fail(_ message: String, _ line: Substring, _ number: Int, _ name: String) {
        let location = SourceLocation(file: name, line: number, column: 1, length: max(1, line.count))
        problems.append(Diagnostic(message, at: location, line: String(line)))
    }

    /// `+1d02h03m04s005ms` in nanoseconds.
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
            guard let number = Int64(digits), let scale = units.first(where: { $0.0 == unit })?.1 else { return nil }
            let (part, overflow) = number.multipliedReportingOverflow(by: scale * 1_000_000)
            let (next, tooFar) = sum.addingReportingOverflow(part)
            if overflow || tooFar { return nil }
            sum = next
            rest = after.dropFirst(unit.count)
        }
        return sum
    }

    /// `2026-01-31-13-23-04` in seconds since 1970.
    static func seconds(_ stamp: Substring) -> Int64? {
        let parts = stamp.split(separator: "-")
        guard parts.count == 6, let day = CalendarDate(parts[0..<3].joined(separator: "-")) else { return nil }
        let clock = parts[3...].compactMap { Int64($0) }
        guard clock.count == 3, (0..<24).contains(clock[0]), clock[1...].allSatisfy({ (0..<61).contains($0) }) else {
            return nil
        }
        return Int64(day.daysSince1970) * 86400 + clock[0] * 3600 + clock[1] * 60 + clock[2]
    }
}
