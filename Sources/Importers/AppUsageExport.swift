// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics

/// One file of "App Usage": the kind of export, the beginning of its rows, and the possible orders of its dates.
struct AppUsageExport {
    /// Kinds of exports.
    enum Kind {
        /// App name, date, time, duration.
        case activity
        /// Date, time, level, note.
        case battery

        /// Index of the date among the fields.
        var date: Int { self == .activity ? 1 : 0 }
    }

    /// The table from below `header` on.
    let table: ForeignTable
    let kind: Kind
    /// The row above the first row with data.
    let header: ForeignTable.Row
    /// Whether the fields are quoted, so that a line without quotes is a remark.
    let isQuoted: Bool

    private static let headers = [
        ["App name", "Date", "Time", "Duration"], ["Date", "Time", "Battery(%)", "Note"],
    ]

    /// Finds the first row: below English names of the columns, or the first row with fields of the right form.
    init(_ table: ForeignTable) throws(Diagnostics) {
        var below = table
        var row = ForeignTable.Row()
        var (above, tableAbove) = (row, table)
        while below.next(&row) {
            let names = row.fields.map { below.text($0) }
            if Self.headers.contains(names) {
                (kind, header, isQuoted) = (names[0] == "Date" ? .battery : .activity, row, row.fields[0].isQuoted)
                self.table = below
                return
            }
            if let kind = Self.kind(names) {
                (self.kind, header, isQuoted) = (kind, above, row.fields[0].isQuoted)
                self.table = tableAbove
                return
            }
            if row.number > 100 { break }
            (above, tableAbove) = (row, below)
        }
        throw Diagnostics(
            "\(table.name) is neither the history nor the battery log of App Usage",
            hint:
                "expected \"App name\",\"Date\",\"Time\",\"Duration\" or \"Date\",\"Time\",\"Battery(%)\",\"Note\": in "
                + "the app, export Activity history and Battery history")
    }

    private static func kind(_ fields: [String]) -> Kind? {
        guard fields.count == 4 else { return nil }
        if AppUsageText.dateParts(fields[1]) != nil, AppUsageText.clock(fields[2]) != nil,
            AppUsageText.length(fields[3]) != nil
        {
            return .activity
        }
        let isBattery =
            AppUsageText.dateParts(fields[0]) != nil && AppUsageText.clock(fields[1]) != nil
            && Double(fields[2].filter { $0 != "%" }) != nil
        return isBattery ? .battery : nil
    }

    /// Whether a row is one of the remarks that end an export, such as `Created by App Usage on …`.
    func isRemark(_ row: ForeignTable.Row) -> Bool {
        row.fields.count < 4 || isQuoted && !row.fields[0].isQuoted || row.fields[2].bytes.isEmpty
    }

    // MARK: The order of day and month

    /// Orders that the dates of a file allow.
    private struct Possible {
        var order: DateOrder
        var isRising = true
        var isFalling = true
        var days = 0
        var last = 0
        /// Whether the last date was valid in this order.
        var wasDay = false

        /// Whether all dates exist and follow each other.
        func isPossible(of rows: Int) -> Bool { days == rows && (isRising || isFalling) }

        mutating func add(_ day: Int?) {
            wasDay = false
            guard let day else { return }
            if days > 0 {
                if day < last { isRising = false }
                if day > last { isFalling = false }
            }
            last = day
            days += 1
            wasDay = true
        }

        /// Adds the day of the row before once more.
        mutating func repeatLast() { if wasDay { days += 1 } }
    }

    /// The order in which the dates of all files exist and follow each other; any file may settle it for the others.
    static func order(of exports: [AppUsageExport]) throws(Diagnostics) -> DateOrder {
        var possible: Set<DateOrder> = [.dayFirst, .monthFirst]
        var counts: [DateOrder: Int] = [:]
        for export in exports {
            var orders = [Possible(order: .dayFirst), Possible(order: .monthFirst)]
            var rows = 0
            var table = export.table
            var row = export.header
            var before: [UInt8] = []
            while table.next(&row) {
                guard row.fields.count == 4 else { continue }
                let date = row.fields[export.kind.date].bytes
                // Most rows have the day of the row before.
                if !before.isEmpty, table.bytes.equals(date, before) {
                    rows += 1
                    for index in orders.indices { orders[index].repeatLast() }
                    continue
                }
                guard let parts = AppUsageText.dateParts(table.bytes[date]) else { continue }
                before = Array(table.bytes[date])
                if parts[0] > 99 { return .yearFirst }
                rows += 1
                for index in orders.indices { orders[index].add(AppUsageText.day(parts, orders[index].order)) }
            }
            let fitting = orders.filter { $0.isPossible(of: rows) }.map(\.order)
            if !fitting.isEmpty { possible.formIntersection(fitting) }
            // With a broken row, either order may still fit most rows.
            for order in orders { counts[order.order, default: 0] += order.days }
        }
        let days = counts[.dayFirst] ?? 0
        let months = counts[.monthFirst] ?? 0
        if possible.count == 1, let order = possible.first { return order }
        if days != months { return days > months ? .dayFirst : .monthFirst }
        if possible.isEmpty { return .dayFirst }
        let names = exports.map(\.table.name).joined(separator: ", ")
        throw Diagnostics(
            "the dates of \(names) may be read with the day or with the month first",
            hint: "say which: --dates day-first or --dates month-first")
    }
}
