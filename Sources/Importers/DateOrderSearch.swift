// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Workload

/// Orders of the parts of a date.
public enum DateOrder: String, Sendable, CaseIterable {
    /// 31/12/2025.
    case dayFirst = "day-first"
    /// 12/31/2025.
    case monthFirst = "month-first"
    /// 2025/12/31.
    case yearFirst = "year-first"
}

/// Finds the order of day and month in which the dates of tables exist and are in sequence.
struct DateOrderSearch {
    /// State of the search for one order.
    private struct Possible {
        var order: DateOrder
        var isRising = true
        var isFalling = true
        var days = 0
        var last = 0
        /// Whether the last date was a day in this order.
        var wasDay = false

        /// Whether the dates exist and are in sequence.
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

        /// Counts the day of the previous row once more.
        mutating func repeatLast() { if wasDay { days += 1 } }
    }

    private var possible: Set<DateOrder> = [.dayFirst, .monthFirst]
    private var counts: [DateOrder: Int] = [:]
    private var isYearFirst = false

    /// Reads the dates of a table; any table may determine the order for the others.
    mutating func add(
        _ table: ForeignTable, below header: ForeignTable.Row, date: (ForeignTable, ForeignTable.Row) -> Range<Int>?
    ) {
        var orders = [Possible(order: .dayFirst), Possible(order: .monthFirst)]
        var rows = 0
        var table = table
        var row = header
        var before: [UInt8] = []
        while table.next(&row) {
            guard let date = date(table, row) else { continue }
            // Most rows are of the day of the row before.
            if !before.isEmpty, table.bytes.equals(date, before) {
                rows += 1
                for index in orders.indices { orders[index].repeatLast() }
                continue
            }
            guard let parts = AppUsageText.dateParts(table.bytes[date]) else { continue }
            before = Array(table.bytes[date])
            if parts[0] > 99 { return isYearFirst = true }
            rows += 1
            for index in orders.indices { orders[index].add(AppUsageText.day(parts, orders[index].order)) }
        }
        let fitting = orders.filter { $0.isPossible(of: rows) }.map(\.order)
        if !fitting.isEmpty { possible.formIntersection(fitting) }
        // With a broken row, either order may still be right for most.
        for order in orders { counts[order.order, default: 0] += order.days }
    }

    /// Order; nil where both orders are possible.
    var found: DateOrder? {
        if isYearFirst { return .yearFirst }
        if possible.count == 1 { return possible.first }
        let days = counts[.dayFirst] ?? 0
        let months = counts[.monthFirst] ?? 0
        return days == months ? nil : days > months ? .dayFirst : .monthFirst
    }

    /// Whether both orders are possible for all dates.
    var isOpen: Bool { found == nil && possible.count > 1 }

    /// Problem that both orders are possible.
    static func problem(_ tables: [ForeignTable]) -> Diagnostics {
        Diagnostics(
            "the dates of \(tables.map(\.name).joined(separator: ", ")) are ambiguous: the day or the month may come "
                + "first",
            hint: "choose --dates day-first or --dates month-first")
    }
}
