// SPDX-License-Identifier: GPL-3.0-or-later
import Platform
import Quantities
import Vocabulary

/// Measures the time of a policy's decisions with artificial questions, which are asked in sequence as a phone asks
/// them.
public struct PolicyPrice: ~Copyable {
    /// Shortest duration of the last trial, in seconds.
    private static let trial = 0.1
    /// Largest number of questions in a trial.
    private static let most = 4_000_000

    private var candidates: [EvictionCandidate]
    private var request: RequestView
    private var device = DeviceConditions(now: .seconds(50_000))
    private var asked: Int64 = 0

    /// Prepares questions about a number of processes.
    public init(candidates count: Int = 100) {
        candidates = (0..<count).map { index in
            EvictionCandidate(
                app: AppID(index), band: Int16(index % 4 * 10), state: .suspended,
                footprint: .mebibytes(Double(50 + index)), resident: .mebibytes(Double(40 + index)),
                bandSet: .seconds(Double(40_000 + index)), launched: .seconds(Double(30_000 + index)),
                lastForeground: .seconds(Double(39_000 + index)), opens: Int32(index), relaunchTime: .seconds(1),
                relaunchEnergy: .joules(2))
        }
        request = RequestView(
            app: AppID(0), kind: .refresh, submitted: .seconds(40_000), earliestBegin: .seconds(45_000),
            deadline: .seconds(600_000), requiresPower: false, requiresNetwork: true, lastOpened: .seconds(39_000),
            lastRun: .seconds(38_000), openLikelihood: 0.1, expectedBytes: .kibibytes(200),
            expectedDuration: .seconds(5))
        device.network = .wifi
    }

    /// Wall-clock nanoseconds for one rank, if each candidate is ranked alone.
    public mutating func rank(_ policy: inout any EvictionPolicy) -> Double {
        var sum = 0.0
        let price = Self.nanoseconds { count in
            for _ in 0..<count { sum += policy.rank(nextCandidate(), at: device.now) }
        }
        return sum.isNaN ? .nan : price
    }

    /// Wall-clock nanoseconds for one rank, if all candidates are ranked together.
    public mutating func batchedRank(_ policy: inout any EvictionPolicy) -> Double {
        var sum = 0.0
        let price = Self.nanoseconds { count in
            for _ in 0..<count {
                _ = nextCandidate()
                sum += policy.ranks(of: candidates, at: device.now)[0]
            }
        }
        return sum.isNaN ? .nan : price / Double(candidates.count)
    }

    /// Wall-clock nanoseconds for one decision about a request.
    public mutating func decision(_ policy: inout any SchedulingPolicy) -> Double {
        var started = 0
        let price = Self.nanoseconds { count in
            for _ in 0..<count {
                asked += 1
                device.now += .milliseconds(10)
                request.lastRun = .seconds(Double(38_000 + asked % 13_000))
                started += policy.decide(request, device).proceed ? 1 : 0
            }
        }
        return started < 0 ? .nan : price
    }

    @inline(__always)
    private mutating func nextCandidate() -> EvictionCandidate {
        asked += 1
        device.now += .milliseconds(10)
        let index = Int(asked) % candidates.count
        candidates[index].lastForeground = device.now
        return candidates[index]
    }

    /// Shortest time per question.
    ///
    /// The number of questions doubles from trial to trial until a trial is long enough.
    private static func nanoseconds(_ body: (Int) -> Void) -> Double {
        var count = 1
        var best = Double.infinity
        while true {
            let start = seconds()
            body(count)
            let passed = seconds() - start
            best = min(best, passed * 1e9 / Double(count))
            if passed >= trial || count >= most { return best }
            count *= 2
        }
    }

    private static func seconds() -> Double {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
    }
}
