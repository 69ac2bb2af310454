// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Structures

/// Who stands in which band and in which order, who is ageing there, and how many idle and ageing processes there are.
struct BandBook: Sendable {
    /// Why a process ages; each kind waits in a line of its own.
    enum Aging: Int {
        /// An app that was just left.
        case app
        /// A daemon that has just gone clean.
        case daemon
        /// A daemon whose ageing is over and that an importance assertion holds.
        case stuck
    }

    /// The queues of the bands, as the kernel keeps them.
    private(set) var queues: BandQueues
    private var aging: IndexedLists
    /// Numbers of sets at the tail go up from the middle, those at the head down.
    private var tailSets: UInt64 = 1 << 40
    private var headSets: UInt64 = 1 << 40
    /// Processes in bands 0 and 10, and how many of them are relaunched at a high rate.
    private(set) var candidates = 0
    private(set) var eagerCandidates = 0

    init(capacity: Int) {
        queues = BandQueues(capacity: capacity)
        aging = IndexedLists(lists: 3, capacity: capacity)
    }

    /// Puts a process at the tail of a band; the band it stood in before.
    mutating func set(
        _ index: Int, _ record: inout ProcessRecord, to band: Int16, _ counted: CountedBand, at now: SimTime
    )
        -> Int16
    {
        let old = record.band
        tailSets += 1
        record.band = band
        record.bandSet = now
        record.sequence = tailSets
        if band != old { record.entered = now }
        queues.append(index, to: band)
        count(&record, counted)
        return old
    }

    /// Makes a process of a band the next of it to die.
    mutating func moveToHead(_ index: Int, _ record: inout ProcessRecord) {
        headSets -= 1
        record.sequence = headSets
        queues.prepend(index, to: record.band)
    }

    /// Makes a process of a band the last of it to die.
    mutating func moveToTail(_ index: Int, _ record: inout ProcessRecord) {
        tailSets += 1
        record.sequence = tailSets
        queues.append(index, to: record.band)
    }

    /// Removes a process that dies.
    mutating func remove(_ index: Int, _ record: inout ProcessRecord) {
        count(&record, .none)
        queues.remove(index)
        aging.remove(index)
    }

    /// The first in line among those that age; nil when nobody does.
    func first(_ kind: Aging) -> Int? { aging.first(of: kind.rawValue) }

    func ages(_ index: Int) -> Bool { aging.contains(index) }

    mutating func beginAging(_ index: Int, _ kind: Aging, atHead: Bool = false) {
        if atHead { aging.prepend(index, to: kind.rawValue) } else { aging.append(index, to: kind.rawValue) }
    }

    mutating func endAging(_ index: Int) { aging.remove(index) }

    /// Moves a process between the counts of candidates.
    private mutating func count(_ record: inout ProcessRecord, _ new: CountedBand) {
        let old = record.counted
        guard old != new else { return }
        record.counted = new
        let change = (new == .none ? 0 : 1) - (old == .none ? 0 : 1)
        candidates += change
        if record.relaunch == .high { eagerCandidates += change }
    }
}
