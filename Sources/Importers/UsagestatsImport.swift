// SPDX-License-Identifier: GPL-3.0-or-later
// This file converts the events that `adb shell dumpsys usagestats` prints to a workload file.
//
// No root or app is needed. In: lines such as `time="2026-05-03 19:18:20" type=ACTIVITY_RESUMED
// package=com.example.mail …`, or a bug report. Out: sessions (SCREEN_INTERACTIVE), whether the phone was unlocked
// (KEYGUARD_HIDDEN), apps, shown notifications, switching off and on. Source of the type names:
// `android.app.usage.UsageEvents.Event` of Android's public interface.

import Diagnostics
import Quantities
import Workload

/// Converts the events of a usagestats dump to a workload file.
///
/// - Throws: The first problems with line and column, if more events are broken than the limit allows.
public func importUsagestats(paths: [String], _ options: RecordingOptions) throws(Diagnostics) -> WorkloadFile {
    var tables: [ForeignTable] = []
    for path in paths {
        tables.append(try ForeignTable.read(path: path, separator: 0))
    }
    let file = try importUsagestats(tables: tables, options)
    for table in tables { try table.check() }
    return file
}

/// Converts texts to a workload file.
func importUsagestats(tables: [ForeignTable], _ options: RecordingOptions) throws(Diagnostics) -> WorkloadFile {
    let clock = try LocalClock(zone: options.zone.isEmpty ? "UTC" : options.zone)
    var reader = UsagestatsReader()
    for table in tables { reader.read(table) }
    let note = try reader.broken.judge(options.skip)
    guard !reader.log.entries.isEmpty else {
        throw Diagnostics(
            "\(tables.map(\.name).joined(separator: ", ")) contains no usage event",
            hint:
                "expected the output of adb shell dumpsys usagestats; only its first \"Last 24 hour events\" are read"
        )
    }
    var file = try reader.log.workload(options, clock: clock)
    if let note { file.notes.append(note) }
    return try file.checked()
}

/// Reads the lines of dumps.
///
/// An event that is in two dumps counts once.
private struct UsagestatsReader {
    var log = PhoneLog()
    private(set) var broken = BrokenRows()
    /// Hashes of the lines so far.
    ///
    /// For a million lines, the probability that two different lines have equal hashes is one in 30 million.
    private var seen: Set<UInt64> = []
    private var days = DayMemory()

    init() { log.isLocal = true }

    private static let kinds: [(word: StaticString, kind: PhoneLog.Kind)] = [
        ("ACTIVITY_RESUMED", .front), ("ACTIVITY_PAUSED", .back), ("SCREEN_INTERACTIVE", .screenOn),
        ("SCREEN_NON_INTERACTIVE", .screenOff), ("KEYGUARD_HIDDEN", .unlocked),
        ("NOTIFICATION_INTERRUPTION", .notification), ("MOVE_TO_FOREGROUND", .front), ("MOVE_TO_BACKGROUND", .back),
        ("DEVICE_SHUTDOWN", .shutdown), ("DEVICE_STARTUP", .boot),
    ]

    mutating func read(_ table: ForeignTable) {
        var table = table
        var row = ForeignTable.Row()
        while table.next(&row) {
            var words = ByteLine(table.bytes, row.line)
            guard let day = words.part(), table.bytes.begins(day, "time=\""), words.part() != nil,
                let type = words.part(), table.bytes.begins(type, "type=")
            else { continue }
            broken.countRow()
            read(table, row)
        }
    }

    private mutating func read(_ table: ForeignTable, _ row: ForeignTable.Row) {
        let bytes = table.bytes
        var quoted = ByteLine(bytes, row.line)
        _ = quoted.field(separator: UInt8(ascii: "\""))
        guard let text = quoted.field(separator: UInt8(ascii: "\"")), quoted.index <= row.line.upperBound,
            let stamp = ForeignTime.stamp(bytes, text, &days)
        else { return broken.add(table.problem("expected a time such as \"2026-05-03 19:18:20\"", in: row)) }
        var type = 0..<0
        var package = 0..<0
        var task = 0..<0
        var words = ByteLine(bytes, quoted.rest)
        while let word = words.part() {
            func value(_ key: StaticString) -> Range<Int> { word.lowerBound + key.utf8CodeUnitCount..<word.upperBound }
            if bytes.begins(word, "type=") { type = value("type=") }
            if bytes.begins(word, "package=") { package = value("package=") }
            if bytes.begins(word, "taskRootPackage=") { task = value("taskRootPackage=") }
        }
        guard let kind = Self.kinds.first(where: { bytes.equals(type, $0.word) })?.kind,
            seen.insert(bytes.hash(row.line)).inserted
        else { return }
        switch kind {
        case .front, .back, .notification:
            // If an app opens a picker in its own task, the picker counts as a screen of that app.
            let name = task.isEmpty || bytes.equals(task, "null") ? package : task
            guard !name.isEmpty else {
                return broken.add(table.problem("the event names no package", in: row))
            }
            let app = log.apps.index(ForeignTable.Field(bytes: name), in: table)
            log.add(kind, at: stamp.nanoseconds, app: app)
        default: log.add(kind, at: stamp.nanoseconds)
        }
    }
}
