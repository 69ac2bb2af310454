// SPDX-License-Identifier: GPL-3.0-or-later
import LifeCycle
import Quantities
import Vocabulary

/// State of one app that changes in a run; an event changes one record.
///
/// `ProcessControl` has the state that only few processes need.
struct ProcessRecord: Sendable, BitwiseCopyable {
    var life = LifeCycleMachine()
    /// The heap that contains the process; see `VictimClass`.
    var queue = VictimClass.none
    /// The count of idle and ageing processes that includes the process.
    var counted = CountedBand.none
    var band: Int16 = 0
    /// Requested band.
    var requested: Int16 = 0
    /// Band of the assertion.
    var asserted: Int16 = 0
    var hasAssertion = false
    /// Whether RunningBoard manages the process: apps and extensions.
    var isManaged = true
    /// Whether the process opted into dirty tracking, as most daemons do.
    var isTracked = false
    var allowsIdleExit = false
    var isDirty = false
    /// Whether the process is pinned to the elevated band while it is inactive.
    var isElevated = false
    var isFrozen = false
    var isDemoted = false
    /// Whether the process has its own limits; only then are limits read from `ProcessControl`.
    var hasOwnLimits = false
    /// Whether the process is in the list of processes above their limit.
    var isAboveLimit = false
    var relaunch = RelaunchRecord.unknown
    /// Whether the policy's rank is out of date.
    var isStale = false
    /// Whether the process's position in the order of notices is out of date.
    var isNoticeStale = false
    /// Whether the app's files have been cached before; if so, a missing page has been dropped since.
    var hasReadFiles = false
    /// Level of pressure in the last notice to the process.
    var told = PressureLevel.normal
    /// Round of the last pressure announcement of which the process was notified (`Notices.round`).
    var toldRound: UInt32 = 0
    var opens: Int32 = 0
    /// Factor that multiplies the device's ratio for the pool size of the process's compressed memory.
    var poolFactor = 1.0
    var resident: Int64 = 0
    var compressed: Int64 = 0
    /// Compressed memory on storage; part of the compressed memory.
    var swapped: Int64 = 0
    /// Pool size of the compressed memory that is not on storage.
    var pool: Int64 = 0
    /// Memory that is mapped a second time; it counts twice to the footprint but has no further pages.
    var mapped: Int64 = 0
    /// Cached launch files of the app, which stay after the end of the process.
    var files: Int64 = 0
    /// Largest footprint since the launch.
    var lifetimeMaximum: Int64 = 0
    /// Largest footprint since the interval began.
    var intervalMaximum: Int64 = 0
    /// Position of the process within its band.
    var sequence: UInt64 = 0
    var bandSet = SimTime.zero
    /// When the band last changed; setting an equal band does not count.
    var entered = SimTime.zero
    var launched = SimTime.zero
    var lastForeground = SimTime.zero
    var nextOpen = SimTime.distantFuture

    @inline(__always)
    var footprint: Int64 { resident + compressed }
    /// Footprint as in the kernel's ledger; memory that is mapped twice counts twice.
    @inline(__always)
    var ledgerFootprint: Int64 { resident + compressed + mapped }
    @inline(__always) var state: ProcessState { life.state }
    @inline(__always)
    var isAlive: Bool { state != .notRunning }

    /// Whether the process is tracked, clean and allowed to exit, so that it is idle unless it has an assertion.
    @inline(__always)
    var mayIdle: Bool { isTracked && !isDirty && allowsIdleExit }
    @inline(__always)
    var isReapable: Bool { relaunch == .low || relaunch == .unknown }
    /// Whether the process stays in a special band: because it is pinned, or frozen and not demoted.
    @inline(__always)
    var isPinned: Bool { isElevated || (isFrozen && !isDemoted) }
    /// Position in the order of kills: the band, and the position in the band.
    @inline(__always)
    var victimKey: VictimKey { VictimKey(rank: Double(band), sequence: sequence) }

    /// Band that results from requests, assertions and dirtiness; nil for a process that may be idle.
    @inline(__always)
    func wantedBand(idle: Int16) -> Int16? {
        if isTracked, !mayIdle { return max(requested, hasAssertion ? asserted : 0) }
        if hasAssertion { return asserted }
        return isTracked || isManaged || requested <= idle ? nil : requested
    }

    /// Updates the largest footprints.
    @inline(__always)
    mutating func updateMaxima() {
        let footprint = ledgerFootprint
        guard footprint > intervalMaximum else { return }
        intervalMaximum = footprint
        if footprint > lifetimeMaximum { lifetimeMaximum = footprint }
    }

    /// Starts a process with these traits; keeps the state that outlasts processes.
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
        // The process is in no band yet.
        band = -1
    }
}

/// Sets of candidates for a kill; each process is in one of them.
enum VictimClass: UInt8, Sendable, BitwiseCopyable {
    /// The app has no process, or the process is not ranked yet.
    case none
    /// In band 0.
    case idle
    /// Above band 0 and not protected.
    case working
    /// Visible or audible to the user.
    case protected
}

/// The groups of processes that count for the start of an aggressive march.
enum CountedBand: UInt8, Sendable, BitwiseCopyable {
    case none, idle, aging
}

/// Properties of an app that do not change in a run.
struct AppFacts: Sendable {
    var launchFiles: Int64
    /// Memory of one window.
    var windowMemory: Int64
    var warningDrop: Double
    var relaunchTime: SimDuration
    var relaunchEnergy: Energy
    /// Share of its memory that the app touches when it is opened; negative if the app model has no value.
    var hotShare: Float
    /// Whether the process is a daemon or an extension, which no user opens.
    var isSystem: Bool
}
