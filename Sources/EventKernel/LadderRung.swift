// SPDX-License-Identifier: GPL-3.0-or-later

extension LadderQueue {
    /// The entries of one span of keys: a chain of chunks, circular, so that the last chunk leads to the first.
    @frozen @usableFromInline
    struct Bucket: BitwiseCopyable {
        @usableFromInline var lastChunk: Int32
        @usableFromInline var count: Int32

        @inlinable @inline(__always)
        init(lastChunk: Int32, count: Int32) {
            self.lastChunk = lastChunk
            self.count = count
        }
    }

    /// A row of buckets of equal width, with a bitmap of the occupied ones.
    @frozen @usableFromInline
    struct Rung: BitwiseCopyable {
        /// The first key of the first bucket.
        @usableFromInline var start: UInt64
        /// Keys from here on belong to this rung; earlier ones to a narrower rung or the bottom.
        @usableFromInline var currentKey: UInt64
        /// A bucket is `1 << shift` keys wide.
        @usableFromInline var shift: UInt64
        /// The first bucket that has not been taken.
        @usableFromInline var current: Int
        @usableFromInline var buckets: UnsafeMutablePointer<Bucket>?
        @usableFromInline var occupied: UnsafeMutablePointer<UInt64>?
        @usableFromInline var bucketCount: Int
        @usableFromInline var capacity: Int

        init() {
            start = 0
            currentKey = 0
            shift = 0
            current = 0
            buckets = nil
            occupied = nil
            bucketCount = 0
            capacity = 0
        }

        /// Sets an empty rung to the keys from `start` up to `end`, in at most `wanted` buckets (a power of two).
        mutating func span(from start: UInt64, to end: UInt64, wanted: Int) {
            let last = end - 1 - start
            let bits = 64 - last.leadingZeroBitCount
            shift = UInt64(max(0, bits - wanted.trailingZeroBitCount))
            bucketCount = Int(last >> shift) + 1
            self.start = start
            currentKey = start
            current = 0
            reserve(wanted)
        }

        /// The key after the last bucket, or `.max` if that cannot be written.
        var end: UInt64 { key(after: bucketCount - 1) }

        /// Moves on past a bucket.
        mutating func pass(_ bucket: Int) {
            current = bucket + 1
            currentKey = key(after: bucket)
        }

        private func key(after bucket: Int) -> UInt64 {
            let (sum, overflow) = start.addingReportingOverflow(UInt64(bucket) << shift | (1 << shift - 1))
            return overflow || sum == .max ? .max : sum + 1
        }

        /// The first occupied bucket from the current one on, or -1.
        func nextOccupied() -> Int {
            guard let occupied, current < bucketCount else { return -1 }
            var word = current >> 6
            var bits = occupied[word] & (~0 << UInt64(current & 63))
            let words = (bucketCount + 63) >> 6
            while bits == 0 {
                word += 1
                guard word < words else { return -1 }
                bits = occupied[word]
            }
            return word << 6 | bits.trailingZeroBitCount
        }

        private mutating func reserve(_ wanted: Int) {
            guard wanted > capacity else { return }
            deallocate()
            let words = (wanted + 63) >> 6
            let newBuckets = UnsafeMutablePointer<Bucket>.allocate(capacity: wanted)
            newBuckets.initialize(repeating: Bucket(lastChunk: -1, count: 0), count: wanted)
            let newOccupied = UnsafeMutablePointer<UInt64>.allocate(capacity: words)
            newOccupied.initialize(repeating: 0, count: words)
            buckets = newBuckets
            occupied = newOccupied
            capacity = wanted
        }

        func deallocate() {
            buckets?.deallocate()
            occupied?.deallocate()
        }
    }

    /// Rungs beyond this number are not made; the ladder is set up anew instead.
    @usableFromInline static var maximumRungs: Int { @inlinable @inline(__always) get { 24 } }

    /// Chunks of eight entries, lent to buckets and linked into chains.
    @frozen @usableFromInline
    struct ChunkPool: BitwiseCopyable {
        @usableFromInline var entries: UnsafeMutablePointer<Entry>
        @usableFromInline var links: UnsafeMutablePointer<Int32>
        /// The first free chunk, or -1.
        @usableFromInline var free: Int32
        @usableFromInline var capacity: Int

        init() {
            capacity = 256
            entries = Self.allocateEntries(capacity)
            links = .allocate(capacity: capacity)
            free = -1
            linkFree(from: 0)
        }

        @inlinable @inline(__always)
        mutating func allocate() -> Int32 {
            if free < 0 { grow() }
            let chunk = free
            free = links[Int(chunk)]
            return chunk
        }

        @inlinable @inline(__always)
        mutating func giveBack(_ chunk: Int32) {
            links[Int(chunk)] = free
            free = chunk
        }

        @usableFromInline
        mutating func grow() {
            let old = capacity
            capacity = old * 2
            let newEntries = Self.allocateEntries(capacity)
            newEntries.update(from: entries, count: old * 8)
            entries.deallocate()
            entries = newEntries
            let newLinks = UnsafeMutablePointer<Int32>.allocate(capacity: capacity)
            newLinks.update(from: links, count: old)
            links.deallocate()
            links = newLinks
            linkFree(from: old)
        }

        private mutating func linkFree(from first: Int) {
            for chunk in stride(from: capacity - 1, through: first, by: -1) {
                links[chunk] = free
                free = Int32(chunk)
            }
        }

        private static func allocateEntries(_ chunks: Int) -> UnsafeMutablePointer<Entry> {
            UnsafeMutableRawPointer.allocate(byteCount: chunks * 8 * MemoryLayout<Entry>.stride, alignment: 128)
                .bindMemory(to: Entry.self, capacity: chunks * 8)
        }

        func deallocate() {
            entries.deallocate()
            links.deallocate()
        }
    }
}
