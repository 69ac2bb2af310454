// SPDX-License-Identifier: GPL-3.0-or-later
import Vocabulary

/// Who waits for which change of the device: one doubly linked list per kind of change, first come, first woken.
///
/// A waiter is a number; it may stand in several lists at once and leaves all of them together. Entering, leaving and
/// finding the next one to wake cost the same however many wait. Only those who wait for a free launch slot stand in a
/// queue by rank, at the cost of a logarithm.
struct WaitIndex: Sendable {
    /// Neighbours in a list, which is a ring closed by an entry of its own.
    private struct Link: BitwiseCopyable {
        var next: Int32
        var previous: Int32
    }

    private struct Waiter: BitwiseCopyable {
        /// The lists it stands in, as bits of `ConditionChanges`.
        var lists: UInt16 = 0
        /// When it entered them, as a running number.
        var entered: UInt64 = 0
    }

    @inline(__always)
    private static var kinds: Int { ConditionChanges.count }
    /// Links of waiter `w` in list `k` at `w * kinds + k`; behind those of the last waiter the ends of the lists.
    private var links: [Link]
    private var waiters: [Waiter]
    /// While a list is being woken: who entered at or after this number has been looked at already.
    private var rounds = [UInt64](repeating: .max, count: ConditionChanges.count)
    private var sequence: UInt64 = 0
    /// The kind of change whose waiters compete: a launch slot became free.
    @inline(__always)
    private static var ranked: Int { ConditionChanges.launchEnded.rawValue.trailingZeroBitCount }
    private var competitors: RankedWaiters

    init(waiters count: Int) {
        competitors = RankedWaiters(waiters: count)
        links = (0..<(count + 1) * Self.kinds).map { Link(next: Int32($0), previous: Int32($0)) }
        waiters = Array(repeating: Waiter(), count: count)
    }

    func changes(of waiter: Int) -> ConditionChanges { ConditionChanges(rawValue: waiters[waiter].lists) }

    /// Enters a waiter into the lists of these changes, behind those who wait already, and takes it out of all others.
    ///
    /// `atFront` is for one who was woken and turned away: it keeps its turn.
    mutating func wait(_ waiter: Int, for changes: ConditionChanges, rank: Double = 0, atFront: Bool = false) {
        leave(waiter)
        waiters[waiter] = Waiter(lists: changes.rawValue, entered: sequence)
        sequence += 1
        if changes.contains(.launchEnded) {
            let isRound = rounds[Self.ranked] != .max
            competitors.enter(waiter, rank: rank, keepsTurn: atFront, isRound: isRound)
        }
        let ends = waiters.count * Self.kinds
        links.withUnsafeMutableBufferPointer { links in
            Self.forEach(changes.subtracting(.launchEnded)) { kind in
                let (entry, end) = (waiter * Self.kinds + kind, ends + kind)
                let previous = atFront ? end : Int(links[end].previous)
                let next = atFront ? Int(links[end].next) : end
                links[entry] = Link(next: Int32(next), previous: Int32(previous))
                links[previous].next = Int32(entry)
                links[next].previous = Int32(entry)
            }
        }
    }

    /// Takes a waiter out of every list.
    mutating func leave(_ waiter: Int) {
        let lists = changes(of: waiter)
        guard lists != [] else { return }
        waiters[waiter].lists = 0
        if lists.contains(.launchEnded) { competitors.leave(waiter) }
        links.withUnsafeMutableBufferPointer { links in
            Self.forEach(lists.subtracting(.launchEnded)) { kind in
                let link = links[waiter * Self.kinds + kind]
                links[Int(link.previous)].next = link.next
                links[Int(link.next)].previous = link.previous
            }
        }
    }

    @inline(__always)
    private static func forEach(_ changes: ConditionChanges, _ body: (Int) -> Void) {
        var bits = changes.rawValue
        while bits != 0 {
            body(bits.trailingZeroBitCount)
            bits &= bits &- 1
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
            let first = Int(links[waiters.count * Self.kinds + kind].next) / Self.kinds
            if first < waiters.count, waiters[first].entered < rounds[kind] {
                leave(first)
                return first
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
}
