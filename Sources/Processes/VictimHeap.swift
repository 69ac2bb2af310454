/// A four-ary heap of processes ordered by rank and, among equals, by the sequence number of their last band set.
///
/// Positions are kept per process, so that one is found, moved or removed in O(log n) without a search.
struct VictimHeap: Sendable {
    struct Entry: Sendable, BitwiseCopyable {
        var rank: Double
        var sequence: UInt64
        var process: Int32

        @inline(__always)
        static func < (left: Entry, right: Entry) -> Bool {
            left.rank != right.rank ? left.rank < right.rank : left.sequence < right.sequence
        }
    }

    private(set) var entries: [Entry] = []
    private var position: [Int32]

    /// Creates an empty heap for the processes below `capacity`.
    init(capacity: Int) {
        position = Array(repeating: -1, count: capacity)
        entries.reserveCapacity(capacity)
    }

    var isEmpty: Bool { entries.isEmpty }
    var first: Entry? { entries.first }

    func contains(_ process: Int) -> Bool { position[process] >= 0 }

    /// Puts a process in, or moves it to where its new rank belongs.
    mutating func set(_ process: Int, rank: Double, sequence: UInt64) {
        let entry = Entry(rank: rank, sequence: sequence, process: Int32(process))
        let old = Int(position[process])
        if old < 0 {
            entries.append(entry)
            siftUp(entry, from: entries.count - 1)
        } else if entry < entries[old] {
            siftUp(entry, from: old)
        } else {
            siftDown(entry, from: old)
        }
    }

    /// Takes a process out; nothing happens when it is not in.
    mutating func remove(_ process: Int) {
        let hole = Int(position[process])
        guard hole >= 0 else { return }
        position[process] = -1
        let last = entries.removeLast()
        guard hole < entries.count else { return }
        if hole > 0, last < entries[(hole - 1) / 4] {
            siftUp(last, from: hole)
        } else {
            siftDown(last, from: hole)
        }
    }

    private mutating func siftUp(_ entry: Entry, from start: Int) {
        var hole = start
        while hole > 0 {
            let parent = (hole - 1) / 4
            guard entry < entries[parent] else { break }
            place(entries[parent], at: hole)
            hole = parent
        }
        place(entry, at: hole)
    }

    private mutating func siftDown(_ entry: Entry, from start: Int) {
        var hole = start
        while true {
            let firstChild = 4 * hole + 1
            guard firstChild < entries.count else { break }
            var best = firstChild
            for child in (firstChild + 1)..<max(firstChild + 1, min(firstChild + 4, entries.count))
            where entries[child] < entries[best] {
                best = child
            }
            guard entries[best] < entry else { break }
            place(entries[best], at: hole)
            hole = best
        }
        place(entry, at: hole)
    }

    private mutating func place(_ entry: Entry, at index: Int) {
        entries[index] = entry
        position[Int(entry.process)] = Int32(index)
    }
}
