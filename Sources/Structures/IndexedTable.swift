// SPDX-License-Identifier: GPL-3.0-or-later

/// An identifier that counts from 0 and can therefore be the index of a table.
public protocol TableIndex {
    /// The row of the identifier in a table, from 0.
    var tableIndex: Int { get }
}

/// One value for each of a fixed number of identifiers; access by any other identifier traps.
@frozen
public struct IndexedTable<Index: TableIndex, Element> {
    /// The values in order.
    public var elements: [Element]

    /// Creates a table of `count` equal values.
    @inlinable
    public init(repeating element: Element, count: Int) { elements = Array(repeating: element, count: count) }

    /// Creates a table of these values; the first one belongs to the first identifier.
    @inlinable
    public init(_ elements: [Element]) { self.elements = elements }

    /// Number of identifiers.
    @inlinable @inline(__always)
    public var count: Int { elements.count }

    /// The value of an identifier.
    @inlinable @inline(__always)
    public subscript(index: Index) -> Element {
        get { elements[index.tableIndex] }
        _modify { yield &elements[index.tableIndex] }
    }
}

extension IndexedTable: Sendable where Element: Sendable {}

/// One value for each of an unknown number of identifiers.
///
/// The table grows to the highest identifier that was written.
@frozen
public struct GrowingTable<Index: TableIndex, Element> {
    @usableFromInline var elements: [Element] = []
    @usableFromInline let initial: Element

    /// Creates a table in which every identifier has the initial value until another value is written.
    @inlinable
    public init(_ initial: Element) { self.initial = initial }

    /// The value of an identifier.
    @inlinable
    public subscript(index: Index) -> Element {
        get {
            let row = index.tableIndex
            return row < elements.count ? elements[row] : initial
        }
        _modify {
            while elements.count <= index.tableIndex { elements.append(initial) }
            yield &elements[index.tableIndex]
        }
    }

    /// Changes every value that was written.
    @inlinable
    public mutating func updateAll(_ change: (inout Element) -> Void) {
        for row in elements.indices { change(&elements[row]) }
    }
}

extension GrowingTable: Sendable where Element: Sendable {}
