// SPDX-License-Identifier: GPL-3.0-or-later

/// How entity and timer kind share a slot number: slot = entity << kindBits | kind.
///
/// With it an event needs to carry neither; both are read off the slot.
@frozen
public struct SlotLayout: Sendable, BitwiseCopyable {
    /// How many low bits hold the kind.
    public let kindBits: Int

    /// Creates a layout for up to `2^kindBits` timer kinds per entity.
    @inlinable
    public init(kindBits: Int) {
        guard (0...16).contains(kindBits) else { fatalError("a slot has 0 to 16 bits for the kind") }
        self.kindBits = kindBits
    }

    /// How many slots a number of entities needs.
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
