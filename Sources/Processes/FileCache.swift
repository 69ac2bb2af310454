// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Structures

/// The launch files of apps in the page cache; they stay cached after the end of their processes.
///
/// Files that no process maps are dropped first: complete files, in the order in which their processes ended, ten
/// seconds after that end. Files of live processes follow, least recently used apps first. Source: xnu
/// `osfmk/vm/vm_object.c`, `vm_object_cache_evict` and `EVICT_AGE`. The kernel calls this function before it selects
/// any single page (`vm_pageout.c`, `vps_object_cache_evict`).
struct FileCache: Sendable {
    private enum Order {
        static let living = 0
        static let dead = 1
    }

    /// Once a process has been dead for this time, its files are dropped before those of live processes.
    static let evictionAge = SimDuration.seconds(10)

    private var orders: IndexedLists
    /// Size of the cached launch files of all apps.
    private(set) var total: Int64 = 0
    /// Size of file pages that processes mapped and touched; they are as available as other file pages.
    var mapped: Int64 = 0

    init(capacity: Int) { orders = IndexedLists(lists: 2, capacity: capacity) }

    func contains(_ index: Int) -> Bool { orders.contains(index) }

    /// Reads an app's launch files into the cache, or moves them to the end of the dropping order; returns the bytes
    /// read after a drop.
    mutating func read(_ index: Int, _ record: inout ProcessRecord, wanted: Int64) -> Int64 {
        let missing = max(0, wanted - record.files)
        let refaulted = record.hasReadFiles ? missing : 0
        record.hasReadFiles = true
        total += missing
        record.files += missing
        guard record.files > 0 else { return 0 }
        orders.append(index, to: Order.living)
        return refaulted
    }

    /// Marks the files of a process that ended as no longer mapped.
    mutating func release(_ index: Int) {
        guard orders.contains(index) else { return }
        orders.append(index, to: Order.dead)
    }

    /// Drops file pages until the rest is no larger than `room`; returns the bytes dropped.
    mutating func shrink(to room: Int64, _ records: inout [ProcessRecord], at now: SimTime) -> Int64 {
        guard total > room else { return 0 }
        let before = total
        while total > room, let index = firstToGo(records, at: now) {
            let dropped = min(records[index].files, total - room)
            records[index].files -= dropped
            total -= dropped
            if records[index].files == 0 { orders.remove(index) }
        }
        return before - total
    }

    /// The app whose files are dropped next.
    ///
    /// If no live process has files, the files of processes that just ended are dropped, page by page.
    private func firstToGo(_ records: [ProcessRecord], at now: SimTime) -> Int? {
        guard let dead = orders.first(of: Order.dead) else { return orders.first(of: Order.living) }
        if records[dead].entered + Self.evictionAge <= now { return dead }
        return orders.first(of: Order.living) ?? dead
    }

    /// Whether an app's files are in the list of files of ended processes.
    func isReleased(_ index: Int, _ records: [ProcessRecord]) -> Bool {
        var next = orders.first(of: Order.dead)
        while let member = next, member != index { next = orders.next(after: member) }
        return next != nil
    }
}
