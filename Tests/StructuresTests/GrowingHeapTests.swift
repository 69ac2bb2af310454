// SPDX-License-Identifier: GPL-3.0-or-later
import RandomStreams
import Structures
import Testing

/// Members whose keys grow unseen, against a look at all of them.
@Suite struct GrowingHeapTests {
    @Test(arguments: [1, 3, 40]) func `the first whose key is mended is the first of all`(size: Int) {
        var random = RandomStream(seed: 4, replication: size, entity: "growing heap", purpose: "test")
        var heap = GrowingHeap(capacity: size)
        var keys = [Int64](repeating: 0, count: size)
        var isIn = [Bool](repeating: true, count: size)
        for member in 0..<size { heap.set(member) }
        for _ in 0..<2000 {
            // Keys of few values, so that many are equal.
            let member = random.integer(below: size)
            keys[member] += Int64(random.integer(below: 4))
            if random.uniform() < 0.1 {
                isIn[member] ? heap.remove(member) : heap.set(member)
                isIn[member].toggle()
            }
            // Every third member may not be taken now.
            let best = keys.indices.filter { isIn[$0] && $0 % 3 != 0 }.min { (keys[$0], $0) < (keys[$1], $1) }
            var found: Int?
            while found == nil, let first = heap.first {
                let member = Int(first.member)
                if keys[member] != first.key {
                    heap.set(member, key: keys[member])
                } else if member % 3 == 0 {
                    heap.setFirstAside()
                    #expect(!heap.contains(member))
                } else {
                    found = member
                }
            }
            heap.putBack()
            #expect(found == best)
            #expect(keys.indices.allSatisfy { heap.contains($0) == isIn[$0] })
        }
    }

    @Test func `equal keys come in the order of their members`() {
        #expect(RankedKey(3, of: 1) < RankedKey(3, of: 2))
        #expect(!(RankedKey(3, of: 2) < RankedKey(3, of: 1)))
        #expect(RankedKey(2, of: 9) < RankedKey(3, of: 1))
    }
}
