// SPDX-License-Identifier: GPL-3.0-or-later

/// Entity and timer kind in one slot number: slot = entity << kindBits | kind.
///
/// An event therefore stores neither of them; both follow from the slot.
@frozen
public struct SlotLayout: Sendable, BitwiseCopyable {
    /// Number of low bits for the kind.
    public let kindBits: Int

    /// Creates a layout for up to `2^kindBits` timer kinds per entity.
    @inlinable
    public init(kindBits: Int) {
        guard (0...16).contains(kindBits) else { fatalError("kindBits must be from 0 to 16") }
        self.kindBits = kindBits
    }

    /// Number of slots for a number of entities.
    @inlinable @inline(__always)
    public func slots(entities: Int) -> Int { entities &<< kindBits }

    /// The slot of an entity's timer.
    @inlinable @inline(__always)
    public func slot(entity: Int, kind: Int) -> Int { entity &<< kindBits | kind }

    /// The entity of a slot.
    @inlinable @inline(__always)
    public func entity(of slot: Int) -> Int { slot &>> kindBits }

    /// The timer kind of a slot.
    @inlinable @inline(__always)
    public func kind(of slot: Int) -> Int { slot & (1 &<< kindBits &- 1) }
}
