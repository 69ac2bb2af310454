// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Measures
import Phone
import PhoneCore
import Quantities

/// Reads a number that is computed from a table: `{table, column, minus, gaps, where, statistic}`.
struct TableFigureReader {
    /// The table; nil if no table has this name.
    ///
    /// In this case, columns are not checked.
    private let table: TableDescription?
    private let map: MapReader

    static func read(_ cursor: Cursor, warmup: SimDuration, duration: SimDuration) -> TableFigure? {
        let map = MapReader(cursor, expected: "a map such as {table: app_days, column: refreshes, statistic: mean}")
        guard map.isMap else { return nil }
        let name = map.required("table", .word(of: PhoneTables.list.names, what: "table"))
        let reader = TableFigureReader(table: name.flatMap { PhoneTables.list[$0] }, map: map)
        return reader.read(warmup: warmup, duration: duration)
    }

    private func read(warmup: SimDuration, duration: SimDuration) -> TableFigure? {
        let before = map.cursor.report.problems.errorCount
        let statistic = map.required("statistic", .choice("statistic") as ValueReader<TableFigure.Statistic>)
        let number = column(ofNumbers: statistic != .distinct)
        let columns = map.value("column", .list(of: number, orSingle: true), default: [])
        let minus = map.optional("minus", column(ofNumbers: true))
        let gaps = map.value("gaps", .flag, default: false)
        let least = map.cursor("least_per").flatMap(group)
        let conditions = map.value("where", conditionReader, default: [])
        map.finish()
        if columns.isEmpty, !map.has("column"), let statistic, statistic != .count {
            map.cursor.fail("the key \"column\" is missing", hint: "only \"statistic: count\" needs no column")
        }
        if gaps, let table, table.app == nil {
            map.cursor("gaps")?.fail(
                "gaps are times between rows of one app, but the rows of \(table.name) have no app")
        }
        if least != nil, gaps || statistic == .count || statistic == .distinct {
            map.cursor("least_per")?.fail("least_per selects a value, so it cannot be combined with gaps or counts")
        }
        guard map.cursor.report.problems.errorCount == before, let statistic, let table else { return nil }
        return TableFigure(
            table: table, columns: columns, minus: minus, gaps: gaps, least: least, conditions: conditions,
            statistic: statistic, warmupSeconds: warmup.seconds, days: (duration - warmup) / .day)
    }

    /// Reads `{column, minus}`, which identifies groups of rows.
    ///
    /// Only the smallest value of each group counts.
    private func group(_ cursor: Cursor) -> TableFigure.Group? {
        let map = MapReader(cursor, expected: "a map such as {column: started_s, minus: idle_s}")
        guard map.isMap else { return nil }
        let column = map.required("column", column(ofNumbers: true))
        let minus = map.optional("minus", self.column(ofNumbers: true))
        map.finish()
        return column.map { TableFigure.Group(column: $0, minus: minus) }
    }

    /// Reads the name of a column.
    private func column(ofNumbers: Bool) -> ValueReader<String> {
        .scalar("the name of a column", shape: .text) { name, cursor in
            check(name, ofNumbers: ofNumbers, cursor) ? name : nil
        }
    }

    private func check(_ name: String, ofNumbers: Bool, _ cursor: Cursor) -> Bool {
        guard let table else { return true }
        guard let column = table.columns.first(where: { $0.name == name }) else {
            cursor.fail(
                "the table \(table.name) has no column \"\(name)\"",
                hint: nameHint(name, in: table.columns.map(\.name), all: "flotsam list columns \(table.name)"))
            return false
        }
        if ofNumbers, column.kind == .string {
            cursor.fail(
                "the column \"\(name)\" contains words", hint: "to count different words, use statistic: distinct")
            return false
        }
        return true
    }

    private var conditionReader: ValueReader<[TableFigure.Condition]> {
        ValueReader(example: "{app: pigeon}") { cursor in
            guard let entries = cursor.node.entries, !entries.isEmpty else {
                cursor.expected("a map from columns to values")
                return nil
            }
            let conditions = entries.compactMap { condition($0, cursor) }
            return conditions.count == entries.count ? conditions : nil
        }
    }

    private func condition(_ entry: Node.Entry, _ cursor: Cursor) -> TableFigure.Condition? {
        guard let requirement = Self.requirement(cursor.child(entry.value, key: entry.key)) else { return nil }
        let isNumber = if case .words = requirement { false } else { true }
        let key = Cursor(Node(.scalar(entry.key, quoted: false), at: entry.location), report: cursor.report)
        guard check(entry.key, ofNumbers: isNumber, key) else { return nil }
        return TableFigure.Condition(column: entry.key, requirement: requirement)
    }

    /// Reads a requirement: a word, a list of words, `{from, to}` or `{hours: [21, 6]}`.
    private static func requirement(_ cursor: Cursor) -> TableFigure.Condition.Requirement? {
        if cursor.node.entries == nil {
            return ValueReader<[String]>.list(of: .text, orSingle: true).read(cursor).map { .words($0) }
        }
        let map = MapReader(cursor)
        let low = map.value("from", .number(), default: -.infinity)
        let high = map.value("to", .number(), default: .infinity)
        let hours = map.optional("hours", .list(of: .number(0...24)))
        let isRange = map.has("from") || map.has("to")
        let hasHours = map.has("hours")
        map.finish()
        if hasHours, !isRange {
            if let hours, hours.count == 2, hours[0] != hours[1] { return .hours(hours[0], hours[1]) }
        } else if isRange, !hasHours, low <= high {
            return .range(low...high)
        }
        cursor.fail("expected a word, a list of words, {from, to} or {hours: [21, 6]}")
        return nil
    }
}
