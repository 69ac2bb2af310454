// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// The phone's memory, as an eviction policy with its own trigger sees it.
public struct MemoryView: Sendable, BitwiseCopyable {
    /// Memory that the kernel manages.
    public var total: ByteCount
    /// Free pages after all droppable file pages have been dropped.
    public var free: ByteCount
    /// Cached file pages that remain when all droppable ones have been dropped.
    public var fileBacked: ByteCount
    /// Data in the compressor, at uncompressed size.
    public var compressed: ByteCount
    /// Limit of the data in the compressor, at uncompressed size.
    public var compressorLimit: ByteCount
    /// File pages read again after they had been dropped, total since the start of the run.
    public var refaulted: ByteCount

    /// Creates a view.
    public init(
        total: ByteCount, free: ByteCount, fileBacked: ByteCount, compressed: ByteCount, compressorLimit: ByteCount,
        refaulted: ByteCount
    ) {
        self.total = total
        self.free = free
        self.fileBacked = fileBacked
        self.compressed = compressed
        self.compressorLimit = compressorLimit
        self.refaulted = refaulted
    }
}
