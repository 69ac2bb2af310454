// SPDX-License-Identifier: GPL-3.0-or-later

/// A list that is stored in pieces.
///
/// The list grows without moving its elements, and can be freed piece by piece during an iteration.
struct Pieces<Element> {
    /// Number of elements of a piece.
    static var piece: Int { 1 << 14 }

    /// Number of elements.
    var count: Int { full.reduce(last.count) { $0 + $1.count } }
    var isEmpty: Bool { full.isEmpty && last.isEmpty }
    /// The first element.
    var first: Element? { full.first?.first ?? last.first }

    private var full: [[Element]] = []
    private var last: [Element] = []

    /// Adds an element in O(1).
    mutating func append(_ element: Element) {
        if last.count == last.capacity {
            if !last.isEmpty { full.append(last) }
            last = []
            last.reserveCapacity(Self.piece)
        }
        last.append(element)
    }

    /// Calls the body for each element.
    func forEach(_ body: (Element) -> Void) {
        for piece in full { for element in piece { body(element) } }
        for element in last { body(element) }
    }

    /// Calls the body for each element and frees each piece.
    mutating func drain(_ body: (Element) -> Void) {
        for index in full.indices {
            let piece = full[index]
            full[index] = []
            for element in piece { body(element) }
        }
        for element in last { body(element) }
        (full, last) = ([], [])
    }

    /// Sorts the elements.
    ///
    /// Elements that compare equal keep their order.
    mutating func sort(by goesBefore: (Element, Element) -> Bool) {
        var all: [Element] = []
        all.reserveCapacity(count)
        drain { all.append($0) }
        all.sort(by: goesBefore)
        full = [all]
    }
}
