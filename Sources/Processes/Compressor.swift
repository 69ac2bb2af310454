// SPDX-License-Identifier: GPL-3.0-or-later
import Structures

/// Whose memory may be compressed or go to storage when it runs short, the longest suspended first.
struct Compressor: Sendable {
    /// Suspended apps and idle daemons that are not compressed yet.
    var compressible: IndexedList
    /// Suspended processes whose compressed memory may go to storage.
    var swappable: IndexedList

    init(capacity: Int) {
        compressible = IndexedList(capacity: capacity)
        swappable = IndexedList(capacity: capacity)
    }
}
