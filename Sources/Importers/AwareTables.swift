// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics

/// Reads AWARE's tables of the screen, the battery, apps in front, notifications and installations.
struct AwareTables {
    /// Entries of the log.
    var log = PhoneLog()
    /// Rows that could not be read.
    private(set) var broken = BrokenRows()

    private let user: String?
    /// User or device of the rows; nil when the tables contain neither.
    private var owner: String?
    private var ownerBytes: [UInt8] = []

    init(user: String?) { self.user = user }

    /// Tables in the client's databases.
    static func tables(of database: SQLiteTables, _ path: String) throws(Diagnostics) -> [ForeignTable] {
        var tables: [ForeignTable] = []
        let names = ["screen", "battery", "applications_foreground", "applications_notifications", "installations"]
        for name in names {
            let kind = name == "applications_notifications" ? ", 1 as notification" : ""
            if let table = try database.table(name, "select *\(kind) from \(name) order by timestamp") {
                tables.append(table)
            }
        }
        guard !tables.isEmpty else {
            throw Diagnostics(
                "\(path) contains no table of AWARE",
                hint: "expected screen, battery, applications_foreground or applications_notifications")
        }
        return tables
    }

    /// Reads one table; its column names identify its kind.
    mutating func read(_ table: ForeignTable) throws(Diagnostics) {
        guard let columns = ForeignColumns(table) else { throw Diagnostics("\(table.name) is empty") }
        let reader = RowReader(
            time: try columns.required(anyOf: ["time", "timestamp"]),
            owner: columns.index(anyOf: ["device_id", "user", "device"]))
        if let status = columns.index("screen_status") {
            try readRows(table, columns, reader) { table, row, rows, log, time in
                guard let code = rows.number(table, row, status, 0...3, "a screen status from 0 to 3") else { return }
                let kinds: [PhoneLog.Kind?] = [.screenOff, .screenOn, nil, .unlocked]
                if let kind = kinds[code] { log.add(kind, at: time) }
            }
        } else if let status = columns.index("battery_status") {
            let level = try columns.required("battery_level")
            try readRows(table, columns, reader) { table, row, rows, log, time in
                guard let code = rows.number(table, row, status, -10...10, "a battery status"),
                    let percent = rows.number(table, row, level, 0...100, "a battery level from 0 to 100")
                else { return }
                // The client writes -1 and -3 when the phone is switched off. Android has no such battery states.
                if code == -1 || code == -3 { log.add(.shutdown, at: time) }
                guard code > 0 else { return }
                log.add(code == 2 || code == 5 ? .onCharger : .offCharger, at: time, value: Double(percent) / 100)
            }
        } else if let status = columns.index("installation_status") {
            let name = try columns.required("package_name")
            try readRows(table, columns, reader) { table, row, rows, log, time in
                guard let code = rows.number(table, row, status, 0...2, "an installation status from 0 to 2"),
                    let field = rows.field(table, row, name)
                else { return }
                // A removal needs no entry: the later rows contain no use of the app.
                let kinds: [PhoneLog.Kind?] = [nil, .installed, .updated]
                if let kind = kinds[code] { log.add(kind, at: time, app: log.apps.index(field, in: table)) }
            }
        } else if let name = columns.index("package_name") {
            let isNotice = columns.index("notification") != nil || columns.index("text") != nil
            try readRows(table, columns, reader) { table, row, rows, log, time in
                guard let field = rows.field(table, row, name) else { return }
                let app = log.apps.index(field, in: table)
                log.add(isNotice ? .notification : .front, at: time, app: app)
            }
        } else {
            _ = try columns.required("screen_status")
        }
    }

    private mutating func readRows(
        _ table: ForeignTable, _ columns: ForeignColumns, _ reader: RowReader,
        _ body: (ForeignTable, ForeignTable.Row, inout BrokenRows, inout PhoneLog, Int64) -> Void
    ) throws(Diagnostics) {
        var stranger: Diagnostic?
        columns.forEachRow { table, row in
            // Most rows are of the same phone as the previous row.
            if let index = reader.owner, index < row.fields.count,
                owner == nil || !table.bytes.equals(row.fields[index].bytes, ownerBytes)
            {
                let name = table.text(row.fields[index])
                if let user {
                    if name != user { return }
                } else if let owner, name != owner, stranger == nil {
                    stranger = table.problem(
                        "a second user begins here, but a workload describes one user", row.fields[index], in: row,
                        hint: "--user \(owner) or --user \(name) picks one")
                }
                (owner, ownerBytes) = (name, Array(table.bytes[row.fields[index].bytes]))
            }
            broken.countRow()
            guard let time = broken.time(table, row, reader.time) else { return }
            body(table, row, &broken, &log, time)
        }
        if let stranger { throw Diagnostics([stranger]) }
    }

    /// Indices of the time's column, which every table has, and of the phone's column, which some tables have.
    private struct RowReader {
        let time: Int
        let owner: Int?
    }
}

/// Methods that read fields and add a problem for each broken field.
extension BrokenRows {
    /// A required field.
    mutating func field(_ table: ForeignTable, _ row: ForeignTable.Row, _ index: Int) -> ForeignTable.Field? {
        if index < row.fields.count { return row.fields[index] }
        add(table.problem("the row has only \(row.fields.count) fields", in: row))
        return nil
    }

    /// Time of a field in nanoseconds since 1970.
    ///
    /// Without a given unit, the size of the number determines the unit.
    mutating func time(
        _ table: ForeignTable, _ row: ForeignTable.Row, _ index: Int, unit: ForeignTime.Unit? = nil
    ) -> Int64? {
        guard let field = field(table, row, index) else { return nil }
        if let nanoseconds = ForeignTime.nanoseconds(table.bytes[field.bytes], unit: unit) { return nanoseconds }
        add(
            table.problem(
                "expected seconds or milliseconds since 1970, found \"\(table.text(field).prefix(40))\"", field,
                in: row,
                hint: "times from 2005 to 2100 are accepted"))
        return nil
    }

    /// Whole number in a range.
    mutating func number(
        _ table: ForeignTable, _ row: ForeignTable.Row, _ index: Int, _ range: ClosedRange<Int>, _ what: String
    ) -> Int? {
        guard let field = field(table, row, index) else { return nil }
        if let value = table.bytes.digits(field.bytes), range.contains(value) { return value }
        let text = table.text(field)
        if let value = Double(text).flatMap(Int.init(exactly:)), range.contains(value) { return value }
        add(table.problem("expected \(what), found \"\(text.prefix(40))\"", field, in: row))
        return nil
    }
}
