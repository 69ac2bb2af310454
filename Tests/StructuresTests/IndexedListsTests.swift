// SPDX-License-Identifier: GPL-3.0-or-later
import RandomStreams
import Structures
import Testing

/// Linked lists against arrays.
@Suite struct IndexedListsTests {
    @Test(arguments: [1, 3]) func `lists hold what arrays hold, in the same order`(count: Int) {
        var random = RandomStream(seed: 1, replication: count, entity: "lists", purpose: "test")
        var lists = IndexedLists(lists: count, capacity: 20)
        var naive = [[Int]](repeating: [], count: count)
        for _ in 0..<5000 {
            let member = random.integer(below: 20)
            let list = random.integer(below: count)
            for other in naive.indices { naive[other].removeAll { $0 == member } }
            switch random.integer(below: 3) {
            case 0:
                lists.append(member, to: list)
                naive[list].append(member)
            case 1:
                lists.prepend(member, to: list)
                naive[list].insert(member, at: 0)
            default: lists.remove(member)
            }
            for other in naive.indices {
                #expect(order(of: other, in: lists) == naive[other])
                #expect(lists.last(of: other) == naive[other].last)
            }
            #expect(lists.contains(member) == naive.contains { $0.contains(member) })
        }
    }

    private func order(of list: Int, in lists: IndexedLists) -> [Int] {
        var found: [Int] = []
        var member = lists.first(of: list)
        while let current = member {
            found.append(current)
            member = lists.next(after: current)
        }
        return found
    }

    @Test func `one list is the same with one list only`() {
        var list = IndexedList(capacity: 4)
        #expect(list.isEmpty && list.first == nil && list.last == nil && !list.contains(2))
        for member in [2, 0, 3] { list.append(member) }
        list.append(2)
        list.prepend(3)
        #expect([list.first, list.next(after: 3), list.next(after: 0), list.next(after: 2)] == [3, 0, 2, nil])
        #expect(list.last == 2 && !list.isEmpty && list.contains(0) && !list.contains(1))
        list.remove(0)
        list.remove(0)
        #expect(list.next(after: 3) == 2 && !list.contains(0))
    }

    @Test func `a member beyond the capacity traps`() async {
        await #expect(processExitsWith: .failure) {
            var list = IndexedList(capacity: 4)
            list.remove(4)
        }
    }
}
