// SPDX-License-Identifier: GPL-3.0-or-later
import Structures

/// A cache of apps of equal size: the process table reduced to who is resident, for theory and for speed.
///
/// As caches are simulated elsewhere (libCacheSim): a trace of requests, room for a fixed number of apps, one victim
/// per miss once it is full. What the table adds, such as bands, sizes and ageing, is left out; tests hold the two to
/// each other. One request takes constant time under `leastRecentlyUsed` and `firstInFirstOut`, O(log n) under
/// `leastFrequentlyUsed`; nothing is allocated after creation.
public struct PlainCache: Sendable {
    /// Who leaves when there is no room.
    public enum Rule: String, Sendable, CaseIterable {
        /// Whose last request is longest ago.
        case leastRecentlyUsed = "lru"
        /// Who came first.
        case firstInFirstOut = "fifo"
        /// Who was requested least often, counted over absences too; among equals whose last request is longest ago.
        case leastFrequentlyUsed = "lfu"
    }

    /// Who leaves when there is no room.
    public let rule: Rule
    /// For how many apps there is room.
    public let room: Int
    /// How many apps are resident.
    public private(set) var count = 0
    /// Requests so far.
    public private(set) var requests = 0
    /// Requests so far that found their app.
    public private(set) var hits = 0

    /// The list of residents, the last to leave first; one entry more than apps, the end of the ring.
    ///
    /// Not an `IndexedList`: a whole trace runs over this one block of memory, opened once, two thirds faster.
    private var links: [Links]
    private var frequencies: FrequencyOrder

    /// Creates an empty cache for the apps numbered below `apps`.
    public init(rule: Rule, apps: Int, room: Int) {
        precondition(apps > 0 && apps < Int(UInt32.max) - 1 && room > 0, "a cache of nothing")
        self.rule = rule
        self.room = room
        links = Array(repeating: Links(), count: apps + 1)
        links[apps] = Links(previous: UInt32(apps), next: UInt32(apps))
        frequencies = FrequencyOrder(apps: rule == .leastFrequentlyUsed ? apps : 0)
    }

    /// Whether an app is resident.
    public func contains(_ app: Int) -> Bool {
        rule == .leastFrequentlyUsed ? frequencies.contains(app) : links[app].isLinked
    }

    /// Serves the requests of a trace in order; how many of them found their app.
    @discardableResult
    public mutating func request(_ trace: [UInt32]) -> Int {
        let before = hits
        switch rule {
        case .leastRecentlyUsed: requestLinked(trace, movesHits: true)
        case .firstInFirstOut: requestLinked(trace, movesHits: false)
        case .leastFrequentlyUsed: requestCounted(trace)
        }
        requests += trace.count
        return hits - before
    }

    private mutating func requestLinked(_ trace: [UInt32], movesHits: Bool) {
        let room = room
        let end = UInt32(links.count - 1)
        var (count, found) = (count, 0)
        links.withUnsafeMutableBufferPointer { links in
            for app in trace {
                precondition(app < end, "a request for an app that the cache was not made for")
                if links[Int(app)].isLinked {
                    found += 1
                    guard movesHits, links[Int(end)].next != app else { continue }
                    unlink(app, in: links)
                } else if count < room {
                    count += 1
                } else {
                    let victim = links[Int(end)].previous
                    unlink(victim, in: links)
                    links[Int(victim)] = Links()
                }
                pushFirst(app, end, in: links)
            }
        }
        self.count = count
        hits += found
    }

    private mutating func requestCounted(_ trace: [UInt32]) {
        for app in trace {
            if frequencies.contains(Int(app)) {
                hits += 1
            } else if count < room {
                count += 1
            } else {
                frequencies.removeFirst()
            }
            frequencies.recordUse(Int(app))
        }
    }
}

/// The neighbours of a resident app; an app that is not resident has none.
private struct Links: Sendable, BitwiseCopyable {
    static let absent = UInt32.max
    var previous = Links.absent
    var next = Links.absent

    var isLinked: Bool { next != Links.absent }
}

@inline(__always)
private func unlink(_ app: UInt32, in links: UnsafeMutableBufferPointer<Links>) {
    let own = links[Int(app)]
    links[Int(own.previous)].next = own.next
    links[Int(own.next)].previous = own.previous
}

@inline(__always)
private func pushFirst(_ app: UInt32, _ end: UInt32, in links: UnsafeMutableBufferPointer<Links>) {
    let first = links[Int(end)].next
    links[Int(app)] = Links(previous: end, next: first)
    links[Int(first)].previous = app
    links[Int(end)].next = app
}

/// Residents by number of requests and, among equals, by their last request.
private struct FrequencyOrder: Sendable {
    /// Requests so far and the number of the last one; smaller leaves first.
    private struct Use: Comparable, Sendable, BitwiseCopyable {
        var count: UInt32 = 0
        var last: UInt64 = 0

        static func < (left: Use, right: Use) -> Bool {
            left.count != right.count ? left.count < right.count : left.last < right.last
        }
    }

    /// Requests so far, counted over absences too.
    private var counts: [UInt32]
    private var residents: IndexedHeap<Use>
    private var clock: UInt64 = 0

    init(apps: Int) {
        counts = Array(repeating: 0, count: apps)
        residents = IndexedHeap(capacity: apps)
    }

    func contains(_ app: Int) -> Bool { residents.contains(app) }

    /// Counts a request, and puts the app in if it is not.
    mutating func recordUse(_ app: Int) {
        clock += 1
        counts[app] += 1
        residents.set(app, key: Use(count: counts[app], last: clock))
    }

    mutating func removeFirst() { _ = residents.removeFirst() }
}
