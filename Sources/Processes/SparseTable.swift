// SPDX-License-Identifier: GPL-3.0-or-later

/// One value per process.
///
/// Most processes share a common value, so only different values use memory. A read takes one more step than in an
/// array, and no branch. A write gives a process its own value, which it keeps until `reset`.
struct SparseTable<Element: BitwiseCopyable & Sendable>: Sendable {
    /// The common value, followed by the other values.
    private var values: [Element]
    /// For each process, index of its value in `values`; 0 for the common value.
    private var slots: [Int32]
    private var free: [Int32] = []

    init(_ common: Element, capacity: Int) {
        values = [common]
        slots = Array(repeating: 0, count: capacity)
    }

    /// Number of processes with their own values.
    var ownValues: Int { values.count - 1 - free.count }

    /// Whether a process has its own value.
    func hasOwnValue(_ process: Int) -> Bool { slots[process] != 0 }

    subscript(process: Int) -> Element {
        @inline(__always) get { values[Int(slots[process])] }
        @inline(__always) _modify {
            if slots[process] == 0 { claim(process) }
            yield &values[Int(slots[process])]
        }
    }

    /// Gives a process the common value again.
    mutating func reset(_ process: Int) {
        let slot = slots[process]
        guard slot != 0 else { return }
        slots[process] = 0
        free.append(slot)
    }

    @inline(never)
    private mutating func claim(_ process: Int) {
        if let slot = free.popLast() {
            values[Int(slot)] = values[0]
            slots[process] = slot
        } else {
            slots[process] = Int32(values.count)
            values.append(values[0])
        }
    }
}
