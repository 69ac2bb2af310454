// SPDX-License-Identifier: GPL-3.0-or-later
import RandomStreams
import Structures
import Testing

/// The ring against an array.
@Suite struct RingTests {
    @Test func `what comes first leaves first, across the end of the block and its growth`() {
        var random = RandomStream(seed: 1, replication: 0, entity: "ring", purpose: "test")
        var ring = Ring<Int>(capacity: 4)
        var naive: [Int] = []
        for element in 0..<5000 {
            if random.uniform() < 0.52 {
                ring.append(element)
                naive.append(element)
            } else {
                #expect(ring.popFirst() == (naive.isEmpty ? nil : naive.removeFirst()))
            }
            #expect(ring.count == naive.count && ring.isEmpty == naive.isEmpty && ring.first == naive.first)
        }
        #expect(naive.count > 4, "the ring never grew")
        ring.removeAll()
        #expect(ring.isEmpty && ring.popFirst() == nil)
    }

    @Test(arguments: [(0, 1), (1, 1), (3, 4), (4, 4), (17, 32)])
    func `it holds as many as were asked for, and doubles`(asked: Int, capacity: Int) {
        var ring = Ring<Int>(capacity: asked)
        #expect(ring.capacity == capacity)
        for round in 0..<1000 {
            ring.append(round)
            #expect(ring.popFirst() == round)
        }
        #expect(ring.capacity == capacity, "it grew in steady state")
        for element in 0...capacity { ring.append(element) }
        #expect(ring.capacity == 2 * capacity && ring.count == capacity + 1 && ring.first == 0)
    }
}
