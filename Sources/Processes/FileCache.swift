// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Structures

/// The launch files of apps in the page cache; they outlive processes.
///
/// Files that no process maps go first, whole, in the order in which their processes ended, once ten seconds are over
/// (xnu `osfmk/vm/vm_object.c`, `vm_object_cache_evict` and `EVICT_AGE`, called before any single page is picked:
/// `vm_pageout.c`, `vps_object_cache_evict`). Those of the living follow, least recently used apps first.
struct FileCache: Sendable {
    private enum Order {
        static let living = 0
        static let dead = 1
    }

    /// How long the files of a process that ended wait with the others.
    static let evictionAge = SimDuration.seconds(10)

    private var orders: IndexedLists
    /// Cached files of all apps.
    private(set) var total: Int64 = 0
    /// Pages of files that processes mapped and touched; as available as other file pages.
    var mapped: Int64 = 0

    init(capacity: Int) { orders = IndexedLists(lists: 2, capacity: capacity) }

    func contains(_ index: Int) -> Bool { orders.contains(index) }

    /// Brings an app's launch files into the cache, or makes them the last to go; answers what had to be read again.
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

    /// The process of these files ended: nobody maps them any more.
    mutating func release(_ index: Int) {
        guard orders.contains(index) else { return }
        orders.append(index, to: Order.dead)
    }

    /// Drops file pages until all fit into the room; answers how much was dropped.
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

    /// Whose files go next; without living ones, those of processes that just ended are picked page by page.
    private func firstToGo(_ records: [ProcessRecord], at now: SimTime) -> Int? {
        guard let dead = orders.first(of: Order.dead) else { return orders.first(of: Order.living) }
        if records[dead].entered + Self.evictionAge <= now { return dead }
        return orders.first(of: Order.living) ?? dead
    }

    /// Whether the files lie among those of the dead.
    func isReleased(_ index: Int, _ records: [ProcessRecord]) -> Bool {
        var next = orders.first(of: Order.dead)
        while let member = next, member != index { next = orders.next(after: member) }
        return next != nil
    }
}
