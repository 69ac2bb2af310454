// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Structures
import Vocabulary

/// The kernel's own memory for small objects: a map of zones with a maximum size (`osfmk/kern/zalloc.c`).
///
/// Only the zone of address-space entries is modelled separately. Growth since the start counts as wired memory; the
/// rest is part of the device's wired memory.
struct ZoneMap: Sendable {
    /// Largest size of the map (report of an iPhone 11, 4 GB, iOS 14.2: `zoneMapCap` 1,472,872,448, 34 % of memory).
    var capacity: Int64
    /// Size at the start (the same report: `zoneMapSize` 193,200,128, 4.5 % of memory).
    var base: Int64
    /// Share of the capacity above which a process is killed (`zone_map_jetsam_limit`).
    var limitShare = 0.95
    /// Number of entries of all address spaces.
    var entries: Int64 = 0
    /// Growth of the other zones.
    var others: Int64 = 0

    /// Size of an address-space entry (`struct vm_map_entry`, 64-bit kernels).
    static let entrySize: Int64 = 80

    init(ram: ByteCount) {
        capacity = Int64((Double(ram.bytes) * 0.343).rounded())
        base = Int64((Double(ram.bytes) * 0.045).rounded())
    }

    var entryBytes: Int64 { entries * ZoneMap.entrySize }
    var growth: Int64 { entryBytes + others }
    var share: Double { capacity > 0 ? Double(base + growth) / Double(capacity) : 0 }
    var isExhausted: Bool { share > limitShare }
    /// Whether the zone of map entries is the largest.
    ///
    /// No zone at the start is assumed to exceed a quarter of `base`.
    var areEntriesLargest: Bool { entryBytes > others && entryBytes > base / 4 }
}

/// Kernel objects of processes (address-space entries and open files), and the kills that they caused.
struct KernelObjects: Sendable {
    private(set) var zones: ZoneMap
    /// Processes with entries in the zone of map entries, the most entries first.
    private var owners: IndexedHeap<VictimKey>
    /// Open files of all processes.
    private(set) var vnodes = 0
    var vnodeLimit: Int?
    /// Lowest band in which a kill records a snapshot of the zones.
    var snapshotBand: Int16?
    private(set) var snapshots: [AppID] = []

    init(capacity: Int, ram: ByteCount) {
        zones = ZoneMap(ram: ram)
        owners = IndexedHeap(capacity: capacity)
    }

    /// The process with the most entries; nil if there are no entries.
    var largestOwner: Int? { owners.first?.member }
    var isVnodeLimitExceeded: Bool { vnodeLimit.map { vnodes > $0 } ?? false }

    /// Changes the zones; returns their growth in bytes.
    mutating func changeZones(_ body: (inout ZoneMap) -> Void) -> Int64 {
        let before = zones.growth
        body(&zones)
        return zones.growth - before
    }

    /// Sets the number of one process's entries; returns the growth of the zones in bytes.
    mutating func setEntries(of index: Int, _ count: Int64, was old: Int64) -> Int64 {
        if count > 0 {
            owners.set(index, key: VictimKey(rank: -Double(count), sequence: UInt64(index)))
        } else {
            owners.remove(index)
        }
        return changeZones { $0.entries += count - old }
    }

    mutating func changeVnodes(by change: Int) { vnodes += change }

    mutating func recordKill(_ app: AppID, band: Int16) {
        if let least = snapshotBand, band >= least { snapshots.append(app) }
    }
}
