// SPDX-License-Identifier: GPL-3.0-or-later
// Restores the heap order after an entry was added, removed or moved; the children of i are 4i + 1 to 4i + 4.

extension QuaternaryHeap {
    @inlinable @inline(__always)
    mutating func store(_ entry: OrderedEntry, at position: Int) {
        entries[position] = entry
        positions[entry.slot] = Int32(truncatingIfNeeded: position)
    }

    @inlinable @inline(__always)
    mutating func remove(at position: Int) {
        positions[entries[position].slot] = -1
        pending &-= 1
        if position < pending { sift(entries[pending], from: position) }
    }

    /// Puts an entry into a hole, and moves it up or down from there.
    @inlinable @inline(__always)
    mutating func sift(_ entry: OrderedEntry, from position: Int) {
        if position > 0, entry < entries[(position &- 1) &>> 2] {
            siftUp(entry, from: position)
        } else {
            siftDown(entry, from: position)
        }
    }

    @inlinable
    mutating func siftUp(_ entry: OrderedEntry, from start: Int) {
        var position = start
        while position > 0 {
            let parent = (position &- 1) &>> 2
            guard entry < entries[parent] else { break }
            store(entries[parent], at: position)
            position = parent
        }
        store(entry, at: position)
    }

    @inlinable
    mutating func siftDown(_ entry: OrderedEntry, from start: Int) {
        var position = start
        while true {
            let child = position &<< 2 &+ 1
            guard child < pending else { break }
            let least = leastChild(from: child)
            guard entries[least] < entry else { break }
            store(entries[least], at: position)
            position = least
        }
        store(entry, at: position)
    }

    /// The smallest of up to four siblings; compared in pairs, so that the two comparisons are independent.
    @inlinable @inline(__always)
    func leastChild(from child: Int) -> Int {
        guard child &+ 3 < pending else {
            var least = child
            var other = child &+ 1
            while other < pending {
                if entries[other] < entries[least] { least = other }
                other &+= 1
            }
            return least
        }
        let left = entries[child &+ 1] < entries[child] ? child &+ 1 : child
        let right = entries[child &+ 3] < entries[child &+ 2] ? child &+ 3 : child &+ 2
        return entries[right] < entries[left] ? right : left
    }
}
