// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Testing
import Vocabulary

@testable import Measures

private struct Door {
    var time = SimTime.zero + .milliseconds(1500)
    var app = AppID(0)
    var opens: Int32 = 3
    var width = 0.5
    var isLocked = true
    var note = "a, \"b\""
}

/// A table of doors among others.
private func doors(_ name: String = "doors", time: String? = "t_s", index: Int = 1) -> Table<Door> {
    Table(
        name, "one row per door", time: time,
        [
            .count("opens", "times it opened", \.opens),
            .time("t_s", "when", \.time),
            .app("app", "whose", \.app),
            .number("width_m", "m", "width", \.width),
            .flag("locked", "1 when locked", \.isLocked),
            .text("note", "remark", \.note),
            .integer("age", "d", "age", \.opens),
            .init("late_s", "s", .number, "empty when in time") { _, _, _ in },
        ], index: index)
}

extension Door: TableRow {
    static let table = doors()
}

private struct Window: TableRow {
    static let table = Table<Window>(
        "windows", "one row per window", time: "age", [.integer("age", "d", "age") { _ in 3 }], index: 0)
}

private struct Gate: TableRow {
    static let table = Table<Gate>("gates", "one row per gate", time: nil, [.count("n", "number") { _ in 1 }], index: 2)
}

private struct OtherDoor: TableRow {
    static let table = Table<OtherDoor>("doors", "again", time: nil, [.count("n", "number") { _ in 1 }], index: 3)
}

private let list = TableList([Window.self, Door.self, Gate.self])

/// Keeps the index of the table of every row.
private final class Indices: RowSink {
    var all: [Int] = []
    func write<Row>(_ row: Row, to table: Table<Row>) { all.append(table.index) }
}

@Suite struct TableTests {
    @Test func `a row is written as its columns say, in their order`() {
        let doors = doors()
        var out = ByteBuffer()
        var row = Door()
        doors.append(row, names: RowNames(apps: ["mail"]), to: &out)
        row.app = .system
        row.width = .nan
        row.time = .distantFuture
        row.isLocked = false
        row.note = ""
        doors.append(row, names: RowNames(apps: ["mail"]), to: &out)
        #expect(
            String(decoding: out.bytes, as: UTF8.self) == """
                3,1.5,mail,0.5,1,"a, ""b""\",3,
                3,,system,,0,,3,

                """)
    }

    @Test func `a table says its columns, when a row is and whose`() throws {
        #expect(list.names == ["windows", "doors", "gates"])
        #expect([Window.table.index, Door.table.index, Gate.table.index] == [0, 1, 2])
        let description = try #require(list["doors"])
        #expect(description.title == "one row per door")
        #expect(
            description.columns.map(\.name) == [
                "opens", "t_s", "app", "width_m", "locked", "note", "age", "late_s",
            ])
        #expect(description.columns[0] == Column("opens", "1", .integer, "times it opened"))
        #expect(description.columns[2] == Column("app", "", .string, "whose"))
        #expect(description.time == .init(index: 1, unit: 1))
        #expect(description.app == 2)
        #expect(list["windows"]?.time == .init(index: 0, unit: 86_400))
        #expect(list["gates"]?.time == nil && list["gates"]?.app == nil)
        #expect(list["walls"] == nil)
    }

    @Test func `sets hold tables by their bits`() {
        let set: TableSet = [Window.table.set, Gate.table.set]
        #expect(set.rawValue == 0b101)
        #expect(set.contains(Window.table) && !set.contains(Door.table) && set.contains(Gate.table))
        #expect(list.tables(in: set).map(\.name) == ["windows", "gates"])
        #expect(list[Door.table.set].name == "doors")
    }

    @Test func `a row goes to the table of its type`() {
        let sink = Indices()
        let any: any RowSink = sink
        any.write(Gate())
        any.write(Door())
        sink.write(Window())
        #expect(sink.all == [2, 1, 0])
    }

    @Test func `declarations that cannot stand together trap`() async {
        await #expect(processExitsWith: .failure) { _ = TableList([Door.self, OtherDoor.self]) }
        await #expect(processExitsWith: .failure) { _ = doors("all doors") }
        await #expect(processExitsWith: .failure) { _ = doors(time: "width_m") }
        await #expect(processExitsWith: .failure) { _ = doors(index: 15) }
        await #expect(processExitsWith: .failure) {
            _ = Table<Int>(
                "twice", "two columns of one name", time: nil,
                [.number("a", "1", "a") { _ in 0 }, .number("a", "1", "b") { _ in 0 }], index: 0)
        }
    }
}
