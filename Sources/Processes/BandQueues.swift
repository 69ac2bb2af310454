// SPDX-License-Identifier: GPL-3.0-or-later
import Structures

/// One queue per priority band, like the kernel's buckets.
///
/// The process at the head is killed first, and a process that gets a band goes to the tail. One bit per band marks the
/// queues that have ever been used, so that a search visits few empty bands.
struct BandQueues: Sendable {
    private var lists: IndexedLists
    private var used: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    /// Number of bands, 0 to 210.
    static let bands = 211

    /// Creates empty queues for processes numbered below `capacity`.
    init(capacity: Int) { lists = IndexedLists(lists: BandQueues.bands, capacity: capacity) }

    func contains(_ process: Int) -> Bool { lists.contains(process) }
    /// The process that is killed first in a band; nil if the band is empty.
    func head(of band: Int16) -> Int? { lists.first(of: Int(band)) }
    /// The next process in the queue of a process; nil at the end of the queue.
    func next(after process: Int) -> Int? { lists.next(after: process) }

    /// Moves a process from its present queue, if any, to the tail of a band's queue.
    mutating func append(_ process: Int, to band: Int16) {
        lists.append(process, to: Int(band))
        setUsed(Int(band))
    }

    /// Moves a process from its present queue, if any, to the head of a band's queue.
    mutating func prepend(_ process: Int, to band: Int16) {
        lists.prepend(process, to: Int(band))
        setUsed(Int(band))
    }

    /// Removes a process from its queue, if it is in a queue.
    mutating func remove(_ process: Int) { lists.remove(process) }

    /// The lowest band that has ever been used, among this band and the higher ones; nil if there is none.
    func used(from band: Int16) -> Int16? {
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

    /// The first process that meets the condition, in ascending bands up to `top`, and in each band from its head.
    ///
    /// The result is nil if no process meets the condition.
    func first(through top: Int16, where isWanted: (Int) -> Bool) -> Int? {
        var band = used(from: 0)
        while let current = band, current <= top {
            var process = head(of: current)
            while let candidate = process {
                if isWanted(candidate) { return candidate }
                process = next(after: candidate)
            }
            band = used(from: current + 1)
        }
        return nil
    }

    @inline(__always)
    private mutating func setUsed(_ band: Int) {
        let bit: UInt64 = 1 << UInt64(band & 63)
        switch band >> 6 {
        case 0: used.0 |= bit
        case 1: used.1 |= bit
        case 2: used.2 |= bit
        default: used.3 |= bit
        }
    }

    private subscript(word: Int) -> UInt64 {
        switch word {
        case 0: used.0
        case 1: used.1
        case 2: used.2
        default: used.3
        }
    }
}
