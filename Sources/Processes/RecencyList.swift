/// A doubly linked list of small integers, oldest first, in which every operation takes constant time.
///
/// The links live in two arrays indexed by member, so that nothing is allocated after creation.
struct RecencyList: Sendable {
    private var next: [Int32]
    private var previous: [Int32]
    private(set) var head: Int32 = -1
    private var tail: Int32 = -1

    /// Marks a number that is not in the list.
    private static let absent: Int32 = -2

    /// Creates an empty list for the numbers below `capacity`.
    init(capacity: Int) {
        next = Array(repeating: RecencyList.absent, count: capacity)
        previous = Array(repeating: RecencyList.absent, count: capacity)
    }

    func contains(_ member: Int) -> Bool { next[member] != RecencyList.absent }

    /// Puts a number at the end, wherever it was before.
    mutating func moveToTail(_ member: Int) {
        if tail == Int32(member) { return }
        remove(member)
        next[member] = -1
        previous[member] = tail
        if tail >= 0 { next[Int(tail)] = Int32(member) } else { head = Int32(member) }
        tail = Int32(member)
    }

    /// Takes a number out; nothing happens when it is not in.
    mutating func remove(_ member: Int) {
        guard contains(member) else { return }
        let before = previous[member]
        let after = next[member]
        if before >= 0 { next[Int(before)] = after } else { head = after }
        if after >= 0 { previous[Int(after)] = before } else { tail = before }
        next[member] = RecencyList.absent
        previous[member] = RecencyList.absent
    }
}
