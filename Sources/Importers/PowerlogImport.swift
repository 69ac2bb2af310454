// SPDX-License-Identifier: GPL-3.0-or-later
// This file: hourly energy tables of an iPhone's power log, to a workload file, without looking at the energies.
// In: `timestamp,node,component,…`, a row per process, component and hour; `timestamp,IsCharging,StateOfCharge,…`.
// Out: apps on screen (a row for the display) and in the background (none), the network, charges. How long an app was
// on screen the tables do not say: that is a parameter. Times are seconds since 1970.

import Diagnostics
import Quantities
import Vocabulary
import Workload

/// What to do with tables of a power log.
public struct PowerlogOptions: Sendable {
    /// Time zone of the phone.
    public var zone: String
    /// Seconds on screen of an app that was on screen in an hour.
    ///
    /// Assumption: 6.6 hours of screen a day, as heavy users have, over the 128 app-hours a day of one recorded phone.
    public var secondsOnScreen = 185.0
    /// One line that says where the files come from.
    public var origin = ""

    /// Creates the options for a zone.
    public init(zone: String) { self.zone = zone }
}

/// Turns tables of a power log into a workload file; the columns say which file is which.
///
/// - Throws: All problems with line and column; nothing is imported from a broken file.
public func importPowerlog(paths: [String], _ options: PowerlogOptions) throws(Diagnostics) -> WorkloadFile {
    var tables: [ForeignTable] = []
    for path in paths { tables.append(try ForeignTable.read(path: path)) }
    return try importPowerlog(tables: tables, options)
}

/// The same from tables that are read already.
func importPowerlog(tables: [ForeignTable], _ options: PowerlogOptions) throws(Diagnostics) -> WorkloadFile {
    var log = PowerlogTables(clock: try LocalClock(zone: options.zone))
    for table in tables { try log.read(table) }
    guard log.problems.isEmpty else { throw log.problems }
    guard let first = log.hours.keys.min(), let last = log.hours.keys.max() else {
        throw Diagnostics("the files hold no hour of any app")
    }
    let day = 24
    let midnight = (first >= 0 ? first / day : (first - day + 1) / day) * day
    var file = WorkloadFile()
    file.zone = options.zone
    file.origin = options.origin
    file.start = CalendarDate(daysSince1970: midnight / day).text
    file.covered = .hours(first - midnight)..<(.hours(last + 1 - midnight))
    let present = (first...last).filter { log.hours[$0] != nil }.count
    file.notes.append("\(present) of \(last + 1 - first) hours were recorded")
    var network: Network?
    for hour in first...last {
        guard let content = log.hours[hour] else { continue }
        let start = SimTime.hours(hour - midnight)
        content.append(to: &file, at: start, secondsOnScreen: options.secondsOnScreen, network: &network)
    }
    file.events += ChargeRows(log.battery(from: midnight, until: file.covered.upperBound)).events
    file.finish()
    return file
}

extension SimTime {
    fileprivate static func hours(_ count: Int) -> SimTime { .zero + .hours(Double(count)) }
}

/// What one hour of a power log says, energies aside.
struct PowerlogHour {
    /// Apps with a row for the display, in the order of the table.
    var onScreen: [String] = []
    /// Whether the screen showed anything at all.
    var screenWasOn = false
    /// Apps with rows, but none for the display, in the order of the table.
    var background: [String] = []
    /// Processes with rows for Wi-Fi data.
    var wifiUsers = 0
    /// Processes with rows for the baseband; one or two of them are the system's even without traffic.
    var basebandUsers = 0

    private static let idleBasebandUsers = 2

    /// Share of the hour on the mobile network, by how many processes used which.
    var cellularShare: Double {
        let users = Double(max(0, basebandUsers - Self.idleBasebandUsers))
        let all = users + Double(wifiUsers)
        return all == 0 ? 0 : users / all
    }

    /// Writes the hour: visits spread evenly, background work between them.
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
            var open = WorkloadEvent(.open, at: at, app: file.index(ofApp: name))
            open.seconds = length
            file.events += [WorkloadEvent(.unlock, at: at), open, WorkloadEvent(.lock, at: at + .seconds(length))]
        }
        if onScreen.isEmpty, screenWasOn {
            // The lock screen or the home screen alone: a glance.
            let at = start + .seconds(1)
            file.events += [WorkloadEvent(.unlock, at: at), WorkloadEvent(.lock, at: at + .seconds(7))]
        }
        let step = 3600 / Double(background.count + 1)
        for (index, name) in background.enumerated() {
            let at = start + .seconds(step * Double(index + 1))
            file.events.append(WorkloadEvent(.push, at: at, app: file.index(ofApp: name)))
        }
    }
}

/// The rows of a power log by local hour.
struct PowerlogTables {
    private struct Row {
        var isOnScreen = false
        var usesWiFi = false
        var usesBaseband = false
    }

    private let clock: LocalClock
    private var charges: [(time: Int64, isOn: Bool, level: Double)] = []
    private(set) var hours: [Int: PowerlogHour] = [:]
    private(set) var problems = Diagnostics()

    init(clock: LocalClock) { self.clock = clock }

    mutating func read(_ table: ForeignTable) throws(Diagnostics) {
        guard let columns = ForeignColumns(table) else { throw Diagnostics("\(table.name) is empty") }
        let time = try columns.required("timestamp")
        if let node = columns.index("node") {
            try readHours(table, time: time, node: node, component: columns.required("component"))
        } else {
            try readBattery(
                table, time: time, charging: columns.required("ischarging"), level: columns.required("stateofcharge"))
        }
    }

    private mutating func readHours(
        _ table: ForeignTable, time: Int, node: Int, component: Int
    ) throws(Diagnostics) {
        var found: [Int: [(name: String, row: Row)]] = [:]
        var indices: [Int: [String: Int]] = [:]
        for row in table.rows.dropFirst() {
            guard let moment = moment(table, row, time), row.fields.count > max(node, component) else { continue }
            let hour = Int(moment / 3_600_000_000_000)
            let name = row.fields[node].text
            let index = indices[hour, default: [:]][name] ?? found[hour, default: []].count
            if index == found[hour, default: []].count {
                found[hour, default: []].append((name, Row()))
                indices[hour, default: [:]][name] = index
            }
            switch row.fields[component].text {
            case "DisplayDynamic": found[hour]?[index].row.isOnScreen = true
            case "WiFi-Data": found[hour]?[index].row.usesWiFi = true
            case "BB": found[hour]?[index].row.usesBaseband = true
            default: break
            }
        }
        for hour in found.keys.sorted() { hours[hour] = Self.hour(found[hour] ?? []) }
    }

    /// Apps have names in several parts; Apple's own shells and services do not count as apps.
    private static func isApp(_ name: String) -> Bool {
        let shells = [
            "com.apple.springboard", "com.apple.lock-screen", "com.apple.control-center", "com.apple.Siri",
            "com.apple.ClockAngel",
        ]
        return name.contains(".") && !name.hasSuffix("Service") && !shells.contains { name.hasPrefix($0) }
    }

    private static func hour(_ rows: [(name: String, row: Row)]) -> PowerlogHour {
        var hour = PowerlogHour()
        for (name, row) in rows {
            if row.isOnScreen { hour.screenWasOn = true }
            if row.usesWiFi { hour.wifiUsers += 1 }
            if row.usesBaseband { hour.basebandUsers += 1 }
            guard isApp(name) else { continue }
            if row.isOnScreen {
                hour.onScreen.append(name)
            } else if !name.hasPrefix("com.apple.") {
                hour.background.append(name)
            }
        }
        return hour
    }

    private mutating func readBattery(
        _ table: ForeignTable, time: Int, charging: Int, level: Int
    ) throws(Diagnostics) {
        for row in table.rows.dropFirst() {
            guard let moment = moment(table, row, time), row.fields.count > max(charging, level) else { continue }
            guard let percent = Double(row.fields[level].text), (0...100).contains(percent) else {
                problems.append(table.problem("expected a level from 0 to 100", row.fields[level], in: row))
                continue
            }
            charges.append((moment, row.fields[charging].text == "1", percent / 100))
        }
        charges.sort { $0.time < $1.time }
    }

    private mutating func moment(_ table: ForeignTable, _ row: ForeignTable.Row, _ index: Int) -> Int64? {
        guard index < row.fields.count else {
            problems.append(table.problem("the row has only \(row.fields.count) fields", in: row))
            return nil
        }
        if let nanoseconds = decimalNanoseconds(row.fields[index].text) { return clock.local(nanoseconds) }
        problems.append(table.problem("expected seconds since 1970", row.fields[index], in: row))
        return nil
    }

    /// The battery log from a midnight on, in hours since 1970.
    func battery(from midnight: Int, until end: SimTime) -> [BatteryRow] {
        let origin = Int64(midnight) * 3_600_000_000_000
        return charges.compactMap { row in
            let time = SimTime(nanoseconds: row.time - origin)
            guard time >= .zero, time < end else { return nil }
            return BatteryRow(time: time, isOnCharger: row.isOn, level: row.level)
        }
    }
}
