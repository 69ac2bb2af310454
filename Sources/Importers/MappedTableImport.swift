// SPDX-License-Identifier: GPL-3.0-or-later
// This file converts a table of phone use to a workload file. The command line names the meanings of its columns.
// In: a CSV, TSV or blank-separated file, a map of its columns, the unit or form of its times, and optionally a time
// zone.
// Out: sessions, apps, notifications and charges, as far as the map has columns for them.

import Diagnostics
import Quantities
import Workload

/// Options for a table with named columns.
public struct MappedTableOptions: Sendable {
    /// Options of every recording.
    public var recording = RecordingOptions()
    /// Meaning of each column.
    public var map: ColumnMap
    /// Unit of times and lengths: `s`, `ms`, `us` or `ns`.
    ///
    /// If nil, the unit of times is inferred, and lengths are in s.
    public var unit: String?
    /// Order of the parts of dates such as 3/4/2025; nil to detect it from the rows.
    public var dateOrder: DateOrder?
    /// Whether spaces separate the fields and the table has no column names.
    public var isBare = false

    /// Creates options for a map.
    public init(map: ColumnMap) { self.map = map }
}

/// Converts tables to a workload file.
///
/// - Throws: The first problems with line and column, if more rows are broken than the limit allows.
public func importMappedTable(paths: [String], _ options: MappedTableOptions) throws(Diagnostics) -> WorkloadFile {
    var tables: [ForeignTable] = []
    for path in paths {
        let separator = options.isBare ? UInt8(ascii: " ") : nil
        tables.append(try ForeignTable.read(path: path, separator: separator))
    }
    let file = try importMappedTable(tables: tables, options)
    for table in tables { try table.check() }
    return file
}

/// Converts tables to a workload file.
func importMappedTable(tables: [ForeignTable], _ options: MappedTableOptions) throws(Diagnostics) -> WorkloadFile {
    let unit = options.unit.flatMap(ForeignTime.Unit.init)
    if let text = options.unit, unit == nil {
        throw Diagnostics("--time-unit expects s, ms, us or ns, found \"\(text)\"")
    }
    var reader = MappedTable(options.map, unit: unit, user: options.recording.user)
    if let order = options.dateOrder {
        reader.dateOrder = order
    } else {
        try reader.findOrder(tables, isBare: options.isBare)
    }
    for table in tables { try reader.read(table, isBare: options.isBare) }
    let note = try reader.broken.judge(options.recording.skip)
    if !reader.log.isLocal, options.recording.zone.isEmpty, !reader.log.entries.isEmpty {
        throw Diagnostics(
            "the times count from 1970 or contain a zone, but the phone's own zone is not in the files",
            hint: "add the phone's zone, for instance --zone Europe/Helsinki")
    }
    let zone = options.recording.zone.isEmpty ? "UTC" : options.recording.zone
    var file = try reader.log.workload(options.recording, clock: try LocalClock(zone: zone))
    if let note { file.notes.append(note) }
    if let found = reader.foundOrder {
        file.notes.append("dates are read \(found.rawValue), because only this order fits all dates")
    }
    return try file.checked()
}

/// Reads the rows of mapped tables.
private struct MappedTable {
    var log = PhoneLog()
    private(set) var broken = BrokenRows()

    private let map: ColumnMap
    private let unit: ForeignTime.Unit?
    private let user: String?
    private var days = DayMemory()
    /// Order of dates that is used if the rows do not determine it.
    var dateOrder = DateOrder.dayFirst
    /// Order of dates that was detected from the rows.
    private(set) var foundOrder: DateOrder?
    private var owner: String?
    private var stranger: Diagnostic?
    /// Column of each role, by the role's number; -1 for a role without a column.
    private var columns = [Int](repeating: -1, count: ColumnMap.Role.allCases.count)
    private var ownerBytes: [UInt8] = []
    /// Words for events; `events` contains the meaning of each word.
    private var words = NameTable()
    private var events: [ForeignEvent?] = []
    /// Last level and last charger state.
    ///
    /// Both are kept because a row may contain only one of them.
    private var level = 0.0
    private var isOnCharger = false

    init(_ map: ColumnMap, unit: ForeignTime.Unit?, user: String?) {
        self.map = map
        self.unit = unit
        self.user = user
    }

    /// Detects the order of day and month from the rows, if needed.
    mutating func findOrder(_ tables: [ForeignTable], isBare: Bool) throws(Diagnostics) {
        var search = DateOrderSearch()
        var open: [ForeignTable] = []
        for table in tables {
            var (table, row) = (table, ForeignTable.Row())
            try findColumns(&table, &row, isBare: isBare)
            let column = columns[ColumnMap.Role.time.number]
            func written(_ table: ForeignTable, _ row: ForeignTable.Row) -> WrittenTime? {
                column >= 0 && row.fields.count > column ? WrittenTime(table.bytes, row.fields[column].bytes) : nil
            }
            var (first, top) = (table, row)
            guard first.next(&top), written(first, top)?.isOpen == true else { continue }
            search.add(table, below: row) { table, row in
                written(table, row).flatMap { $0.isOpen ? $0.date : nil }
            }
            open.append(table)
        }
        guard !open.isEmpty else { return }
        guard let found = search.found else { throw DateOrderSearch.problem(open) }
        (dateOrder, foundOrder) = (found, found)
    }

    mutating func read(_ table: ForeignTable, isBare: Bool) throws(Diagnostics) {
        var (table, row) = (table, ForeignTable.Row())
        try findColumns(&table, &row, isBare: isBare)
        while table.next(&row) { read(table, row) }
        if let stranger { throw Diagnostics([stranger]) }
    }

    /// Finds the columns of a table, and moves the table to its first row with data.
    private mutating func findColumns(
        _ table: inout ForeignTable, _ row: inout ForeignTable.Row, isBare: Bool
    ) throws(Diagnostics) {
        columns = Array(repeating: -1, count: columns.count)
        if isBare {
            for (role, column) in map.columns { columns[role.number] = (Int(column) ?? 1) - 1 }
            return
        }
        guard let named = ForeignColumns(table), table.next(&row) else {
            throw Diagnostics("\(table.name) is empty")
        }
        for (role, column) in map.columns.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            let number = Int(column).flatMap { (1...row.fields.count).contains($0) ? $0 - 1 : nil }
            if let found = named.index(column) ?? number {
                columns[role.number] = found
            } else {
                columns[role.number] = try named.required(column)
            }
        }
    }

    /// The field of a role; nil if the row does not have it.
    @inline(__always)
    private func field(_ role: ColumnMap.Role, _ row: ForeignTable.Row) -> ForeignTable.Field? {
        let index = columns[role.number]
        return index >= 0 && index < row.fields.count ? row.fields[index] : nil
    }

    private func text(_ role: ColumnMap.Role, _ table: ForeignTable, _ row: ForeignTable.Row) -> String? {
        field(role, row).map { table.text($0) }
    }

    /// Whether a row is read.
    ///
    /// The user of the row must be the requested user, or the only user of the table.
    private mutating func isWanted(_ table: ForeignTable, _ row: ForeignTable.Row) -> Bool {
        guard let field = field(.user, row) else { return true }
        // Most rows are of the same user as the previous row.
        if owner != nil, table.bytes.equals(field.bytes, ownerBytes) { return true }
        let name = table.text(field)
        if let user {
            if name != user { return false }
        } else if let owner, owner != name, stranger == nil {
            stranger = table.problem(
                "a second user begins here, but a workload describes one user", field, in: row,
                hint: "--user \(owner) or --user \(name) picks one")
        }
        if owner == nil { (owner, ownerBytes) = (name, Array(table.bytes[field.bytes])) }
        return true
    }

    private mutating func read(_ table: ForeignTable, _ row: ForeignTable.Row) {
        guard isWanted(table, row) else { return }
        broken.countRow()
        guard let field = broken.field(table, row, columns[ColumnMap.Role.time.number]) else { return }
        guard let time = time(table, field) else {
            return broken.add(
                table.problem(
                    "expected a time such as 1700000000123, 2025-03-30 11:33:24 or 30.03.2025 11:33", field, in: row,
                    hint: "--time-unit sets the unit of numbers, --dates the order of day and month"))
        }
        add(table, row, at: time)
    }

    /// Whether the table has a column for a role.
    private func has(_ role: ColumnMap.Role) -> Bool { columns[role.number] >= 0 }

    /// Nanoseconds of a number or a stamp.
    ///
    /// A stamp without a zone is local; local and UTC times must not be mixed.
    private mutating func time(_ table: ForeignTable, _ field: ForeignTable.Field) -> Int64? {
        if let stamp = ForeignTime.stamp(table.bytes, field.bytes, &days)
            ?? WrittenTime(table.bytes, field.bytes)?.instant(dateOrder)
        {
            if log.entries.isEmpty { log.isLocal = !stamp.isUTC }
            return log.isLocal == !stamp.isUTC ? stamp.nanoseconds : nil
        }
        guard !log.isLocal else { return nil }
        return ForeignTime.nanoseconds(table.bytes[field.bytes], unit: unit)
    }

    /// Length of a use in seconds, from its length or its end; nil when the row contains neither.
    private mutating func seconds(_ table: ForeignTable, _ row: ForeignTable.Row, from time: Int64) -> Double? {
        if let text = text(.length, table, row), let value = Double(text), (0...1e12).contains(value) {
            return value / Double((unit ?? .seconds).perSecond)
        }
        guard let field = field(.end, row), let end = self.time(table, field), end >= time else { return nil }
        return Double(end - time) / 1e9
    }

    private mutating func add(_ table: ForeignTable, _ row: ForeignTable.Row, at time: Int64) {
        let app = field(.app, row).flatMap { $0.bytes.isEmpty ? nil : $0 }
        if has(.level) || has(.charging) { addBattery(table, row, at: time) }
        guard let word = field(.event, row) else {
            guard let app else {
                if has(.app) { broken.add(table.problem("the row names no app", in: row)) }
                return
            }
            let number = log.apps.index(app, in: table)
            guard let seconds = seconds(table, row, from: time) else { return log.add(.front, at: time, app: number) }
            if seconds <= 86400 { return log.add(.used, at: time, app: number, value: seconds) }
            return broken.add(
                table.problem(
                    "the app is in use for more than a day", in: row, hint: "--time-unit sets the unit of durations"))
        }
        let number = words.index(word, in: table)
        if number == events.count { events.append(ForeignEvent(table.text(word), map.words)) }
        guard let event = events[number] else {
            return broken.add(
                table.problem(
                    "unknown event \"\(table.text(word).prefix(40))\"", word, in: row,
                    hint: Self.unknownEventHint))
        }
        add(event, app.map { log.apps.index($0, in: table) }, at: time)
    }

    private static var unknownEventHint: String {
        "add the event's meaning to the map, as in --map …,screen_on=WORD; other meanings: "
            + ForeignEvent.allCases.dropFirst().map(\.rawValue).joined(separator: ", ")
    }

    private mutating func add(_ event: ForeignEvent, _ app: Int?, at time: Int64) {
        if !has(.charging) { log.logsPlugs = true }
        switch event {
        case .screenOn: log.add(.screenOn, at: time)
        case .screenOff: log.add(.screenOff, at: time)
        case .unlocked: log.add(.unlocked, at: time)
        case .front: if let app { log.add(.front, at: time, app: app) }
        case .back: if let app { log.add(.back, at: time, app: app) }
        case .notification: if let app { log.add(.notification, at: time, app: app) }
        case .plug: log.add(.onCharger, at: time, value: level)
        case .unplug: log.add(.offCharger, at: time, value: level)
        case .shutdown: log.add(.shutdown, at: time)
        case .boot: log.add(.boot, at: time)
        case .other: break
        }
    }

    private mutating func addBattery(_ table: ForeignTable, _ row: ForeignTable.Row, at time: Int64) {
        if let text = text(.level, table, row) {
            guard let percent = Double(text.filter { $0 != "%" }), (0...100).contains(percent) else {
                return broken.add(table.problem("expected a battery level from 0 to 100", in: row))
            }
            level = percent / 100
        }
        if let text = text(.charging, table, row)?.lowercased() {
            isOnCharger = ["1", "true", "yes", "on", "charging", "plugged"].contains(text)
        }
        if has(.charging) { log.add(isOnCharger ? .onCharger : .offCharger, at: time, value: level) }
    }
}
