// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// Kills for lack of the kernel's own memory or of open files.
extension ProcessTable {
    /// Maps regions, each of which is an entry in the process's address space; if the zone map is full, a process is
    /// killed.
    public mutating func mapRegions(_ count: Int, of app: AppID, at now: SimTime) -> RequestError? {
        change(app, at: now) { table, index in
            table.setMapEntries(index, max(0, table.controls[index].mapEntries + Int64(count)))
            if count > 0, table.kernel.zones.isExhausted { table.relieveZoneMap(at: now) }
            return .made
        }
    }

    /// Sets the total size of all zones except the zone of map entries.
    public mutating func setOtherZones(_ size: ByteCount, at now: SimTime) {
        advance(to: now)
        let isGrowth = size.bytes > kernel.zones.others
        changeZones { $0.others = size.bytes }
        if isGrowth, kernel.zones.isExhausted { relieveZoneMap(at: now) }
        rebalance(at: now)
    }

    /// Sets the share of the zone map above which a process is killed.
    public mutating func setZoneLimit(share: Double, at now: SimTime) {
        advance(to: now)
        changeZones { $0.limitShare = share }
        rebalance(at: now)
    }

    /// Share of the zone map that is used.
    public var zoneMapShare: Double { kernel.zones.share }

    /// Sets the lowest band in which a kill records a snapshot of the zones; nil for no snapshots.
    public mutating func setZoneSnapshotBand(_ band: Int?, at now: SimTime) {
        advance(to: now)
        kernel.snapshotBand = band.map { Int16($0) }
    }

    /// Apps whose kills recorded a snapshot of the zones, in order.
    public var zoneSnapshots: [AppID] { kernel.snapshots }

    /// Opens files of a process, or closes files if `count` is negative.
    ///
    /// If there is no free vnode, another process is killed.
    public mutating func openFiles(_ count: Int, of app: AppID, at now: SimTime) -> RequestError? {
        change(app, at: now) { table, index in
            let old = Int(table.controls[index].vnodes)
            let new = max(0, old + count)
            table.controls[index].vnodes = Int32(new)
            table.kernel.changeVnodes(by: new - old)
            guard count > 0 else { return .made }
            while table.kernel.isVnodeLimitExceeded, table.killForVnodes(app, at: now) {}
            return .made
        }
    }

    /// Sets the largest number of open files; nil for no limit.
    public mutating func setVnodeLimit(_ limit: Int?, at now: SimTime) {
        advance(to: now)
        kernel.vnodeLimit = limit
    }
}
