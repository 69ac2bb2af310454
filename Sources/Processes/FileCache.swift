// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Structures

/// The launch files of apps in the page cache, least recently used first; they outlive processes.
struct FileCache: Sendable {
    private var order: IndexedList
    /// Cached files of all apps.
    private(set) var total: Int64 = 0
    /// Pages of files that processes mapped and touched; as available as other file pages.
    var mapped: Int64 = 0

    init(capacity: Int) { order = IndexedList(capacity: capacity) }

    func contains(_ index: Int) -> Bool { order.contains(index) }

    /// Brings an app's launch files into the cache, or makes them the last to go; answers what had to be read again.
    mutating func read(_ index: Int, _ record: inout ProcessRecord, wanted: Int64) -> Int64 {
        guard wanted > 0 else { return 0 }
        let missing = wanted - record.files
        let refaulted = record.hasReadFiles ? missing : 0
        record.hasReadFiles = true
        total += missing
        record.files = wanted
        order.append(index)
        return refaulted
    }

    /// Drops file pages, least recently used apps first, until all fit into the room; answers how much was dropped.
    mutating func shrink(to room: Int64, _ records: inout [ProcessRecord]) -> Int64 {
        guard total > room else { return 0 }
        let before = total
        while total > room, let index = order.first {
            let dropped = min(records[index].files, total - room)
            records[index].files -= dropped
            total -= dropped
            if records[index].files == 0 { order.remove(index) }
        }
        return before - total
    }
}
