// SPDX-License-Identifier: GPL-3.0-or-later

/// A ladder queue: the least work per event when very many are pending and few are cancelled.
///
/// Far events lie unsorted in `top`. When their turn comes they are spread over the buckets of a rung, each a power of
/// two of key units wide; a bucket with many entries is spread over a finer rung, one with few is sorted into `bottom`,
/// from which events are taken. Every entry is moved a constant number of times, mostly in sequence.
///
/// Entries of equal key always lie in one container, in insertion order, so no insertion number is stored. One entry is
/// 16 bytes: key (64 bits), slot and generation (32 bits each). A cancelled or moved event leaves its entry behind; it
/// is told by its generation and dropped when next touched. When there are more of these than pending events (and
/// 4,096 more), all are swept out, so memory stays in proportion to the pending events. A model that cancels much
/// should choose the timing wheel.
///
/// Source: W. T. Tang, R. S. M. Goh, I. L.-J. Thng, "Ladder queue: an O(1) priority queue structure for large-scale
/// discrete event simulation", ACM TOMACS 15(3), 2005, doi:10.1145/1103323.1103324.
@frozen
public struct LadderQueue: PendingEventSet, ~Copyable {
    /// The event of a slot as it lies in a container.
    @frozen @usableFromInline
    struct Entry: BitwiseCopyable {
        @usableFromInline var key: UInt64
        @usableFromInline var slot: UInt32
        @usableFromInline var generation: UInt32

        @inlinable @inline(__always)
        init(key: UInt64, slot: UInt32, generation: UInt32) {
            self.key = key
            self.slot = slot
            self.generation = generation
        }
    }

    /// What is true of a slot now: its key, or `.max`, and the generation of its one valid entry.
    @frozen @usableFromInline
    struct Record: BitwiseCopyable {
        @usableFromInline var key: UInt64
        @usableFromInline var generation: UInt32

        @inlinable @inline(__always)
        init(key: UInt64, generation: UInt32) {
            self.key = key
            self.generation = generation
        }
    }

    /// So many entries beyond the number of pending events may be invalid before all of them are swept out.
    @usableFromInline static var staleAllowance: Int { @inlinable @inline(__always) get { 4_096 } }

    @usableFromInline var records: UnsafeMutablePointer<Record>
    @usableFromInline var capacity: Int
    @usableFromInline var pending: Int
    /// How many entries in the containers are no longer valid.
    @usableFromInline var stale: Int

    /// Keys from here on go to `top`.
    @usableFromInline var topStart: UInt64
    @usableFromInline var top: UnsafeMutablePointer<Entry>
    @usableFromInline var topCount: Int
    @usableFromInline var topCapacity: Int

    /// The sorted entries that come next, in `bottom[head ..< tail]`.
    @usableFromInline var bottom: UnsafeMutablePointer<Entry>
    @usableFromInline var head: Int
    @usableFromInline var tail: Int
    @usableFromInline var bottomCapacity: Int

    /// The rungs in use, from the widest buckets to the narrowest.
    @usableFromInline var rungs: UnsafeMutablePointer<Rung>
    @usableFromInline var rungCount: Int

    @usableFromInline var pool: ChunkPool

    /// Creates an empty ladder for slots numbered from 0.
    public init(slots: Int) {
        precondition(slots >= 0 && slots <= Int(Int32.max), "slots are 31-bit numbers")
        records = .allocate(capacity: max(slots, 1))
        records.initialize(repeating: Record(key: .max, generation: 0), count: slots)
        capacity = slots
        pending = 0
        stale = 0
        topStart = 0
        topCount = 0
        topCapacity = max(slots, 64)
        top = .allocate(capacity: topCapacity)
        bottomCapacity = 1_024
        bottom = .allocate(capacity: bottomCapacity)
        head = 0
        tail = 0
        rungs = .allocate(capacity: Self.maximumRungs)
        rungs.initialize(repeating: Rung(), count: Self.maximumRungs)
        rungCount = 0
        pool = ChunkPool()
    }

    deinit {
        records.deallocate()
        top.deallocate()
        bottom.deallocate()
        for rung in 0..<Self.maximumRungs { rungs[rung].deallocate() }
        rungs.deallocate()
        pool.deallocate()
    }

    /// How many slots there are.
    @inlinable @inline(__always)
    public var slots: Int { capacity }

    /// How many events are pending.
    @inlinable @inline(__always)
    public var count: Int { pending }

    /// The key of a slot's event, or `.never`.
    @inlinable @inline(__always)
    public func key(of slot: Int) -> EventKey {
        precondition(UInt(bitPattern: slot) < UInt(bitPattern: capacity), "no such slot")
        return EventKey(rawValue: records[slot].key)
    }

    /// Adds the event of a slot, or moves it.
    ///
    /// - Complexity: O(1), amortised.
    @inlinable @inline(__always)
    public mutating func schedule(_ slot: Int, key: EventKey) {
        precondition(UInt(bitPattern: slot) < UInt(bitPattern: capacity), "no such slot")
        let old = records[slot]
        let generation = old.generation &+ 1
        records[slot] = Record(key: key.rawValue, generation: generation)
        if old.key == .max { pending &+= 1 } else { stale &+= 1 }
        if stale > pending &+ Self.staleAllowance || generation == 0 { sweep() }
        insert(Entry(key: key.rawValue, slot: UInt32(truncatingIfNeeded: slot), generation: generation))
    }

    /// Removes the event of a slot; does nothing if it is not pending.
    ///
    /// - Complexity: O(1), amortised.
    @inlinable
    public mutating func cancel(_ slot: Int) {
        precondition(UInt(bitPattern: slot) < UInt(bitPattern: capacity), "no such slot")
        guard records[slot].key != .max else { return }
        let generation = records[slot].generation &+ 1
        records[slot] = Record(key: .max, generation: generation)
        pending &-= 1
        stale &+= 1
        if stale > pending &+ Self.staleAllowance || generation == 0 { sweep() }
    }

    /// Removes and returns the first event, unless it is after the limit.
    ///
    /// - Complexity: O(1), amortised.
    @inlinable @inline(__always)
    public mutating func popMinimum(notAfter limit: EventKey) -> DueEvent {
        while true {
            if head == tail, !refill() { return .none }
            let entry = bottom[head]
            guard entry.key <= limit.rawValue else { return .none }
            head &+= 1
            let slot = Int(truncatingIfNeeded: entry.slot)
            guard records[slot].generation == entry.generation else {
                stale &-= 1
                continue
            }
            records[slot].key = .max
            pending &-= 1
            return DueEvent(key: EventKey(rawValue: entry.key), slot: slot)
        }
    }

    /// The key of the first event, or `.never`.
    public mutating func minimum() -> EventKey {
        while true {
            if head == tail, !refill() { return .never }
            if isValid(bottom[head]) { return EventKey(rawValue: bottom[head].key) }
            head += 1
            stale -= 1
        }
    }

    /// Makes room for more slots.
    public mutating func grow(toSlots slots: Int) {
        guard slots > capacity else { return }
        precondition(slots <= Int(Int32.max), "slots are 31-bit numbers")
        let larger = UnsafeMutablePointer<Record>.allocate(capacity: slots)
        larger.initialize(repeating: Record(key: .max, generation: 0), count: slots)
        larger.update(from: records, count: capacity)
        records.deallocate()
        records = larger
        capacity = slots
    }

    @inlinable @inline(__always)
    func isValid(_ entry: Entry) -> Bool { records[Int(entry.slot)].generation == entry.generation }
}
