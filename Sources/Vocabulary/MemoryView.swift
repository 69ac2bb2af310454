// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// What an eviction policy that brings its own trigger may know about the phone's memory.
public struct MemoryView: Sendable, BitwiseCopyable {
    /// Memory that the kernel manages.
    public var total: ByteCount
    /// Free pages, once file pages that must make room have been dropped.
    public var free: ByteCount
    /// Cached file pages that are then left.
    public var fileBacked: ByteCount
    /// Data in the compressor, at full size.
    public var compressed: ByteCount
    /// Most data that the compressor takes, at full size.
    public var compressorLimit: ByteCount
    /// File pages read again after they had been dropped, since the start of the run.
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
