// SPDX-License-Identifier: GPL-3.0-or-later
import RandomStreams
import Structures
import Testing

/// The heap against a sorted copy of what is in it.
@Suite struct IndexedHeapTests {
    /// Keys of few values, with the number of the change as tie-breaker.
    private struct Key: Comparable, BitwiseCopyable {
        var rank: Int
        var change: Int

        static func < (left: Key, right: Key) -> Bool {
            (left.rank, left.change) < (right.rank, right.change)
        }
    }

    @Test(arguments: [1, 2, 5, 40, 300]) func `the first is the smallest whatever is set and removed`(size: Int) {
        var random = RandomStream(seed: 1, replication: size, entity: "heap", purpose: "test")
        var heap = IndexedHeap<Key>(capacity: size)
        var naive: [Int: Key] = [:]
        for change in 0..<4000 {
            let member = random.integer(below: size)
            if random.uniform() < 0.7 {
                let key = Key(rank: random.integer(below: 20), change: change)
                heap.set(member, key: key)
                naive[member] = key
            } else {
                heap.remove(member)
                naive[member] = nil
            }
            let best = naive.min { $0.value < $1.value }
            #expect(heap.first?.member == best?.key && heap.first?.key == best?.value)
            #expect(heap.count == naive.count && heap.isEmpty == naive.isEmpty)
            #expect(heap.contains(member) == (naive[member] != nil) && heap.key(of: member) == naive[member])
        }
        #expect(Set(heap.entries.map(\.member)) == Set(naive.keys))
        let expected = naive.sorted { $0.value < $1.value }.map(\.key)
        var popped: [Int] = []
        while let member = heap.removeFirst() { popped.append(member) }
        #expect(popped == expected)
        #expect(heap.isEmpty && heap.removeFirst() == nil && heap.first == nil)
        for member in 0..<size { heap.set(member, key: Key(rank: size - member, change: 0)) }
        heap.removeAll()
        #expect(heap.isEmpty && heap.first == nil && !(0..<size).contains { heap.contains($0) })
        heap.set(size / 2, key: Key(rank: 1, change: 0))
        #expect(heap.entries.map(\.member) == [size / 2])
    }

    @Test func `a copy does not follow the original`() {
        var heap = IndexedHeap<Int>(capacity: 3)
        heap.set(0, key: 5)
        heap.set(1, key: 7)
        let copy = heap
        heap.set(1, key: 1)
        heap.remove(0)
        #expect(copy.first?.member == 0 && copy.key(of: 1) == 7)
        #expect(heap.first?.member == 1 && heap.count == 1)
    }
}
