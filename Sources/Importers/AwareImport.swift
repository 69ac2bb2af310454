// SPDX-License-Identifier: GPL-3.0-or-later
// This file: screen and battery tables of the AWARE framework, as Niimpy exports them, to a workload file.
// In: CSV files with the columns `time`, `screen_status` or `time`, `battery_status`, `battery_level`, and a time zone.
// Out: sessions, plugs and unplugs. Codes of the screen: 0 off, 1 on, 2 locked, 3 unlocked; of the battery: 2 charging,
// 3 discharging, 5 full, those of Android's BatteryManager; zero and below (shutdown, reboot) are left out.

import Diagnostics
import Quantities
import Workload

/// What to do with tables of the AWARE framework.
public struct AwareOptions: Sendable {
    /// Time zone of the phone: a name such as `Europe/Helsinki`, or a distance such as `+02:00`.
    public var zone: String
    /// The last day to take, in local time; nil for all.
    public var lastDay: CalendarDate?
    /// One line that says where the files come from, for the head of the workload file.
    public var origin = ""

    /// Creates the options for a zone.
    public init(zone: String) { self.zone = zone }
}

/// Turns screen and battery tables of the AWARE framework into a workload file.
///
/// - Throws: All problems with line and column; nothing is imported from a broken file.
public func importAware(paths: [String], _ options: AwareOptions) throws(Diagnostics) -> WorkloadFile {
    var tables: [ForeignTable] = []
    for path in paths { tables.append(try ForeignTable.read(path: path)) }
    return try importAware(tables: tables, options)
}

/// The same from tables that are read already.
func importAware(tables: [ForeignTable], _ options: AwareOptions) throws(Diagnostics) -> WorkloadFile {
    var aware = AwareTables(clock: try LocalClock(zone: options.zone))
    for table in tables { try aware.read(table) }
    guard aware.problems.isEmpty else { throw aware.problems }
    guard let first = aware.firstTime, let last = aware.lastTime else { throw Diagnostics("the files hold no rows") }
    let day = SimDuration.day.nanoseconds
    let midnight = (first >= 0 ? first / day : (first - day + 1) / day) * day
    var end = last
    if let lastDay = options.lastDay { end = min(end, (Int64(lastDay.daysSince1970) + 1) * day - 1) }
    guard end > first else { throw Diagnostics("the files hold no rows until the last day asked for") }
    // Whatever goes on after the last day was recorded until its end.
    let covered = end < last ? end + 1 : last
    var file = WorkloadFile()
    file.zone = options.zone
    file.origin = options.origin
    file.start = CalendarDate(daysSince1970: Int(midnight / day)).text
    file.covered = SimTime(nanoseconds: first - midnight)..<SimTime(nanoseconds: covered - midnight)
    let charges = ChargeRows(aware.battery(from: midnight, through: end)).events
    file.events = charges + aware.sessions(from: midnight, through: end)
    file.finish()
    return file
}
