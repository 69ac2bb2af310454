// SPDX-License-Identifier: GPL-3.0-or-later
import Structures

/// Apps in the order of a policy that ranks only apps.
///
/// The system's order decides whether an app or a daemon dies next, and the policy decides which app.
struct RankedApps: Sendable {
    typealias Heap = IndexedHeap<VictimKey>
    typealias Entry = Heap.Entry

    private var idle: Heap
    private var working: Heap
    private var protected: Heap

    init(capacity: Int) {
        idle = Heap(capacity: capacity)
        working = Heap(capacity: capacity)
        protected = Heap(capacity: capacity)
    }

    /// The victim for an entry of the system's order.
    ///
    /// A daemon is its own victim; an app is replaced by the app that the policy chooses.
    func instead(of entry: Entry, idleOnly: Bool) -> Entry {
        if protected.contains(entry.member) { return protected.first ?? entry }
        guard idle.contains(entry.member) || working.contains(entry.member) else { return entry }
        guard let idle = idle.first else { return working.first ?? entry }
        guard !idleOnly, let working = working.first else { return idle }
        return working.key < idle.key ? working : idle
    }

    /// A copy of the order of kills, with its apps in the policy's order.
    func reordered(_ entries: [Entry], idleOnly: Bool) -> [Entry] {
        var next = idle.entries
        if !idleOnly { next += working.entries }
        next.sort { $0.key < $1.key }
        if !idleOnly { next += protected.entries.sorted { $0.key < $1.key } }
        var position = 0
        return entries.map { entry in
            guard queue(of: entry.member) != .none else { return entry }
            defer { position += 1 }
            return next[position]
        }
    }

    func key(of index: Int) -> VictimKey? {
        switch queue(of: index) {
        case .none: nil
        case .idle: idle.key(of: index)
        case .working: working.key(of: index)
        case .protected: protected.key(of: index)
        }
    }

    private func queue(of index: Int) -> VictimClass {
        if idle.contains(index) { return .idle }
        if working.contains(index) { return .working }
        return protected.contains(index) ? .protected : .none
    }

    mutating func set(_ index: Int, _ key: VictimKey, _ queue: VictimClass) {
        switch queue {
        case .none: break
        case .idle: idle.set(index, key: key)
        case .working: working.set(index, key: key)
        case .protected: protected.set(index, key: key)
        }
    }

    mutating func remove(_ index: Int, _ queue: VictimClass) {
        switch queue {
        case .idle where idle.contains(index): idle.remove(index)
        case .working where working.contains(index): working.remove(index)
        case .protected where protected.contains(index): protected.remove(index)
        default: break
        }
    }
}
