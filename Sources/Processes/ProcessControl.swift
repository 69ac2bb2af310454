// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// State that plain apps do not have: own limits, coalitions, special kinds of memory.
struct ProcessControl: Sendable, BitwiseCopyable {
    /// Limit of the process while it works.
    var activeLimit = MemoryLimit.standard
    /// Limit of the process while it is idle.
    var inactiveLimit = MemoryLimit.standard
    /// Raised limit of a process with an entitlement for more memory; zero without the entitlement.
    var entitledLimit = ByteCount.zero
    /// Coalition of the process; negative if it has none.
    var coalition: Int32 = -1
    /// Role of the process in the coalition.
    var role = CoalitionRole.undefined
    /// Whether the process may use the bands 1 to 9.
    var mayUseInternalBands = false
    /// Whether the freezer may freeze the process.
    var isFreezable = true
    /// Probability that the process is used again.
    var useProbability = 1.0

    var hasImportance = false
    /// When the ageing in band 10 or 15 ends.
    var deadline = SimTime.distantFuture
    /// Volatile memory that the kernel may take away; outside the footprint.
    var volatile: Int64 = 0
    /// Purgeable memory that is not volatile; part of the footprint.
    var nonvolatile: Int64 = 0
    /// Memory freed but not yet returned to the system; part of the footprint.
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
    /// Whether the process was thawed since it was frozen, and has not been demoted since.
    var isRefreezable = false
    /// Whether the process's memory may be written to storage while it is suspended, on a device with app swap.
    var isSwappable = false

    /// Sets the state for traits that a plain app does not have.
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
    /// Whether any limit differs from the limit of plain apps.
    var hasOwnLimits: Bool { activeLimit != .standard || inactiveLimit != .standard || entitledLimit != .zero }

    /// Whether the traits need a `ProcessControl`.
    var needsControl: Bool {
        hasOwnLimits || coalition != -1 || role != .undefined || mayUseInternalBands || !isFreezable
            || useProbability != 1
    }
}
