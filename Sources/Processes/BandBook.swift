// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Structures

/// Band, position in the band and ageing of each process, and the counts of idle and ageing processes.
struct BandBook: Sendable {
    /// Reason why a process ages; each reason has its own queue.
    enum Aging: Int {
        /// An app that the user has just left.
        case app
        /// A daemon that has just become clean.
        case daemon
        /// A daemon that has finished ageing but has an importance assertion.
        case stuck
    }

    /// Queues of the bands, as in the kernel.
    private(set) var queues: BandQueues
    private var aging: IndexedLists
    /// Last sequence numbers given at the tail, which increase, and at the head, which decrease, from a common start.
    private var tailSets: UInt64 = 1 << 40
    private var headSets: UInt64 = 1 << 40
    /// Number of processes in bands 0 and 10, and number of these with a high rate of relaunch.
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

    /// Moves a process to the head of its band, so that it is killed first there.
    mutating func moveToHead(_ index: Int, _ record: inout ProcessRecord) {
        headSets -= 1
        record.sequence = headSets
        queues.prepend(index, to: record.band)
    }

    /// Moves a process to the tail of its band, so that it is killed last there.
    mutating func moveToTail(_ index: Int, _ record: inout ProcessRecord) {
        tailSets += 1
        record.sequence = tailSets
        queues.append(index, to: record.band)
    }

    /// Removes a process that ends.
    mutating func remove(_ index: Int, _ record: inout ProcessRecord) {
        count(&record, .none)
        queues.remove(index)
        aging.remove(index)
    }

    /// The process that has aged longest for this reason; nil if there is none.
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
