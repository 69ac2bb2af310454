// SPDX-License-Identifier: GPL-3.0-or-later
// Putting an entry where its key belongs: top, a rung, or the sorted bottom.

extension LadderQueue {
    /// An insertion into the bottom that would move more entries than this makes a rung of it instead.
    private static var shiftLimit: Int { 64 }
    /// Room kept before the first entry of a fresh bottom.
    static var frontGap: Int { 64 }

    @inlinable @inline(__always)
    mutating func insert(_ entry: Entry) {
        guard entry.key >= topStart else { return insertBelowTop(entry) }
        if topCount == topCapacity { growTop() }
        top[topCount] = entry
        topCount &+= 1
    }

    @inlinable
    mutating func insertBelowTop(_ entry: Entry) {
        var rung = 0
        while rung < rungCount {
            if entry.key >= rungs[rung].currentKey { return append(entry, toRung: rung) }
            rung &+= 1
        }
        insertIntoBottom(entry)
    }

    @inlinable @inline(__always)
    mutating func append(_ entry: Entry, toRung rung: Int) {
        guard let buckets = rungs[rung].buckets, let occupied = rungs[rung].occupied else { return }
        let index = Int(truncatingIfNeeded: (entry.key &- rungs[rung].start) &>> rungs[rung].shift)
        let bucket = buckets[index]
        var chunk = bucket.lastChunk
        let fill = Int(bucket.count & 7)
        if fill == 0 {
            chunk = pool.allocate()
            if bucket.count == 0 {
                pool.links[Int(chunk)] = chunk
                occupied[index &>> 6] |= 1 &<< UInt64(truncatingIfNeeded: index & 63)
            } else {
                let last = Int(bucket.lastChunk)
                pool.links[Int(chunk)] = pool.links[last]
                pool.links[last] = chunk
            }
        }
        pool.entries[Int(chunk) &<< 3 &+ fill] = entry
        buckets[index] = Bucket(lastChunk: chunk, count: bucket.count &+ 1)
    }

    /// Keeps the bottom sorted, equal keys in insertion order; moves the shorter side.
    @usableFromInline
    mutating func insertIntoBottom(_ entry: Entry) {
        if head == tail { clearBottom() }
        let position = positionInBottom(after: entry.key)
        let before = position - head
        let behind = tail - position
        if min(before, behind) > Self.shiftLimit {
            makeRungOfBottom()
            insert(entry)
        } else if before < behind, head > 0 {
            (bottom + head - 1).update(from: bottom + head, count: before)
            head -= 1
            bottom[position - 1] = entry
        } else if tail < bottomCapacity, behind <= Self.shiftLimit {
            (bottom + position + 1).update(from: bottom + position, count: behind)
            tail += 1
            bottom[position] = entry
        } else {
            growBottom(to: 2 * (tail - head) + 2 * Self.frontGap)
            insertIntoBottom(entry)
        }
    }

    private func positionInBottom(after key: UInt64) -> Int {
        var low = head
        var high = tail
        while low < high {
            let middle = (low + high) >> 1
            if bottom[middle].key <= key { low = middle + 1 } else { high = middle }
        }
        return low
    }

    mutating func clearBottom() {
        head = Self.frontGap
        tail = head
    }

    /// Makes room for so many entries, and puts what there is in the middle of it.
    mutating func growBottom(to wanted: Int) {
        let count = tail - head
        let newCapacity = max(bottomCapacity, wanted)
        let newHead = (newCapacity - count) / 2
        if newCapacity == bottomCapacity {
            (bottom + newHead).update(from: bottom + head, count: count)
        } else {
            let larger = UnsafeMutablePointer<Entry>.allocate(capacity: newCapacity)
            (larger + newHead).update(from: bottom + head, count: count)
            bottom.deallocate()
            bottom = larger
            bottomCapacity = newCapacity
        }
        head = newHead
        tail = newHead + count
    }

    @usableFromInline
    mutating func growTop() {
        topCapacity *= 2
        let larger = UnsafeMutablePointer<Entry>.allocate(capacity: topCapacity)
        larger.update(from: top, count: topCount)
        top.deallocate()
        top = larger
    }
}
