// SPDX-License-Identifier: GPL-3.0-or-later

/// A radix-64 hierarchical timing wheel: constant time to schedule, move and cancel, for any number of pending events.
///
/// The 64-bit key is read as eleven digits of base 64. The level of an event is the highest digit in which its key
/// differs from the wheel's base. On its level, the event is in the list for the value of that digit. A bitmap per
/// level marks the occupied lists. The earliest event is in the first occupied list of the lowest occupied level. A
/// list of level 0 has only one key. When the turn of a list of a higher level comes, a short list is searched, and a
/// longer one is divided among lower levels.
///
/// Entries with equal keys are always in one list, and each is appended at its end, so lists are in insertion order. An
/// entry is 16 bytes: the key (64 bits), and the neighbours in the list (32 bits each). The base never passes a limit
/// that the caller has reached, so events can be scheduled at any instant from the clock on.
///
/// Source: G. Varghese, T. Lauck, "Hashed and hierarchical timing wheels", SOSP 1987, doi:10.1145/41457.37504. The
/// digits of the key are relative to the last minimum, as in the radix heap of Ahuja et al., doi:10.1145/77600.77615.
@frozen
public struct TimingWheel: PendingEventSet, ~Copyable {
    /// One entry, or the head of a list; the head does not use its key.
    @frozen @usableFromInline
    struct Node: BitwiseCopyable {
        @usableFromInline var key: UInt64
        @usableFromInline var next: Int32
        @usableFromInline var previous: Int32

        @inlinable @inline(__always)
        init(key: UInt64, next: Int32, previous: Int32) {
            self.key = key
            self.next = next
            self.previous = previous
        }
    }

    @usableFromInline static var levels: Int { @inlinable @inline(__always) get { 11 } }
    /// Heads of lists are nodes -1 to -704; entries are the nodes from 0, and a node's number is its slot.
    @usableFromInline static var heads: Int { @inlinable @inline(__always) get { 704 } }
    /// Largest number of entries of a list that is searched for its minimum instead of being divided.
    @usableFromInline static var searchLimit: Int { @inlinable @inline(__always) get { 6 } }

    @usableFromInline var nodes: UnsafeMutablePointer<Node>
    @usableFromInline var occupied: UnsafeMutablePointer<UInt64>
    @usableFromInline var occupiedLevels: UInt64
    /// Lower bound of all pending keys; a multiple of 64.
    @usableFromInline var base: UInt64
    @usableFromInline var pending: Int
    @usableFromInline var capacity: Int

    /// Creates an empty wheel for slots numbered from 0.
    @inlinable
    public init(slots: Int) {
        guard slots >= 0 && slots < Int(Int32.max) else { fatalError("the number of slots must fit into 31 bits") }
        nodes = Self.allocate(slots: slots)
        occupied = .allocate(capacity: Self.levels)
        occupied.initialize(repeating: 0, count: Self.levels)
        occupiedLevels = 0
        base = 0
        pending = 0
        capacity = slots
    }

    /// Copies a wheel including the order of every list, so that both continue in the same order.
    init(copying other: borrowing TimingWheel) {
        nodes = Self.allocate(slots: other.capacity)
        (nodes - Self.heads).update(from: other.nodes - Self.heads, count: Self.heads + other.capacity)
        occupied = .allocate(capacity: Self.levels)
        occupied.initialize(from: other.occupied, count: Self.levels)
        occupiedLevels = other.occupiedLevels
        base = other.base
        pending = other.pending
        capacity = other.capacity
    }

    @inlinable
    deinit {
        (nodes - Self.heads).deallocate()
        occupied.deallocate()
    }

    @inlinable
    static func allocate(slots: Int) -> UnsafeMutablePointer<Node> {
        let start = UnsafeMutableRawPointer.allocate(
            byteCount: (heads + slots) * MemoryLayout<Node>.stride, alignment: 64
        ).bindMemory(to: Node.self, capacity: heads + slots)
        let nodes = start + heads
        for head in 1...heads {
            nodes[-head] = Node(key: .max, next: Int32(-head), previous: Int32(-head))
        }
        (nodes).initialize(repeating: Node(key: .max, next: 0, previous: 0), count: slots)
        return nodes
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
        return EventKey(rawValue: nodes[slot].key)
    }

    /// Adds the event of a slot, or moves it, in constant time.
    @inlinable @inline(__always)
    public mutating func schedule(_ slot: Int, key: EventKey) {
        guard UInt(bitPattern: slot) < UInt(bitPattern: capacity) else { fatalError("no such slot") }
        assert(key.rawValue >= base && key != .never, "the event is before the current time, or its key is empty")
        if nodes[slot].key != .max { unlink(slot) } else { pending &+= 1 }
        append(slot, key: key.rawValue)
    }

    /// Removes the event of a slot in constant time; does nothing if it is not pending.
    @inlinable @inline(__always)
    public mutating func cancel(_ slot: Int) {
        guard UInt(bitPattern: slot) < UInt(bitPattern: capacity) else { fatalError("no such slot") }
        guard nodes[slot].key != .max else { return }
        remove(slot)
    }

    /// Adds slots.
    @inlinable
    public mutating func grow(toSlots slots: Int) {
        guard slots > capacity else { return }
        let larger = Self.allocate(slots: slots)
        (larger - Self.heads).update(from: nodes - Self.heads, count: Self.heads + capacity)
        (nodes - Self.heads).deallocate()
        nodes = larger
        capacity = slots
    }
}
