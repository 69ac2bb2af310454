// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Quantities
import Workload

/// The rows of an export of "App Usage", oldest first, in seconds of local time since 1970.
struct AppUsageHistory {
    /// A row of the history.
    struct Activity {
        var second: Int
        var seconds: Int
        var subject: AppUsageText.Subject
    }

    /// A row of the battery log.
    struct Battery {
        var second: Int
        var isOnCharger: Bool
        var level: Double
    }

    private(set) var activity: [Activity] = []
    private(set) var battery: [Battery] = []
    /// Everything wrong with the files.
    private(set) var problems = Diagnostics()

    /// The earliest row.
    var firstSecond: Int? { [activity.first?.second, battery.first?.second].compactMap { $0 }.min() }
    /// The latest end of a row.
    var lastSecond: Int? { [lastActivity, battery.last?.second].compactMap { $0 }.max() }
    /// The latest end of a row of the history.
    var lastActivity: Int? { activity.map { $0.second + $0.seconds }.max() }

    /// Reads one file; its columns say which one it is.
    mutating func read(_ table: ForeignTable, order: DateOrder?) throws(Diagnostics) {
        guard let header = table.rows.firstIndex(where: { Self.isHeader($0) }) else {
            throw Diagnostics(
                "\(table.name) has no line with the names of the columns",
                hint:
                    "expected \"App name\",\"Date\",\"Time\",\"Duration\" or \"Date\",\"Time\",\"Battery(%)\",\"Note\"")
        }
        let isActivity = table.rows[header].fields[0].text == "App name"
        let rows = Self.withoutClosingRemarks(
            table.rows[(header + 1)...], isQuoted: table.rows[header].fields[0].isQuoted)
        let dateColumn = isActivity ? 1 : 0
        guard let order = order ?? findOrder(table, rows, dateColumn) else { return }
        for row in rows {
            guard row.fields.count == 4 else {
                problems.append(table.problem("expected 4 fields, found \(row.fields.count)", in: row))
                continue
            }
            guard let second = readTime(table, row, dateColumn, order) else { continue }
            if isActivity { readActivity(table, row, second) } else { readBattery(table, row, second) }
        }
        if isActivity {
            activity = Self.oldestFirst(activity, \.second)
        } else {
            battery = Self.oldestFirst(battery, \.second)
        }
    }

    private static func isHeader(_ row: ForeignTable.Row) -> Bool {
        let names = row.fields.map(\.text)
        return names == ["App name", "Date", "Time", "Duration"] || names == ["Date", "Time", "Battery(%)", "Note"]
    }

    /// Exports end in lines such as `Created by App Usage on …`, which are not quoted or hold less than a row.
    private static func withoutClosingRemarks(
        _ rows: ArraySlice<ForeignTable.Row>, isQuoted: Bool
    ) -> ArraySlice<ForeignTable.Row> {
        var rows = rows
        while let last = rows.last,
            last.fields.count < 4 || (isQuoted && !last.fields[0].isQuoted) || last.fields[2].text.isEmpty
        {
            rows.removeLast()
        }
        return rows
    }

    /// Newest first becomes oldest first; rows of one second keep their order.
    private static func oldestFirst<Row>(_ rows: [Row], _ second: KeyPath<Row, Int>) -> [Row] {
        guard let first = rows.first, let last = rows.last else { return rows }
        let ordered = first[keyPath: second] > last[keyPath: second] ? rows.reversed() : rows
        return ordered.enumerated()
            .sorted { ($0.element[keyPath: second], $0.offset) < ($1.element[keyPath: second], $1.offset) }
            .map(\.element)
    }

    private mutating func readActivity(_ table: ForeignTable, _ row: ForeignTable.Row, _ second: Int) {
        guard let length = AppUsageText.length(row.fields[3].text) else {
            return expected("a length such as 04:30 or 1:00:14", table, row, row.fields[3])
        }
        activity.append(
            Activity(second: second, seconds: length, subject: AppUsageText.subject(row.fields[0].text)))
    }

    private mutating func readBattery(_ table: ForeignTable, _ row: ForeignTable.Row, _ second: Int) {
        let text = row.fields[2].text.filter { $0 != "%" }
        guard let level = Double(text), (0...100).contains(level) else {
            return expected("a battery level from 0 to 100", table, row, row.fields[2])
        }
        battery.append(
            Battery(second: second, isOnCharger: AppUsageText.isOnCharger(row.fields[3].text), level: level / 100))
    }

    private mutating func readTime(
        _ table: ForeignTable, _ row: ForeignTable.Row, _ index: Int, _ order: DateOrder
    ) -> Int? {
        let date = row.fields[index]
        guard let parts = AppUsageText.dateParts(date.text), let day = AppUsageText.day(parts, order) else {
            expected("a date, \(order.rawValue)", table, row, date)
            return nil
        }
        guard let clock = AppUsageText.clock(row.fields[index + 1].text) else {
            expected("a time such as 17:30:12 or 5:30:12 PM", table, row, row.fields[index + 1])
            return nil
        }
        return day * 86400 + clock
    }

    private mutating func expected(
        _ what: String, _ table: ForeignTable, _ row: ForeignTable.Row, _ field: ForeignTable.Field
    ) {
        problems.append(table.problem("expected \(what), found \"\(field.text)\"", field, in: row))
    }

    // MARK: The order of day and month

    /// The only order in which all dates exist and follow each other; reports when that is not exactly one.
    private mutating func findOrder(
        _ table: ForeignTable, _ rows: ArraySlice<ForeignTable.Row>, _ index: Int
    ) -> DateOrder? {
        let dates = rows.compactMap { $0.fields.count == 4 ? AppUsageText.dateParts($0.fields[index].text) : nil }
        if let first = dates.first, first[0] > 99 { return .yearFirst }
        let possible = [DateOrder.dayFirst, .monthFirst].filter { order in
            let days = dates.compactMap { AppUsageText.day($0, order) }
            let pairs = zip(days, days.dropFirst())
            return days.count == dates.count && (pairs.allSatisfy { $0 >= $1 } || pairs.allSatisfy { $0 <= $1 })
        }
        if possible.count == 1 { return possible[0] }
        // With a single day in the file, or a broken row, either order may still be right for most.
        let alive = [DateOrder.dayFirst, .monthFirst].max { left, right in
            dates.count { AppUsageText.day($0, left) != nil } < dates.count { AppUsageText.day($0, right) != nil }
        }
        if possible.isEmpty, let alive { return alive }
        problems.append(
            Diagnostic(
                "the dates of \(table.name) may be read with the day or with the month first", hint: "say which it is"))
        return nil
    }
}
