// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Structures
import Vocabulary

extension ProcessTable {
    /// Traps with the first rule that the table violates.
    public func checkInvariants() {
        if let broken = invariant() { fatalError(broken) }
    }

    /// The first rule that the table violates, or nil; for tests, because the time grows with the number of apps.
    ///
    /// The function checks that parts sum to the memory, that totals equal sums over processes, and that lists and
    /// heaps contain exactly the right processes.
    public func invariant() -> String? {
        let accounts = accounts
        if accounts.total != memory.ram {
            return "the accounts add up to \(accounts.total), not to the memory of \(memory.ram)"
        }
        if accounts.free < .zero, !isUnbounded, population.alive > 0 { return "free memory is \(accounts.free)" }
        if accounts.available != available { return "available memory is not the sum of file pages and free memory" }
        if let knownAging, knownAging != findAging() { return "the next time at which a process ages is out of date" }
        var sums = Sums()
        for index in processes.indices {
            if let broken = invariant(of: index) ?? controlInvariant(of: index) { return broken }
            sums.add(processes[index], controls[index], profile)
        }
        if let broken = totalsInvariant(sums) ?? queueInvariant() { return broken }
        if isUnbounded || ranking.policyTriggers { return nil }
        if book.available < thresholdBytes.soft, !killer.violators.isEmpty, sums.alive > 0 {
            return "memory is below the soft threshold, but a process above its limit is alive"
        }
        if book.available < thresholdBytes.critical, sums.alive > 0 {
            return "memory is below the critical threshold, but a process is alive"
        }
        if book.available < thresholdBytes.idle, sums.idle > 0 {
            return "memory is below the idle threshold, but an idle process is alive"
        }
        return nil
    }

    private func invariant(of index: Int) -> String? {
        let record = processes[index]
        if record.resident < 0 || record.compressed < 0 || record.files < 0 {
            return "app \(index) has negative memory"
        }
        if !record.isAlive, record.footprint != 0 { return "app \(index) has a footprint, but no process" }
        if record.files > facts[index].launchFiles {
            return "app \(index) has more cached file pages than launch files"
        }
        if (record.files > 0) != files.contains(index) {
            return "app \(index) is wrongly in or missing from the order of file pages"
        }
        if record.files > 0, record.isAlive == files.isReleased(index, processes) {
            return "app \(index) is wrongly in or missing from the order of files of ended processes"
        }
        if bands.queues.contains(index) != record.isAlive {
            return "app \(index) is wrongly in or missing from the queues of the bands"
        }
        let agingBands = [profile.justLeftBand, profile.daemonAgingBand, profile.stuckAgingBand]
        if bands.ages(index), !agingBands.contains(record.band) {
            return "app \(index) is ageing, but not in an ageing band"
        }
        let idles = record.isTracked && record.band == profile.idleBand
        if compressor.compressible.contains(index), (record.state.executes && !idles) || !record.isAlive {
            return "app \(index) is wrongly listed as compressible"
        }
        let ranked = ranking.memberships(of: index)
        let expected = record.queue == .none ? 0 : 1
        if ranked != expected || (ranked == 1 && !record.isAlive) {
            return "app \(index) is in the wrong number of ranking heaps"
        }
        if record.isAlive, ranked == 0, !record.isStale { return "app \(index) was never ranked" }
        return nil
    }

    /// The first violated rule about state that few processes have, or about the killer's lists.
    private func controlInvariant(of index: Int) -> String? {
        let record = processes[index]
        let control = controls[index]
        if control.volatile < 0 || control.nonvolatile < 0 || control.deferred < 0 {
            return "app \(index) has a negative number of pages"
        }
        if record.swapped < 0 || record.swapped > record.compressed {
            return "app \(index) has negative swapped memory, or more swapped than compressed memory"
        }
        let isViolator = killer.violators.contains(index)
        let isReapable = killer.reaper.reapable.contains(index)
        if record.isAlive {
            let isAbove = processes[index].ledgerFootprint > limit(index).size.bytes
            if isAbove != isViolator || isViolator != record.isAboveLimit {
                return "app \(index) is wrongly in or missing from the list of processes above their limits"
            }
            if isReapable != (record.band == profile.idleBand && record.isReapable) {
                return "app \(index) is wrongly in or missing from the reaper's list"
            }
            return nil
        }
        if record.mapped != 0 || control.mapEntries != 0 || record.swapped != 0 || control.volatile != 0 {
            return "app \(index) has memory or map entries, but no process"
        }
        if record.isFrozen || isViolator || isReapable || record.counted != .none {
            return "app \(index) has no process, but is still frozen, listed or counted"
        }
        return nil
    }

    /// The first violated rule of the queues, which contain the living processes of each band in ascending order of
    /// `sequence`.
    private func queueInvariant() -> String? {
        var seen = 0
        for band in Int16(0)...210 {
            var process = bands.queues.head(of: band)
            if process != nil, bands.queues.used(from: band) != band {
                return "band \(band) has processes, but is not marked as used"
            }
            var last: UInt64 = 0
            while let index = process {
                let record = processes[index]
                guard record.isAlive, record.band == band else { return "app \(index) is in the wrong queue" }
                guard record.sequence > last else { return "the queue of band \(band) is out of order" }
                last = record.sequence
                seen += 1
                process = bands.queues.next(after: index)
            }
        }
        return seen == population.alive ? nil : "\(population.alive) processes are alive, but \(seen) are in queues"
    }

    /// The first total that does not equal the sum over processes and blocks.
    private func totalsInvariant(_ sums: Sums) -> String? {
        if sums.resident != book.resident { return "the sum of resident memory differs from its total" }
        if sums.compressed != book.compressed || sums.pool != book.pool {
            return "the sum of compressed memory differs from its total"
        }
        if sums.files != files.total { return "the sum of file pages differs from their total" }
        if sums.alive != population.alive {
            return "\(sums.alive) processes are alive, but \(population.alive) are counted"
        }
        if sums.executing != population.executing {
            return "\(sums.executing) processes execute, but \(population.executing) are counted"
        }
        if sums.volatile != book.volatile { return "the sum of volatile memory differs from its total" }
        if sums.swapped != book.swapped { return "the sum of swapped memory differs from its total" }
        if sums.frozen != freezer.frozen {
            return "\(sums.frozen) processes are frozen, but \(frozenCount) are counted"
        }
        if let rules = profile.freezer, sums.frozen > rules.slots, !freezer.hasForced {
            return "more processes are frozen than the freezer has slots"
        }
        if sums.refreezable != freezer.refreezable { return "the number of thawed processes is wrong" }
        if sums.counted != bands.candidates { return "the number of idle and ageing processes is wrong" }
        if sums.mapEntries != kernel.zones.entries { return "the number of map entries is wrong" }
        if kernel.zones.growth != book.zoneGrowth { return "the growth of the zones is wrong" }
        if sums.vnodes != kernel.vnodes { return "the number of vnodes is wrong" }
        let unowned = blocks.filter { !$0.countsToFootprint && $0.kind != .file }
        if unowned.reduce(0, { $0 + $1.touched }) != book.unowned {
            return "the sum of unowned pages differs from their total"
        }
        return nil
    }
}

/// Sums over all processes, for comparison with the totals.
private struct Sums {
    var (resident, compressed, pool, files): (Int64, Int64, Int64, Int64) = (0, 0, 0, 0)
    var (volatile, swapped, mapEntries): (Int64, Int64, Int64) = (0, 0, 0)
    var (alive, executing, idle, frozen, refreezable, counted, vnodes) = (0, 0, 0, 0, 0, 0, 0)

    mutating func add(_ record: ProcessRecord, _ control: ProcessControl, _ profile: OSProfile) {
        resident += record.resident
        compressed += record.compressed
        pool += record.pool
        files += record.files
        volatile += control.volatile
        swapped += record.swapped
        mapEntries += control.mapEntries
        alive += record.isAlive ? 1 : 0
        executing += record.state.executes ? 1 : 0
        idle += record.isAlive && record.band <= profile.idleBand ? 1 : 0
        frozen += record.isFrozen ? 1 : 0
        refreezable += control.isRefreezable ? 1 : 0
        counted += record.counted == .none ? 0 : 1
        vnodes += Int(control.vnodes)
    }
}
