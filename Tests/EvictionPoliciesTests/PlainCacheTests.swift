// SPDX-License-Identifier: GPL-3.0-or-later
import EvictionPolicies
import RandomStreams
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
            }
        #expect(cache.request(trace) == CacheMode.hits(trace.map(Int.init), apps: 12, room: room, policy: policy))
        #expect(cache.count == room && cache.requests == 3000)
    }

    @Test(arguments: PlainCache.Rule.allCases)
    func `it keeps whom a search of all residents would keep`(rule: PlainCache.Rule) {
        let trace = Self.trace("naive \(rule)", apps: 30, length: 2000)
        var cache = PlainCache(rule: rule, apps: 30, room: 9)
        var (came, used, count) = ([Int](repeating: -1, count: 30), [Int](repeating: 0, count: 30), [0: 0])
        for (time, app) in trace.enumerated() {
            let app = Int(app)
            let residents = came.indices.filter { came[$0] >= 0 }
            let isHit = residents.contains(app)
            if !isHit, residents.count == 9 {
                let victim = residents.min {
                    switch rule {
                    case .leastRecentlyUsed: used[$0] < used[$1]
                    case .firstInFirstOut: came[$0] < came[$1]
                    case .leastFrequentlyUsed:
                        (count[$0, default: 0], used[$0]) < (count[$1, default: 0], used[$1])
                    }
                }
                came[victim ?? 0] = -1
            }
            if !isHit { came[app] = time }
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
}
