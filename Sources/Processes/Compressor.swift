// SPDX-License-Identifier: GPL-3.0-or-later
import Structures

/// Processes whose memory can be compressed or written to storage when memory is short, the longest suspended first.
struct Compressor: Sendable {
    /// Suspended apps and idle daemons that are not compressed.
    var compressible: IndexedList
    /// Apps of which only the cold part has been compressed, the longest suspended first.
    var cooled: IndexedList
    /// Suspended processes whose compressed memory may be written to storage.
    var swappable: IndexedList

    init(capacity: Int) {
        compressible = IndexedList(capacity: capacity)
        cooled = IndexedList(capacity: capacity)
        swappable = IndexedList(capacity: capacity)
    }

    /// Removes a process that begins to execute, ends, or is completely compressed.
    mutating func release(_ index: Int) {
        compressible.remove(index)
        cooled.remove(index)
    }
}
