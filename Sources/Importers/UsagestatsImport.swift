// SPDX-License-Identifier: GPL-3.0-or-later
// This file: the events that `adb shell dumpsys usagestats` prints, to a workload file; no root, no app is needed.
// In: lines such as `time="2026-05-03 19:18:20" type=ACTIVITY_RESUMED package=com.example.mail …`, or a bug report.
// Out: sessions (SCREEN_INTERACTIVE), whether the phone was unlocked (KEYGUARD_HIDDEN), apps, notifications that were
// shown, switching off and on. Names of types: `android.app.usage.UsageEvents.Event` of Android's public interface.

import Diagnostics
import Quantities
import Workload

/// Turns the events of a usagestats dump into a workload file.
///
/// - Throws: The first problems with line and column, when more events are broken than may be.
public func importUsagestats(paths: [String], _ options: RecordingOptions) throws(Diagnostics) -> WorkloadFile {
    var tables: [ForeignTable] = []
    for path in paths {
        tables.append(try ForeignTable(name: path, bytes: ForeignInput.bytes(of: path), separator: 0))
    }
    return try importUsagestats(tables: tables, options)
}

/// The same from texts that are read already.
func importUsagestats(tables: [ForeignTable], _ options: RecordingOptions) throws(Diagnostics) -> WorkloadFile {
    let clock = try LocalClock(zone: options.zone.isEmpty ? "UTC" : options.zone)
    var reader = UsagestatsReader()
    for table in tables { reader.read(table) }
    let note = try reader.broken.judge(options.skip)
    guard !reader.log.entries.isEmpty else {
        throw Diagnostics(
            "\(tables.map(\.name).joined(separator: ", ")) holds no event of use",
            hint: "it is what adb shell dumpsys usagestats prints; the first lines under \"Last 24 hour events\" count")
    }
    var file = try reader.log.workload(options, clock: clock)
    if let note { file.notes.append(note) }
    return try file.checked()
}

/// Reads the lines of dumps; the same event in two dumps counts once.
private struct UsagestatsReader {
    private(set) var log = PhoneLog()
    private(set) var broken = BrokenRows()
    private var seen: Set<[UInt8]> = []

    init() { log.isLocal = true }

    private static let kinds: [String: PhoneLog.Kind] = [
        "SCREEN_INTERACTIVE": .screenOn, "SCREEN_NON_INTERACTIVE": .screenOff, "KEYGUARD_HIDDEN": .unlocked,
        "ACTIVITY_RESUMED": .front, "MOVE_TO_FOREGROUND": .front, "ACTIVITY_PAUSED": .back,
        "MOVE_TO_BACKGROUND": .back, "NOTIFICATION_INTERRUPTION": .notification, "DEVICE_SHUTDOWN": .shutdown,
        "DEVICE_STARTUP": .boot,
    ]

    mutating func read(_ table: ForeignTable) {
        var row = ForeignTable.Row()
        while table.next(&row) {
            let words = table.bytes[row.line].split(separator: 32, maxSplits: 3, omittingEmptySubsequences: true)
            guard words.count > 2, words[0].starts(with: "time=\"".utf8), words[2].starts(with: "type=".utf8)
            else { continue }
            broken.countRow()
            read(String(decoding: table.bytes[row.line], as: UTF8.self), table, row)
        }
    }

    private mutating func read(_ line: String, _ table: ForeignTable, _ row: ForeignTable.Row) {
        let quoted = line.split(separator: "\"", maxSplits: 2, omittingEmptySubsequences: false)
        guard quoted.count == 3, let stamp = ForeignTime.stamp(quoted[1]) else {
            return broken.add(table.problem("expected a time such as \"2026-05-03 19:18:20\"", in: row))
        }
        var type = ""
        var package: Substring = ""
        var task: Substring = ""
        for word in quoted[2].split(separator: " ") {
            let halves = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard halves.count == 2 else { continue }
            switch halves[0] {
            case "type": type = String(halves[1])
            case "package": package = halves[1]
            case "taskRootPackage": task = halves[1]
            default: break
            }
        }
        guard let kind = Self.kinds[type], seen.insert(Array(table.bytes[row.line])).inserted else { return }
        switch kind {
        case .front, .back, .notification:
            // A picker that an app opens inside its own task is a screen of that app.
            let name = task.isEmpty || task == "null" ? package : task
            guard !name.isEmpty else {
                return broken.add(table.problem("the event names no package", in: row))
            }
            log.add(kind, at: stamp.nanoseconds, app: log.apps.index(String(name)))
        default: log.add(kind, at: stamp.nanoseconds)
        }
    }
}
