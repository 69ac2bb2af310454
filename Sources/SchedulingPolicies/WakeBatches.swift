import Quantities
import Vocabulary

/// A wake-up that several requests share: the times that suit all of them, and the hardware they use together.
struct WakeBatch: BitwiseCopyable {
    /// The latest floor of its members, at which it fires.
    var begin: SimTime
    /// The earliest window end of its members.
    var end: SimTime
    /// The earliest end of grace of its members.
    var graceEnd: SimTime
    /// One bit per component.
    var hardware: UInt8
    var members: Int32 = 1
}

/// Who wakes the phone together with whom, decided when a request is submitted: the queue of Android's alarms.
///
/// A batch that a member leaves before it fires keeps its times: they suit the others still.
struct WakeBatches: Sendable {
    private var batches: [WakeBatch] = []
    private var free: [Int32] = []
    /// The batch of each app and kind of work; -1 when none.
    private var batchOf: [Int32] = []

    private func lane(_ request: RequestView) -> Int { Int(request.app.index) * 2 + Int(request.kind.rawValue) }

    /// The batch a request belongs to; nil when it never was submitted here.
    func batch(of request: RequestView) -> WakeBatch? {
        let lane = lane(request)
        guard lane < batchOf.count, batchOf[lane] >= 0 else { return nil }
        return batches[Int(batchOf[lane])]
    }

    /// Enters a request into the batch that `rank` likes best, the earliest of equals, or into one of its own.
    mutating func enter(_ request: RequestView, _ new: WakeBatch, rank: (WakeBatch) -> Int?) {
        leave(request)
        let lane = lane(request)
        if lane >= batchOf.count {
            batchOf.append(contentsOf: repeatElement(-1, count: max(lane + 1, batchOf.count * 2) - batchOf.count))
        }
        var best: (place: Int, rank: Int)?
        for place in batches.indices where batches[place].members > 0 {
            guard let rank = rank(batches[place]) else { continue }
            if let best, (best.rank, batches[best.place].begin) <= (rank, batches[place].begin) { continue }
            best = (place, rank)
        }
        batchOf[lane] = Int32(best.map { join($0.place, new) } ?? add(new))
    }

    /// A request ran or is gone.
    mutating func leave(_ request: RequestView) {
        let lane = lane(request)
        guard lane < batchOf.count, batchOf[lane] >= 0 else { return }
        let place = Int(batchOf[lane])
        batchOf[lane] = -1
        batches[place].members -= 1
        if batches[place].members == 0 { free.append(Int32(place)) }
    }

    private mutating func join(_ place: Int, _ new: WakeBatch) -> Int {
        batches[place].begin = max(batches[place].begin, new.begin)
        batches[place].end = min(batches[place].end, new.end)
        batches[place].graceEnd = min(batches[place].graceEnd, new.graceEnd)
        batches[place].hardware |= new.hardware
        batches[place].members += 1
        return place
    }

    private mutating func add(_ new: WakeBatch) -> Int {
        guard let place = free.popLast() else {
            batches.append(new)
            return batches.count - 1
        }
        batches[Int(place)] = new
        return Int(place)
    }
}

extension WakeBatch {
    /// What one request brings along, with a window and a grace as shares of the time it asked ahead.
    init(_ request: RequestView, window: SimDuration, grace: SimDuration) {
        begin = request.earliestBegin
        end = max(begin, min(begin + window, request.lastChance))
        graceEnd = max(end, min(begin + grace, request.lastChance))
        hardware = (request.requiresNetwork ? 1 : 0) | (request.kind == .processing ? 2 : 0)
    }
}
