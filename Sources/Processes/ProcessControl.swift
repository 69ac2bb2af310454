// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// State that plain apps do not have: own limits, coalitions, memory of special kinds.
struct ProcessControl: Sendable, BitwiseCopyable {
    /// Limit of the process while it works.
    var activeLimit = MemoryLimit.standard
    /// Limit of the process while it is idle.
    var inactiveLimit = MemoryLimit.standard
    /// The device's limit for the process when an entitlement raises it; zero for none.
    var entitledLimit = ByteCount.zero
    /// Coalition of the process; negative for none.
    var coalition: Int32 = -1
    /// Role of the process in the coalition.
    var role = CoalitionRole.undefined
    /// Whether the process may use the bands 1 to 9.
    var mayUseInternalBands = false
    /// Whether the freezer may take the process.
    var isFreezable = true
    /// Probability of the next use.
    var useProbability = 1.0

    var hasImportance = false
    /// When the ageing in bands 10 and 15 is over.
    var deadline = SimTime.distantFuture
    /// Volatile memory that the kernel may take away; outside the footprint.
    var volatile: Int64 = 0
    /// Purgeable memory that is not volatile; part of the footprint.
    var nonvolatile: Int64 = 0
    /// Memory freed but not yet given back; part of the footprint.
    var deferred: Int64 = 0
    /// Memory tagged as that of a neural engine, whether or not it counts to the footprint.
    var neural: Int64 = 0
    /// Number of entries of the process's address space in the kernel's zone.
    var mapEntries: Int64 = 0
    /// Number of open files.
    var vnodes: Int32 = 0
    var thaws: Int32 = 0
    /// Compressed memory that background work brought back since the launch; counted for `FreezingChoice.refaulting`.
    var refaulted: Int64 = 0
    /// Whether the process was thawed in this interval of the freezer.
    var wasThawed = false
    /// Whether the process was thawed since it was frozen, and not demoted since.
    var isRefreezable = false
    /// Whether the process's memory may go to storage while it is suspended, on a device with app swap.
    var isSwappable = false

    /// Sets the state that follows from traits which a plain app does not have.
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
    /// Whether a limit differs from that of every app.
    var hasOwnLimits: Bool { activeLimit != .standard || inactiveLimit != .standard || entitledLimit != .zero }

    /// Whether the traits need a `ProcessControl`.
    var needsControl: Bool {
        hasOwnLimits || coalition != -1 || role != .undefined || mayUseInternalBands || !isFreezable
            || useProbability != 1
    }
}
