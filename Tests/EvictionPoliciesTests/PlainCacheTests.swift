// SPDX-License-Identifier: GPL-3.0-or-later
import EvictionPolicies
import RandomStreams
import TestSupport
import Testing
import Vocabulary

/// The plain cache against the process table, against a naive one, and against its own books.
@Suite struct PlainCacheTests {
    private static func trace(_ purpose: String, apps: Int, length: Int) -> [UInt32] {
        var stream = RandomStream(StreamKey(seed: 21, replication: 0, entity: "plain cache", purpose: purpose))
        return (0..<length).map { _ in UInt32(Double(apps) * stream.uniform() * stream.uniform()) }
    }

    @Test(arguments: PlainCache.Rule.allCases, [1, 3, 7])
    func `it hits as often as the process table under the same policy`(rule: PlainCache.Rule, room: Int) {
        let trace = Self.trace("table \(rule) \(room)", apps: 12, length: 3000)
        var cache = PlainCache(rule: rule, apps: 12, room: room)
        let policy: any EvictionPolicy =
            switch rule {
            case .leastRecentlyUsed: LeastRecentlyUsed()
            case .firstInFirstOut: FirstInFirstOut()
            case .leastFrequentlyUsed: LeastFrequentlyUsed()
            case .leastRecentlyUsedTwice: LeastRecentlyUsedTwice()
            case .sieve: Sieve()
            case .adaptive: AdaptiveReplacement()
            case .smallMainGhost: SmallMainGhost()
            }
        #expect(cache.request(trace) == CacheMode.hits(trace.map(Int.init), apps: 12, room: room, policy: policy))
        #expect(cache.count == room && cache.requests == 3000)
    }

    /// The two that adapt are held to the reference in Python only.
    @Test(arguments: PlainCache.Rule.allCases.filter { $0 != .adaptive && $0 != .smallMainGhost })
    func `it keeps whom a search of all residents would keep`(rule: PlainCache.Rule) {
        let trace = Self.trace("naive \(rule)", apps: 30, length: 2000)
        var cache = PlainCache(rule: rule, apps: 30, room: 9)
        var (came, used, count) = ([Int](repeating: -1, count: 30), [Int](repeating: 0, count: 30), [Int: Int]())
        var (usedBefore, marked, hand) = ([Int](repeating: -1, count: 30), Set<Int>(), 0)
        for (time, app) in trace.enumerated() {
            let app = Int(app)
            let residents = came.indices.filter { came[$0] >= 0 }
            let isHit = residents.contains(app)
            if !isHit, residents.count == 9 {
                var victim = residents.min {
                    switch rule {
                    case .leastRecentlyUsed: used[$0] < used[$1]
                    case .firstInFirstOut: came[$0] < came[$1]
                    case .leastFrequentlyUsed:
                        (count[$0, default: 0], used[$0]) < (count[$1, default: 0], used[$1])
                    case .leastRecentlyUsedTwice: (usedBefore[$0], used[$0]) < (usedBefore[$1], used[$1])
                    case .sieve, .adaptive, .smallMainGhost: false
                    }
                }
                while rule == .sieve {
                    let ring = residents.sorted { came[$0] < came[$1] }
                    let position = ring.firstIndex { came[$0] >= hand } ?? 0
                    victim = ring[position]
                    hand = position == ring.count - 1 ? 0 : came[ring[position]] + 1
                    if marked.remove(ring[position]) == nil { break }
                }
                came[victim ?? 0] = -1
            }
            if isHit { marked.insert(app) } else { came[app] = time }
            usedBefore[app] = count[app] == nil ? -1 : used[app]
            used[app] = time
            count[app, default: 0] += 1
            #expect(cache.request([UInt32(app)]) == (isHit ? 1 : 0), "request \(time)")
        }
        #expect((0..<30).allSatisfy { cache.contains($0) == (came[$0] >= 0) })
    }

    @Test func `one long trace counts the same as many short ones`() {
        let trace = Self.trace("pieces", apps: 50, length: 5000)
        var (whole, pieces) = (PlainCache(rule: .leastRecentlyUsed, apps: 50, room: 10), 0)
        var other = whole
        for start in stride(from: 0, to: 5000, by: 125) { pieces += other.request(Array(trace[start..<start + 125])) }
        #expect(whole.request(trace) == pieces && pieces == other.hits)
    }

    @Test func `it hits as often as the reference in Python, whose table is Tests/Reference/caches.csv`() throws {
        let lines = try SourceTree.text("Tests/Reference/caches.csv").split(separator: "\n").dropFirst()
        #expect(lines.count == 3 * (PlainCache.Rule.allCases.count + 3))
        // The generator of Knuth's MMIX, as in caches.py.
        var state: UInt64 = 1
        func uniform() -> Double {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double(state >> 33) / 2_147_483_648
        }
        let trace = (0..<20_000).map { _ in UInt32(200 * uniform() * uniform()) }
        for line in lines {
            let cells = line.split(separator: ",").map(String.init)
            let room = try #require(Int(cells[1]))
            guard let rule = PlainCache.Rule(rawValue: cells[0]) else {
                // Policies of a phone only, on fewer requests.
                let entry = try #require(EvictionPolicies.all.first { $0.descriptor.name == cells[0] })
                let policy = entry.make(entry.descriptor.defaultArguments(seed: 7))
                let hits = CacheMode.hits(trace.prefix(3000).map(Int.init), apps: 200, room: room, policy: policy)
                #expect(hits == Int(cells[2]), "\(line)")
                continue
            }
            var cache = PlainCache(rule: rule, apps: 200, room: room)
            #expect(cache.request(trace) == Int(cells[2]), "\(line)")
        }
    }
}
