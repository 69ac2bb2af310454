// SPDX-License-Identifier: GPL-3.0-or-later
// This file converts the hourly energy tables of an iPhone's power log to a workload file.
//
// The energies are not used. In: `timestamp,node,component,…`, or the tables of the phone (RootNodeEnergy, Nodes,
// Battery) as CSV or database. Out: apps on screen (with a row for the display or its pipeline) and in the background
// (without), the network, charges. The tables do not contain the time of an app on screen, so this time is a parameter.
// Times are seconds since 1970.

import Diagnostics
import Quantities
import Vocabulary
import Workload

/// Options for tables of a power log.
public struct PowerlogOptions: Sendable {
    /// Options of every recording.
    public var recording: RecordingOptions
    /// Assumed time on screen, in seconds, of an app in each hour in which the app was on screen.
    ///
    /// Assumption: 6.6 hours of screen time a day, as heavy users have, divided by the 128 app-hours a day of a
    /// recorded phone.
    public var secondsOnScreen = 185.0

    /// Creates options for a time zone.
    public init(zone: String) { recording = RecordingOptions(zone: zone) }
}

/// Converts tables of a power log to a workload file.
///
/// The columns of each file identify its kind.
///
/// - Throws: The first problems with line and column, if more rows are broken than the limit allows.
public func importPowerlog(paths: [String], _ options: PowerlogOptions) throws(Diagnostics) -> WorkloadFile {
    var tables: [ForeignTable] = []
    for path in paths {
        tables += try ForeignTable.read(path: path) { database throws(Diagnostics) in
            try PowerlogTables.tables(of: database, path)
        }
    }
    let file = try importPowerlog(tables: tables, options)
    for table in tables { try table.check() }
    return file
}

/// Energies in watt-hours, by local hour since 1970 and by part of the phone.
func hourlyEnergies(paths: [String], zone: String) throws(Diagnostics) -> [Int: [String: Double]] {
    var tables: [ForeignTable] = []
    for path in paths {
        tables += try ForeignTable.read(path: path) { database throws(Diagnostics) in
            try PowerlogTables.tables(of: database, path)
        }
    }
    var log = PowerlogTables(clock: try LocalClock(zone: zone.isEmpty ? "UTC" : zone))
    try log.read(tables)
    return log.energies
}

/// Converts tables to a workload file.
func importPowerlog(tables: [ForeignTable], _ options: PowerlogOptions) throws(Diagnostics) -> WorkloadFile {
    var log = PowerlogTables(clock: try LocalClock(zone: options.recording.zone))
    try log.read(tables)
    let note = try log.broken.judge(options.recording.skip)
    var file = WorkloadFile()
    file.zone = options.recording.zone
    file.origin = options.recording.origin
    if let note { file.notes.append(note) }
    if let first = log.hours.keys.min(), let last = log.hours.keys.max() {
        guard last - first < 48 || log.hours.count * 8 > last - first else {
            throw Diagnostics(
                "\(log.hours.count) of \(last - first + 1) hours were recorded",
                hint: "are these daily sums? export the hourly sums")
        }
        log.append(hours: first...last, to: &file, secondsOnScreen: options.secondsOnScreen)
    } else {
        try log.appendBattery(to: &file)
    }
    file.finish()
    return try file.checked()
}

extension PowerlogTables {
    /// Adds the hours of apps and the charges to a workload file.
    fileprivate func append(hours range: ClosedRange<Int>, to file: inout WorkloadFile, secondsOnScreen: Double) {
        let midnight = range.lowerBound / 24 * 24
        file.start = CalendarDate(daysSince1970: midnight / 24).text
        file.covered = .hours(range.lowerBound - midnight)..<(.hours(range.upperBound + 1 - midnight))
        file.notes.append("\(hours.count) of \(range.count) hours were recorded")
        var network: Network?
        for hour in range {
            guard let content = hours[hour] else { continue }
            let start = SimTime.hours(hour - midnight)
            content.append(to: &file, at: start, secondsOnScreen: secondsOnScreen, network: &network)
        }
        let rows = battery(from: midnight)
        let inside = PowerlogCharges(rows.filter { $0.time >= .zero && $0.time < file.covered.upperBound }).events
        for row in rows { file.response.add(level: row.level, at: row.time) }
        let all = PowerlogCharges(rows).count
        file.events += inside
        let left = all - inside.count { $0.kind == .plug }
        if left > 0 {
            file.notes.append("\(left) of \(all) charges lie outside the hours with app records and were left out")
        }
    }

    /// Adds a battery log to a workload file if the files contain no hourly records of apps.
    fileprivate func appendBattery(to file: inout WorkloadFile) throws(Diagnostics) {
        guard let midnight = firstMidnight else {
            throw Diagnostics(
                "the files contain neither hourly records of apps nor rows of a battery log",
                hint: "expected tables of an iPhone's power log: RootNodeEnergy with Nodes, or Battery")
        }
        let rows = battery(from: midnight)
        guard let first = rows.first, let last = rows.last, first.time < last.time else {
            throw Diagnostics("all rows of the battery log have the same time")
        }
        file.start = CalendarDate(daysSince1970: midnight / 24).text
        file.covered = first.time..<last.time
        for row in rows { file.response.add(level: row.level, at: row.time) }
        file.events = PowerlogCharges(rows).events
    }
}

extension SimTime {
    fileprivate static func hours(_ count: Int) -> SimTime { .zero + .hours(Double(count)) }
}

/// One hour of a power log, without its energies.
struct PowerlogHour {
    /// Apps with a row for the display or for the pipeline that draws the picture, in the order of the table.
    ///
    /// The pipeline is included because the log assigns no energy to the display (`DisplayDynamic`) at the lowest
    /// brightness.
    var onScreen: [String] = []
    /// Whether the screen was on in this hour.
    var screenWasOn = false
    /// Apps that have only other rows, in the order of the table.
    var background: [String] = []
    /// Number of processes with rows for Wi-Fi data.
    var wifiUsers = 0
    /// Number of processes with rows for the baseband.
    ///
    /// One or two of them belong to the system, even without traffic.
    var basebandUsers = 0

    private static let idleBasebandUsers = 2

    /// Share of the hour on the mobile network, estimated from the numbers of processes on the two networks.
    var cellularShare: Double {
        let users = Double(max(0, basebandUsers - Self.idleBasebandUsers))
        let all = users + Double(wifiUsers)
        return all == 0 ? 0 : users / all
    }

    /// Adds the hour to a workload file: visits at equal distances, with background work between them.
    func append(to file: inout WorkloadFile, at start: SimTime, secondsOnScreen: Double, network: inout Network?) {
        let share = cellularShare
        var changes: [(Double, Network)] = [(0, share >= 0.9 ? .cellular : .wifi)]
        if share > 0.1, share < 0.9 { changes = [(0, .cellular), (3600 * share, .wifi)] }
        for (seconds, wanted) in changes where network != wanted {
            network = wanted
            var event = WorkloadEvent(.network, at: start + .seconds(seconds))
            event.network = wanted.rawValue
            file.events.append(event)
        }
        let slot = 3600 / Double(max(1, onScreen.count))
        let length = min(secondsOnScreen, 0.95 * slot)
        for (index, name) in onScreen.enumerated() {
            let at = start + .seconds(slot * Double(index) + 1)
            var open = WorkloadEvent(.open, at: at, app: file.index(ofApp: NameTable.plain(name)))
            open.seconds = length
            file.events += [WorkloadEvent(.unlock, at: at), open, WorkloadEvent(.lock, at: at + .seconds(length))]
        }
        if onScreen.isEmpty, screenWasOn {
            // Only the lock screen or the home screen was on, which counts as a glance of 7 seconds.
            let at = start + .seconds(1)
            file.events += [WorkloadEvent(.unlock, at: at), WorkloadEvent(.lock, at: at + .seconds(7))]
        }
        let step = 3600 / Double(background.count + 1)
        for (index, name) in background.enumerated() {
            let at = start + .seconds(step * Double(index + 1))
            file.events.append(WorkloadEvent(.push, at: at, app: file.index(ofApp: NameTable.plain(name))))
        }
    }
}
