// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// The last ten times between kill and relaunch of one job; launchd classifies the job by them.
///
/// Source: libsyscall `posix_spawn.c`, `posix_spawnattr_set_jetsam_ttr_np`. The value allocates no memory.
public struct RelaunchHistory: Sendable, BitwiseCopyable, Equatable {
    private static let most = 10

    /// Two bits for each time; the newest time is in the lowest bits.
    private var classes: UInt32 = 0
    private var count = 0

    /// Creates the history of a job that was never killed.
    public init() {}

    /// Adds the time between a kill and the relaunch after it.
    public mutating func add(_ time: SimDuration) {
        let found: RelaunchRecord = time <= .seconds(5) ? .high : time <= .seconds(10) ? .medium : .low
        classes = classes << 2 | UInt32(found.rawValue)
        count = min(Self.most, count + 1)
    }

    /// Class of the bucket with the most times; unknown if there are no times.
    ///
    /// Among equals, the bucket that reached the number first is used.
    public var record: RelaunchRecord {
        var counts = (low: 0, medium: 0, high: 0)
        var best = (record: RelaunchRecord.unknown, count: 0)
        for position in stride(from: count - 1, through: 0, by: -1) {
            let found = RelaunchRecord(rawValue: UInt8(classes >> UInt32(2 * position) & 3)) ?? .unknown
            let reached: Int
            switch found {
            case .low: (counts.low, reached) = (counts.low + 1, counts.low + 1)
            case .medium: (counts.medium, reached) = (counts.medium + 1, counts.medium + 1)
            case .high: (counts.high, reached) = (counts.high + 1, counts.high + 1)
            case .unknown: continue
            }
            if reached > best.count { best = (found, reached) }
        }
        return best.record
    }
}
