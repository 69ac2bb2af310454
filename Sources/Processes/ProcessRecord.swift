// SPDX-License-Identifier: GPL-3.0-or-later
import LifeCycle
import Quantities
import Vocabulary

/// What the table keeps per app and changes while a run goes on; one record is what one event touches.
///
/// What only few processes have lies apart, in `ProcessControl`.
struct ProcessRecord: Sendable, BitwiseCopyable {
    var life = LifeCycleMachine()
    /// The heap the process waits in; see `VictimClass`.
    var queue = VictimClass.none
    /// Which count of idle and ageing processes it is in.
    var counted = CountedBand.none
    var band: Int16 = 0
    /// The band that it asks for.
    var requested: Int16 = 0
    /// The band of its assertion.
    var asserted: Int16 = 0
    var hasAssertion = false
    /// Whether RunningBoard drives it: apps and extensions.
    var isManaged = true
    /// Whether it opted into dirty tracking, as most daemons do.
    var isTracked = false
    var allowsIdleExit = false
    var isDirty = false
    /// Pinned to the elevated band while it does nothing.
    var isElevated = false
    var isFrozen = false
    var isDemoted = false
    /// Whether it has other limits than every app; only then `ProcessControl` is asked for them.
    var hasOwnLimits = false
    /// Whether it is among those above their limit.
    var isAboveLimit = false
    var relaunch = RelaunchRecord.unknown
    /// Whether its rank is out of date.
    var isStale = false
    /// Whether its position among those to be told of pressure is out of date.
    var isNoticeStale = false
    /// Whether its files were cached before, so that a missing page was dropped.
    var hasReadFiles = false
    /// The level of pressure that it was last told of.
    var told = PressureLevel.normal
    /// The announcement of pressure that it heard last.
    var toldRound: UInt32 = 0
    var opens: Int32 = 0
    /// How much more than the device's ratio says its compressed memory takes in the pool.
    var poolFactor = 1.0
    var resident: Int64 = 0
    var compressed: Int64 = 0
    /// Compressed memory that lies on storage; part of the compressed memory.
    var swapped: Int64 = 0
    /// What its other compressed memory takes in the pool.
    var pool: Int64 = 0
    /// Memory that counts to the footprint a second time because it is mapped once more, without pages of its own.
    var mapped: Int64 = 0
    /// Its launch files that are cached; they outlive the process.
    var files: Int64 = 0
    /// The largest footprint since the launch.
    var lifetimeMaximum: Int64 = 0
    /// The largest footprint since the interval began.
    var intervalMaximum: Int64 = 0
    /// Orders the processes of one band.
    var sequence: UInt64 = 0
    var bandSet = SimTime.zero
    /// When the band last changed; a set of the same band does not count.
    var entered = SimTime.zero
    var launched = SimTime.zero
    var lastForeground = SimTime.zero
    var nextOpen = SimTime.distantFuture

    @inline(__always)
    var footprint: Int64 { resident + compressed }
    /// The footprint as the kernel's ledger has it: with memory that is mapped twice.
    @inline(__always)
    var ledgerFootprint: Int64 { resident + compressed + mapped }
    @inline(__always) var state: ProcessState { life.state }
    @inline(__always)
    var isAlive: Bool { state != .notRunning }

    /// Tracked, clean and allowed to go: the process is idle as soon as nobody asserts otherwise.
    @inline(__always)
    var mayIdle: Bool { isTracked && !isDirty && allowsIdleExit }
    @inline(__always)
    var isReapable: Bool { relaunch == .low || relaunch == .unknown }
    /// Whether a band of its own holds it: while it is pinned, or frozen and not demoted.
    @inline(__always)
    var isPinned: Bool { isElevated || (isFrozen && !isDemoted) }
    /// Where it dies: by its band and its position in it.
    @inline(__always)
    var victimKey: VictimKey { VictimKey(rank: Double(band), sequence: sequence) }

    /// The band that requests, assertions and dirtiness want; nil for one that may retire.
    @inline(__always)
    func wantedBand(idle: Int16) -> Int16? {
        if isTracked, !mayIdle { return max(requested, hasAssertion ? asserted : 0) }
        if hasAssertion { return asserted }
        return isTracked || isManaged || requested <= idle ? nil : requested
    }

    /// Keeps the largest footprints.
    @inline(__always)
    mutating func updateMaxima() {
        let footprint = ledgerFootprint
        guard footprint > intervalMaximum else { return }
        intervalMaximum = footprint
        if footprint > lifetimeMaximum { lifetimeMaximum = footprint }
    }

    /// A process starts with these traits and nothing else; what outlives processes stays.
    mutating func begin(_ traits: ProcessTraits) {
        requested = traits.band
        asserted = 0
        hasAssertion = false
        isManaged = traits.isManaged
        isTracked = traits.isTracked
        allowsIdleExit = traits.allowsIdleExit
        isDirty = false
        isElevated = false
        isFrozen = false
        isDemoted = false
        hasOwnLimits = traits.hasOwnLimits
        relaunch = traits.relaunch
        lifetimeMaximum = 0
        intervalMaximum = 0
        entered = .zero
        // In no band yet.
        band = -1
    }
}

/// Which of the three disjoint sets of candidates a process belongs to.
enum VictimClass: UInt8, Sendable, BitwiseCopyable {
    /// No process, or not ranked yet.
    case none
    /// Band 0.
    case idle
    /// Above band 0 and not protected.
    case working
    /// What the user sees or hears.
    case protected
}

/// The processes whose number the aggressive march looks at.
enum CountedBand: UInt8, Sendable, BitwiseCopyable {
    case none, idle, aging
}

/// What never changes about an app in a run.
struct AppFacts: Sendable {
    var launchFiles: Int64
    /// What one window takes.
    var windowMemory: Int64
    var warningDrop: Double
    var relaunchTime: SimDuration
    var relaunchEnergy: Energy
    /// Share of its memory that it touches when it is opened; negative where its model does not say.
    var hotShare: Float
    /// Whether it is a daemon or an extension, which no user opens.
    var isSystem: Bool
}
