// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// Deaths for want of the kernel's own memory and of open files.
extension ProcessTable {
    /// A process maps single regions, each an entry of its address space; a full zone map kills somebody.
    public mutating func mapRegions(_ count: Int, of app: AppID, at now: SimTime) -> RequestError? {
        change(app, at: now) { table, index in
            table.setMapEntries(index, max(0, table.controls[index].mapEntries + Int64(count)))
            if count > 0, table.kernel.zones.isExhausted { table.relieveZoneMap(at: now) }
            return .made
        }
    }

    /// Lets zones other than that of map entries grow or shrink to this size.
    public mutating func setOtherZones(_ size: ByteCount, at now: SimTime) {
        advance(to: now)
        let isGrowth = size.bytes > kernel.zones.others
        changeZones { $0.others = size.bytes }
        if isGrowth, kernel.zones.isExhausted { relieveZoneMap(at: now) }
        rebalance(at: now)
    }

    /// Sets the share of the zone map above which somebody dies.
    public mutating func setZoneLimit(share: Double, at now: SimTime) {
        advance(to: now)
        changeZones { $0.limitShare = share }
        rebalance(at: now)
    }

    /// How full the zone map is.
    public var zoneMapShare: Double { kernel.zones.share }

    /// Lets kills in this band and above leave a snapshot of the zones; nil for none.
    public mutating func setZoneSnapshotBand(_ band: Int?, at now: SimTime) {
        advance(to: now)
        kernel.snapshotBand = band.map { Int16($0) }
    }

    /// Whose deaths have left a snapshot of the zones, in order.
    public var zoneSnapshots: [AppID] { kernel.snapshots }

    /// A process opens or, with a negative number, closes files; when there is no vnode left, others die for it.
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

    /// Sets how many files may be open at a time; nil for any number.
    public mutating func setVnodeLimit(_ limit: Int?, at now: SimTime) {
        advance(to: now)
        kernel.vnodeLimit = limit
    }
}
