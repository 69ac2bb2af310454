// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Workload

/// Order of the parts of a date.
public enum DateOrder: String, Sendable, CaseIterable {
    /// 31/12/2025.
    case dayFirst = "day-first"
    /// 12/31/2025.
    case monthFirst = "month-first"
    /// 2025/12/31.
    case yearFirst = "year-first"
}

/// Finds the order of day and month for which all dates of tables exist and are in sequence.
struct DateOrderSearch {
    /// State of the search for one order.
    private struct Possible {
        var order: DateOrder
        var isRising = true
        var isFalling = true
        var days = 0
        var last = 0
        /// Whether the last date exists in this order.
        var wasDay = false

        /// Whether all dates exist in this order and are in sequence.
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

        /// Counts another row with the date of the previous row.
        mutating func repeatLast() { if wasDay { days += 1 } }
    }

    private var possible: Set<DateOrder> = [.dayFirst, .monthFirst]
    private var counts: [DateOrder: Int] = [:]
    private var isYearFirst = false

    /// Reads the dates of a table.
    ///
    /// One table may determine the order for the others.
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
            // Most rows have the same date as the previous row.
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
        // If a row is broken, neither order fits all rows. Then the order that fits more rows is used.
        for order in orders { counts[order.order, default: 0] += order.days }
    }

    /// The detected order; nil if the dates fit both orders equally well.
    var found: DateOrder? {
        if isYearFirst { return .yearFirst }
        if possible.count == 1 { return possible.first }
        let days = counts[.dayFirst] ?? 0
        let months = counts[.monthFirst] ?? 0
        return days == months ? nil : days > months ? .dayFirst : .monthFirst
    }

    /// Whether the dates are valid in both orders.
    var isOpen: Bool { found == nil && possible.count > 1 }

    /// Problem for dates that are valid in both orders.
    static func problem(_ tables: [ForeignTable]) -> Diagnostics {
        Diagnostics(
            "the dates of \(tables.map(\.name).joined(separator: ", ")) are ambiguous: the day or the month may come "
                + "first",
            hint: "choose --dates day-first or --dates month-first")
    }
}
