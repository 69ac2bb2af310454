import ConfigText
import Diagnostics
import PhoneCore
import Quantities

/// Reads a figure of a table: `{table, column, minus, gaps, where, statistic}`.
enum TableFigureReader {
    static let tables: [(name: String, table: TableSet)] = [
        ("device_hours", .deviceHours), ("app_days", .appDays), ("events", .events), ("requests", .requests),
        ("decisions", .decisions),
    ]

    static func read(_ cursor: Cursor, warmup: SimDuration, duration: SimDuration) -> TableFigure? {
        let map = MapReader(cursor, expected: "a map such as {table: app_days, column: refreshes, statistic: mean}")
        guard map.isMap else { return nil }
        let before = cursor.report.problems.list.count
        let name = map.required("table", .word(of: tables.map(\.name), what: "table"))
        let columns = map.value("column", .list(of: .text, orSingle: true), default: [])
        let minus = map.optional("minus", .text)
        let gaps = map.value("gaps", .flag, default: false)
        let conditions = map.value("where", conditionReader, default: [])
        let statistic = map.required("statistic", .choice("statistic") as ValueReader<TableFigure.Statistic>)
        map.finish()
        if columns.isEmpty, let statistic, statistic != .count {
            cursor.fail("the key \"column\" is missing", hint: "only statistic: count does without")
        }
        if gaps, let name, name == "device_hours" {
            cursor.fail("gaps are those between rows of one app, and the hours of the device have none")
        }
        guard cursor.report.problems.list.count == before, let statistic,
            let table = tables.first(where: { $0.name == name })?.table
        else { return nil }
        return TableFigure(
            table: table, columns: columns, minus: minus, gaps: gaps, conditions: conditions, statistic: statistic,
            warmupSeconds: warmup.seconds,
            days: (duration - warmup) / .day, place: cursor.node.place)
    }

    private static var conditionReader: ValueReader<[TableFigure.Condition]> {
        ValueReader(example: "{app: pigeon}") { cursor in
            guard let entries = cursor.node.entries, !entries.isEmpty else {
                cursor.expected("a map from columns to values")
                return nil
            }
            let conditions = entries.compactMap { entry in
                wish(cursor.child(entry.value, key: entry.key)).map {
                    TableFigure.Condition(column: entry.key, wish: $0)
                }
            }
            return conditions.count == entries.count ? conditions : nil
        }
    }

    /// A word, a list of words, `{from, to}` or `{hours: [21, 6]}`.
    private static func wish(_ cursor: Cursor) -> TableFigure.Condition.Wish? {
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
