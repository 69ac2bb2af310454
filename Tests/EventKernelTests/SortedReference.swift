// SPDX-License-Identifier: GPL-3.0-or-later
import EventKernel
import Quantities

/// The order by definition: a plain list, searched for the least (key, insertion).
struct SortedReference {
    private struct Entry {
        var key: EventKey
        var insertion: Int
        var slot: Int
    }

    private var entries: [Entry] = []
    private var insertions = 0

    var count: Int { entries.count }

    var inOrder: [DueEvent] {
        entries.sorted { ($0.key, $0.insertion) < ($1.key, $1.insertion) }.map { DueEvent(key: $0.key, slot: $0.slot) }
    }

    func key(of slot: Int) -> EventKey { entries.first { $0.slot == slot }?.key ?? .never }

    mutating func schedule(_ slot: Int, key: EventKey) {
        cancel(slot)
        entries.append(Entry(key: key, insertion: insertions, slot: slot))
        insertions += 1
    }

    mutating func cancel(_ slot: Int) { entries.removeAll { $0.slot == slot } }

    mutating func popMinimum(notAfter limit: EventKey) -> DueEvent {
        // Entries stand in insertion order, and `min` returns the first of equals.
        guard let first = entries.min(by: { $0.key < $1.key }), first.key <= limit else { return .none }
        cancel(first.slot)
        return DueEvent(key: first.key, slot: first.slot)
    }
}
