// SPDX-License-Identifier: GPL-3.0-or-later
// Processes owns one process table: life cycle, bands, memory accounting, compressor, pressure levels and jetsam.
// In: life-cycle moves and footprints of apps, each with its instant; parameters of memory and operating system.
// Out: launch kinds, kill records, pressure warnings, accounts and totals. It schedules nothing: the caller reads
// `nextAging` and calls back then. It makes no decision that belongs to an eviction policy.
// Read first: this file, then `MemoryBook.swift`, `BandBook.swift`, `VictimRanking.swift`, `ProcessTable+Jetsam.swift`.

import LifeCycle
import Quantities
import Vocabulary

/// The processes of one phone and the memory that they share.
///
/// The table is a plain value without events. Each mutating call takes its instant, and instants never decrease. Each
/// call balances memory: it compresses apps, kills processes and drops files as the rules require. `kills` and
/// `warnings` contain the results until the caller clears them. Every call takes O(log n) time for n apps, plus O(log
/// n) per kill, and allocates nothing in steady state.
///
/// The table consists of parts that do not depend on each other; all data between them pass through the table. Calls go
/// in one direction:
///
/// - Calls by the owner of the table (`+LifeCycle`, `+Requests`, `+Memory`, …) balance memory (`+Balance`).
/// - Balancing kills processes (`+Jetsam`, `+Kill`), and a kill ends a process (`+End`).
/// - The end of a process changes bands and footprints (`+Bands`, `+Footprint`).
public struct ProcessTable: Sendable {
    /// The rules of the operating system.
    public let profile: OSProfile
    /// Whether memory is unlimited, so that no process is killed; `lowestAvailable` then shows the shortage.
    public internal(set) var isUnbounded: Bool
    /// Calls of the system into apps since the list was last cleared, oldest first; empty unless `recordsCallbacks`.
    public internal(set) var callbacks: [CallbackRecord] = []
    /// Whether calls into apps are recorded in `callbacks`.
    public var recordsCallbacks = false

    let facts: [AppFacts]
    var processes: [ProcessRecord]
    /// State that only a few processes have.
    var controls: SparseTable<ProcessControl>
    var clock = SimTime.zero
    /// Last result of `nextAging`; nil after any change.
    var knownAging: SimTime?
    var population = Population()
    var totals = ProcessStatistics()

    var book: MemoryBook
    var files: FileCache
    var compressor: Compressor
    var thresholdBytes: Thresholds
    var bands: BandBook
    var ranking: VictimRanking
    var killer: Killer
    var killLog = KillLog()
    var corpses: Corpses
    var pressureWatch: PressureWatch
    var notices: Notices
    /// State of Android's trim levels; nil if no trim levels are sent.
    var trims: TrimLevels?
    var freezer: Freezer
    /// Choice of the processes that the freezer writes to storage.
    var freezing: FreezingChoice
    /// Choice of the processes whose memory is compressed first.
    var compression: CompressionOrder
    /// Policy that ranks processes for the freezer; nil for a built-in choice.
    var freezingPolicy: (any EvictionPolicy)?
    /// Whether a policy for compression or freezing learns from opens; stored because every use of a process reads it.
    var learnsFromOpens: Bool
    var coalitions: CoalitionRings
    var kernel: KernelObjects
    var blocks: [MemoryBlock] = []
    /// Number of processes, counted from the first, that are apps marked as swappable at launch.
    ///
    /// Scripts mark coalitions themselves (`markSwappable`).
    public var swappableApps = 0
    /// Memory for which the last resumed app had to wait.
    public internal(set) var resumeFaults = ResumeFaults()
    /// When untouched pages are next written to storage.
    var nextWriteback = SimTime.distantFuture

    /// Creates a phone on which only the system runs.
    ///
    /// - If `ranksAppsOnly` is true, the system's order decides whether an app or a daemon is killed next, and the
    ///   policy decides which app.
    /// - If `ranksReaper` is true, the reaper kills in the policy's order, until memory is above its threshold again.
    /// - `relaunchEnergy` has one entry per app, or is empty if no policy needs it.
    /// - `memory` must have no `problems`.
    public init(
        apps: [AppModel], memory: MemoryParameters, profile: OSProfile, policy: any EvictionPolicy,
        ranksAppsOnly: Bool = false, ranksReaper: Bool = false, freezing: FreezingChoice = .system,
        compression: CompressionOrder = .longestSuspended, freezingPolicy: (any EvictionPolicy)? = nil,
        relaunchEnergy: [Energy] = []
    ) {
        let problems = memory.problems
        if let problem = problems.first { fatalError(problem) }
        guard relaunchEnergy.isEmpty || relaunchEnergy.count == apps.count else {
            fatalError("relaunch energies are needed for each app or for none")
        }
        self.profile = profile
        isUnbounded = policy.killsNobody
        facts = apps.indices.map { index in
            AppFacts(
                launchFiles: apps[index].launchFiles.bytes, windowMemory: apps[index].windowMemory.bytes,
                warningDrop: apps[index].warningDrop,
                relaunchTime: apps[index].coldLaunchTime + apps[index].sdkLaunchTime,
                relaunchEnergy: relaunchEnergy.isEmpty ? .zero : relaunchEnergy[index],
                hotShare: Float(apps[index].hotShare ?? -1), isSystem: apps[index].isSystem)
        }
        processes = apps.map { app in
            var record = ProcessRecord()
            record.poolFactor = app.compressorRatio.map { memory.compressorRatio / $0 } ?? 1 / app.compressibility
            return record
        }
        controls = SparseTable(ProcessControl(), capacity: apps.count)
        book = MemoryBook(memory)
        files = FileCache(capacity: apps.count)
        compressor = Compressor(capacity: apps.count)
        thresholdBytes = Thresholds(profile, memory)
        bands = BandBook(capacity: apps.count)
        ranking = VictimRanking(policy, profile, capacity: apps.count, appsOnly: ranksAppsOnly)
        killer = Killer(capacity: apps.count)
        killer.reaper.isRanked = ranksReaper
        corpses = Corpses(profile)
        pressureWatch = PressureWatch(profile)
        notices = Notices(profile, capacity: apps.count)
        if profile.sendsTrimLevels { trims = TrimLevels(capacity: apps.count, cachedDrop: profile.trimDrop) }
        freezer = Freezer(profile.freezer)
        freezer.isWanted = freezing != .none
        if let writeback = profile.writeback { nextWriteback = .zero + writeback.first }
        self.freezing = freezing
        self.compression = compression
        self.freezingPolicy = freezingPolicy
        learnsFromOpens = compression.asksPolicy || freezingPolicy != nil
        coalitions = CoalitionRings(capacity: apps.count)
        kernel = KernelObjects(capacity: apps.count, ram: memory.ram)
    }
}

extension ProcessTable {
    /// The sizes of the phone's memory.
    public var memory: MemoryParameters { book.sizes }
    /// The memory-pressure level.
    public var pressure: PressureLevel { pressureWatch.level }
    /// The memory-pressure level, for reads after every event.
    ///
    /// The getter is mutating, so that `pressureWatch` is not copied.
    public var currentPressure: PressureLevel { mutating get { pressureWatch.level } }
    /// The least available memory since `resetLowestAvailable`; negative only if no process may be killed.
    public var lowestAvailable: ByteCount { ByteCount(book.lowest) }
    /// The least available memory since `resetAvailableMinimum`, for tables with one row per hour.
    public var availableMinimum: ByteCount { ByteCount(book.minimum) }

    /// Processes killed since the list was last cleared, oldest first.
    public var kills: [KillRecord] { killLog.kills }
    /// For each entry of `kills`, the candidates that would have been killed next; empty unless `candidatesKept` is
    /// set.
    public var killCandidates: [[KillCandidate]] { killLog.candidates }
    /// Number of candidates to record with each kill, for explanations; zero by default.
    public var candidatesKept: Int {
        get { killLog.candidatesKept }
        set { killLog.candidatesKept = newValue }
    }
    /// Apps notified of memory pressure since the list was last cleared, oldest first.
    public var warnings: [PressureWarning] { notices.warnings }
    /// Notices of the latest drop of pressure, oldest first; empty after `clearWarnings`.
    public var reliefs: [PressureWarning] { notices.reliefs }

    /// Clears the list of kills.
    public mutating func clearKills() { killLog.clear() }
    /// Clears the lists of warnings and reliefs.
    public mutating func clearWarnings() { notices.clear() }
    /// Clears the list of calls into apps.
    public mutating func clearCallbacks() { callbacks.removeAll(keepingCapacity: true) }
    /// Begins a new time span for `lowestAvailable`.
    public mutating func resetLowestAvailable() { book.resetLowest() }
    /// Begins a new time span for `availableMinimum`.
    public mutating func resetAvailableMinimum() { book.resetMinimum() }
}

/// Counts of processes.
struct Population: Sendable {
    var alive = 0
    /// Processes that execute.
    var executing = 0

    /// Makes a move of the life cycle and updates the counts.
    @inline(__always)
    mutating func apply(_ move: LifeCycleMove, to record: inout ProcessRecord) {
        let old = record.state
        record.life.apply(move)
        let new = record.state
        alive += (new == .notRunning ? 0 : 1) - (old == .notRunning ? 0 : 1)
        executing += (new.executes ? 1 : 0) - (old.executes ? 1 : 0)
    }
}

/// Kills since the caller last cleared the list.
struct KillLog: Sendable {
    private(set) var kills: [KillRecord] = []
    private(set) var candidates: [[KillCandidate]] = []
    /// Number of candidates to record with each kill.
    var candidatesKept = 0

    init() { kills.reserveCapacity(64) }

    mutating func append(_ kill: KillRecord) { kills.append(kill) }

    mutating func append(candidates next: [KillCandidate]) { candidates.append(next) }

    mutating func clear() {
        kills.removeAll(keepingCapacity: true)
        if !candidates.isEmpty { candidates.removeAll(keepingCapacity: true) }
    }
}
