// SPDX-License-Identifier: GPL-3.0-or-later

/// A key and its member; members with equal keys are ordered by their numbers.
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

/// A heap with keys that may grow after they were set, so that the key of the first member may be too small.
///
/// The caller then corrects the key of the first member, or removes this member. Among equal keys, the smaller member
/// comes first. Members that were set aside return with `putBack`.
public struct GrowingHeap: Sendable {
    private var heap: IndexedHeap<RankedKey>
    private var aside: [RankedKey] = []

    /// Creates an empty heap for members below `capacity`.
    public init(capacity: Int) { heap = IndexedHeap(capacity: capacity) }

    /// The member with the smallest key, and this key, which may be too small; nil if the heap is empty.
    public var first: RankedKey? { heap.first?.key }

    /// Whether a member is in the heap, rather than aside or absent.
    public func contains(_ member: Int) -> Bool { heap.contains(member) }

    /// Inserts or moves a member.
    ///
    /// A key may be too small; correct it when the member comes first.
    ///
    /// - Complexity: O(log n).
    public mutating func set(_ member: Int, key: Int64 = .min) { heap.set(member, key: RankedKey(key, of: member)) }

    /// Removes a member if it is in the heap; a member that is aside must not be removed.
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
