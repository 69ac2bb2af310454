// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// Limits of single processes: which limit applies, which processes exceed it, and which are killed at once.
///
/// Source: `memstat_set_memlimits_locked`, `memstat_proc_is_active_locked`.
extension ProcessTable {
    /// The limit that applies to a process.
    public func limit(of app: AppID) -> MemoryLimit { limit(Int(app.index)) }

    /// Both limits of a process, active and inactive, as the kernel returns them.
    public func limits(of app: AppID) -> (active: MemoryLimit, inactive: MemoryLimit) {
        let control = controls[Int(app.index)]
        return (effective(control.activeLimit, Int(app.index)), effective(control.inactiveLimit, Int(app.index)))
    }

    /// Memory that a process may still use, as from `os_proc_available_memory`; zero for tracked processes.
    public func headroom(of app: AppID) -> ByteCount {
        if processes[Int(app.index)].isTracked { return .zero }
        return max(.zero, limit(of: app).size - footprint(of: app))
    }

    /// The limit that applies; the device's limit for a process without its own limits.
    func limit(_ index: Int) -> MemoryLimit {
        guard processes[index].hasOwnLimits else { return MemoryLimit(book.sizes.perProcessLimit, isFatal: true) }
        return effective(isActive(index) ? controls[index].activeLimit : controls[index].inactiveLimit, index)
    }

    /// Whether the active limit applies; the first rule that matches decides.
    @inline(__always)
    private func isActive(_ index: Int) -> Bool {
        let record = processes[index]
        if record.isElevated, record.band == profile.elevatedBand { return true }
        // Freezing sets the flag, so a frozen process keeps its idle limit despite any assertion.
        if record.isPinned, record.band == profile.frozenBand { return false }
        if record.isTracked { return record.isDirty || (record.mayIdle && record.band > profile.idleBand) }
        if record.isManaged { return record.hasAssertion }
        return record.band > profile.idleBand
    }

    @inline(__always)
    private func effective(_ limit: MemoryLimit, _ index: Int) -> MemoryLimit {
        let entitled = controls[index].entitledLimit
        // With app swap, the entitled limit is all of the memory.
        let raised = profile.appSwap != nil && entitled > .zero ? memory.ram : entitled
        let standard = max(memory.perProcessLimit, raised)
        if limit.size <= .zero || limit.size == standard { return MemoryLimit(standard, isFatal: true) }
        return limit
    }

    /// Largest footprint that growth can reach: one byte above a fatal limit.
    func mostReachable(_ index: Int) -> Int64 {
        let limit = limit(index)
        return limit.isFatal ? limit.size.bytes + 1 : .max
    }

    /// Updates the list of processes above their limit.
    @inline(__always)
    mutating func updateLimit(_ index: Int) {
        let isOrdinary = !processes[index].hasOwnLimits && !processes[index].isAboveLimit
        if isOrdinary, processes[index].ledgerFootprint <= book.sizes.perProcessLimit.bytes { return }
        updateViolation(index)
    }

    @inline(never)
    private mutating func updateViolation(_ index: Int) {
        let isAbove = processes[index].isAlive && processes[index].ledgerFootprint > limit(index).size.bytes
        killer.setViolation(index, &processes[index], isAbove)
    }
}
