// SPDX-License-Identifier: GPL-3.0-or-later

/// Waiters by rank, highest first; among equals, in order of arrival.
///
/// A binary heap that stores the index of every waiter, so that any waiter can leave. Waiters that enter during a round
/// of waking are put aside until the round ends, so no waiter is woken twice in a round.
struct RankedWaiters: Sendable {
    private static let absent: Int32 = -1
    private static let aside: Int32 = -2

    private struct Standing: BitwiseCopyable {
        var rank = 0.0
        var turn: UInt64 = 0
        /// Index in the heap, or `absent` or `aside`.
        var index: Int32 = -1
    }

    private var standings: [Standing]
    private var heap: [Int32] = []
    private var later: [Int32] = []
    private var nextTurn: UInt64 = 0

    init(waiters: Int) { standings = Array(repeating: Standing(), count: waiters) }

    /// The waiter to wake first; nil if there is none.
    var first: Int? { heap.first.map(Int.init) }

    mutating func enter(_ waiter: Int, rank: Double, keepsTurn: Bool, isRound: Bool) {
        leave(waiter)
        standings[waiter].rank = rank
        if !keepsTurn {
            standings[waiter].turn = nextTurn
            nextTurn += 1
        }
        if isRound {
            standings[waiter].index = Self.aside
            later.append(Int32(waiter))
        } else {
            push(waiter)
        }
    }

    mutating func leave(_ waiter: Int) {
        let index = Int(standings[waiter].index)
        standings[waiter].index = Self.absent
        guard index >= 0, let last = heap.popLast(), index < heap.count else { return }
        heap[index] = last
        standings[Int(last)].index = Int32(index)
        sink(index)
        rise(Int(standings[Int(last)].index))
    }

    /// Ends the round: waiters that were put aside enter the heap.
    mutating func endRound() {
        for waiter in later where standings[Int(waiter)].index == Self.aside { push(Int(waiter)) }
        later.removeAll(keepingCapacity: true)
    }

    private mutating func push(_ waiter: Int) {
        heap.append(Int32(waiter))
        standings[waiter].index = Int32(heap.count - 1)
        rise(heap.count - 1)
    }

    private func isBefore(_ left: Int, _ right: Int) -> Bool {
        let (one, other) = (standings[Int(heap[left])], standings[Int(heap[right])])
        return one.rank == other.rank ? one.turn < other.turn : one.rank > other.rank
    }

    private mutating func exchange(_ left: Int, _ right: Int) {
        heap.swapAt(left, right)
        standings[Int(heap[left])].index = Int32(left)
        standings[Int(heap[right])].index = Int32(right)
    }

    private mutating func rise(_ start: Int) {
        var index = start
        while index > 0, isBefore(index, (index - 1) / 2) {
            exchange(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    private mutating func sink(_ start: Int) {
        var index = start
        while true {
            var best = index
            let left = 2 * index + 1
            if left < heap.count, isBefore(left, best) { best = left }
            if left + 1 < heap.count, isBefore(left + 1, best) { best = left + 1 }
            if best == index { return }
            exchange(index, best)
            index = best
        }
    }
}
