/// One queue per priority band, as the kernel's buckets: the head dies first, every set goes to the tail.
///
/// The links lie in arrays indexed by process, so that every move takes constant time and allocates nothing.
struct BandQueues: Sendable {
    private var next: [Int32]
    private var previous: [Int32]
    private var heads = [Int32](repeating: -1, count: BandQueues.bands)
    private var tails = [Int32](repeating: -1, count: BandQueues.bands)
    private(set) var counts = [Int32](repeating: 0, count: BandQueues.bands)

    /// Bands lie between 0 and 210.
    static let bands = 211
    /// Marks a process that stands in no queue.
    private static let absent: Int32 = -2

    /// Creates empty queues for the processes below `capacity`.
    init(capacity: Int) {
        next = Array(repeating: BandQueues.absent, count: capacity)
        previous = Array(repeating: BandQueues.absent, count: capacity)
    }

    func contains(_ process: Int) -> Bool { next[process] != BandQueues.absent }
    /// Who dies first in a band; negative for nobody.
    func head(of band: Int16) -> Int { Int(heads[Int(band)]) }
    /// Who comes after a process; negative for nobody.
    func next(after process: Int) -> Int { Int(next[process]) }

    /// Puts a process at the end of a band's queue; it must stand in none.
    mutating func append(_ process: Int, to band: Int16) {
        let band = Int(band)
        let last = tails[band]
        next[process] = -1
        previous[process] = last
        if last >= 0 { next[Int(last)] = Int32(process) } else { heads[band] = Int32(process) }
        tails[band] = Int32(process)
        counts[band] += 1
    }

    /// Puts a process at the head of a band's queue; it must stand in none.
    mutating func prepend(_ process: Int, to band: Int16) {
        let band = Int(band)
        let first = heads[band]
        previous[process] = -1
        next[process] = first
        if first >= 0 { previous[Int(first)] = Int32(process) } else { tails[band] = Int32(process) }
        heads[band] = Int32(process)
        counts[band] += 1
    }

    /// Takes a process out of the queue of its band; nothing happens when it stands in none.
    mutating func remove(_ process: Int, from band: Int16) {
        guard contains(process) else { return }
        let band = Int(band)
        let before = previous[process]
        let after = next[process]
        if before >= 0 { next[Int(before)] = after } else { heads[band] = after }
        if after >= 0 { previous[Int(after)] = before } else { tails[band] = before }
        next[process] = BandQueues.absent
        previous[process] = BandQueues.absent
        counts[band] -= 1
    }

    /// The first process for which the condition holds, bands ascending up to one, each from its head; nil for nobody.
    func first(through top: Int16, where isWanted: (Int) -> Bool) -> Int? {
        for band in 0...top {
            var process = head(of: band)
            while process >= 0 {
                if isWanted(process) { return process }
                process = next(after: process)
            }
        }
        return nil
    }
}

/// Who belongs to which coalition: rings of processes, so that a coalition is visited in time of its own size.
struct CoalitionRings: Sendable {
    private var next: [Int32]
    private var previous: [Int32]
    /// One member of every coalition that has any.
    private var anyMember: [Int32: Int32] = [:]

    init(capacity: Int) {
        next = Array(repeating: -1, count: capacity)
        previous = next
    }

    mutating func insert(_ process: Int, in coalition: Int32) {
        guard coalition >= 0 else { return }
        let own = Int32(process)
        guard let member = anyMember[coalition] else {
            anyMember[coalition] = own
            (next[process], previous[process]) = (own, own)
            return
        }
        let last = previous[Int(member)]
        (next[process], previous[process]) = (member, last)
        next[Int(last)] = own
        previous[Int(member)] = own
    }

    mutating func remove(_ process: Int, from coalition: Int32) {
        guard coalition >= 0, next[process] >= 0 else { return }
        let (after, before) = (next[process], previous[process])
        if after == Int32(process) {
            anyMember[coalition] = nil
        } else {
            next[Int(before)] = after
            previous[Int(after)] = before
            if anyMember[coalition] == Int32(process) { anyMember[coalition] = after }
        }
        (next[process], previous[process]) = (-1, -1)
    }

    /// Shows every member, in the order in which they came.
    func forEach(in coalition: Int32, _ body: (Int) -> Void) {
        guard coalition >= 0, let first = anyMember[coalition] else { return }
        var process = first
        repeat {
            body(Int(process))
            process = next[Int(process)]
        } while process != first
    }
}
