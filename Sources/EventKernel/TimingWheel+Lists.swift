// SPDX-License-Identifier: GPL-3.0-or-later
// The lists of the wheel: nodes linked in both directions, closed by a head, and marked in bitmaps if not empty.

extension TimingWheel {
    @inlinable @inline(__always)
    static func list(level: Int, digit: Int) -> Int { ~(level &<< 6 | digit) }

    /// The level of a key: the position of the highest base-64 digit in which the key differs from the base.
    @inlinable @inline(__always)
    static func level(of difference: UInt64) -> Int {
        let bit = 63 ^ (difference | 1).leadingZeroBitCount
        return (bit &* 43) &>> 8
    }

    /// Appends a node to the list for its key.
    @inlinable @inline(__always)
    mutating func append(_ node: Int, key: UInt64) { occupiedLevels |= enlist(node, key: key) }

    /// Appends a node to the list for its key, and returns the bit of the level that the caller must mark.
    @inlinable @inline(__always)
    func enlist(_ node: Int, key: UInt64) -> UInt64 {
        let level = Self.level(of: key ^ base)
        let digit = Int(truncatingIfNeeded: key &>> UInt64(truncatingIfNeeded: level &* 6)) & 63
        let head = Self.list(level: level, digit: digit)
        let last = Int(nodes[head].previous)
        nodes[node] = Node(
            key: key, next: Int32(truncatingIfNeeded: head), previous: Int32(truncatingIfNeeded: last))
        nodes[last].next = Int32(truncatingIfNeeded: node)
        nodes[head].previous = Int32(truncatingIfNeeded: node)
        occupied[level] |= 1 &<< UInt64(truncatingIfNeeded: digit)
        return 1 &<< UInt64(truncatingIfNeeded: level)
    }

    /// Removes a node from its list; the node's key and links stay unchanged.
    @inlinable @inline(__always)
    mutating func unlink(_ node: Int) {
        let next = nodes[node].next
        let previous = nodes[node].previous
        nodes[Int(previous)].next = next
        nodes[Int(next)].previous = previous
        if next == previous && next < 0 { markEmpty(Int(~next)) }
    }

    @inlinable @inline(__always)
    mutating func markEmpty(_ list: Int) {
        let level = list &>> 6
        let rest = occupied[level] & ~(1 &<< UInt64(truncatingIfNeeded: list & 63))
        occupied[level] = rest
        if rest == 0 { occupiedLevels &= ~(1 &<< UInt64(truncatingIfNeeded: level)) }
    }

    /// Removes a pending slot from the set.
    @inlinable @inline(__always)
    mutating func remove(_ slot: Int) {
        unlink(slot)
        nodes[slot].key = .max
        pending &-= 1
    }
}
