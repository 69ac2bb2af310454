// SPDX-License-Identifier: GPL-3.0-or-later

/// Reads the entries that `dumpsys batterystats -c` prints.
///
/// In this form, an entry contains its step from the previous entry in milliseconds, short words, and numbers that
/// refer to a table of names.
///
/// Source of the words: Android's `frameworks/base`, `core/java/android/os/BatteryStats.java`
/// (`HISTORY_STATE_DESCRIPTIONS`, `HISTORY_EVENT_CHECKIN_NAMES`).
struct BatterystatsCheckin {
    /// Index in the table of apps for each number in the history; nil when the app's name was removed.
    private var names: [Int: Int?] = [:]
    private var level = -1

    /// Allowed steps between two entries, in milliseconds: at most 366 days.
    private static let steps = -31_622_400_000...31_622_400_000

    /// Reads a line such as `9,hsp,12,10164,"com.example"`.
    mutating func addName(_ line: Range<Int>, in table: ForeignTable, into changes: inout BatterystatsChanges) {
        var fields = ByteLine(table.bytes, line)
        _ = fields.field(separator: 44)
        _ = fields.field(separator: 44)
        guard let number = fields.field(separator: 44).flatMap({ table.bytes.digits($0) }),
            fields.field(separator: 44) != nil, fields.index <= line.upperBound
        else { return }
        var quoted = ByteLine(table.bytes, fields.rest)
        _ = quoted.field(separator: UInt8(ascii: "\""))
        names[number] = .some(changes.name(quoted.field(separator: UInt8(ascii: "\"")), in: table))
    }

    /// Reads a line such as `9,h,809,Bl=99,-S`; nil when the line has no step.
    mutating func entry(
        _ line: Range<Int>, in table: ForeignTable, into changes: inout BatterystatsChanges
    ) -> BatterystatsEntry? {
        let bytes = table.bytes
        var fields = ByteLine(bytes, line)
        _ = fields.field(separator: 44)
        _ = fields.field(separator: 44)
        guard let first = fields.field(separator: 44) else { return nil }
        var parts = ByteLine(bytes, first)
        guard let step = parts.field(separator: UInt8(ascii: ":")).flatMap({ Self.signed($0, in: bytes) }),
            Self.steps.contains(step)
        else { return nil }
        var entry = BatterystatsEntry(when: .step(Int64(step) * 1_000_000))
        guard parts.index <= first.upperBound else {
            while let field = fields.field(separator: 44) { add(field, in: table, into: &changes) }
            entry.level = level
            return entry
        }
        var isStamp = false
        var last = first
        while let part = parts.field(separator: UInt8(ascii: ":")) {
            isStamp = isStamp || bytes.equals(part, "TIME")
            entry.isShutdown = entry.isShutdown || bytes.equals(part, "SHUTDOWN")
            entry.isRestart = entry.isRestart || entry.isShutdown || bytes.equals(part, "START")
            last = part
        }
        guard isStamp else { return entry }
        guard let stamp = bytes.digits(last).map(Int64.init),
            ForeignTime.isPossible(second: stamp / 1000) || ForeignTime.isUnset(second: stamp / 1000)
        else { return nil }
        (entry.stamp, entry.isEpoch) = (stamp * 1_000_000, true)
        return entry
    }

    /// A whole number that may be negative.
    private static func signed(_ range: Range<Int>, in bytes: [UInt8]) -> Int? {
        guard let first = range.first else { return nil }
        guard bytes[first] == UInt8(ascii: "-") || bytes[first] == UInt8(ascii: "+") else { return bytes.digits(range) }
        return bytes.digits(range.dropFirst()).map { bytes[first] == UInt8(ascii: "-") ? -$0 : $0 }
    }

    private mutating func add(_ field: Range<Int>, in table: ForeignTable, into changes: inout BatterystatsChanges) {
        let bytes = table.bytes
        guard let first = field.first.map({ bytes[$0] }) else { return }
        if first == UInt8(ascii: "+") || first == UInt8(ascii: "-") {
            let (isOn, word) = (first == UInt8(ascii: "+"), field.dropFirst())
            if bytes.equals(word, "S") { changes.add(.screen(isOn)) }
            if bytes.equals(word, "W") { changes.add(.wifi(isOn)) }
            if isOn, bytes.begins(word, "Etp=") { addTop(word, in: bytes, into: &changes) }
            if isOn, bytes.begins(word, "Ejb="), let number = bytes.digits(word.lowerBound + 4..<word.upperBound),
                let known = names[number], let app = known
            {
                changes.add(.job(changes.packageOfJob(app)))
            }
            return
        }
        var halves = ByteLine(bytes, field)
        guard let word = halves.field(separator: UInt8(ascii: "=")), halves.index <= field.upperBound else { return }
        let value = halves.rest
        if bytes.equals(word, "Bl") {
            if let percent = bytes.digits(value), percent <= 100 { level = percent }
        } else if bytes.equals(word, "Bcc") {
            if let charge = bytes.digits(value) { changes.add(.charge(Double(charge))) }
        } else if bytes.equals(word, "Bp") {
            // a: alternating current, u: USB, w: wireless.
            let isOn = bytes.equals(value, "a") || bytes.equals(value, "u") || bytes.equals(value, "w")
            changes.add(.plug(isOn))
        } else if bytes.equals(word, "Epi") {
            if let number = bytes.digits(value), let known = names[number], let app = known {
                changes.add(.installed(app))
            }
        } else if bytes.equals(word, "Etp") {
            addTop(field, in: bytes, into: &changes)
        } else if bytes.equals(word, "Pst") {
            changes.add(.service(bytes.equals(value, "i")))
        } else if bytes.equals(word, "Pss"), let number = bytes.digits(value),
            number < BatterystatsChanges.signals.count
        {
            changes.add(.signal(BatterystatsChanges.signals[number].level))
        }
    }

    /// Adds the app of a field such as `Etp=12`, whose number is in the table of names.
    private func addTop(_ field: Range<Int>, in bytes: [UInt8], into changes: inout BatterystatsChanges) {
        let number = bytes.digits(field.lowerBound + 4..<field.upperBound)
        if let number, let app = names[number] { changes.add(.top(app)) }
    }
}
