// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Quantities
import Workload

/// The rows of AWARE's screen and battery tables, in local time.
struct AwareTables {
    private let clock: LocalClock
    private var screen: [(time: Int64, status: Int)] = []
    private var battery: [(time: Int64, status: Int, level: Int)] = []
    /// Everything wrong with the tables.
    private(set) var problems = Diagnostics()

    init(clock: LocalClock) { self.clock = clock }

    /// The earliest row, in nanoseconds of local time since 1970.
    var firstTime: Int64? { (screen.map(\.time) + battery.map(\.time)).min() }
    /// The latest row.
    var lastTime: Int64? { (screen.map(\.time) + battery.map(\.time)).max() }

    /// Reads one table; its columns say which one it is.
    mutating func read(_ table: ForeignTable) throws(Diagnostics) {
        guard let columns = ForeignColumns(table) else { throw Diagnostics("\(table.name) is empty") }
        if let status = columns.index("screen_status") {
            try readScreen(table, columns, status)
        } else if columns.index("battery_status") != nil {
            try readBattery(table, columns)
        } else {
            _ = try columns.required("screen_status")
        }
        checkUsers(table, columns)
    }

    private mutating func readScreen(
        _ table: ForeignTable, _ columns: ForeignColumns, _ status: Int
    ) throws(Diagnostics) {
        let time = try columns.required("time")
        for row in table.rows.dropFirst() {
            guard let moment = readTime(table, row, time),
                let code = readNumber(table, row, status, 0...3, "a screen status from 0 to 3")
            else { continue }
            screen.append((moment, code))
        }
        screen = sorted(screen, by: \.time)
    }

    private mutating func readBattery(_ table: ForeignTable, _ columns: ForeignColumns) throws(Diagnostics) {
        let time = try columns.required("time")
        let status = try columns.required("battery_status")
        let level = try columns.required("battery_level")
        for row in table.rows.dropFirst() {
            guard let moment = readTime(table, row, time),
                let code = readNumber(table, row, status, -10...10, "a battery status"),
                let percent = readNumber(table, row, level, 0...100, "a battery level from 0 to 100")
            else { continue }
            battery.append((moment, code, percent))
        }
        battery = sorted(battery, by: \.time)
    }

    private func sorted<Row>(_ rows: [Row], by time: KeyPath<Row, Int64>) -> [Row] {
        rows.enumerated().sorted { ($0.element[keyPath: time], $0.offset) < ($1.element[keyPath: time], $1.offset) }
            .map(\.element)
    }

    /// Seconds since 1970 with decimals, as local nanoseconds.
    private mutating func readTime(_ table: ForeignTable, _ row: ForeignTable.Row, _ index: Int) -> Int64? {
        guard index < row.fields.count else {
            problems.append(table.problem("the row has only \(row.fields.count) fields", in: row))
            return nil
        }
        let field = row.fields[index]
        if let nanoseconds = decimalNanoseconds(field.text) { return clock.local(nanoseconds) }
        problems.append(table.problem("expected seconds since 1970, found \"\(field.text)\"", field, in: row))
        return nil
    }

    private mutating func readNumber(
        _ table: ForeignTable, _ row: ForeignTable.Row, _ index: Int, _ range: ClosedRange<Int>, _ what: String
    ) -> Int? {
        guard index < row.fields.count else {
            problems.append(table.problem("the row has only \(row.fields.count) fields", in: row))
            return nil
        }
        let field = row.fields[index]
        if let value = Double(field.text).flatMap(Int.init(exactly:)), range.contains(value) { return value }
        problems.append(table.problem("expected \(what), found \"\(field.text)\"", field, in: row))
        return nil
    }

    /// A workload is one user's.
    private mutating func checkUsers(_ table: ForeignTable, _ columns: ForeignColumns) {
        for name in ["user", "device"] {
            guard let index = columns.index(name) else { continue }
            var first: String?
            for row in table.rows.dropFirst() where index < row.fields.count {
                let field = row.fields[index]
                if first == nil { first = field.text }
                guard field.text != first else { continue }
                problems.append(
                    table.problem(
                        "a second \(name) begins here; a workload is that of one", field, in: row,
                        hint: "keep the rows of one \(name)"))
                return
            }
        }
    }

    /// The battery log of a span of local time, in time since `midnight`.
    func battery(from midnight: Int64, through end: Int64) -> [BatteryRow] {
        battery.filter { $0.status > 0 && $0.time <= end }.map {
            BatteryRow(
                time: SimTime(nanoseconds: $0.time - midnight), isOnCharger: $0.status == 2 || $0.status == 5,
                level: Double($0.level) / 100)
        }
    }

    /// The sessions of a span: from "on" to "off", with the remark when the screen stayed locked.
    func sessions(from midnight: Int64, through end: Int64) -> [WorkloadEvent] {
        var events: [WorkloadEvent] = []
        var start: Int?
        for row in screen where row.time <= end {
            let time = SimTime(nanoseconds: row.time - midnight)
            switch (row.status, start) {
            case (1, _):
                // On again without having gone off: when the session before ended was not recorded, so it is left out.
                if let index = start { events.remove(at: index) }
                var unlock = WorkloadEvent(.unlock, at: time)
                unlock.isLocked = true
                start = events.count
                events.append(unlock)
            case (3, let index?): events[index].isLocked = false
            case (0, .some):
                events.append(WorkloadEvent(.lock, at: time))
                start = nil
            default: break
            }
        }
        return events
    }
}

/// Reads a decimal number of seconds with at most nine decimals, exactly; nil for anything else.
func decimalNanoseconds(_ text: String) -> Int64? {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = Int64(parts[0]), abs(whole) < 9_000_000_000, whole >= 0 else { return nil }
    guard parts.count == 2 else { return whole * 1_000_000_000 }
    let digits = parts[1]
    guard !digits.isEmpty, digits.utf8.count <= 9, digits.utf8.allSatisfy({ $0 >= 48 && $0 <= 57 }),
        let fraction = Int64(digits)
    else { return nil }
    var scale: Int64 = 1
    for _ in digits.utf8.count..<9 { scale *= 10 }
    return whole * 1_000_000_000 + fraction * scale
}
