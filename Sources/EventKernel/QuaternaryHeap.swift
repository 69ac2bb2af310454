// SPDX-License-Identifier: GPL-3.0-or-later

/// A four-ary heap with a table of positions; tests use it as the simple reference for other queues.
///
/// An entry is 16 bytes: the key, then a second word. In the second word, bits 63 to 24 are the insertion number, and
/// bits 23 to 0 are the slot. Two entries compare as 128-bit numbers. The heap supports 2^24 slots and 2^40 insertions,
/// and traps beyond them.
///
/// Source: A. LaMarca, R. Ladner, "The influence of caches on the performance of heaps", 1996,
/// doi:10.1145/235141.235145.
@frozen
public struct QuaternaryHeap: PendingEventSet, ~Copyable {
    @usableFromInline var entries: UnsafeMutablePointer<OrderedEntry>
    /// Position of each slot's entry, or -1.
    @usableFromInline var positions: UnsafeMutablePointer<Int32>
    @usableFromInline var pending: Int
    @usableFromInline var capacity: Int
    @usableFromInline var insertions: UInt64

    /// Creates an empty heap for slots numbered from 0.
    @inlinable
    public init(slots: Int) {
        guard slots >= 0 && slots <= OrderedEntry.maximumSlots else { fatalError("a heap needs 0 to 2^24 slots") }
        entries = .allocate(capacity: max(slots, 1))
        positions = .allocate(capacity: max(slots, 1))
        positions.initialize(repeating: -1, count: slots)
        pending = 0
        capacity = slots
        insertions = 0
    }

    @inlinable
    deinit {
        entries.deallocate()
        positions.deallocate()
    }

    /// Number of slots.
    @inlinable @inline(__always)
    public var slots: Int { capacity }

    /// Number of pending events.
    @inlinable @inline(__always)
    public var count: Int { pending }

    /// The key of a slot's event, or `.never` if it is not pending.
    @inlinable @inline(__always)
    public func key(of slot: Int) -> EventKey {
        guard UInt(bitPattern: slot) < UInt(bitPattern: capacity) else { fatalError("no such slot") }
        let position = Int(positions[slot])
        return position < 0 ? .never : EventKey(rawValue: entries[position].key)
    }

    /// Adds the event of a slot, or moves it.
    ///
    /// - Complexity: O(log n).
    @inlinable @inline(__always)
    public mutating func schedule(_ slot: Int, key: EventKey) {
        guard UInt(bitPattern: slot) < UInt(bitPattern: capacity) else { fatalError("no such slot") }
        let entry = OrderedEntry(key: key, insertion: insertions, slot: slot)
        insertions &+= 1
        let position = Int(positions[slot])
        if position < 0 {
            pending &+= 1
            siftUp(entry, from: pending &- 1)
        } else {
            sift(entry, from: position)
        }
    }

    /// Removes the event of a slot; does nothing if it is not pending.
    ///
    /// - Complexity: O(log n).
    @inlinable
    public mutating func cancel(_ slot: Int) {
        guard UInt(bitPattern: slot) < UInt(bitPattern: capacity) else { fatalError("no such slot") }
        let position = Int(positions[slot])
        guard position >= 0 else { return }
        remove(at: position)
    }

    /// Removes and returns the first event, unless it is after the limit.
    ///
    /// - Complexity: O(log n).
    @inlinable @inline(__always)
    public mutating func popMinimum(notAfter limit: EventKey) -> DueEvent {
        guard pending > 0 else { return .none }
        let first = entries[0]
        guard first.key <= limit.rawValue else { return .none }
        remove(at: 0)
        return DueEvent(key: EventKey(rawValue: first.key), slot: first.slot)
    }

    /// The key of the first event, or `.never`.
    @inlinable
    public mutating func minimum() -> EventKey { pending > 0 ? EventKey(rawValue: entries[0].key) : .never }

    /// Every pending event, in order.
    public func pendingInOrder() -> [DueEvent] {
        UnsafeBufferPointer(start: entries, count: pending).sorted().map {
            DueEvent(key: EventKey(rawValue: $0.key), slot: $0.slot)
        }
    }

    /// Adds slots.
    @inlinable
    public mutating func grow(toSlots slots: Int) {
        guard slots > capacity else { return }
        guard slots <= OrderedEntry.maximumSlots else { fatalError("a heap cannot have more than 2^24 slots") }
        let newEntries = UnsafeMutablePointer<OrderedEntry>.allocate(capacity: slots)
        newEntries.update(from: entries, count: pending)
        entries.deallocate()
        entries = newEntries
        let newPositions = UnsafeMutablePointer<Int32>.allocate(capacity: slots)
        newPositions.initialize(repeating: -1, count: slots)
        newPositions.update(from: positions, count: capacity)
        positions.deallocate()
        positions = newPositions
        capacity = slots
    }
}
