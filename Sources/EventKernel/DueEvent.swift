// SPDX-License-Identifier: GPL-3.0-or-later

/// Result of a queue: a slot and the key at which it was due, or no event.
@frozen
public struct DueEvent: Equatable, Sendable, BitwiseCopyable {
    /// Time and class.
    public var key: EventKey
    /// The slot, or -1 for no event; a plain integer, because an optional costs an additional branch per event.
    public var slot: Int

    /// Creates an event.
    @inlinable @inline(__always)
    public init(key: EventKey, slot: Int) {
        self.key = key
        self.slot = slot
    }

    /// The value for no event.
    @inlinable @inline(__always)
    public static var none: DueEvent { DueEvent(key: .never, slot: -1) }
}
