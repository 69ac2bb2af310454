// SPDX-License-Identifier: GPL-3.0-or-later
import Vocabulary

/// Index of waiters by the kind of change of the device that they wait for.
///
/// There is one linked list for each kind, in order of arrival.
///
/// A waiter is a number. It can be in several lists at once and leaves all of them together. Entering, leaving and
/// finding the next waiter take constant time. Only waiters for a free launch slot are in a queue by rank, which takes
/// logarithmic time.
struct WaitIndex: Sendable {
    /// Neighbours in a list.
    ///
    /// Each list is a ring with an extra entry that marks its end.
    private struct Link: BitwiseCopyable {
        var next: Int32
        var previous: Int32
    }

    private struct Waiter: BitwiseCopyable {
        /// The lists that contain the waiter, as bits of `ConditionChanges`.
        var lists: UInt16 = 0
        /// Sequence number of the waiter's entry into the lists.
        var entered: UInt64 = 0
    }

    @inline(__always)
    private static var kinds: Int { ConditionChanges.count }
    /// Link of waiter `w` in list `k` is at `w * kinds + k`; the end entries of the lists follow those of the last
    /// waiter.
    private var links: [Link]
    private var waiters: [Waiter]
    /// For each list, the sequence number at the start of its round; `max` outside a round.
    ///
    /// A round returns only waiters that entered before its start.
    private var rounds = [UInt64](repeating: .max, count: ConditionChanges.count)
    private var sequence: UInt64 = 0
    /// The kind of change whose waiters compete by rank: a launch slot became free.
    @inline(__always)
    private static var ranked: Int { ConditionChanges.launchEnded.rawValue.trailingZeroBitCount }
    private var competitors: RankedWaiters

    init(waiters count: Int) {
        competitors = RankedWaiters(waiters: count)
        links = (0..<(count + 1) * Self.kinds).map { Link(next: Int32($0), previous: Int32($0)) }
        waiters = Array(repeating: Waiter(), count: count)
    }

    func changes(of waiter: Int) -> ConditionChanges { ConditionChanges(rawValue: waiters[waiter].lists) }

    /// Enters a waiter at the end of the lists of these changes, and removes it from all others.
    ///
    /// `atFront` is for a waiter that was woken but could not start, so that it keeps its turn.
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

    /// Removes a waiter from every list.
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

    /// Removes and returns the next waiter for one of these changes; nil if the round is over.
    ///
    /// A waiter that enters a list again during the round is not returned again in that round.
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

    /// Ends the round of these changes early; the remaining waiters continue to wait.
    mutating func endRound(_ changes: ConditionChanges) {
        var bits = changes.rawValue
        while bits != 0 {
            rounds[bits.trailingZeroBitCount] = .max
            if bits.trailingZeroBitCount == Self.ranked { competitors.endRound() }
            bits &= bits &- 1
        }
    }
}
