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

extension MeasureBuilder {
    fileprivate mutating func doors(_ name: String = "doors", time: String? = "t_s") -> Table<Door> {
        table(
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
            ])
    }
}

@Suite struct TableTests {
    @Test func `a row is written as its columns say, in their order`() {
        var builder = MeasureBuilder()
        let doors = builder.doors()
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
        var builder = MeasureBuilder()
        let other = builder.table("others", "one row", time: nil, [.count("n", "number") { (_: Int) in 1 }])
        let doors = builder.doors()
        let aged = builder.doors("aged", time: "age")
        let list = TableList(builder)
        #expect(list.names == ["others", "doors", "aged"])
        #expect([other.index, doors.index, aged.index] == [0, 1, 2])
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
        #expect(list["aged"]?.time == .init(index: 6, unit: 86_400))
        #expect(list["others"]?.time == nil && list["others"]?.app == nil)
        #expect(list["windows"] == nil)
    }

    @Test func `sets hold tables by their bits`() {
        var builder = MeasureBuilder()
        let first = builder.doors("first")
        let second = builder.doors("second")
        let third = builder.doors("third")
        let list = TableList(builder)
        let set: TableSet = [first.set, third.set]
        #expect(set.contains(first) && !set.contains(second) && set.contains(third))
        #expect(list.tables(in: set).map(\.name) == ["first", "third"])
        #expect(list[second.set].name == "second")
    }

    @Test func `declarations that cannot stand together trap`() async {
        await #expect(processExitsWith: .failure) {
            var builder = MeasureBuilder()
            _ = builder.doors()
            _ = builder.doors()
        }
        await #expect(processExitsWith: .failure) {
            var builder = MeasureBuilder()
            _ = builder.doors("all doors")
        }
        await #expect(processExitsWith: .failure) {
            var builder = MeasureBuilder()
            _ = builder.doors(time: "width_m")
        }
        await #expect(processExitsWith: .failure) {
            var builder = MeasureBuilder()
            _ = builder.table(
                "twice", "two columns of one name", time: nil,
                [.number("a", "1", "a") { (_: Int) in 0 }, .number("a", "1", "b") { (_: Int) in 0 }])
        }
        await #expect(processExitsWith: .failure) {
            var builder = MeasureBuilder()
            for number in 0...15 { _ = builder.doors("doors\(number)") }
        }
    }
}
