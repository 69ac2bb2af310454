// SPDX-License-Identifier: GPL-3.0-or-later
import Structures
import Testing

@Suite struct IndexedTableTests {
    private struct Row: TableIndex {
        var tableIndex: Int
    }

    @Test func `each identifier has its own value`() {
        var table = IndexedTable<Row, Int>([4, 5, 6])
        table[Row(tableIndex: 1)] += 10
        #expect(table.elements == [4, 15, 6] && table[Row(tableIndex: 1)] == 15 && table.count == 3)
        #expect(IndexedTable<Row, String>(repeating: "a", count: 2).elements == ["a", "a"])
    }

    @Test func `an identifier without a row traps`() async {
        await #expect(processExitsWith: .failure) {
            let table = IndexedTable<Row, Int>(repeating: 0, count: 3)
            print(table[Row(tableIndex: -1)])
        }
    }

    @Test func `a growing table has the initial value until another is written`() {
        var table = GrowingTable<Row, Int>(7)
        #expect(table[Row(tableIndex: 1000)] == 7)
        table[Row(tableIndex: 2)] += 1
        #expect((0..<5).map { table[Row(tableIndex: $0)] } == [7, 7, 8, 7, 7])
    }
}
