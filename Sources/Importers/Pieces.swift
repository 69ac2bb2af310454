// SPDX-License-Identifier: GPL-3.0-or-later

/// List in pieces: it grows without moving its elements, and is freed piece by piece while it is read.
struct Pieces<Element> {
    /// Number of elements of a piece.
    static var piece: Int { 1 << 14 }

    /// How many elements there are.
    var count: Int { full.reduce(last.count) { $0 + $1.count } }
    var isEmpty: Bool { full.isEmpty && last.isEmpty }
    /// The first element.
    var first: Element? { full.first?.first ?? last.first }

    private var full: [[Element]] = []
    private var last: [Element] = []

    /// Adds an element; O(1).
    mutating func append(_ element: Element) {
        if last.count == last.capacity {
            if !last.isEmpty { full.append(last) }
            last = []
            last.reserveCapacity(Self.piece)
        }
        last.append(element)
    }

    /// Goes through all elements.
    func forEach(_ body: (Element) -> Void) {
        for piece in full { for element in piece { body(element) } }
        for element in last { body(element) }
    }

    /// Iterates over all elements and frees them on the way.
    mutating func drain(_ body: (Element) -> Void) {
        for index in full.indices {
            let piece = full[index]
            full[index] = []
            for element in piece { body(element) }
        }
        for element in last { body(element) }
        (full, last) = ([], [])
    }

    /// Sorts the elements; elements that compare equal keep their order.
    mutating func sort(by goesBefore: (Element, Element) -> Bool) {
        var all: [Element] = []
        all.reserveCapacity(count)
        drain { all.append($0) }
        all.sort(by: goesBefore)
        full = [all]
    }
}
