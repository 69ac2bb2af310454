// SPDX-License-Identifier: GPL-3.0-or-later

/// Members of each coalition, as rings of processes; a visit to all members takes time proportional to their number.
struct CoalitionRings: Sendable {
    private var next: [Int32]
    private var previous: [Int32]
    /// One member of each coalition that has members.
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

    /// Calls `body` with every member, in order of insertion.
    func forEach(in coalition: Int32, _ body: (Int) -> Void) {
        guard coalition >= 0, let first = anyMember[coalition] else { return }
        var process = first
        repeat {
            body(Int(process))
            process = next[Int(process)]
        } while process != first
    }
}
