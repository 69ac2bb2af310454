import Quantities
import Vocabulary

extension ProcessTable {
    /// The first rule of traits that the table breaks, or nil.
    func governanceInvariant() -> String? {
        guard isGoverned else { return nil }
        var volatile: Int64 = 0
        var frozen = 0
        for index in processes.indices {
            let control = governance.controls[index]
            volatile += control.volatile
            if control.isFrozen { frozen += 1 }
            if let broken = governanceInvariant(of: index, control) { return broken }
        }
        if let broken = queueInvariant() ?? totalsInvariant() { return broken }
        if volatile != volatileBytes { return "volatile memory does not add up" }
        if frozen != governance.freezer.frozen { return "\(frozen) frozen processes counted as \(frozenCount)" }
        if let rules = profile.freezer, frozen > rules.slots { return "more frozen processes than slots" }
        if availableBytes < softBytes, !governance.violators.isEmpty, liveCount > 0 {
            return "memory is short and somebody is above a limit"
        }
        return nil
    }

    private func governanceInvariant(of index: Int, _ control: ProcessControl) -> String? {
        let record = processes[index]
        if control.volatile < 0 || control.nonvolatile < 0 || control.deferred < 0 { return "app \(index) owes pages" }
        if control.swapped < 0 || control.swapped > record.compressed { return "app \(index) swaps what it has not" }
        if record.isAlive {
            let isAbove = ledgerFootprint(index) > limit(of: AppID(index)).size.bytes
            if isAbove != governance.violators.contains(index) { return "app \(index) is misplaced among violators" }
            let isReapable = record.band == profile.idleBand && control.isReapable
            if isReapable != governance.reapable.contains(index) { return "app \(index) is misplaced for the reaper" }
            return nil
        }
        if governance.queues.contains(index) || control.mapped != 0 || control.mapEntries != 0 || control.swapped != 0 {
            return "app \(index) is dead and holds something"
        }
        if control.volatile != 0 || control.isFrozen || governance.violators.contains(index)
            || governance.reapable.contains(index) || control.counted != .none
        {
            return "app \(index) is dead and governed"
        }
        return nil
    }

    /// Each band's queue holds its living processes, in the order of their sets.
    private func queueInvariant() -> String? {
        var seen = 0
        for band in Int16(0)...210 {
            var process = governance.queues.head(of: band)
            var last: UInt64 = 0
            while process >= 0 {
                let record = processes[process]
                guard record.isAlive, record.band == band else { return "app \(process) is in a wrong queue" }
                guard seen == 0 || record.sequence > last || last == 0 else { return "band \(band) is out of order" }
                last = record.sequence
                seen += 1
                process = governance.queues.next(after: process)
            }
        }
        return seen == liveCount ? nil : "\(liveCount) processes live and \(seen) are queued"
    }

    /// Totals are the sums over processes and blocks.
    private func totalsInvariant() -> String? {
        let controls = governance.controls
        if controls.reduce(0, { $0 + $1.swapped }) != governance.swapUsed { return "storage does not add up" }
        if controls.reduce(0, { $0 + $1.mapEntries }) != governance.zones.entries { return "map entries do not add up" }
        if governance.zones.growth != zoneGrowth { return "zones do not add up" }
        if controls.reduce(0, { $0 + Int($1.vnodes) }) != governance.vnodes { return "vnodes do not add up" }
        let thawed = controls.count { $0.isRefreezable }
        if thawed != governance.freezer.refreezable { return "thawed processes do not add up" }
        let unowned = governance.blocks.filter { !$0.countsToFootprint && $0.kind != .file }
        if unowned.reduce(0, { $0 + $1.touched }) != unownedBytes { return "unowned pages do not add up" }
        return nil
    }

    /// The place of a process in the queue of its band, from 0; nil when it is not running.
    ///
    /// Takes time proportional to the number of apps.
    public func positionInBand(of app: AppID) -> Int? {
        let own = processes[Int(app.index)]
        guard own.isAlive else { return nil }
        return processes.reduce(0) { count, record in
            count + (record.isAlive && record.band == own.band && record.sequence < own.sequence ? 1 : 0)
        }
    }

    /// Who holds an assertion on their band.
    public func hasAssertion(_ app: AppID) -> Bool { isGoverned && governance.controls[Int(app.index)].hasAssertion }
    /// Whether a process is dirty.
    public func isDirty(_ app: AppID) -> Bool { isGoverned && governance.controls[Int(app.index)].isDirty }
    /// When a process entered its band.
    public func bandEntered(_ app: AppID) -> SimTime {
        isGoverned ? governance.controls[Int(app.index)].entered : processes[Int(app.index)].bandSet
    }
    /// The kills since the list was last cleared, of one band and reason.
    public func kills(in band: Int, for reason: KillReason) -> Int {
        kills.reduce(0) { $0 + ($1.band == Int16(band) && $1.reason == reason ? 1 : 0) }
    }
}
