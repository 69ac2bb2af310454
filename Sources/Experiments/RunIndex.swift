// SPDX-License-Identifier: GPL-3.0-or-later

/// Index of planned runs by identity.
///
/// The index is an open hash table with four bytes per slot, and at most half of the slots are used. Identities are
/// computed by the plan; a dictionary would need some 30 MiB for a million runs. If several runs have one identity, the
/// first is found.
struct RunIndex {
    private let runs: PlannedRuns
    /// Number of the run plus one; zero for a free slot.
    private var slots: [UInt32]
    private let shift: UInt64

    /// Enters all runs of a plan, or only those with the given numbers.
    ///
    /// A plan has at most `RunLimit.runs` runs.
    init(_ runs: PlannedRuns, some numbers: [Int]? = nil) {
        self.runs = runs
        var bits = 1
        while 1 << bits < 2 * (numbers?.count ?? runs.count) { bits += 1 }
        shift = UInt64(64 - bits)
        slots = [UInt32](repeating: 0, count: 1 << bits)
        if let numbers { enter(numbers) } else { enter(runs.indices) }
    }

    private mutating func enter(_ numbers: some Sequence<Int>) {
        for number in numbers {
            let slot = slot(of: runs.identity(number))
            if slots[slot] == 0 { slots[slot] = UInt32(number + 1) }
        }
    }

    /// Number of the run with this identity; nil when the plan has none.
    subscript(identity: UInt64) -> Int? {
        let found = slots[slot(of: identity)]
        return found == 0 ? nil : Int(found) - 1
    }

    /// Slot that contains an identity, or the free slot for it.
    private func slot(of identity: UInt64) -> Int {
        // Fibonacci hashing (Knuth, The Art of Computer Programming 3, 6.4), because identities are hashes of low
        // quality.
        var slot = Int((identity &* 0x9e37_79b9_7f4a_7c15) >> shift)
        while slots[slot] != 0, runs.identity(Int(slots[slot]) - 1) != identity {
            slot = (slot + 1) & (slots.count - 1)
        }
        return slot
    }
}
