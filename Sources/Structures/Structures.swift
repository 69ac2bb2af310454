// SPDX-License-Identifier: GPL-3.0-or-later
// Structures contains the containers that several modules need: an indexed heap, linked lists over small integers, a
// ring and tables by identifier.
// In: small integers, keys and elements. Out: the members in order. The module has no domain and no files.
// All containers are plain inlinable values. They allocate nothing in steady state, because every event uses them.
// Read first: `IndexedHeap.swift`, `IndexedLists.swift`. The event kernel has its own queues (`TimingWheel`,
// `QuaternaryHeap`), which own raw memory, are not copyable, and pack the key and the insertion order into one word.
