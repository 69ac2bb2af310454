// SPDX-License-Identifier: GPL-3.0-or-later

/// One value per process.
///
/// Most processes share a common value, so only different values take memory.
///
/// A read takes one more step than in an array, and no branch. Writing gives a process a value of its own, which it
/// keeps until `reset`.
struct SparseTable<Element: BitwiseCopyable & Sendable>: Sendable {
    /// The common value, then the different ones.
    private var values: [Element]
    /// Index into the values per process; 0 for the common one.
    private var slots: [Int32]
    private var free: [Int32] = []

    init(_ common: Element, capacity: Int) {
        values = [common]
        slots = Array(repeating: 0, count: capacity)
    }

    /// Number of processes with a value of their own.
    var ownValues: Int { values.count - 1 - free.count }

    /// Whether a process has a value of its own.
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
