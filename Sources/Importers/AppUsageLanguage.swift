// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics

/// Finds the meanings of special names in an export whose language is not in the list.
///
/// The screen is off for most of a day, so the name with the most time means "screen off". The name that most often
/// follows it, for one or two seconds, means "screen on". Variants of a name have equal words before a parenthesis.
struct AppUsageLanguage {
    /// Smallest share of all time that the name for "screen off" must have.
    ///
    /// The share is nearly ten hours a day, and no app is on screen for so long.
    private static let leastDark = 0.4

    private let names: [String]
    private let rows: [AppUsageHistory.Activity]
    /// Sentence about the detected meanings, for the head of the workload file.
    private(set) var note = ""

    init(names: [String], rows: [AppUsageHistory.Activity]) {
        self.names = names
        self.rows = rows
    }

    /// Meaning of each name; nil when no name can mean "screen off".
    mutating func subjects() -> [AppUsageText.Subject]? {
        let notices = notices()
        var time = [Int](repeating: 0, count: names.count)
        for row in rows { time[row.name] += row.seconds }
        let candidates = names.indices.filter { notices[$0] == nil }
        guard let first = rows.first, let last = rows.last,
            let off = candidates.max(by: { time[$0] < time[$1] }), let on = follower(of: off, among: candidates)
        else { return nil }
        let dark = candidates.filter { stem($0) == stem(off) }
        let share = Double(dark.reduce(0) { $0 + time[$1] }) / Double(last.second + last.seconds - first.second)
        guard share > Self.leastDark else { return nil }
        let lit = candidates.filter { stem($0) == stem(on) && !dark.contains($0) }
        let special = dark + lit
        let unlocked = lit.max { openings($0, special, notices) < openings($1, special, notices) }
        note =
            "these rows are not apps, as their order shows: \"\(names[off])\" (screen off), \"\(names[on])\" (screen "
            + "on), \"\(names[unlocked ?? on])\" (unlocked)"
        return names.indices.map { index in
            if let app = notices[index] { return .notification(app) }
            if dark.contains(index) { return .screenOff }
            if index == unlocked { return .screenOnUnlocked }
            if lit.contains(index) { return .screenOnLocked }
            return AppUsageText.subject(names[index])
        }
    }

    /// The words before a parenthesis and the words inside it.
    private func parts(_ index: Int) -> (stem: Substring, inside: Substring?) {
        let name = names[index]
        guard let open = name.firstIndex(where: { $0 == "(" || $0 == "（" }) else { return (name[...], nil) }
        var stem = name[..<open]
        while stem.last == " " || stem.last == "\u{A0}" { stem.removeLast() }
        let inside = name[name.index(after: open)...]
        return (stem, inside.last == ")" || inside.last == "）" ? inside.dropLast() : nil)
    }

    private func stem(_ index: Int) -> Substring { parts(index).stem }

    /// App for each name of a notification.
    ///
    /// Rows of notifications have no length, and their names contain the name of the app.
    private func notices() -> [Int: String] {
        var lasts = [Bool](repeating: false, count: names.count)
        for row in rows where row.seconds > 0 { lasts[row.name] = true }
        var groups: [Substring: [Int]] = [:]
        for index in names.indices where !lasts[index] && parts(index).inside != nil {
            groups[stem(index), default: []].append(index)
        }
        let known = Set(names)
        var found: [Int: String] = [:]
        for group in groups.values {
            guard group.contains(where: { known.contains(String(parts($0).inside ?? "")) }) else { continue }
            for index in group { found[index] = String(parts(index).inside ?? "") }
        }
        return found
    }

    /// Name that most often begins where rows of another name end.
    ///
    /// The rows of the result have a median length of at most two seconds.
    private func follower(of name: Int, among candidates: [Int]) -> Int? {
        var counts: [Int: Int] = [:]
        var short: [Int: Int] = [:]
        for (row, next) in zip(rows, rows.dropFirst()) {
            let distance = next.second - row.second - row.seconds
            guard row.name == name, next.name != name, abs(distance) <= 1 else { continue }
            counts[next.name, default: 0] += 1
            if next.seconds <= 2 { short[next.name, default: 0] += 1 }
        }
        let brief = candidates.filter { 2 * (short[$0] ?? 0) > (counts[$0] ?? 0) }
        return brief.max { (counts[$0] ?? 0) < (counts[$1] ?? 0) }
    }

    /// Share of the rows of a name that are followed by an app.
    private func openings(_ name: Int, _ others: [Int], _ notices: [Int: String]) -> Double {
        var all = 0.0
        var opened = 0.0
        for (row, next) in zip(rows, rows.dropFirst()) where row.name == name {
            all += 1
            if notices[next.name] == nil, !others.contains(next.name) { opened += 1 }
        }
        return all == 0 ? 0 : opened / all
    }

    // MARK: The battery log

    /// Whether the phone was on the charger, for each note of the log.
    ///
    /// The third part of a note is one of two words. The word of rows with a rising level means "on the charger".
    static func chargers(_ notes: [String], rows: [AppUsageHistory.Battery]) throws(Diagnostics) -> [Bool?] {
        let words = notes.map { note -> String? in
            let items = note.split(separator: ",").map { String($0.drop { $0 == " " }) }
            return items.count > 2 ? items[2] : nil
        }
        var rise: [String: Double] = [:]
        for (row, next) in zip(rows, rows.dropFirst()) where next.second - row.second < 4 * 3600 {
            guard let word = words[row.note], word == words[next.note] else { continue }
            rise[word, default: 0] += next.level - row.level
        }
        guard let on = rise.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }), on.value > 0,
            rise.contains(where: { $0.value < 0 })
        else {
            throw Diagnostics(
                "no note of the battery log contains \"charge on\" or \"charge off\"",
                hint: "import the history alone; charging then comes from a persona")
        }
        return words.map { $0.map { $0 == on.key } }
    }
}
