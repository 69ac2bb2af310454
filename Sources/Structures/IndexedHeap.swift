// SPDX-License-Identifier: GPL-3.0-or-later

/// A four-ary heap of small integers ordered by key, smallest first, with a table of the members' positions.
///
/// To find, move or remove a member needs no search. The order of equal keys is undefined, so a key should contain a
/// tie-breaker. Each entry takes four bytes beyond its key, and each possible member takes four bytes of the table.
///
/// Source: A. LaMarca, R. Ladner, "The influence of caches on the performance of heaps", 1996,
/// doi:10.1145/235141.235145.
@frozen
public struct IndexedHeap<Key: Comparable & BitwiseCopyable & Sendable>: Sendable {
    /// A member with its key.
    @frozen
    public struct Entry: Sendable, BitwiseCopyable {
        /// Sort key.
        public var key: Key
        @usableFromInline var number: Int32

        /// The member.
        @inlinable @inline(__always)
        public var member: Int { Int(number) }

        @inlinable @inline(__always)
        init(key: Key, member: Int) {
            self.key = key
            number = Int32(truncatingIfNeeded: member)
        }
    }

    /// All members; the smallest is first, the others are in no particular order.
    @inlinable @inline(__always)
    public var entries: [Entry] { storage }
    @usableFromInline var storage: [Entry] = []
    /// Index of a member's entry, or -1.
    @usableFromInline var positions: [Int32]

    /// Creates an empty heap for the members below `capacity`.
    @inlinable
    public init(capacity: Int) {
        positions = Array(repeating: -1, count: capacity)
        storage.reserveCapacity(capacity)
    }

    /// Whether the heap is empty.
    @inlinable @inline(__always)
    public var isEmpty: Bool { storage.isEmpty }
    /// Number of members.
    @inlinable @inline(__always)
    public var count: Int { storage.count }
    /// The member with the smallest key; nil if the heap is empty.
    @inlinable @inline(__always)
    public var first: Entry? { storage.isEmpty ? nil : storage[0] }

    /// Whether a member is in the heap.
    @inlinable @inline(__always)
    public func contains(_ member: Int) -> Bool { positions[member] >= 0 }

    /// The key of a member; nil if it is not in the heap.
    @inlinable
    public func key(of member: Int) -> Key? {
        let position = Int(positions[member])
        return position < 0 ? nil : storage[position].key
    }

    /// Inserts a member, or moves it to the position of its new key.
    ///
    /// - Complexity: O(log n).
    @inlinable
    public mutating func set(_ member: Int, key: Key) {
        let entry = Entry(key: key, member: member)
        let old = Int(positions[member])
        if old < 0 {
            storage.append(entry)
            siftUp(entry, from: storage.count - 1)
        } else if key < storage[old].key {
            siftUp(entry, from: old)
        } else if storage[old].key < key {
            siftDown(entry, from: old)
        }
    }

    /// Removes a member, if it is in the heap.
    ///
    /// - Complexity: O(log n).
    @inlinable
    public mutating func remove(_ member: Int) {
        let hole = Int(positions[member])
        guard hole >= 0 else { return }
        positions[member] = -1
        let last = storage.removeLast()
        guard hole < storage.count else { return }
        if hole > 0, last.key < storage[(hole - 1) / 4].key {
            siftUp(last, from: hole)
        } else {
            siftDown(last, from: hole)
        }
    }

    /// Removes and returns the member with the smallest key; nil if the heap is empty.
    ///
    /// - Complexity: O(log n).
    @inlinable
    public mutating func removeFirst() -> Int? {
        guard let first = first?.member else { return nil }
        remove(first)
        return first
    }

    /// Removes all members.
    ///
    /// - Complexity: O(n).
    @inlinable
    public mutating func removeAll() {
        for entry in storage { positions[entry.member] = -1 }
        storage.removeAll(keepingCapacity: true)
    }
}

extension IndexedHeap {
    /// Appends a member at the end, out of order.
    ///
    /// The heap must not contain the member yet; call `order` before any other method.
    @inlinable
    public mutating func append(_ member: Int, key: Key) {
        positions[member] = Int32(truncatingIfNeeded: storage.count)
        storage.append(Entry(key: key, member: member))
    }

    /// Puts the appended members in order.
    ///
    /// - Complexity: O(n).
    @inlinable
    public mutating func order() {
        var parent = (storage.count + 2) / 4
        while parent > 0 {
            parent -= 1
            siftDown(storage[parent], from: parent)
        }
    }

    /// Moves a hole towards the root until the entry fits, and fills it.
    ///
    /// Each move accesses the memory of both arrays directly, which avoids a check at every step.
    @inlinable
    mutating func siftUp(_ entry: Entry, from start: Int) {
        storage.withUnsafeMutableBufferPointer { entries in
            positions.withUnsafeMutableBufferPointer { positions in
                var hole = start
                while hole > 0 {
                    let parent = (hole &- 1) / 4
                    guard entry.key < entries[parent].key else { break }
                    entries[hole] = entries[parent]
                    positions[entries[hole].member] = Int32(truncatingIfNeeded: hole)
                    hole = parent
                }
                entries[hole] = entry
                positions[entry.member] = Int32(truncatingIfNeeded: hole)
            }
        }
    }

    /// Moves a hole away from the root until the entry fits, and fills it.
    @inlinable
    mutating func siftDown(_ entry: Entry, from start: Int) {
        storage.withUnsafeMutableBufferPointer { entries in
            positions.withUnsafeMutableBufferPointer { positions in
                let count = entries.count
                var hole = start
                while true {
                    let firstChild = 4 &* hole &+ 1
                    guard firstChild < count else { break }
                    var best = firstChild
                    let end = min(firstChild &+ 4, count)
                    var child = firstChild &+ 1
                    while child < end {
                        if entries[child].key < entries[best].key { best = child }
                        child &+= 1
                    }
                    guard entries[best].key < entry.key else { break }
                    entries[hole] = entries[best]
                    positions[entries[hole].member] = Int32(truncatingIfNeeded: hole)
                    hole = best
                }
                entries[hole] = entry
                positions[entry.member] = Int32(truncatingIfNeeded: hole)
            }
        }
    }
}
