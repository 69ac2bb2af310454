import Structures

/// Waiters in the order of their rank, highest first, and among equals in the order in which they came.
///
/// While a round of waking lasts, those who enter are put aside until it ends, so that nobody is woken twice in it.
struct RankedWaiters: Sendable {
    private struct Turn: Comparable, BitwiseCopyable {
        var rank = 0.0
        var number: UInt64 = 0

        static func < (left: Turn, right: Turn) -> Bool {
            left.rank == right.rank ? left.number < right.number : left.rank > right.rank
        }
    }

    private var waiting: IndexedHeap<Turn>
    /// The last turn of each waiter.
    private var turns: [Turn]
    /// Those put aside, in the order in which they came.
    private var aside: IndexedList
    private var nextNumber: UInt64 = 0

    init(waiters: Int) {
        waiting = IndexedHeap(capacity: waiters)
        turns = Array(repeating: Turn(), count: waiters)
        aside = IndexedList(capacity: waiters)
    }

    /// Who is to be woken first; nil when there is nobody.
    var first: Int? { waiting.first?.member }

    mutating func enter(_ waiter: Int, rank: Double, keepsTurn: Bool, isRound: Bool) {
        turns[waiter].rank = rank
        if !keepsTurn {
            turns[waiter].number = nextNumber
            nextNumber += 1
        }
        if isRound {
            waiting.remove(waiter)
            aside.append(waiter)
        } else {
            aside.remove(waiter)
            waiting.set(waiter, key: turns[waiter])
        }
    }

    mutating func leave(_ waiter: Int) {
        waiting.remove(waiter)
        aside.remove(waiter)
    }

    /// The round is over: those put aside join the others.
    mutating func endRound() {
        while let waiter = aside.first {
            aside.remove(waiter)
            waiting.set(waiter, key: turns[waiter])
        }
    }
}
