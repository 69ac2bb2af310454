import Structures

/// One queue per priority band, as the kernel's buckets: the head dies first, every set goes to the tail.
///
/// A bit per band tells which queues hold anybody, so that a search visits no empty band.
struct BandQueues: Sendable {
    private var lists: IndexedLists
    private var occupied: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    /// Bands lie between 0 and 210.
    static let bands = 211

    /// Creates empty queues for the processes below `capacity`.
    init(capacity: Int) { lists = IndexedLists(lists: BandQueues.bands, capacity: capacity) }

    func contains(_ process: Int) -> Bool { lists.contains(process) }
    /// Who dies first in a band; nil for nobody.
    func head(of band: Int16) -> Int? { lists.first(of: Int(band)) }
    /// Who comes after a process; nil for nobody.
    func next(after process: Int) -> Int? { lists.next(after: process) }

    /// Puts a process at the end of a band's queue, whatever queue it stood in; `old` is that queue's band.
    mutating func append(_ process: Int, to band: Int16, from old: Int16) {
        lists.append(process, to: Int(band))
        if old != band { update(old) }
        setOccupied(Int(band), true)
    }

    /// Puts a process at the head of a band's queue, whatever queue it stood in; `old` is that queue's band.
    mutating func prepend(_ process: Int, to band: Int16, from old: Int16) {
        lists.prepend(process, to: Int(band))
        if old != band { update(old) }
        setOccupied(Int(band), true)
    }

    /// Removes a process from the queue of its band; nothing happens when it stands in none.
    mutating func remove(_ process: Int, from band: Int16) {
        lists.remove(process)
        update(band)
    }

    /// The lowest band from this one on in which anybody stands; nil for none.
    func occupied(from band: Int16) -> Int16? {
        var word = Int(band) >> 6
        guard word < 4 else { return nil }
        var bits = self[word] & (~0 << UInt64(band & 63))
        while bits == 0 {
            word += 1
            if word == 4 { return nil }
            bits = self[word]
        }
        return Int16(word * 64 + bits.trailingZeroBitCount)
    }

    /// The highest band up to this one in which anybody stands; nil for none.
    func occupied(through band: Int16) -> Int16? {
        guard band >= 0 else { return nil }
        var word = Int(band) >> 6
        var bits = self[word] & (~0 >> UInt64(63 - band & 63))
        while bits == 0 {
            word -= 1
            if word < 0 { return nil }
            bits = self[word]
        }
        return Int16(word * 64 + 63 - bits.leadingZeroBitCount)
    }

    /// The first process for which the condition holds, bands ascending up to one, each from its head; nil for nobody.
    func first(through top: Int16, where isWanted: (Int) -> Bool) -> Int? {
        var band = occupied(from: 0)
        while let current = band, current <= top {
            var process = head(of: current)
            while let candidate = process {
                if isWanted(candidate) { return candidate }
                process = next(after: candidate)
            }
            band = occupied(from: current + 1)
        }
        return nil
    }

    @inline(__always)
    private mutating func update(_ band: Int16) {
        guard band >= 0 else { return }
        if lists.first(of: Int(band)) == nil { setOccupied(Int(band), false) }
    }

    @inline(__always)
    private mutating func setOccupied(_ band: Int, _ isOccupied: Bool) {
        let bit: UInt64 = 1 << UInt64(band & 63)
        switch band >> 6 {
        case 0: occupied.0 = isOccupied ? occupied.0 | bit : occupied.0 & ~bit
        case 1: occupied.1 = isOccupied ? occupied.1 | bit : occupied.1 & ~bit
        case 2: occupied.2 = isOccupied ? occupied.2 | bit : occupied.2 & ~bit
        default: occupied.3 = isOccupied ? occupied.3 | bit : occupied.3 & ~bit
        }
    }

    private subscript(word: Int) -> UInt64 {
        switch word {
        case 0: occupied.0
        case 1: occupied.1
        case 2: occupied.2
        default: occupied.3
        }
    }
}
