import Quantities
import Vocabulary

/// What the killer keeps per process besides its memory, once a table is governed by traits.
struct ProcessControl: Sendable, BitwiseCopyable {
    var traits = ProcessTraits()
    var requested: Int16 = 0
    var asserted: Int16 = 0
    var hasAssertion = false
    var hasImportance = false
    var isDirty = false
    var isElevated = false
    /// When the band last changed; a set of the same band does not count.
    var entered = SimTime.zero
    /// When its ageing is over, in bands 10 and 15.
    var deadline = SimTime.distantFuture
    /// Which count of idle and ageing processes it is in.
    var counted = CountedBand.none
    /// Volatile memory that the kernel may take away; outside the footprint.
    var volatile: Int64 = 0
    /// Purgeable memory that is not volatile; part of the footprint.
    var nonvolatile: Int64 = 0
    /// Memory freed but not yet given back; part of the footprint.
    var deferred: Int64 = 0
    /// Compressed memory that lies on storage; part of the compressed memory.
    var swapped: Int64 = 0
    var isFrozen = false
    var isDemoted = false
    /// Left out by the freezer until it leaves band 0.
    var isIgnored = false
    var thaws: Int32 = 0
    var wasThawed = false
    /// Thawed since it was frozen, and not demoted since.
    var isRefreezable = false
    /// Memory that counts to the footprint a second time because it is mapped once more, without pages of its own.
    var mapped: Int64 = 0
    /// Memory tagged as that of a neural engine, whether or not it counts to the footprint.
    var neural: Int64 = 0
    /// Entries of its address space, in the kernel's zone of them.
    var mapEntries: Int64 = 0
    /// Files it holds open.
    var vnodes: Int32 = 0
    /// Whether its memory may go to storage while it is suspended, on a device with app swap.
    var isSwappable = false
    var lifetimeMaximum: Int64 = 0
    var intervalMaximum: Int64 = 0

    init(_ traits: ProcessTraits = ProcessTraits()) {
        self.traits = traits
        requested = traits.band
    }

    var isTracked: Bool { traits.isTracked }
    /// Tracked, clean and allowed to go: the process is idle as soon as nobody asserts otherwise.
    var mayIdle: Bool { traits.isTracked && !isDirty && traits.allowsIdleExit }
    var isReapable: Bool { traits.relaunch == .low || traits.relaunch == .unknown }
}

/// The processes whose number the aggressive march looks at.
enum CountedBand: UInt8, Sendable, BitwiseCopyable {
    case none, idle, aging
}

/// Everything of a table that exists only when processes have traits.
struct Governance: Sendable {
    var controls: [ProcessControl] = []
    /// Processes above the limit in force, lowest band first.
    var violators: VictimHeap
    /// Idle processes that the reaper may take, the longest idle first.
    var reapable: RecencyList
    /// Daemons that have just gone clean, in the order of their queue.
    var agingDaemons: RecencyList
    /// Ageing daemons with an importance assertion.
    var stuck: RecencyList
    /// The queues of the bands, as the kernel keeps them.
    var queues: BandQueues
    var coalitions: CoalitionRings
    /// Processes in bands 0 and 10, and how many of them are relaunched at a high rate.
    var candidates = 0
    var eagerCandidates = 0
    /// Scratch space for sorting and marches.
    var scratch: [VictimHeap.Entry] = []

    var isReaping = false
    var lastSweep = SimTime.zero
    var hasSwept = false
    var marches = 0
    var firstMarch = SimTime.zero
    var sustainedAt = SimTime.distantFuture
    var sustainedLeft = -1
    /// Causes other than available memory that ask for one kill each.
    var signals = PendingSignals()
    var isForegroundSorted = false
    var freezer = FreezerState()
    var zones: ZoneMap
    /// Processes with entries in the zone of map entries, the most entries first.
    var mapHeap: VictimHeap
    var vnodes = 0
    var vnodeLimit: Int?
    var blocks: [MemoryBlock] = []
    /// Memory on storage, before compression.
    var swapUsed: Int64 = 0
    /// Suspended processes whose compressed memory may go to storage, the longest suspended first.
    var swappable: RecencyList
    /// Managed processes that were killed since the freezer's snapshot was last read.
    var freezerSnapshot: [FreezerSnapshotEntry] = []
    /// Kills in this band and above leave a snapshot of the zones.
    var zoneSnapshotBand: Int16?
    var zoneSnapshots: [AppID] = []

    init(capacity: Int, ram: ByteCount = .zero) {
        controls = Array(repeating: ProcessControl(), count: capacity)
        violators = VictimHeap(capacity: capacity)
        reapable = RecencyList(capacity: capacity)
        agingDaemons = RecencyList(capacity: capacity)
        stuck = RecencyList(capacity: capacity)
        queues = BandQueues(capacity: capacity)
        coalitions = CoalitionRings(capacity: capacity)
        zones = ZoneMap(ram: ram)
        mapHeap = VictimHeap(capacity: capacity)
        swappable = RecencyList(capacity: capacity)
        scratch.reserveCapacity(capacity)
    }
}
