// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// Totals since the start of the run; the difference of two snapshots describes the time between them.
public struct ProcessStatistics: Sendable {
    /// Number of launches that found the app's files cached.
    public internal(set) var warmLaunches = 0
    /// Number of launches that did not find the app's files cached.
    public internal(set) var coldLaunches = 0
    /// Number of resumes, for the user or for background work.
    public internal(set) var resumes = 0
    /// Number of notices of memory pressure to apps.
    public internal(set) var warnings = 0
    /// Number of times that a kill was necessary and no candidate was left.
    public internal(set) var noVictim = 0
    /// Number of windows that lost their memory: reclaimed by the system or closed for good.
    public internal(set) var disconnectedWindows = 0
    /// Memory compressed, at full size.
    public internal(set) var compressed = ByteCount.zero
    /// Memory decompressed, at full size.
    public internal(set) var decompressed = ByteCount.zero
    /// Number of processes that the freezer wrote to storage, counting repetitions.
    public internal(set) var frozen = 0
    /// Number of frozen processes that were resumed.
    public internal(set) var thawed = 0
    /// Memory that the freezer and app swap wrote to storage, before compression.
    public internal(set) var written = ByteCount.zero
    /// Volatile memory taken from processes.
    public internal(set) var purged = ByteCount.zero
    /// File pages dropped from the cache.
    public internal(set) var filesReclaimed = ByteCount.zero
    /// File pages read again after they had been dropped.
    public internal(set) var refaulted = ByteCount.zero
    /// Time at the level warning or above.
    public internal(set) var warningTime = SimDuration.zero
    /// Time at the level critical.
    public internal(set) var criticalTime = SimDuration.zero
    /// Integral of the number of live processes over time, in process-seconds.
    public internal(set) var residentAppSeconds = 0.0
    var kills: [Int] = Array(repeating: 0, count: KillReason.allCases.count)
    var exits: [Int] = Array(repeating: 0, count: 2 * ExitCategory.allCases.count)

    /// Totals at the start of a run.
    public init() {}

    /// Number of kills for one reason.
    public func kills(_ reason: KillReason) -> Int { kills[Int(reason.rawValue)] }
    /// Number of all kills.
    public var totalKills: Int { kills.reduce(0, +) }
    /// Number of exits of one category, in the foreground or in the background.
    public func exits(_ category: ExitCategory, inForeground: Bool) -> Int {
        exits[2 * Int(category.rawValue) + (inForeground ? 1 : 0)]
    }

    mutating func addExit(_ category: ExitCategory, inForeground: Bool) {
        exits[2 * Int(category.rawValue) + (inForeground ? 1 : 0)] += 1
    }

    /// Adds a span of time in which nothing changed.
    mutating func add(_ span: SimDuration, liveApps: Int, pressure: PressureLevel) {
        residentAppSeconds += Double(liveApps) * span.seconds
        if pressure >= .warning { warningTime += span }
        if pressure == .critical { criticalTime += span }
    }
}

/// Sizes of all parts of the memory at one instant, which sum to `ram`.
public struct MemoryAccounts: Sendable, BitwiseCopyable, Equatable {
    /// Memory outside the kernel's counters.
    public var reserved: ByteCount
    /// Wired memory, including the ballast of scenarios.
    public var wired: ByteCount
    /// Resident memory of the system's processes.
    public var systemResident: ByteCount
    /// Resident private memory of apps.
    public var appResident: ByteCount
    /// The compressor pool of system and apps.
    public var compressorPool: ByteCount
    /// File-backed pages in the cache.
    public var fileBacked: ByteCount
    /// Free pages.
    public var free: ByteCount
    /// Volatile memory of processes, which the kernel reclaims before it kills.
    public var purgeable: ByteCount

    /// Sum of all parts, which always equals the device's memory.
    public var total: ByteCount {
        reserved + wired + systemResident + appResident + compressorPool + fileBacked + free + purgeable
    }
    /// File-backed and free pages, on which kills depend.
    public var available: ByteCount { fileBacked + free }
}
