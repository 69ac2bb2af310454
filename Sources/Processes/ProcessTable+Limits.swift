import Quantities
import Vocabulary

/// Limits of single processes (`memstat_set_memlimits_locked`, `memstat_proc_is_active_locked`): which one is in
/// force, who is above it, and who dies of it at once.
extension ProcessTable {
    /// The limit in force of a process.
    public func limit(of app: AppID) -> MemoryLimit {
        let index = Int(app.index)
        guard isGoverned else { return MemoryLimit(memory.perProcessLimit, isFatal: true) }
        let traits = governance.controls[index].traits
        return effective(isActive(index) ? traits.activeLimit : traits.inactiveLimit, index)
    }

    /// Both limits of a process as they would be read back: active, then inactive.
    public func limits(of app: AppID) -> (active: MemoryLimit, inactive: MemoryLimit) {
        let index = Int(app.index)
        guard isGoverned else { return (limit(of: app), limit(of: app)) }
        let traits = governance.controls[index].traits
        return (effective(traits.activeLimit, index), effective(traits.inactiveLimit, index))
    }

    /// Memory that a process may still take, as `os_proc_available_memory` answers: nothing for tracked processes.
    public func headroom(of app: AppID) -> ByteCount {
        if isGoverned, governance.controls[Int(app.index)].isTracked { return .zero }
        return max(.zero, limit(of: app).size - footprint(of: app))
    }

    /// Whether the active limit is in force; the first rule that matches decides.
    func isActive(_ index: Int) -> Bool {
        let control = governance.controls[index]
        let band = processes[index].band
        if control.isElevated, band == profile.elevatedBand { return true }
        if control.isElevated, band == profile.frozenBand { return false }
        if control.isTracked { return control.isDirty || (control.mayIdle && band > profile.idleBand) }
        if control.traits.isManaged { return control.hasAssertion }
        return band > profile.idleBand
    }

    private func effective(_ limit: MemoryLimit, _ index: Int) -> MemoryLimit {
        let entitled = governance.controls[index].traits.entitledLimit
        // With app swap the entitled limit is all of the memory.
        let raised = profile.appSwap != nil && entitled > .zero ? memory.ram : entitled
        let standard = max(memory.perProcessLimit, raised)
        if limit.size <= .zero || limit.size == standard { return MemoryLimit(standard, isFatal: true) }
        return limit
    }

    /// Where growth ends at the latest: one byte above a fatal limit.
    func mostReachable(_ index: Int) -> Int64 {
        let limit = limit(of: AppID(index))
        return limit.isFatal ? limit.size.bytes + 1 : .max
    }

    /// Keeps the list of processes above their limit.
    mutating func recheckLimit(_ index: Int) {
        let record = processes[index]
        if record.isAlive, ledgerFootprint(index) > limit(of: AppID(index)).size.bytes {
            governance.violators.set(index, rank: Double(record.band), sequence: record.sequence)
        } else {
            governance.violators.remove(index)
        }
    }

    /// Whether a process that grew dies at once; memory it has freed but not given back is taken first.
    mutating func exceedsFatalLimit(_ index: Int) -> Bool {
        guard isGoverned else { return processes[index].footprint > memory.perProcessLimit.bytes }
        let limit = limit(of: AppID(index))
        guard limit.isFatal, ledgerFootprint(index) > limit.size.bytes else { return false }
        reclaimDeferred(index)
        return ledgerFootprint(index) > limit.size.bytes
    }

    /// The footprint as the kernel's ledger has it: with memory that is mapped twice.
    func ledgerFootprint(_ index: Int) -> Int64 { processes[index].footprint + governance.controls[index].mapped }
}
