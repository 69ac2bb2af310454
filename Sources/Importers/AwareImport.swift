// SPDX-License-Identifier: GPL-3.0-or-later
// This file converts tables of the AWARE framework, as its client, Niimpy or RAPIDS write them, to a workload file.
//
// In: CSV files or the client's databases, with tables of screen, battery, apps, notifications and installations. Codes
// of the screen: 0 off, 1 on, 2 locked, 3 unlocked. Codes of the battery: 2 charging, 3 discharging, 5 full, -1 and -3
// switching off. Codes of installations (com.aware.Installations): 0 removed, 1 added, 2 updated. Rows with other codes
// are omitted.

import Diagnostics
import Quantities
import Workload

/// Converts tables of the AWARE framework to a workload file.
///
/// - Throws: The first problems with line and column, if more rows are broken than the limit allows.
public func importAware(paths: [String], _ options: RecordingOptions) throws(Diagnostics) -> WorkloadFile {
    var tables: [ForeignTable] = []
    for path in paths {
        tables += try ForeignTable.read(path: path) { database throws(Diagnostics) in
            try AwareTables.tables(of: database, path)
        }
    }
    let file = try importAware(tables: tables, options)
    for table in tables { try table.check() }
    return file
}

/// Converts tables to a workload file.
func importAware(tables: [ForeignTable], _ options: RecordingOptions) throws(Diagnostics) -> WorkloadFile {
    let clock = try LocalClock(zone: options.zone)
    var aware = AwareTables(user: options.user)
    for table in tables { try aware.read(table) }
    let note = try aware.broken.judge(options.skip)
    var file = try aware.log.workload(options, clock: clock)
    if let note { file.notes.append(note) }
    return try file.checked()
}
