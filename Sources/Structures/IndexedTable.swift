// SPDX-License-Identifier: GPL-3.0-or-later

/// An identifier that counts from 0, and so can be the index of a table.
public protocol TableIndex {
    /// The row of the table, from 0.
    var tableIndex: Int { get }
}

/// One value per identifier, for a fixed number of identifiers; any other identifier traps.
@frozen
public struct IndexedTable<Index: TableIndex, Element> {
    /// The values in order.
    public var elements: [Element]

    /// Creates a table of equal values for this number of identifiers.
    @inlinable
    public init(repeating element: Element, count: Int) { elements = Array(repeating: element, count: count) }

    /// Creates a table of these values, the first one for the first identifier.
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

/// One value per identifier, for an unknown number of identifiers: the table grows to the highest that was written.
@frozen
public struct GrowingTable<Index: TableIndex, Element> {
    @usableFromInline var elements: [Element] = []
    @usableFromInline let initial: Element

    /// Creates a table in which every identifier has the initial value until another is written.
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
}

extension GrowingTable: Sendable where Element: Sendable {}
