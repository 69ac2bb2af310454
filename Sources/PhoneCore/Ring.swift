/// A queue whose first entry leaves first; it grows by doubling and allocates nothing once it is large enough.
package struct Ring<Element: BitwiseCopyable> {
    private var storage: [Element] = []
    private var head = 0
    package private(set) var count = 0

    package init() {}

    @inline(__always)
    package var isEmpty: Bool { count == 0 }

    package mutating func append(_ element: Element) {
        if count == storage.count { grow(with: element) }
        storage[(head + count) & (storage.count - 1)] = element
        count += 1
    }

    package mutating func popFirst() -> Element? {
        guard count > 0 else { return nil }
        let element = storage[head]
        head = (head + 1) & (storage.count - 1)
        count -= 1
        return element
    }

    private mutating func grow(with filler: Element) {
        var larger: [Element] = []
        larger.reserveCapacity(max(16, storage.count * 2))
        for index in 0..<count { larger.append(storage[(head + index) & (storage.count - 1)]) }
        while larger.count < max(16, storage.count * 2) { larger.append(filler) }
        storage = larger
        head = 0
    }
}
