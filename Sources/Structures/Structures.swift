// SPDX-License-Identifier: GPL-3.0-or-later
// Structures owns the containers that several modules need: an indexed heap, linked lists over small integers, a ring
// and tables by identifier.
// In: small integers, keys and elements. Out: the same, in order. It knows no domain and no file.
// Everything is a plain value, inlinable, and allocates nothing in steady state: it lies on the path of every event.
// Read first: `IndexedHeap.swift`, `IndexedLists.swift`. The event kernel keeps queues of its own (see `TimingWheel`,
// `QuaternaryHeap`): they own raw memory, are not copyable and pack key and insertion order into one word.
