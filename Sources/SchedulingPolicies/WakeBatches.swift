// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// A wake-up that several requests share: the times that suit all of them, and all hardware that they use.
struct WakeBatch: BitwiseCopyable {
    /// Time at which the batch fires, which is the latest of the members' earliest begins.
    var begin: SimTime
    /// Earliest end of the members' windows.
    var end: SimTime
    /// Earliest end of the members' grace periods.
    var graceEnd: SimTime
    /// One bit per component: the bits of `WakeHardware`, and `longWork`.
    var hardware: UInt8
    var members: Int32 = 1

    /// Bit for work that keeps the processor busy for minutes.
    static let longWork: UInt8 = 0x80

    /// Whether one of the members is perceptible to the user.
    var isPerceptible: Bool { WakeHardware(rawValue: hardware & ~Self.longWork).isPerceptible }

    /// Whether the windows of all members of both batches share an instant; false if members joined only by grace.
    func sharesWindow(with new: WakeBatch) -> Bool { begin <= end && begin <= new.end && new.begin <= end }

    /// Whether the grace periods of all members of both batches share an instant.
    func sharesGrace(with new: WakeBatch) -> Bool { begin <= new.graceEnd && new.begin <= graceEnd }
}

/// Batches of requests that wake the phone together, like the queue of Android's alarms; they are formed at submission.
///
/// If a member leaves a batch before the batch fires, the batch keeps its times, which still suit the other members.
struct WakeBatches: Sendable {
    private var batches: [WakeBatch] = []
    private var free: [Int32] = []
    /// The batch of each app and kind of work; -1 without a batch.
    private var batchOf: [Int32] = []

    private func lane(_ request: RequestView) -> Int { Int(request.app.index) * 2 + Int(request.kind.rawValue) }

    /// The batch of a request; nil if it has none.
    func batch(of request: RequestView) -> WakeBatch? {
        let lane = lane(request)
        guard lane < batchOf.count, batchOf[lane] >= 0 else { return nil }
        return batches[Int(batchOf[lane])]
    }

    /// Adds a request to the batch with the smallest `rank`, the earliest among equals, or to a new batch.
    mutating func enter(_ request: RequestView, _ new: WakeBatch, rank: (WakeBatch) -> Int?) {
        leave(request)
        let lane = lane(request)
        if lane >= batchOf.count {
            batchOf.append(contentsOf: repeatElement(-1, count: max(lane + 1, batchOf.count * 2) - batchOf.count))
        }
        var best: (index: Int, rank: Int)?
        for index in batches.indices where batches[index].members > 0 {
            guard let rank = rank(batches[index]) else { continue }
            if let best, (best.rank, batches[best.index].begin) <= (rank, batches[index].begin) { continue }
            best = (index, rank)
        }
        batchOf[lane] = Int32(best.map { join($0.index, new) } ?? add(new))
    }

    /// Fires a request together with its batch, or at once without a batch.
    mutating func decide(_ request: RequestView, at now: SimTime) -> SchedulingDecision {
        guard let batch = batch(of: request) else { return .proceed(.immediate) }
        guard now >= batch.begin else { return .wait(.batchWindow, until: batch.begin) }
        leave(request)
        return .proceed(batch.members > 1 ? .joinedBatch : .immediate)
    }

    /// Removes a request that ran or is gone.
    mutating func leave(_ request: RequestView) {
        let lane = lane(request)
        guard lane < batchOf.count, batchOf[lane] >= 0 else { return }
        let index = Int(batchOf[lane])
        batchOf[lane] = -1
        batches[index].members -= 1
        if batches[index].members == 0 { free.append(Int32(index)) }
    }

    private mutating func join(_ index: Int, _ new: WakeBatch) -> Int {
        batches[index].begin = max(batches[index].begin, new.begin)
        batches[index].end = min(batches[index].end, new.end)
        batches[index].graceEnd = min(batches[index].graceEnd, new.graceEnd)
        batches[index].hardware |= new.hardware
        batches[index].members += 1
        return index
    }

    private mutating func add(_ new: WakeBatch) -> Int {
        guard let index = free.popLast() else {
            batches.append(new)
            return batches.count - 1
        }
        batches[Int(index)] = new
        return Int(index)
    }
}

extension WakeBatch {
    /// Creates the batch of one request, with the lengths of its window and grace after the earliest begin.
    init(_ request: RequestView, window: SimDuration, grace: SimDuration) {
        begin = request.earliestBegin
        end = max(begin, min(begin + window, request.lastChance))
        graceEnd = max(end, min(begin + grace, request.lastChance))
        let network = request.requiresNetwork ? WakeHardware.network : []
        hardware = request.hardware.union(network).rawValue | (request.kind == .processing ? Self.longWork : 0)
    }
}
