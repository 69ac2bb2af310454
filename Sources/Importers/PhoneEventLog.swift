// SPDX-License-Identifier: GPL-3.0-or-later
import Workload

/// Reads the lines about processes in an Android phone's log.
///
/// These are `am_kill`, `am_proc_start`, and the lines of `lmkd`, the activity manager and the killer in older kernels.
///
/// Source of tags and fields: `frameworks/base`, `services/core/java/com/android/server/am/EventLogTags.logtags`.
/// Source of the sentence of `lmkd`: `system/memory/lmkd/lmkd.cpp`, `kill_one_process`.
struct PhoneEventLog {
    /// Killed processes.
    private(set) var deaths: [RecordedPhone.Death] = []
    /// Started processes.
    private(set) var starts: [RecordedPhone.Start] = []
    /// Earliest and latest time of a recognized line, in local nanoseconds since 1970.
    private(set) var span: ClosedRange<Int64>?
    /// Time zone of the phone, for logs with times in seconds since 1970.
    var zone = ""

    /// Largest number of deaths, and of starts, that are kept.
    private static let most = 1_000_000
    private var year = 0
    private var clock: (zone: String, clock: LocalClock)?
    /// Deaths that were added so far, by process number and second.
    private var told: Set<String> = []

    /// Reads the year from the head of a bug report, such as ` 2026-07-10 14:20:00`.
    mutating func takeYear(_ text: Substring) {
        let digits = text.drop { $0 == " " }.prefix(4)
        if let year = Int(digits), (2005...2099).contains(year) { self.year = year }
    }

    /// Reads a line.
    ///
    /// Returns whether the line is about a process and was understood.
    mutating func read(_ line: Substring) -> Bool {
        guard let tag = Self.tags.first(where: { line.contains($0.word) }),
            let range = line.firstRange(of: tag.word)
        else { return false }
        let time = time(line)
        if let time { span = min(span?.lowerBound ?? time, time)...max(span?.upperBound ?? time, time) }
        let rest = line[range.upperBound...]
        switch tag.kind {
        case .kill: return readKill(rest, time)
        case .start: return readStart(rest, time)
        case .killer: return readKiller(rest, time)
        case .manager: return readManager(rest, time)
        case .clock: return time != nil
        }
    }

    private enum Kind { case kill, start, killer, manager, clock }

    private static let tags: [(word: String, kind: Kind)] = [
        ("am_kill", .kill), ("am_proc_start", .start), ("lowmemorykiller: Kill", .killer), ("lmkd    : Kill", .killer),
        ("ActivityManager: Killing ", .manager), ("am_proc_died", .clock), ("am_low_memory", .clock),
        ("am_proc_bound", .clock),
    ]

    /// Reads the fields of `am_kill`, such as `: [0,1979,com.example.chat,905,kill background,79208]`.
    private mutating func readKill(_ text: Substring, _ time: Int64?) -> Bool {
        guard let fields = fields(text), fields.count > 4, let band = Int(fields[3]) else { return false }
        add(fields[1], String(fields[2]), band, String(fields[4]), time)
        return true
    }

    /// Reads the fields of `am_proc_start`, such as `: [0,999,10123,com.example.chat,activity,com.example.chat/.Main]`.
    private mutating func readStart(_ text: Substring, _ time: Int64?) -> Bool {
        guard let fields = fields(text), fields.count > 4, let time, starts.count < Self.most else { return false }
        // The version of Android determines the word: `activity`, `pre-top-activity`, `next-top-activity` or
        // `top-activity`.
        starts.append(
            RecordedPhone.Start(time: time, process: String(fields[3]), isByUser: fields[4].contains("activity")))
        return true
    }

    /// Reads the rest of a line in which a killer, such as `lmkd`, reports a kill.
    ///
    /// Examples: `'com.example.chat' (3946), uid 10144, oom_score_adj 100 to free 266188kB rss, 0kB swap; reason: …`
    /// and `ing 'le.chat' (2613), adj 1000,`.
    private mutating func readKiller(_ text: Substring, _ time: Int64?) -> Bool {
        let quoted = text.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard quoted.count == 3, !quoted[1].isEmpty else { return false }
        let pid = quoted[2].drop { !$0.isNumber }.prefix { $0.isNumber }
        let words = quoted[2].split(separator: " ")
        let key = words.firstIndex { $0 == "oom_score_adj" || $0 == "adj" }
        guard let key, key + 1 < words.count,
            let band = Int(words[key + 1].filter { $0.isNumber || $0 == "-" })
        else { return false }
        let reason = text.firstRange(of: "reason: ").map { String(text[$0.upperBound...]) } ?? "memory is low"
        add(pid, String(quoted[1]), band, "lmkd: " + reason, time)
        return true
    }

    /// Reads `1979:com.example.chat/u0a423 (adj 905): kill background`, which repeats an `am_kill` line if both logs
    /// exist.
    private mutating func readManager(_ text: Substring, _ time: Int64?) -> Bool {
        let parts = text.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, let bracket = parts[1].firstRange(of: " (adj ") else { return false }
        let name = parts[1][..<bracket.lowerBound].split(separator: "/").first.map(String.init) ?? ""
        let rest = parts[1][bracket.upperBound...]
        guard !name.isEmpty, let band = Int(rest.prefix { $0.isNumber || $0 == "-" }) else { return false }
        let reason = rest.firstRange(of: "): ").map { String(rest[$0.upperBound...]) } ?? ""
        add(parts[0], name, band, reason, time)
        return true
    }

    private mutating func add(
        _ pid: Substring, _ process: String, _ band: Int, _ reason: String, _ time: Int64?
    ) {
        let second = time.map { String($0 / 1_000_000_000) } ?? ""
        guard deaths.count < Self.most, told.insert("\(pid) \(second)").inserted else { return }
        deaths.append(RecordedPhone.Death(time: time, process: process, band: band, reason: reason))
    }

    /// Splits the text between brackets at commas.
    private func fields(_ text: Substring) -> [Substring]? {
        guard let open = text.firstIndex(of: "["), let close = text.lastIndex(of: "]"), open < close else { return nil }
        return text[text.index(after: open)..<close].split(separator: ",", omittingEmptySubsequences: false)
            .map { $0.drop { $0 == " " } }
    }

    /// Converts a time in UTC to the phone's local time; nil for an unknown zone.
    private mutating func local(_ utc: Int64) -> Int64? {
        let name = zone.isEmpty ? "UTC" : zone
        if clock?.zone != name { clock = (try? LocalClock(zone: name)).map { (name, $0) } }
        return clock?.clock.local(utc)
    }

    /// Reads a time as `logcat -v` prints it: `02-10 18:58:16.453`, the form with a year, or seconds since 1970.
    private mutating func time(_ line: Substring) -> Int64? {
        let words = line.split(separator: " ", maxSplits: 2)
        guard words.count > 1 else { return nil }
        let clock = words[1].split(separator: ":")
        guard clock.count == 3, let hour = Int64(clock[0]), let minute = Int64(clock[1]),
            let second = Double(clock[2]), (0..<24).contains(hour), (0..<60).contains(minute),
            (0..<61).contains(second)
        else {
            let digits = words[0].filter { $0.isNumber || $0 == "." }
            guard let utc = ForeignTime.nanoseconds(digits.utf8, unit: .seconds) else { return nil }
            return local(utc)
        }
        var date = words[0].split(separator: "-").compactMap { Int($0) }
        if date.count == 2, year > 0 { date.insert(year, at: 0) }
        guard date.count == 3, (2005...2099).contains(date[0]),
            let day = CalendarDate(year: date[0], month: date[1], day: date[2])
        else { return nil }
        return ((Int64(day.daysSince1970) * 24 + hour) * 60 + minute) * 60_000_000_000 + Int64(second * 1e9)
    }
}
