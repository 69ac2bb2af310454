// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Structures

/// Band, position in the band and ageing of each process, and counts of idle and ageing processes.
struct BandBook: Sendable {
    /// Why a process ages; each kind has a queue of its own.
    enum Aging: Int {
        /// An app that the user has just left.
        case app
        /// A daemon that has just gone clean.
        case daemon
        /// A daemon that has aged but is kept by an importance assertion.
        case stuck
    }

    /// Queues of the bands, as in the kernel.
    private(set) var queues: BandQueues
    private var aging: IndexedLists
    /// Sequence numbers at the tail count up from the middle; sequence numbers at the head count down.
    private var tailSets: UInt64 = 1 << 40
    private var headSets: UInt64 = 1 << 40
    /// Processes in bands 0 and 10, and how many of them have a high rate of relaunch.
    private(set) var candidates = 0
    private(set) var eagerCandidates = 0

    init(capacity: Int) {
        queues = BandQueues(capacity: capacity)
        aging = IndexedLists(lists: 3, capacity: capacity)
    }

    /// Puts a process at the tail of a band, and returns its previous band.
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

    /// Moves a process to the head of its band, so that it dies first there.
    mutating func moveToHead(_ index: Int, _ record: inout ProcessRecord) {
        headSets -= 1
        record.sequence = headSets
        queues.prepend(index, to: record.band)
    }

    /// Moves a process to the tail of its band, so that it dies last there.
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

    /// The process that has aged longest; nil if none ages.
    func first(_ kind: Aging) -> Int? { aging.first(of: kind.rawValue) }

    func ages(_ index: Int) -> Bool { aging.contains(index) }

    mutating func beginAging(_ index: Int, _ kind: Aging, atHead: Bool = false) {
        if atHead { aging.prepend(index, to: kind.rawValue) } else { aging.append(index, to: kind.rawValue) }
    }

    mutating func endAging(_ index: Int) { aging.remove(index) }

    /// Updates the counts of candidates after a change of a process.
    private mutating func count(_ record: inout ProcessRecord, _ new: CountedBand) {
        let old = record.counted
        guard old != new else { return }
        record.counted = new
        let change = (new == .none ? 0 : 1) - (old == .none ? 0 : 1)
        candidates += change
        if record.relaunch == .high { eagerCandidates += change }
    }
}
