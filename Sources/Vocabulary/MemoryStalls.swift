// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// How long tasks waited for memory in the present second, as the kernel's pressure stall information counts it.
///
/// What makes tasks wait here is what the phone does when memory is short: file pages that were dropped are read again,
/// and memory goes into the compressor (direct reclaim). How fast either goes, and how much of the time nobody else
/// gets on, are assumptions. Source of the window: `lmkd.cpp` and `com_android_server_am_LowMemDetector.cpp`, both 1 s.
public struct MemoryStalls: Sendable {
    /// What waiting is made of.
    public struct Rates: Sendable {
        /// Bytes of file pages that are read again in a second; assumption, 30 to 1000 MB.
        public var readRate = ByteCount(150_000_000)
        /// Bytes that go into the compressor in a second; assumption, 100 to 1000 MB.
        public var compressRate = ByteCount(400_000_000)
        /// Share of the waiting in which no other task gets on; assumption, 10 to 100 %.
        public var fullShare = 0.5

        /// Creates the rates that are assumed.
        public init() {}
    }

    /// The window in which waiting is summed up.
    public static let window = SimDuration.second

    private let rates: Rates
    private var start = SimTime.zero
    private var compressed = ByteCount.zero
    private var refaulted = ByteCount.zero
    /// Waiting of some task in the window, in seconds.
    public private(set) var waited = 0.0

    /// Creates a count that has seen nothing.
    public init(_ rates: Rates = Rates()) { self.rates = rates }

    /// Waiting of all tasks in the window, in seconds.
    public var fullyWaited: Double { waited * rates.fullShare }

    /// Counts what was read again and compressed up to now.
    ///
    /// - Returns: The waiting that this took, in seconds.
    public mutating func update(_ memory: MemoryView, at now: SimTime) -> Double {
        if now - start > Self.window {
            start = now
            waited = 0
        }
        let read = max(.zero, memory.refaulted - refaulted) / rates.readRate
        let packed = max(.zero, memory.compressed - compressed) / rates.compressRate
        (refaulted, compressed) = (memory.refaulted, memory.compressed)
        waited += read + packed
        return read + packed
    }
}
