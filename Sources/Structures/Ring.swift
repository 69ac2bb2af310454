// SPDX-License-Identifier: GPL-3.0-or-later

/// A first-in, first-out queue in one circular block of memory, which doubles when it is full.
///
/// Appending and removing take constant time. While the queue fits into the block, nothing is allocated.
@frozen
public struct Ring<Element> {
    @usableFromInline var slots: [Element?]
    @usableFromInline var head = 0
    @usableFromInline var waiting = 0

    /// Creates an empty ring with memory for at least this number of elements.
    @inlinable
    public init(capacity: Int = 16) {
        guard capacity >= 0 else { fatalError("a ring must not have a negative size") }
        var size = 1
        while size < capacity { size &*= 2 }
        slots = Array(repeating: nil, count: size)
    }

    /// Number of waiting elements.
    @inlinable @inline(__always)
    public var count: Int { waiting }
    /// Whether the ring is empty.
    @inlinable @inline(__always)
    public var isEmpty: Bool { waiting == 0 }
    /// The element that has waited longest; nil if the ring is empty.
    @inlinable @inline(__always)
    public var first: Element? { waiting == 0 ? nil : slots[head] }
    /// Number of elements that fit without another allocation.
    @inlinable @inline(__always)
    public var capacity: Int { slots.count }

    /// Adds an element at the end.
    @inlinable
    public mutating func append(_ element: Element) {
        if waiting == slots.count { grow() }
        slots[(head &+ waiting) & (slots.count &- 1)] = element
        waiting &+= 1
    }

    /// Removes and returns the element that has waited longest; nil if the ring is empty.
    @inlinable
    public mutating func popFirst() -> Element? {
        guard waiting > 0 else { return nil }
        let element = slots[head]
        slots[head] = nil
        head = (head &+ 1) & (slots.count &- 1)
        waiting &-= 1
        return element
    }

    /// Drops all elements and keeps the memory.
    @inlinable
    public mutating func removeAll() {
        while popFirst() != nil {}
    }

    @inlinable @inline(never)
    mutating func grow() {
        var larger = [Element?](repeating: nil, count: 2 * slots.count)
        for index in 0..<waiting { larger[index] = slots[(head &+ index) & (slots.count &- 1)] }
        slots = larger
        head = 0
    }
}

extension Ring: Sendable where Element: Sendable {}
