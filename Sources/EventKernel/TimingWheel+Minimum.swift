// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the earliest event without moving the base past the limit that the caller has reached.

extension TimingWheel {
    /// Removes and returns the first event, unless it is after the limit.
    ///
    /// - Complexity: amortised constant; an entry moves to a lower level at most ten times.
    @inlinable @inline(__always)
    public mutating func popMinimum(notAfter limit: EventKey) -> DueEvent {
        while occupiedLevels != 0 {
            let level = occupiedLevels.trailingZeroBitCount
            let digit = occupied[level].trailingZeroBitCount
            let head = Self.list(level: level, digit: digit)
            let first = Int(nodes[head].next)
            let found = level == 0 ? first : shortListMinimum(head, first: first)
            if found >= 0 {
                let key = nodes[found].key
                guard key <= limit.rawValue else { return .none }
                remove(found)
                return DueEvent(key: EventKey(rawValue: key), slot: found)
            }
            guard dealOut(level: level, digit: digit, notAfter: limit.rawValue) else { return .none }
        }
        return .none
    }

    /// The earliest entry of a list; of entries with equal keys, the first.
    ///
    /// -1 if the list is too long for a search.
    @inlinable @inline(__always)
    func shortListMinimum(_ head: Int, first: Int) -> Int {
        var best = first
        var bestKey = nodes[first].key
        var node = Int(nodes[first].next)
        var left = Self.searchLimit
        while node >= 0 {
            left &-= 1
            if left == 0 { return -1 }
            let key = nodes[node].key
            if key < bestKey {
                bestKey = key
                best = node
            }
            node = Int(nodes[node].next)
        }
        return best
    }

    /// Moves the base to the start of a list, and moves the list's entries to lower levels, unless the list starts
    /// after the limit.
    @inlinable
    mutating func dealOut(level: Int, digit: Int, notAfter limit: UInt64) -> Bool {
        let shift = level * 6
        let above = (base >> UInt64(shift + 6)) << UInt64(shift + 6)
        let start = above | UInt64(digit) << UInt64(shift)
        guard start <= limit else { return false }
        base = start
        let head = Self.list(level: level, digit: digit)
        var node = Int(nodes[head].next)
        nodes[head].next = Int32(truncatingIfNeeded: head)
        nodes[head].previous = Int32(truncatingIfNeeded: head)
        markEmpty(~head)
        var levels: UInt64 = 0
        while node >= 0 {
            let next = Int(nodes[node].next)
            levels |= enlist(node, key: nodes[node].key)
            node = next
        }
        occupiedLevels |= levels
        return true
    }

    /// The key of the first event, or `.never`; the base does not move.
    ///
    /// - Complexity: linear in the entries of the first occupied list.
    @inlinable
    public mutating func minimum() -> EventKey {
        guard occupiedLevels != 0 else { return .never }
        let level = occupiedLevels.trailingZeroBitCount
        let digit = occupied[level].trailingZeroBitCount
        var node = Int(nodes[Self.list(level: level, digit: digit)].next)
        var earliest = nodes[node].key
        while level > 0, node >= 0 {
            earliest = min(earliest, nodes[node].key)
            node = Int(nodes[node].next)
        }
        return EventKey(rawValue: earliest)
    }

    /// Every pending event, in order.
    public func pendingInOrder() -> [DueEvent] {
        var found: [(event: DueEvent, insertion: Int)] = []
        found.reserveCapacity(pending)
        for list in 0..<Self.heads {
            var node = Int(nodes[~list].next)
            while node >= 0 {
                found.append((DueEvent(key: EventKey(rawValue: nodes[node].key), slot: node), found.count))
                node = Int(nodes[node].next)
            }
        }
        found.sort { ($0.event.key, $0.insertion) < ($1.event.key, $1.insertion) }
        return found.map(\.event)
    }
}
