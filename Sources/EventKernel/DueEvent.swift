// SPDX-License-Identifier: GPL-3.0-or-later

/// Result of a queue: a slot with the key at which it was due, or nothing.
@frozen
public struct DueEvent: Equatable, Sendable, BitwiseCopyable {
    /// Time and class.
    public var key: EventKey
    /// The slot, or -1 for nothing; a plain integer, because an optional costs a branch more per event.
    public var slot: Int

    /// Creates an event.
    @inlinable @inline(__always)
    public init(key: EventKey, slot: Int) {
        self.key = key
        self.slot = slot
    }

    /// No event is due.
    @inlinable @inline(__always)
    public static var none: DueEvent { DueEvent(key: .never, slot: -1) }
}
