// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// The requests that a policy lets wait: their number, and the sum of their waiting times.
///
/// There is one slot per app and kind of work, added when an app is first seen. Sums are in whole microseconds, so that
/// rounding errors do not add up.
struct WaitingLine: Sendable {
    private static let absent = Int64.max
    private var since: [Int64] = []
    private var sum: Int64 = 0
    /// Number of waiting requests.
    private(set) var count = 0

    private func lane(_ request: RequestView) -> Int { Int(request.app.index) * 2 + Int(request.kind.rawValue) }

    /// Adds a request, waiting since an instant or since its earliest begin; a waiting request keeps its instant.
    mutating func enter(_ request: RequestView, at instant: SimTime? = nil) {
        let lane = lane(request)
        if lane >= since.count {
            since.append(contentsOf: repeatElement(Self.absent, count: max(lane + 1, since.count * 2) - since.count))
        }
        guard since[lane] == Self.absent else { return }
        since[lane] = (instant ?? request.earliestBegin).nanoseconds / 1000
        sum += since[lane]
        count += 1
    }

    /// Removes a request that no longer waits, because it ran or is gone.
    mutating func leave(_ request: RequestView) {
        let lane = lane(request)
        guard lane < since.count, since[lane] != Self.absent else { return }
        sum -= since[lane]
        since[lane] = Self.absent
        count -= 1
    }

    /// Time at which a request began to wait, to the microsecond; nil if it does not wait.
    func entered(_ request: RequestView) -> SimTime? {
        let lane = lane(request)
        guard lane < since.count, since[lane] != Self.absent else { return nil }
        return SimTime(nanoseconds: since[lane] * 1000)
    }

    /// Seconds waited, summed over all waiting requests.
    func waited(at now: SimTime) -> Double {
        Double(Int64(count) * (now.nanoseconds / 1000) - sum) / 1e6
    }

    /// When the sum of the waiting times of the present requests reaches this many seconds.
    func instant(ofWaiting seconds: Double) -> SimTime {
        guard count > 0, seconds < 1e12 else { return .distantFuture }
        let micros = (Double(sum) + seconds * 1e6) / Double(count)
        guard micros < 9e15 else { return .distantFuture }
        return SimTime(nanoseconds: (Int64(micros) + 1) * 1000)
    }
}
