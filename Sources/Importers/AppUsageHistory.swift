// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Quantities
import Workload

/// Rows of an "App Usage" export, oldest first.
///
/// Times are seconds of local time since 1970.
struct AppUsageHistory {
    /// A row of the history, in 12 bytes.
    struct Activity: Hashable {
        private let from: UInt32
        private let length: UInt32
        private let number: Int32

        var second: Int { Int(from) }
        var seconds: Int { Int(length) }
        /// Number of the row's name.
        var name: Int { Int(number) }

        /// Creates a row from a second that `ForeignTime` accepts and a length of less than a million hours.
        init(second: Int, seconds: Int, name: Int) {
            (from, length, number) = (UInt32(clamping: second), UInt32(clamping: seconds), Int32(name))
        }
    }

    /// A row of the battery log.
    struct Battery: Hashable {
        var second: Int
        /// Number of the row's note.
        var note: Int
        var isOnCharger = false
        var level: Double
    }

    private(set) var activity: [Activity] = []
    private(set) var battery: [Battery] = []
    /// Rows that could not be read.
    private(set) var broken = BrokenRows()
    /// Meaning of each name in the rows, by the number of the name.
    private(set) var subjects: [AppUsageText.Subject] = []
    /// Assumptions, as sentences.
    private(set) var notes: [String] = []

    private var names = NameTable()
    private var remarks = NameTable()
    private var lastDate: [UInt8] = []
    private var lastDay: Int?

    /// Time of the earliest row.
    var firstSecond: Int? { [activity.first?.second, battery.first?.second].compactMap { $0 }.min() }
    /// Latest end of a row.
    var lastSecond: Int? { [lastActivity, battery.last?.second].compactMap { $0 }.max() }
    /// Latest end of a row of the history.
    var lastActivity: Int? { activity.lazy.map { $0.second + $0.seconds }.max() }

    /// Time of the first notification.
    var firstNotification: Int? {
        let isNotification = subjects.map { if case .notification = $0 { true } else { false } }
        return activity.first { isNotification[$0.name] }?.second
    }

    /// The subject of a row.
    func subject(_ row: Activity) -> AppUsageText.Subject { subjects[row.name] }

    /// Reads one file.
    ///
    /// A row that an earlier file also contains counts once.
    mutating func read(_ export: AppUsageExport, order: DateOrder) throws(Diagnostics) {
        let (before, logBefore) = (activity, battery)
        (activity, battery) = ([], [])
        readRows(of: export, order: order)
        Self.putOldestFirst(&activity) { $0.second }
        Self.putOldestFirst(&battery) { $0.second }
        activity = try Self.joined(before, activity, { $0.second }, export.table.name)
        battery = try Self.joined(logBefore, battery, { $0.second }, export.table.name)
    }

    /// Merges two exports of one phone.
    ///
    /// - Throws: An error if the exports overlap in time, but more than half of the new rows in the overlap are not old
    ///   rows.
    private static func joined<Row: Hashable>(
        _ old: [Row], _ new: [Row], _ second: (Row) -> Int, _ name: String
    ) throws(Diagnostics) -> [Row] {
        guard let first = old.first.map(second), let last = old.last.map(second) else { return new }
        if new.isEmpty { return old }
        let inside = new.filter { (first...last).contains(second($0)) }
        let known = Set(old)
        let strange = inside.filter { !known.contains($0) }
        guard strange.count * 2 <= inside.count else {
            throw Diagnostics(
                "\(name) and an earlier file cover the same days, but differ",
                hint: "are they exports of two phones? a workload describes one phone")
        }
        var all = old + new.filter { !known.contains($0) }
        putOldestFirst(&all, second)
        return all
    }

    private mutating func readRows(of export: AppUsageExport, order: DateOrder) {
        var table = export.table
        lastDate = []
        var row = export.header
        // Remarks are allowed at the end of an export. A remark between rows counts as a broken row.
        var held: [Diagnostic] = []
        while table.next(&row) {
            if export.isRemark(row), held.count < BrokenRows.shown {
                held.append(table.problem("expected 4 fields, found \(row.fields.count)", in: row))
                continue
            }
            for problem in held {
                broken.countRow()
                broken.add(problem)
            }
            held.removeAll(keepingCapacity: true)
            broken.countRow()
            guard row.fields.count == 4 else {
                broken.add(table.problem("expected 4 fields, found \(row.fields.count)", in: row))
                continue
            }
            guard let second = readTime(table, row, export.kind.date, order) else { continue }
            if export.kind == .activity { readActivity(table, row, second) } else { readBattery(table, row, second) }
        }
    }

    /// Finds the meanings of names and notes.
    ///
    /// All files must have been read before.
    mutating func judge() throws(Diagnostics) {
        subjects = names.names.map(AppUsageText.subject)
        if !activity.isEmpty, !subjects.contains(.screenOff) {
            var language = AppUsageLanguage(names: names.names, rows: activity)
            if let told = language.subjects() {
                subjects = told
                notes.append(language.note)
            } else {
                notes.append("no row records that the screen was off, so sessions are derived from the apps")
            }
        }
        guard !battery.isEmpty else { return }
        var states = remarks.names.map(AppUsageText.isOnCharger)
        if !states.contains(where: { $0 != nil }) {
            states = try AppUsageLanguage.chargers(remarks.names, rows: battery)
        }
        for index in battery.indices { battery[index].isOnCharger = states[battery[index].note] ?? false }
    }

    /// Sorts rows by time; rows in descending order are reversed.
    ///
    /// Otherwise, rows of one second keep their order.
    private static func putOldestFirst<Row>(_ rows: inout [Row], _ second: (Row) -> Int) {
        if let first = rows.first, let last = rows.last, second(first) > second(last) { rows.reverse() }
        if !rows.indices.dropFirst().allSatisfy({ second(rows[$0 - 1]) <= second(rows[$0]) }) {
            rows.sort { second($0) < second($1) }
        }
    }

    private mutating func readActivity(_ table: ForeignTable, _ row: ForeignTable.Row, _ second: Int) {
        guard let length = AppUsageText.length(table.bytes[row.fields[3].bytes]) else {
            return expected("a length such as 04:30 or 1:00:14", table, row, row.fields[3])
        }
        activity.append(Activity(second: second, seconds: length, name: names.index(row.fields[0], in: table)))
    }

    private mutating func readBattery(_ table: ForeignTable, _ row: ForeignTable.Row, _ second: Int) {
        guard let level = Double(table.text(row.fields[2]).filter { $0 != "%" }), (0...100).contains(level) else {
            return expected("a battery level from 0 to 100", table, row, row.fields[2])
        }
        battery.append(Battery(second: second, note: remarks.index(row.fields[3], in: table), level: level / 100))
    }

    private mutating func readTime(
        _ table: ForeignTable, _ row: ForeignTable.Row, _ column: Int, _ order: DateOrder
    ) -> Int? {
        let date = row.fields[column]
        // Most rows have the same day as the previous row.
        if !table.bytes.equals(date.bytes, lastDate) {
            lastDate = Array(table.bytes[date.bytes])
            lastDay = AppUsageText.dateParts(lastDate).flatMap { AppUsageText.day($0, order) }
        }
        guard let lastDay, ForeignTime.isPossible(second: Int64(lastDay) * 86400) else {
            expected("a date, \(order.rawValue)", table, row, date)
            return nil
        }
        let time = row.fields[column + 1]
        if let clock = AppUsageText.clock(table.bytes[time.bytes]) { return lastDay * 86400 + clock }
        expected("a time such as 17:30:12 or 5:30:12 PM", table, row, time)
        return nil
    }

    private mutating func expected(
        _ what: String, _ table: ForeignTable, _ row: ForeignTable.Row, _ field: ForeignTable.Field
    ) {
        broken.add(table.problem("expected \(what), found \"\(table.text(field).prefix(60))\"", field, in: row))
    }
}
