// SPDX-License-Identifier: GPL-3.0-or-later

/// A key with its member, so that equal keys come in the order of their members.
@frozen
public struct RankedKey: Comparable, Sendable, BitwiseCopyable {
    /// Sort key.
    public var key: Int64
    /// Member, which breaks ties.
    public var member: Int32

    /// Creates the key of a member.
    @inlinable
    public init(_ key: Int64, of member: Int) {
        self.key = key
        self.member = Int32(truncatingIfNeeded: member)
    }

    /// Orders by key, then by member.
    @inlinable @inline(__always)
    public static func < (left: RankedKey, right: RankedKey) -> Bool {
        left.key == right.key ? left.member < right.member : left.key < right.key
    }
}

/// A heap with keys that may grow after they were set.
///
/// The caller corrects the key of the first member or removes it.
///
/// Among equal keys the smaller member comes first. Skipped members stay aside until `putBack`.
public struct GrowingHeap: Sendable {
    private var heap: IndexedHeap<RankedKey>
    private var aside: [RankedKey] = []

    /// Creates an empty heap for members below `capacity`.
    public init(capacity: Int) { heap = IndexedHeap(capacity: capacity) }

    /// The member with the smallest key, which may have grown since it was set; nil if the heap is empty.
    public var first: RankedKey? { heap.first?.key }

    /// Whether a member is in the heap, and not aside.
    public func contains(_ member: Int) -> Bool { heap.contains(member) }

    /// Inserts a member, or moves it; correct a key that is too small when the member comes first.
    ///
    /// - Complexity: O(log n).
    public mutating func set(_ member: Int, key: Int64 = .min) { heap.set(member, key: RankedKey(key, of: member)) }

    /// Removes a member, if it is in the heap; it must not be aside.
    ///
    /// - Complexity: O(log n).
    public mutating func remove(_ member: Int) { heap.remove(member) }

    /// Puts the first member aside.
    public mutating func setFirstAside() {
        guard let first = heap.first else { return }
        aside.append(first.key)
        heap.remove(first.member)
    }

    /// Puts back all members that are aside.
    public mutating func putBack() {
        for key in aside { heap.set(Int(key.member), key: key) }
        aside.removeAll(keepingCapacity: true)
    }
}
