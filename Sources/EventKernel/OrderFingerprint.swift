// SPDX-License-Identifier: GPL-3.0-or-later

/// A running hash of events in the order of handling; equal hashes mean equal runs of a model.
@frozen
public struct OrderFingerprint: Equatable, Sendable, BitwiseCopyable {
    /// The hash so far.
    public var value: UInt64

    /// Creates a fingerprint without events.
    @inlinable @inline(__always)
    public init(value: UInt64 = 0x243f_6a88_85a3_08d3) { self.value = value }

    /// Adds an event; a swap of two events, or a change of a time, class or slot, changes the hash.
    @inlinable @inline(__always)
    public mutating func add(_ event: DueEvent) {
        let word = event.key.rawValue ^ (UInt64(truncatingIfNeeded: event.slot) &* 0x9e37_79b9_7f4a_7c15)
        value = ((value &<< 23) | (value &>> 41)) ^ word
        value = value &* 0xd6e8_feb8_6659_fd93
    }
}
