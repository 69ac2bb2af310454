import Quantities

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
    /// A cause other than available memory that asks for one kill.
    var signal: KillSignal?
    var isForegroundSorted = false
    var freezer = FreezerState()

    init(capacity: Int) {
        controls = Array(repeating: ProcessControl(), count: capacity)
        violators = VictimHeap(capacity: capacity)
        reapable = RecencyList(capacity: capacity)
        agingDaemons = RecencyList(capacity: capacity)
        stuck = RecencyList(capacity: capacity)
        scratch.reserveCapacity(capacity)
    }
}
