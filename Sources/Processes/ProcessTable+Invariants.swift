import Quantities
import Vocabulary

extension ProcessTable {
    /// Traps with the first rule that the table breaks.
    public func checkInvariants() {
        if let broken = invariant() { preconditionFailure(broken) }
    }

    /// The first rule that the table breaks, or nil; takes time proportional to the number of apps, for tests.
    ///
    /// Checks that parts sum to the memory, that totals equal sums over processes, and that lists and heaps hold
    /// exactly the processes they should.
    public func invariant() -> String? {
        let accounts = accounts
        if accounts.total != memory.ram { return "accounts sum to \(accounts.total), not \(memory.ram)" }
        if accounts.free < .zero, !isUnbounded, liveCount > 0 { return "free memory is \(accounts.free)" }
        if accounts.available != available { return "available memory is not files plus free" }
        var sums = (
            resident: Int64(0), compressed: Int64(0), pool: Int64(0), files: Int64(0), live: 0, executing: 0, idle: 0
        )
        for index in processes.indices {
            if let broken = invariant(of: index) { return broken }
            let record = processes[index]
            sums.resident += record.resident
            sums.compressed += record.compressed
            sums.pool += record.pool
            sums.files += record.files
            sums.live += record.isAlive ? 1 : 0
            sums.executing += record.state.executes ? 1 : 0
            sums.idle += record.isAlive && record.band <= profile.idleBand ? 1 : 0
        }
        if sums.resident != appResident { return "resident memory does not add up" }
        if sums.compressed != appCompressed || sums.pool != appPool { return "compressed memory does not add up" }
        if sums.files != appFiles { return "file pages do not add up" }
        if sums.live != liveCount { return "\(sums.live) live processes counted as \(liveCount)" }
        if sums.executing != executing.count { return "the executing list is wrong" }
        if isUnbounded || policyTriggers { return nil }
        if let broken = governanceInvariant() { return broken }
        if availableBytes < criticalBytes, sums.live > 0 { return "memory is critical and somebody lives" }
        if availableBytes < idleBytes, sums.idle > 0 { return "memory is short and somebody is idle" }
        return nil
    }

    private func invariant(of index: Int) -> String? {
        let record = processes[index]
        if record.resident < 0 || record.compressed < 0 || record.files < 0 { return "app \(index) owes memory" }
        if !record.isAlive, record.footprint != 0 { return "app \(index) is dead and holds memory" }
        if record.files > facts[index].launchFiles { return "app \(index) caches more than its files" }
        if (record.files > 0) != fileOrder.contains(index) { return "app \(index) is misplaced in the file order" }
        if record.state.executes != (record.executing >= 0) { return "app \(index) is misplaced among executing" }
        if aging.contains(index), record.band != profile.justLeftBand { return "app \(index) ages in no ageing band" }
        let idles = isGoverned && governance.controls[index].isTracked && record.band == profile.idleBand
        if compressible.contains(index), (record.state.executes && !idles) || !record.isAlive {
            return "app \(index) is compressible"
        }
        let ranked =
            (idleHeap.contains(index) ? 1 : 0) + (workingHeap.contains(index) ? 1 : 0)
            + (protectedHeap.contains(index) ? 1 : 0)
        let expected = record.queue == .none ? 0 : 1
        if ranked != expected || (ranked == 1 && !record.isAlive) { return "app \(index) is in the wrong heaps" }
        if record.isAlive, ranked == 0, !record.isStale { return "app \(index) was never ranked" }
        return nil
    }
}
