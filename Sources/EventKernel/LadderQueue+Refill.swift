// SPDX-License-Identifier: GPL-3.0-or-later
// Bringing the next entries down to the sorted bottom.

extension LadderQueue {
    /// A bucket of at most this many entries is sorted, a fuller one is spread over a rung.
    private static var sortLimit: Int { 24 }

    /// Fills the empty bottom with the next entries.
    ///
    /// - Returns: whether there are any.
    @usableFromInline
    mutating func refill() -> Bool {
        if pending == 0 {
            sweep()
            return false
        }
        clearBottom()
        while head == tail {
            if rungCount > 0 { openNextBucket() } else { openTop() }
        }
        return true
    }

    private mutating func openNextBucket() {
        // From a fresh start a key of 64 bits needs eleven rungs at most, so this comes to an end.
        guard rungCount < Self.maximumRungs else { return sweep() }
        let rung = rungCount - 1
        let index = rungs[rung].nextOccupied()
        guard index >= 0, let buckets = rungs[rung].buckets, let occupied = rungs[rung].occupied else {
            rungCount -= 1
            return
        }
        let bucket = buckets[index]
        buckets[index] = Bucket(lastChunk: -1, count: 0)
        occupied[index >> 6] &= ~(1 << UInt64(index & 63))
        let start = rungs[rung].start + UInt64(index) << rungs[rung].shift
        rungs[rung].pass(index)
        if bucket.count <= Self.sortLimit || rungs[rung].shift == 0 {
            reserveBottom(Int(bucket.count))
            drain(bucket) { ladder, entry in ladder.sortIntoBottom(entry) }
        } else {
            addRung(from: start, to: rungs[rung].currentKey, entries: Int(bucket.count))
            let child = rungCount - 1
            drain(bucket) { ladder, entry in ladder.append(entry, toRung: child) }
        }
    }

    private mutating func openTop() {
        var least = UInt64.max
        var greatest: UInt64 = 0
        for index in 0..<topCount {
            least = min(least, top[index].key)
            greatest = max(greatest, top[index].key)
        }
        let count = topCount
        topCount = 0
        if count <= Self.sortLimit || least == greatest {
            topStart = greatest + 1
            reserveBottom(count)
            for index in 0..<count where keep(top[index]) { sortIntoBottom(top[index]) }
        } else {
            addRung(from: least, to: greatest + 1, entries: 4 * count)
            topStart = rungs[0].end
            for index in 0..<count where keep(top[index]) { append(top[index], toRung: 0) }
        }
    }

    /// Makes a rung of the bottom, which has grown by insertions, and of the empty span behind it.
    mutating func makeRungOfBottom() {
        while rungCount > 0, rungs[rungCount - 1].nextOccupied() < 0 { rungCount -= 1 }
        guard rungCount < Self.maximumRungs else { return sweep() }
        let end = rungCount > 0 ? rungs[rungCount - 1].currentKey : topStart
        addRung(from: bottom[head].key, to: end, entries: tail - head)
        for index in head..<tail where keep(bottom[index]) { append(bottom[index], toRung: rungCount - 1) }
        tail = head
    }

    private mutating func addRung(from start: UInt64, to end: UInt64, entries: Int) {
        let wanted = min(max(entries, 64), 1 << 11)
        let powerOfTwo = 1 << (Int.bitWidth - (wanted - 1).leadingZeroBitCount)
        rungs[rungCount].span(from: start, to: end, wanted: powerOfTwo)
        rungCount += 1
    }

    /// Whether an entry is still valid; if not, it is no longer counted.
    @inline(__always)
    private mutating func keep(_ entry: Entry) -> Bool {
        if isValid(entry) { return true }
        stale -= 1
        return false
    }

    @inline(__always)
    private mutating func sortIntoBottom(_ entry: Entry) {
        var position = tail
        while position > head, bottom[position - 1].key > entry.key {
            bottom[position] = bottom[position - 1]
            position -= 1
        }
        bottom[position] = entry
        tail += 1
    }

    private mutating func reserveBottom(_ count: Int) {
        guard tail + count > bottomCapacity else { return }
        growBottom(to: 2 * (count + Self.frontGap))
        clearBottom()
    }

    /// Hands on the valid entries of a bucket in insertion order and gives its chunks back.
    @inline(__always)
    private mutating func drain(_ bucket: Bucket, _ hand: (inout LadderQueue, Entry) -> Void) {
        var left = Int(bucket.count)
        guard left > 0 else { return }
        var chunk = pool.links[Int(bucket.lastChunk)]
        while left > 0 {
            let next = pool.links[Int(chunk)]
            for index in 0..<min(left, 8) {
                let entry = pool.entries[Int(chunk) << 3 + index]
                if keep(entry) { hand(&self, entry) }
            }
            left -= 8
            pool.giveBack(chunk)
            chunk = next
        }
    }

    /// Puts all valid entries back to the top and drops all others.
    @usableFromInline
    mutating func sweep() {
        let inTop = topCount
        topCount = 0
        topStart = 0
        for index in 0..<inTop where keep(top[index]) { insert(top[index]) }
        for index in head..<tail where keep(bottom[index]) { insert(bottom[index]) }
        tail = head
        while rungCount > 0 {
            let index = rungs[rungCount - 1].nextOccupied()
            guard index >= 0, let buckets = rungs[rungCount - 1].buckets else {
                rungCount -= 1
                continue
            }
            let bucket = buckets[index]
            buckets[index] = Bucket(lastChunk: -1, count: 0)
            rungs[rungCount - 1].occupied?[index >> 6] &= ~(1 << UInt64(index & 63))
            drain(bucket) { ladder, entry in ladder.insert(entry) }
        }
        assert(stale == 0, "every entry was looked at")
    }

    /// Every pending event, in order.
    public func pendingInOrder() -> [DueEvent] {
        var found: [(event: DueEvent, insertion: Int)] = []
        found.reserveCapacity(pending)
        func add(_ entry: Entry) {
            guard isValid(entry) else { return }
            found.append((DueEvent(key: EventKey(rawValue: entry.key), slot: Int(entry.slot)), found.count))
        }
        for index in head..<tail { add(bottom[index]) }
        for index in 0..<topCount { add(top[index]) }
        for rung in 0..<rungCount { forEachEntry(ofRung: rung, add) }
        found.sort { ($0.event.key, $0.insertion) < ($1.event.key, $1.insertion) }
        return found.map(\.event)
    }

    private func forEachEntry(ofRung rung: Int, _ body: (Entry) -> Void) {
        guard let buckets = rungs[rung].buckets else { return }
        for index in rungs[rung].current..<rungs[rung].bucketCount where buckets[index].count > 0 {
            var chunk = pool.links[Int(buckets[index].lastChunk)]
            var left = Int(buckets[index].count)
            while left > 0 {
                for offset in 0..<min(left, 8) { body(pool.entries[Int(chunk) << 3 + offset]) }
                left -= 8
                chunk = pool.links[Int(chunk)]
            }
        }
    }
}
