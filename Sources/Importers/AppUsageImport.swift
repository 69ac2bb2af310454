// SPDX-License-Identifier: GPL-3.0-or-later
// This file converts the history that the Android app "App Usage" exports as CSV to a workload file.
//
// In: `"App name","Date","Time","Duration"`, newest first, and optionally `"Date","Time","Battery(%)","Note"`. Out:
// sessions, opened apps, home screens, notifications, plugs. Screens and notifications are rows with special names.
// These names, and the order of day and month, depend on the phone's language. Both are detected from the rows.

import Diagnostics
import Quantities
import Workload

/// Options for an export of "App Usage".
public struct AppUsageOptions: Sendable {
    /// Options of every recording.
    ///
    /// Times are local, so the zone converts no times; the workload file only states it as the zone of the rows.
    public var recording = RecordingOptions()
    /// Order of day, month and year; nil to detect it from the rows.
    public var dateOrder: DateOrder?

    /// Creates the default options.
    public init() {}
}

/// Converts exports of the Android app "App Usage" to a workload file.
///
/// - Parameter paths: The history and optionally the battery log; their columns identify them.
/// - Throws: The first problems with line and column, if more rows are broken than the limit allows.
public func importAppUsage(paths: [String], _ options: AppUsageOptions) throws(Diagnostics) -> WorkloadFile {
    var tables: [ForeignTable] = []
    for path in paths { tables.append(try ForeignTable.read(path: path)) }
    let file = try importAppUsage(tables: tables, options)
    for table in tables { try table.check() }
    return file
}

/// Converts tables to a workload file.
func importAppUsage(tables: [ForeignTable], _ options: AppUsageOptions) throws(Diagnostics) -> WorkloadFile {
    var exports: [AppUsageExport] = []
    for table in tables { exports.append(try AppUsageExport(table)) }
    let order: DateOrder
    if let given = options.dateOrder { order = given } else { order = try AppUsageExport.order(of: exports) }
    var history = AppUsageHistory()
    for export in exports { try history.read(export, order: order) }
    let note = try history.broken.judge(options.recording.skip)
    try history.judge()
    guard let first = history.firstSecond, let last = history.lastSecond else {
        throw Diagnostics("the files contain no rows")
    }
    let midnight = first / 86400 * 86400
    func time(_ second: Int) -> SimTime { SimTime(nanoseconds: Int64(second - midnight) * 1_000_000_000) }
    var file = WorkloadFile()
    file.zone = options.recording.zone
    file.origin = options.recording.origin
    file.start = CalendarDate(daysSince1970: midnight / 86400).text
    file.covered = time(history.activity.first?.second ?? first)..<time(history.lastActivity ?? last)
    if let start = history.battery.first?.second, let end = history.battery.last?.second, start < end {
        file.coveredParts[.charging] = time(start)..<time(end)
    }
    // The app logs notifications only from the day on which the user allows it to.
    if let start = history.firstNotification, start - first > 86400 {
        file.coveredParts[.pushes] = time(start)..<file.covered.upperBound
    }
    if let note { file.notes.append(note) }
    file.notes += history.notes
    var apps = NameTable()
    file.events = history.events(covered: file.covered, at: time) { apps.index($0) }
    file.apps = apps.names
    let log = history.battery.map {
        BatteryRow(time: time($0.second), isOnCharger: $0.isOnCharger, level: $0.level)
    }
    for row in log { file.response.add(level: row.level, at: row.time) }
    file.events += ChargeRows(log).events
    file.finish()
    return try file.checked()
}
