// SPDX-License-Identifier: GPL-3.0-or-later

/// Reads the entries that `dumpsys batterystats -c` prints: steps in milliseconds, short words, and numbers of
/// a table of names.
///
/// The words are those of Android's `frameworks/base`, `core/java/android/os/BatteryStats.java`
/// (`HISTORY_STATE_DESCRIPTIONS`, `HISTORY_EVENT_CHECKIN_NAMES`).
struct BatterystatsCheckin {
    /// The names of events, by their number.
    private var names: [Int: Substring] = [:]
    private var level = -1

    /// Milliseconds that may lie between entries: a year.
    private static let steps: ClosedRange<Int64> = -31_622_400_000...31_622_400_000
    private static let words: [Substring: String] = ["S": "screen", "W": "wifi", "BP": "plugged"]
    private static let plugs: [Substring: String] = ["n": "none", "a": "ac", "u": "usb", "w": "wireless"]

    /// Takes a line `9,hsp,12,10164,"com.example"`.
    mutating func addName(_ line: String) {
        let fields = line.split(separator: ",", maxSplits: 4, omittingEmptySubsequences: false)
        guard fields.count == 5, let number = Int(fields[2]) else { return }
        names[number] = fields[3] + ":" + fields[4]
    }

    /// Takes a line `9,h,809,Bl=99,-S`; nil when it has no step.
    mutating func entry(_ line: Substring) -> BatterystatsEntry? {
        let fields = line.split(separator: ",", omittingEmptySubsequences: false).dropFirst(2)
        guard let first = fields.first else { return nil }
        let parts = first.split(separator: ":", omittingEmptySubsequences: false)
        guard let step = Int64(parts[0]), Self.steps.contains(step) else { return nil }
        var entry = BatterystatsEntry(when: .step(step * 1_000_000))
        if parts.count > 1 {
            if parts.contains("TIME") {
                guard let stamp = ForeignTime.nanoseconds(parts[parts.count - 1].utf8, unit: .milliseconds) else {
                    return nil
                }
                (entry.stamp, entry.isEpoch) = (stamp, true)
            }
            entry.isRestart = parts.contains("START") || parts.contains("SHUTDOWN")
            return entry
        }
        for field in fields.dropFirst() { add(field, to: &entry) }
        entry.level = level
        return entry
    }

    private mutating func add(_ field: Substring, to entry: inout BatterystatsEntry) {
        let halves = field.split(separator: "=", maxSplits: 1)
        guard let word = halves.first else { return }
        let sign = word.first == "+" || word.first == "-" ? word.prefix(1) : ""
        let bare = word.dropFirst(sign.count)
        if halves.count == 1 {
            if let name = Self.words[bare] { entry.changes.append(sign + name) }
            return
        }
        switch bare {
        case "Bl":
            if let value = Int(halves[1]), (0...100).contains(value) { level = value }
        case "Bp": entry.changes.append("plug=" + (Self.plugs[halves[1]] ?? "none"))
        case "Etp":
            if let number = Int(halves[1]), let name = names[number] { entry.changes.append(sign + "top=" + name) }
        default: break
        }
    }
}
