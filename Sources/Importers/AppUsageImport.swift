// SPDX-License-Identifier: GPL-3.0-or-later
// This file: the history that the Android app "App Usage" exports as CSV, to a workload file.
// In: `"App name","Date","Time","Duration"`, newest first, and if at hand `"Date","Time","Battery(%)","Note"`.
// Out: sessions, opened apps, home screens, notifications, plugs. Screens and notifications are rows with special
// names, in English; the order of day and month follows the phone's language and is found from the rows.

import Diagnostics
import Quantities
import Workload

/// What to do with an export of "App Usage".
public struct AppUsageOptions: Sendable {
    /// Time zone of the phone, for the head of the workload file; the rows hold wall-clock time.
    public var zone = ""
    /// Order of day, month and year; nil to find it from the rows.
    public var dateOrder: DateOrder?
    /// One line that says where the files come from, for the head of the workload file.
    public var origin = ""

    /// Creates the default options.
    public init() {}
}

/// Orders of the parts of a date.
public enum DateOrder: String, Sendable, CaseIterable {
    /// 31/12/2025.
    case dayFirst = "day-first"
    /// 12/31/2025.
    case monthFirst = "month-first"
    /// 2025/12/31.
    case yearFirst = "year-first"
}

/// Turns exports of the Android app "App Usage" into a workload file.
///
/// - Parameter paths: The history, and if at hand the battery log; the columns say which is which.
/// - Throws: All problems with line and column; nothing is imported from a broken file.
public func importAppUsage(paths: [String], _ options: AppUsageOptions) throws(Diagnostics) -> WorkloadFile {
    var tables: [ForeignTable] = []
    for path in paths { tables.append(try ForeignTable.read(path: path)) }
    return try importAppUsage(tables: tables, options)
}

/// The same from tables that are read already.
func importAppUsage(tables: [ForeignTable], _ options: AppUsageOptions) throws(Diagnostics) -> WorkloadFile {
    var history = AppUsageHistory()
    for table in tables { try history.read(table, order: options.dateOrder) }
    guard history.problems.isEmpty else { throw history.problems }
    guard let first = history.firstSecond, let last = history.lastSecond else {
        throw Diagnostics("the files hold no rows")
    }
    let midnight = (first >= 0 ? first / 86400 : (first - 86399) / 86400) * 86400
    func time(_ second: Int) -> SimTime { SimTime(nanoseconds: Int64(second - midnight) * 1_000_000_000) }
    var file = WorkloadFile()
    file.zone = options.zone
    file.origin = options.origin
    file.start = CalendarDate(daysSince1970: midnight / 86400).text
    file.covered = time(history.activity.first?.second ?? first)..<time(history.lastActivity ?? last)
    if let start = history.battery.first?.second, let end = history.battery.last?.second, start < end {
        file.coveredCharging = time(start)..<time(end)
    }
    var indices: [String: Int] = [:]
    let events = history.events(covered: file.covered, at: time) { name in
        if let index = indices[name] { return index }
        indices[name] = file.apps.count
        file.apps.append(name)
        return file.apps.count - 1
    }
    let log = history.battery.map {
        BatteryRow(time: time($0.second), isOnCharger: $0.isOnCharger, level: $0.level)
    }
    file.events = events + ChargeRows(log).events
    file.finish()
    return file
}
