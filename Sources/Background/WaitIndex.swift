// SPDX-License-Identifier: GPL-3.0-or-later
import Vocabulary

/// Who waits for which change of the device: one doubly linked list per kind of change, first come, first woken.
///
/// A waiter is a number; it may stand in several lists at once and leaves all of them together. Entering, leaving and
/// finding the next one to wake cost the same however many wait. Only those who wait for a free launch slot stand in a
/// queue by rank, at the cost of a logarithm.
struct WaitIndex: Sendable {
    private struct Link: BitwiseCopyable {
        var next: Int32 = -1
        var previous: Int32 = -1
    }

    private let kinds = ConditionChanges.count
    /// Links of waiter `w` in list `k` at `w * kinds + k`.
    private var links: [Link]
    private var masks: [UInt16]
    /// When the waiter entered its lists, as a running number.
    private var entered: [UInt64]
    private var heads = [Int32](repeating: -1, count: ConditionChanges.count)
    private var tails = [Int32](repeating: -1, count: ConditionChanges.count)
    /// While a list is being woken: who entered at or after this number has been looked at already.
    private var rounds = [UInt64](repeating: .max, count: ConditionChanges.count)
    private var sequence: UInt64 = 0
    /// The kind of change whose waiters compete: a launch slot became free.
    private static let ranked = ConditionChanges.launchEnded.rawValue.trailingZeroBitCount
    private var competitors: RankedWaiters

    init(waiters: Int) {
        competitors = RankedWaiters(waiters: waiters)
        links = Array(repeating: Link(), count: waiters * ConditionChanges.count)
        masks = Array(repeating: 0, count: waiters)
        entered = Array(repeating: 0, count: waiters)
    }

    func changes(of waiter: Int) -> ConditionChanges { ConditionChanges(rawValue: masks[waiter]) }

    /// Enters a waiter into the lists of these changes, behind those who wait already, and takes it out of all others.
    ///
    /// `atFront` is for one who was woken and turned away: it keeps its turn.
    mutating func wait(_ waiter: Int, for changes: ConditionChanges, rank: Double = 0, atFront: Bool = false) {
        leave(waiter)
        masks[waiter] = changes.rawValue
        entered[waiter] = sequence
        sequence += 1
        var bits = changes.rawValue
        while bits != 0 {
            let kind = bits.trailingZeroBitCount
            bits &= bits &- 1
            if kind == Self.ranked {
                competitors.enter(waiter, rank: rank, keepsTurn: atFront, isRound: rounds[kind] != .max)
            } else if atFront {
                pushFront(waiter, kind)
            } else {
                pushBack(waiter, kind)
            }
        }
    }

    /// Takes a waiter out of every list.
    mutating func leave(_ waiter: Int) {
        var bits = masks[waiter]
        masks[waiter] = 0
        while bits != 0 {
            let kind = bits.trailingZeroBitCount
            bits &= bits &- 1
            if kind == Self.ranked {
                competitors.leave(waiter)
                continue
            }
            let link = links[waiter * kinds + kind]
            if link.previous >= 0 {
                links[Int(link.previous) * kinds + kind].next = link.next
            } else {
                heads[kind] = link.next
            }
            if link.next >= 0 {
                links[Int(link.next) * kinds + kind].previous = link.previous
            } else {
                tails[kind] = link.previous
            }
        }
    }

    /// Takes out the next waiter for one of these changes; nil ends the round.
    ///
    /// Who enters the same list again during the round is not met again in it.
    mutating func pop(_ changes: ConditionChanges) -> Int? {
        var bits = changes.rawValue
        while bits != 0 {
            let kind = bits.trailingZeroBitCount
            bits &= bits &- 1
            if rounds[kind] == .max { rounds[kind] = sequence }
            if kind == Self.ranked {
                guard let first = competitors.first else { continue }
                leave(first)
                return first
            }
            let head = Int(heads[kind])
            if head >= 0, entered[head] < rounds[kind] {
                leave(head)
                return head
            }
        }
        endRound(changes)
        return nil
    }

    /// Ends the round of these changes early: whoever still waits goes on waiting.
    mutating func endRound(_ changes: ConditionChanges) {
        var bits = changes.rawValue
        while bits != 0 {
            rounds[bits.trailingZeroBitCount] = .max
            if bits.trailingZeroBitCount == Self.ranked { competitors.endRound() }
            bits &= bits &- 1
        }
    }

    private mutating func pushBack(_ waiter: Int, _ kind: Int) {
        let tail = tails[kind]
        links[waiter * kinds + kind] = Link(next: -1, previous: tail)
        if tail >= 0 { links[Int(tail) * kinds + kind].next = Int32(waiter) } else { heads[kind] = Int32(waiter) }
        tails[kind] = Int32(waiter)
    }

    private mutating func pushFront(_ waiter: Int, _ kind: Int) {
        let head = heads[kind]
        links[waiter * kinds + kind] = Link(next: head, previous: -1)
        if head >= 0 { links[Int(head) * kinds + kind].previous = Int32(waiter) } else { tails[kind] = Int32(waiter) }
        heads[kind] = Int32(waiter)
    }
}
