import Quantities
import Vocabulary

/// The kernel's own memory for small objects: a map of zones with a largest size, of which one zone is modelled by
/// itself, the entries of address spaces (`osfmk/kern/zalloc.c`).
///
/// Only growth since the start is accounted, as wired memory; what was there before is part of the device's wired
/// memory.
struct ZoneMap: Sendable {
    /// Largest size of the map (report of an iPhone 11, 4 GB, iOS 14.2: `zoneMapCap` 1,472,872,448, 34 % of memory).
    var capacity: Int64
    /// What is in it from the start (the same report: `zoneMapSize` 193,200,128, 4.5 % of memory).
    var base: Int64
    /// Above this share of the capacity somebody dies (`zone_map_jetsam_limit`).
    var limitShare = 0.95
    /// Entries of all address spaces.
    var entries: Int64 = 0
    /// What other zones have grown by.
    var others: Int64 = 0

    /// Size of an entry of an address space (`struct vm_map_entry`, 64-bit kernels).
    static let entrySize: Int64 = 80

    init(ram: ByteCount) {
        capacity = Int64((Double(ram.bytes) * 0.343).rounded())
        base = Int64((Double(ram.bytes) * 0.045).rounded())
    }

    var entryBytes: Int64 { entries * ZoneMap.entrySize }
    var growth: Int64 { entryBytes + others }
    var share: Double { capacity > 0 ? Double(base + growth) / Double(capacity) : 0 }
    var isExhausted: Bool { share > limitShare }
    /// Whether the zone of entries is the largest; what is there from the start counts as many zones of no note.
    var areEntriesLargest: Bool { entryBytes > others && entryBytes > base / 4 }
}

extension ProcessTable {
    /// A process maps single regions, each an entry of its address space; a full zone map kills somebody.
    public mutating func mapRegions(_ count: Int, of app: AppID, at now: SimTime) -> RequestError? {
        changeObjects(of: app, at: now) { table, index in
            table.setMapEntries(index, max(0, table.governance.controls[index].mapEntries + Int64(count)))
            if count > 0, table.governance.zones.isExhausted { table.raiseZoneMap(at: now) }
        }
    }

    /// Lets zones other than that of map entries grow or shrink to this size.
    public mutating func setOtherZones(_ size: ByteCount, at now: SimTime) {
        govern()
        begin(at: now)
        let isGrowth = size.bytes > governance.zones.others
        changeZones { $0.others = size.bytes }
        if isGrowth, governance.zones.isExhausted { raiseZoneMap(at: now) }
        settle(at: now)
    }

    /// Sets the share of the zone map above which somebody dies.
    public mutating func setZoneLimit(share: Double, at now: SimTime) {
        govern()
        begin(at: now)
        governance.zones.limitShare = share
        settle(at: now)
    }

    /// How full the zone map is.
    public var zoneMapShare: Double { isGoverned ? governance.zones.share : ZoneMap(ram: memory.ram).share }

    /// Lets kills in this band and above leave a snapshot of the zones; nil for none.
    public mutating func setZoneSnapshotBand(_ band: Int?, at now: SimTime) {
        govern()
        begin(at: now)
        governance.zoneSnapshotBand = band.map { Int16($0) }
    }

    /// Whose deaths have left a snapshot of the zones, in order.
    public var zoneSnapshots: [AppID] { isGoverned ? governance.zoneSnapshots : [] }

    /// A process opens or, with a negative number, closes files; when there is no vnode left, others die for it.
    public mutating func openFiles(_ count: Int, of app: AppID, at now: SimTime) -> RequestError? {
        changeObjects(of: app, at: now) { table, index in
            let old = Int(table.governance.controls[index].vnodes)
            let new = max(0, old + count)
            table.governance.controls[index].vnodes = Int32(new)
            table.governance.vnodes += new - old
            guard let limit = table.governance.vnodeLimit, count > 0 else { return }
            while table.governance.vnodes > limit, table.killForVnodes(app, at: now) {}
        }
    }

    /// Sets how many files may be open at a time; nil for any number.
    public mutating func setVnodeLimit(_ limit: Int?, at now: SimTime) {
        govern()
        begin(at: now)
        governance.vnodeLimit = limit
    }
}

extension ProcessTable {
    private mutating func changeObjects(
        of app: AppID, at now: SimTime, _ body: (inout ProcessTable, Int) -> Void
    ) -> RequestError? {
        govern()
        begin(at: now)
        guard processes[Int(app.index)].isAlive else { return .notFound }
        body(&self, Int(app.index))
        settle(at: now)
        return nil
    }

    /// Changes zones; what they take is wired memory.
    private mutating func changeZones(_ body: (inout ZoneMap) -> Void) {
        let before = governance.zones.growth
        body(&governance.zones)
        let change = governance.zones.growth - before
        zoneGrowth += change
        availableBytes -= change
        isLevelStale = true
    }

    private mutating func setMapEntries(_ index: Int, _ count: Int64) {
        let change = count - governance.controls[index].mapEntries
        guard change != 0 else { return }
        governance.controls[index].mapEntries = count
        changeZones { $0.entries += change }
        if count > 0 {
            governance.mapHeap.set(index, rank: -Double(count), sequence: UInt64(index))
        } else {
            governance.mapHeap.remove(index)
        }
    }

    /// The zone map is nearly full (`kill_process_in_largest_zone`): when map entries fill it, whoever has most of
    /// them dies; otherwise the killer is asked for the lowest process.
    mutating func raiseZoneMap(at now: SimTime) {
        if governance.zones.areEntriesLargest, let culprit = governance.mapHeap.first {
            kill(entry(Int(culprit.process)), .zoneMapExhaustion, idleOnly: false, at: now)
        } else {
            governance.signals.insert(.zoneMap)
        }
    }

    /// The lowest process but the caller dies, without any purge (`memorystatus_kill_on_vnode_limit`).
    mutating func killForVnodes(_ caller: AppID?, at now: SimTime) -> Bool {
        updateRanks(at: now)
        guard let victim = governance.queues.first(through: 210, where: { AppID($0) != caller }) else { return false }
        kill(entry(victim), .vnodeLimit, idleOnly: false, at: now)
        return true
    }

    /// Gives back what the kernel holds for a process that dies.
    mutating func releaseKernelObjects(of index: Int) {
        setMapEntries(index, 0)
        governance.vnodes -= Int(governance.controls[index].vnodes)
        governance.controls[index].vnodes = 0
    }

    /// Notes a kill in the snapshots that are kept of kills.
    mutating func noteSnapshots(_ index: Int, band: Int16) {
        if let least = governance.zoneSnapshotBand, band >= least { governance.zoneSnapshots.append(AppID(index)) }
        noteFreezerSnapshot(index)
    }
}
