// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// What the killer keeps of processes that are more than plain apps: limits, coalitions, memory of special kinds.
struct ProcessControl: Sendable, BitwiseCopyable {
    /// Its limit while it works.
    var activeLimit = MemoryLimit.standard
    /// Its limit while it is idle.
    var inactiveLimit = MemoryLimit.standard
    /// The device's limit for it when an entitlement raises it; zero for none.
    var entitledLimit = ByteCount.zero
    /// Its coalition; negative for none.
    var coalition: Int32 = -1
    /// Its part in the coalition.
    var role = CoalitionRole.undefined
    /// Whether it may use the bands 1 to 9.
    var mayUseInternalBands = false
    /// Whether the freezer may take it.
    var isFreezable = true
    /// How probable its next use is.
    var useProbability = 1.0

    var hasImportance = false
    /// When its ageing is over, in bands 10 and 15.
    var deadline = SimTime.distantFuture
    /// Volatile memory that the kernel may take away; outside the footprint.
    var volatile: Int64 = 0
    /// Purgeable memory that is not volatile; part of the footprint.
    var nonvolatile: Int64 = 0
    /// Memory freed but not yet given back; part of the footprint.
    var deferred: Int64 = 0
    /// Memory tagged as that of a neural engine, whether or not it counts to the footprint.
    var neural: Int64 = 0
    /// Entries of its address space, in the kernel's zone of them.
    var mapEntries: Int64 = 0
    /// Files it holds open.
    var vnodes: Int32 = 0
    var thaws: Int32 = 0
    /// Compressed memory that background work brought back since the launch; counted for `FreezingChoice.refaulting`.
    var refaulted: Int64 = 0
    /// Thawed in this interval of the freezer.
    var wasThawed = false
    /// Thawed since it was frozen, and not demoted since.
    var isRefreezable = false
    /// Whether its memory may go to storage while it is suspended, on a device with app swap.
    var isSwappable = false

    /// What traits say beyond a plain app's.
    mutating func adopt(_ traits: ProcessTraits) {
        activeLimit = traits.activeLimit
        inactiveLimit = traits.inactiveLimit
        entitledLimit = traits.entitledLimit
        coalition = traits.coalition
        role = traits.role
        mayUseInternalBands = traits.mayUseInternalBands
        isFreezable = traits.isFreezable
        useProbability = traits.useProbability
    }
}

extension ProcessTraits {
    /// Whether a limit is not that of every app.
    var hasOwnLimits: Bool { activeLimit != .standard || inactiveLimit != .standard || entitledLimit != .zero }

    /// Whether `ProcessControl` has anything to adopt.
    var needsControl: Bool {
        hasOwnLimits || coalition != -1 || role != .undefined || mayUseInternalBands || !isFreezable
            || useProbability != 1
    }
}
