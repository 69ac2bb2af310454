// SPDX-License-Identifier: GPL-3.0-or-later

/// Several disjoint doubly linked lists over the same small integers.
///
/// A member is in at most one list.
///
/// Each list is a ring through its members and an end entry of the list. A member in no list links to itself. A removal
/// therefore needs neither the list nor a test for its ends. Every operation takes constant time. Each possible member
/// takes eight bytes.
@frozen
public struct IndexedLists: Sendable {
    @frozen @usableFromInline
    struct Link: Sendable, BitwiseCopyable {
        @usableFromInline var previous: Int32
        @usableFromInline var next: Int32

        @inlinable @inline(__always)
        init(previous: Int, next: Int) {
            self.previous = Int32(truncatingIfNeeded: previous)
            self.next = Int32(truncatingIfNeeded: next)
        }
    }

    /// One link per member, followed by one per list.
    @usableFromInline var links: [Link]
    @usableFromInline let capacity: Int

    /// Creates `lists` empty lists for the members below `capacity`.
    @inlinable
    public init(lists: Int = 1, capacity: Int) {
        guard lists > 0 && capacity >= 0 && capacity + lists <= Int(Int32.max) else {
            fatalError("the number of lists must be positive, and all indices must fit into 31 bits")
        }
        self.capacity = capacity
        links = (0..<capacity + lists).map { Link(previous: $0, next: $0) }
    }

    /// Whether a member is in any list.
    @inlinable @inline(__always)
    public func contains(_ member: Int) -> Bool { links[member].next != member }

    /// The first member of a list; nil if the list is empty.
    @inlinable @inline(__always)
    public func first(of list: Int) -> Int? { member(links[capacity &+ list].next) }

    /// The last member of a list; nil if the list is empty.
    @inlinable @inline(__always)
    public func last(of list: Int) -> Int? { member(links[capacity &+ list].previous) }

    /// The next member of the same list; nil at the end of the list.
    @inlinable @inline(__always)
    public func next(after other: Int) -> Int? { member(links[other].next) }

    @inlinable @inline(__always)
    func member(_ number: Int32) -> Int? { number < capacity ? Int(number) : nil }

    /// Moves a member from its present list, if any, to the end of `list`.
    @inlinable
    public mutating func append(_ member: Int, to list: Int) {
        guard UInt(bitPattern: member) < UInt(bitPattern: capacity) else { fatalError("no such member") }
        let end = capacity &+ list
        links.withUnsafeMutableBufferPointer { links in
            Self.unlink(member, links)
            Self.insert(member, after: Int(links[end].previous), links)
        }
    }

    /// Moves a member from its present list, if any, to the head of `list`.
    @inlinable
    public mutating func prepend(_ member: Int, to list: Int) {
        guard UInt(bitPattern: member) < UInt(bitPattern: capacity) else { fatalError("no such member") }
        let end = capacity &+ list
        links.withUnsafeMutableBufferPointer { links in
            Self.unlink(member, links)
            Self.insert(member, after: end, links)
        }
    }

    /// Removes a member from its list, if it is in a list.
    @inlinable
    public mutating func remove(_ member: Int) {
        guard UInt(bitPattern: member) < UInt(bitPattern: capacity) else { fatalError("no such member") }
        guard links[member].next != member else { return }
        links.withUnsafeMutableBufferPointer { links in
            Self.unlink(member, links)
            links[member] = Link(previous: member, next: member)
        }
    }

    /// Links the neighbours of a member to each other; nothing changes for a member in no list.
    @inlinable @inline(__always)
    static func unlink(_ member: Int, _ links: UnsafeMutableBufferPointer<Link>) {
        let own = links[member]
        links[Int(own.previous)].next = own.next
        links[Int(own.next)].previous = own.previous
    }

    @inlinable @inline(__always)
    static func insert(_ member: Int, after other: Int, _ links: UnsafeMutableBufferPointer<Link>) {
        let next = Int(links[other].next)
        links[member] = Link(previous: other, next: next)
        links[other].next = Int32(truncatingIfNeeded: member)
        links[next].previous = Int32(truncatingIfNeeded: member)
    }
}

/// One doubly linked list over small integers; see `IndexedLists`.
@frozen
public struct IndexedList: Sendable {
    @usableFromInline var lists: IndexedLists

    /// Creates an empty list for the members below `capacity`.
    @inlinable
    public init(capacity: Int) { lists = IndexedLists(capacity: capacity) }

    /// Whether the list is empty.
    @inlinable @inline(__always)
    public var isEmpty: Bool { first == nil }
    /// The first member; nil if the list is empty.
    @inlinable @inline(__always)
    public var first: Int? { lists.first(of: 0) }
    /// The last member; nil if the list is empty.
    @inlinable @inline(__always)
    public var last: Int? { lists.last(of: 0) }
    /// Whether a member is in the list.
    @inlinable @inline(__always)
    public func contains(_ member: Int) -> Bool { lists.contains(member) }
    /// The next member; nil at the end.
    @inlinable @inline(__always)
    public func next(after other: Int) -> Int? { lists.next(after: other) }
    /// Moves a member to the end, or inserts it there.
    @inlinable @inline(__always)
    public mutating func append(_ member: Int) { lists.append(member, to: 0) }
    /// Moves a member to the head, or inserts it there.
    @inlinable @inline(__always)
    public mutating func prepend(_ member: Int) { lists.prepend(member, to: 0) }
    /// Removes a member, if it is in the list.
    @inlinable @inline(__always)
    public mutating func remove(_ member: Int) { lists.remove(member) }
}
