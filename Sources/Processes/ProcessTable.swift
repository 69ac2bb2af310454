// Processes owns one process table: life cycle, bands, memory accounting, compressor, pressure levels and jetsam.
// In: life-cycle moves and footprints of apps, each with its instant; parameters of memory and operating system.
// Out: launch kinds, kill records, pressure warnings, accounts and totals. It schedules nothing: the caller asks for
// `nextAging` and calls back; and it decides nothing that an eviction policy decides.
// Read first: this file, then `ProcessTable+LifeCycle.swift`, `ProcessTable+Jetsam.swift`, `OSProfile.swift`.

import Quantities
import Vocabulary

/// The processes of one phone and the memory they share.
///
/// A plain value without events: each mutating call takes the instant at which it happens, and instants never go back.
/// After each call memory is balanced: apps were compressed, processes killed and files dropped as the rules demand.
/// What happened lies in `kills` and `warnings` until the caller clears them. Every call takes O(log n) time for n
/// apps, plus O(log n) per kill, and allocates nothing in steady state.
public struct ProcessTable: Sendable {
    /// The rules of the operating system.
    public let profile: OSProfile
    /// The sizes of the phone's memory.
    public let memory: MemoryParameters
    /// Processes killed since the list was last cleared, oldest first.
    public internal(set) var kills: [KillRecord] = []
    /// How many candidates to keep with each kill, for explanations; none by default.
    public var candidatesKept = 0
    /// For each of `kills` those who would have been next; empty unless `candidatesKept` says so.
    public internal(set) var killCandidates: [[KillCandidate]] = []
    /// Apps told of memory pressure since the list was last cleared, oldest first.
    public internal(set) var warnings: [PressureWarning] = []
    /// What the system called in apps since the list was last cleared, oldest first; empty unless `recordsCallbacks`.
    public internal(set) var callbacks: [CallbackRecord] = []
    /// Whether calls into apps are kept in `callbacks`.
    public var recordsCallbacks = false
    /// Processes told of the last fall of pressure since the list was last cleared, oldest first.
    public internal(set) var reliefs: [PressureWarning] = []
    /// The memory-pressure level.
    public internal(set) var pressure = PressureLevel.normal
    /// Whether nobody is ever killed for want of memory, so that the shortage shows in `lowestAvailable`.
    public let isUnbounded: Bool
    /// The least available memory so far; negative only when nobody may be killed.
    public internal(set) var lowestAvailable: ByteCount
    /// The least available memory since `resetAvailableMinimum`, for rows that describe an hour.
    public internal(set) var availableMinimum: ByteCount

    var policy: any EvictionPolicy
    /// Whether the policy says when somebody dies, instead of the profile.
    let policyTriggers: Bool
    /// How long ranks hold while views stay the same; nil for ever.
    let rankLifetime: SimDuration?
    /// When all candidates must be ranked anew.
    var ranksExpire = SimTime.zero
    /// All candidates, while they are shown to the policy together.
    var surveyed: [EvictionCandidate] = []
    var processes: [ProcessRecord]
    let facts: [AppFacts]
    let systemResident: Int64
    let systemCompressed: Int64
    let systemPool: Int64
    var criticalBytes: Int64
    var idleBytes: Int64
    var softBytes: Int64
    var reaperBytes: Int64
    let compressBytes: Int64
    let compressorFullBytes: Int64

    var clock = SimTime.zero
    /// Numbers of sets at the tail go up from the middle, those at the head down.
    var bandSets: UInt64 = 1 << 40
    var headSets: UInt64 = 1 << 40
    var ballast: Int64 = 0
    /// What the kernel's zones have grown by: wired memory.
    var zoneGrowth: Int64 = 0
    /// Pages that processes touched and that count to nobody's footprint.
    var unownedBytes: Int64 = 0
    /// Pages of files that processes mapped and touched; as available as other file pages.
    var mappedFiles: Int64 = 0
    var liveCount = 0
    var appResident: Int64 = 0
    var appCompressed: Int64 = 0
    var appPool: Int64 = 0
    var appFiles: Int64 = 0
    /// Memory that may be taken from processes at once.
    var volatileBytes: Int64 = 0
    /// Compressed data that a scenario puts into the pool, at full size and as pool.
    var compressorBallast: Int64 = 0
    var compressorBallastPool: Int64 = 0
    /// Whether processes have traits; otherwise all are apps with the device's limit, and every event is cheaper.
    var isGoverned = false
    /// What exists only when processes have traits; empty before.
    var governance = Governance(capacity: 0)
    /// What neither the system nor apps nor the compressor hold: file pages and free pages.
    var availableBytes: Int64
    /// Whether what the pressure level depends on has changed since it was last looked at.
    var isLevelStale = true
    var notices = NoticeState()
    var totals = ProcessStatistics()

    /// Apps with cached launch files, least recently used first.
    var fileOrder: RecencyList
    /// Suspended apps that are not compressed yet, longest suspended first.
    var compressible: RecencyList
    /// Apps in the just-left band, the first to become idle first.
    var aging: RecencyList
    /// Processes that execute, in no particular order.
    var executing: [Int32] = []
    /// Processes whose rank must be asked again before the next victim is chosen.
    var stale: [Int32] = []
    var idleHeap: VictimHeap
    var workingHeap: VictimHeap
    var protectedHeap: VictimHeap

    /// Creates a phone on which only the system runs.
    ///
    /// `relaunchEnergy` has one entry per app, or none when nobody asks; it is shown to policies only. The parameters
    /// must have no `problems`.
    public init(
        apps: [AppModel], memory: MemoryParameters, profile: OSProfile, policy: any EvictionPolicy,
        relaunchEnergy: [Energy] = []
    ) {
        let problems = memory.problems
        precondition(problems.isEmpty, problems.first ?? "")
        precondition(relaunchEnergy.isEmpty || relaunchEnergy.count == apps.count, "one relaunch energy per app")
        self.memory = memory
        self.profile = profile
        self.policy = policy
        isUnbounded = policy.killsNobody
        policyTriggers = policy.replacesTrigger
        rankLifetime = policy.rankLifetime
        processes = Array(repeating: ProcessRecord(), count: apps.count)
        facts = apps.indices.map { index in
            AppFacts(
                launchFiles: apps[index].launchFiles.bytes, windowMemory: apps[index].windowMemory.bytes,
                warningDrop: apps[index].warningDrop,
                relaunchTime: apps[index].coldLaunchTime + apps[index].sdkLaunchTime,
                relaunchEnergy: relaunchEnergy.isEmpty ? .zero : relaunchEnergy[index])
        }
        systemCompressed = (memory.systemFootprint * memory.systemCompressedShare).bytes
        systemResident = memory.systemFootprint.bytes - systemCompressed
        systemPool = Int64((Double(systemCompressed) / memory.compressorRatio).rounded())
        let visible = memory.visible
        availableBytes = visible.bytes - memory.wired.bytes - systemResident - systemPool
        criticalBytes = (visible * profile.criticalShare).bytes
        idleBytes = (visible * profile.idleShare).bytes
        softBytes = (visible * profile.softShare).bytes
        reaperBytes = (visible * (profile.reaperShare ?? 0)).bytes
        compressBytes = (visible * memory.compressBelowShare).bytes
        compressorFullBytes = Int64((0.98 * Double(memory.compressorLimit.bytes)).rounded(.up))
        fileOrder = RecencyList(capacity: apps.count)
        compressible = RecencyList(capacity: apps.count)
        aging = RecencyList(capacity: apps.count)
        idleHeap = VictimHeap(capacity: apps.count)
        workingHeap = VictimHeap(capacity: apps.count)
        protectedHeap = VictimHeap(capacity: apps.count)
        executing.reserveCapacity(apps.count)
        stale.reserveCapacity(apps.count)
        kills.reserveCapacity(64)
        warnings.reserveCapacity(64)
        lowestAvailable = ByteCount(availableBytes)
        availableMinimum = lowestAvailable
        if profile.reaperShare != nil || profile.freezer != nil { govern() }
    }

    /// Forgets the kills the caller has dealt with.
    public mutating func clearKills() {
        kills.removeAll(keepingCapacity: true)
        killCandidates.removeAll(keepingCapacity: true)
    }
    /// Forgets the warnings the caller has dealt with.
    public mutating func clearWarnings() {
        warnings.removeAll(keepingCapacity: true)
        if !reliefs.isEmpty { reliefs.removeAll(keepingCapacity: true) }
    }
    /// Forgets the calls into apps that the caller has dealt with.
    public mutating func clearCallbacks() { callbacks.removeAll(keepingCapacity: true) }
    /// Begins a new span for `availableMinimum`.
    public mutating func resetAvailableMinimum() { availableMinimum = available }
}
