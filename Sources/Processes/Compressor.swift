// SPDX-License-Identifier: GPL-3.0-or-later
import Structures

/// Processes whose memory may be compressed or go to storage when memory runs short, the longest suspended first.
struct Compressor: Sendable {
    /// Suspended apps and idle daemons that are not compressed yet.
    var compressible: IndexedList
    /// Apps of which only the cold part is compressed, the longest suspended first.
    var cooled: IndexedList
    /// Suspended processes whose compressed memory may go to storage.
    var swappable: IndexedList

    init(capacity: Int) {
        compressible = IndexedList(capacity: capacity)
        cooled = IndexedList(capacity: capacity)
        swappable = IndexedList(capacity: capacity)
    }

    /// Removes a process that begins to execute, ends, or is compressed whole.
    mutating func release(_ index: Int) {
        compressible.remove(index)
        cooled.remove(index)
    }
}
