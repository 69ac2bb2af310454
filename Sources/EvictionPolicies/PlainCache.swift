// SPDX-License-Identifier: GPL-3.0-or-later
import Structures

/// A cache of apps of equal size: the process table reduced to resident apps, for theory and for speed.
///
/// The cache works like other cache simulators (libCacheSim). It has a trace of requests, room for a fixed number of
/// apps, and one victim per miss once it is full. Bands, sizes and ageing are omitted; tests compare the cache with the
/// table.
///
/// Under `leastRecentlyUsed` and `firstInFirstOut`, one request takes constant time. Under `sieve`, `adaptive` and
/// `smallMainGhost`, the mean time of many requests is constant. Under the others, a request takes O(log n). Nothing is
/// allocated after creation.
public struct PlainCache: Sendable {
    /// Rule that chooses the victim when there is no room.
    public enum Rule: String, Sendable, CaseIterable {
        /// The app whose last request is longest ago.
        case leastRecentlyUsed = "lru"
        /// The app that came first.
        case firstInFirstOut = "fifo"
        /// The app with the fewest requests, including those while it was absent; among equals, the one with the oldest
        /// last request.
        case leastFrequentlyUsed = "lfu"
        /// The app with the oldest second to last request, including those while it was absent. Apps with only one
        /// request come first.
        case leastRecentlyUsedTwice = "lru-2"
        /// The next app, from the oldest to the newest, that was not requested since the hand passed it (SIEVE).
        case sieve
        /// ARC: two lists by last request, one of apps requested once and one of apps requested more often, with
        /// adaptive shares.
        case adaptive = "arc"
        /// S3-FIFO: a small queue of newcomers, a main queue, and a memory of the apps that the small queue lost.
        case smallMainGhost = "s3-fifo"
    }

    /// Rule that chooses the victim when there is no room.
    public let rule: Rule
    /// Number of apps for which there is room.
    public let room: Int
    /// Number of resident apps.
    public private(set) var count = 0
    /// Requests so far.
    public private(set) var requests = 0
    /// Number of requests so far whose app was resident.
    public private(set) var hits = 0

    /// The list of residents, the last to leave first; it has one entry more than there are apps, for the end of the
    /// ring.
    ///
    /// The list is not an `IndexedList`, because one block of memory, opened once for a whole trace, runs two thirds
    /// faster.
    private var links: [Links]
    private var frequencies: UseOrder<Frequency>
    private var distances: UseOrder<LastUses>
    /// Marks of apps requested since the hand passed them, and the app at the hand; the end of the ring stands for the
    /// oldest app.
    private var marks: [Bool]
    private var hand: UInt32
    private var adaptive: AdaptiveLists
    private var smallMain: SmallMainLists

    /// Creates an empty cache for the apps numbered below `apps`.
    public init(rule: Rule, apps: Int, room: Int) {
        guard apps > 0 && apps < Int(UInt32.max) - 1 && room > 0 else {
            fatalError("a cache needs at least one app and one entry")
        }
        self.rule = rule
        self.room = room
        links = Array(repeating: Links(), count: apps + 1)
        links[apps] = Links(previous: UInt32(apps), next: UInt32(apps))
        frequencies = UseOrder(Frequency(), apps: rule == .leastFrequentlyUsed ? apps : 0)
        distances = UseOrder(LastUses(), apps: rule == .leastRecentlyUsedTwice ? apps : 0)
        marks = Array(repeating: false, count: rule == .sieve ? apps : 0)
        hand = UInt32(apps)
        adaptive = AdaptiveLists(apps: rule == .adaptive ? apps : 0, room: room)
        smallMain = SmallMainLists(apps: rule == .smallMainGhost ? apps : 0, room: room)
    }

    /// Whether an app is resident.
    public func contains(_ app: Int) -> Bool {
        switch rule {
        case .leastFrequentlyUsed: frequencies.contains(app)
        case .leastRecentlyUsedTwice: distances.contains(app)
        case .leastRecentlyUsed, .firstInFirstOut, .sieve: links[app].isLinked
        case .adaptive: adaptive.contains(app)
        case .smallMainGhost: smallMain.contains(app)
        }
    }

    /// Serves the requests of a trace in order; returns the number of requests whose app was resident.
    @discardableResult
    public mutating func request(_ trace: [UInt32]) -> Int {
        let before = hits
        switch rule {
        case .leastRecentlyUsed: requestLinked(trace, movesHits: true)
        case .firstInFirstOut: requestLinked(trace, movesHits: false)
        case .leastFrequentlyUsed: hits += Self.serve(trace, &frequencies, room: room, count: &count)
        case .leastRecentlyUsedTwice: hits += Self.serve(trace, &distances, room: room, count: &count)
        case .sieve: requestSieved(trace)
        case .adaptive:
            for app in trace where adaptive.request(Int(app)) { hits += 1 }
            count = adaptive.residents
        case .smallMainGhost:
            for app in trace where smallMain.request(Int(app)) { hits += 1 }
            count = smallMain.residents
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
                guard app < end else { fatalError("the requested app is outside the range of the cache") }
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

    /// Serves a trace with the residents ordered by departure; returns the number of requests whose app was resident.
    private static func serve<Use>(
        _ trace: [UInt32], _ order: inout UseOrder<Use>, room: Int, count: inout Int
    ) -> Int {
        var found = 0
        for app in trace {
            if order.contains(Int(app)) {
                found += 1
            } else if count < room {
                count += 1
            } else {
                order.removeFirst()
            }
            order.recordUse(Int(app))
        }
        return found
    }

    private mutating func requestSieved(_ trace: [UInt32]) {
        let end = UInt32(links.count - 1)
        for app in trace {
            guard app < end else { fatalError("the requested app is outside the range of the cache") }
            if links[Int(app)].isLinked {
                hits += 1
                marks[Int(app)] = true
                continue
            }
            if count < room {
                count += 1
            } else {
                removeAtHand(end)
            }
            links.withUnsafeMutableBufferPointer { pushFirst(app, end, in: $0) }
        }
    }

    /// Moves the hand from the oldest to the newest and round again, removing marks, until it removes an app without a
    /// mark.
    private mutating func removeAtHand(_ end: UInt32) {
        while true {
            if hand == end { hand = links[Int(end)].previous }
            let app = hand
            hand = links[Int(app)].previous
            if marks[Int(app)] {
                marks[Int(app)] = false
            } else {
                links.withUnsafeMutableBufferPointer { unlink(app, in: $0) }
                links[Int(app)] = Links()
                return
            }
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

/// Record of the requests for an app; the app with the smaller record leaves first.
private protocol RankedUse: Comparable, Sendable, BitwiseCopyable {
    /// Adds a request by its number.
    mutating func record(_ number: UInt64)
}

/// The number of requests; among equals, the last request decides.
private struct Frequency: RankedUse {
    private var count: UInt32 = 0
    private var last: UInt64 = 0

    mutating func record(_ number: UInt64) { (count, last) = (count + 1, number) }

    static func < (left: Frequency, right: Frequency) -> Bool {
        left.count != right.count ? left.count < right.count : left.last < right.last
    }
}

/// The second to last request, zero without one; among equals, the last request decides.
private struct LastUses: RankedUse {
    private var last: UInt64 = 0
    private var lastButOne: UInt64 = 0

    mutating func record(_ number: UInt64) { (last, lastButOne) = (number, last) }

    static func < (left: LastUses, right: LastUses) -> Bool {
        left.lastButOne != right.lastButOne ? left.lastButOne < right.lastButOne : left.last < right.last
    }
}

/// Residents in the order in which they leave.
private struct UseOrder<Use: RankedUse>: Sendable {
    /// Record of each app, kept while the app is absent.
    private var uses: [Use]
    private var residents: IndexedHeap<Use>
    private var clock: UInt64 = 0

    init(_ use: Use, apps: Int) {
        uses = Array(repeating: use, count: apps)
        residents = IndexedHeap(capacity: apps)
    }

    func contains(_ app: Int) -> Bool { residents.contains(app) }

    /// Counts a request, and adds the app if it is not resident.
    mutating func recordUse(_ app: Int) {
        clock += 1
        uses[app].record(clock)
        residents.set(app, key: uses[app])
    }

    mutating func removeFirst() { _ = residents.removeFirst() }
}
