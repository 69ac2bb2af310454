// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// Time for which tasks waited for memory in the current second, as in the kernel's pressure stall information.
///
/// Tasks wait while dropped file pages are read again and while memory is compressed (direct reclaim). The speeds of
/// both, and the share of the waiting time in which all tasks wait, are assumptions. Source of the window of 1 s:
/// `lmkd.cpp` and `com_android_server_am_LowMemDetector.cpp`.
public struct MemoryStalls: Sendable {
    /// Rates that convert bytes into waiting time.
    public struct Rates: Sendable {
        /// Speed of reading dropped file pages again, in bytes per second; assumption, 30 to 1000 MB.
        public var readRate = ByteCount(150_000_000)
        /// Speed of the compressor, in bytes per second; assumption, 100 to 1000 MB.
        public var compressRate = ByteCount(400_000_000)
        /// Share of the waiting time in which all tasks wait; assumption, 10 to 100 %.
        public var fullShare = 0.5

        /// Creates the assumed rates.
        public init() {}
    }

    /// The window over which waiting times are summed.
    public static let window = SimDuration.second

    private let rates: Rates
    private var start = SimTime.zero
    private var compressed = ByteCount.zero
    private var refaulted = ByteCount.zero
    /// Time for which at least one task waited in the window, in seconds.
    public private(set) var waited = 0.0

    /// Creates a count of zero.
    public init(_ rates: Rates = Rates()) { self.rates = rates }

    /// Time for which all tasks waited in the window, in seconds.
    public var fullyWaited: Double { waited * rates.fullShare }

    /// Adds the waiting for bytes that were read again or compressed since the last call.
    ///
    /// - Returns: The waiting time added, in seconds.
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
