// SPDX-License-Identifier: GPL-3.0-or-later
import EvictionPolicies
import Glibc
import Quantities
import RandomStreams
import Testing
import Vocabulary

@testable import Workload

/// The process table as a cache, against closed forms, against an independent count and against the optimum.
@Suite struct CacheTheoryStatisticalTests {
    // MARK: Independent references

    /// Each limit is five standard deviations of independent trials; hits correlate, which `room` keeps mild here.
    @Test(arguments: [(4, 1), (4, 2), (6, 2), (6, 4), (8, 3)])
    func `the resume share under LRU is King's, on small cases`(apps: Int, room: Int) {
        var stream = Self.stream("king \(apps) \(room)")
        let weights = Self.normalized((0..<apps).map { _ in 0.1 + stream.uniform() })
        let measured = Self.resumeShare(weights, room: room, opens: 20_000, from: &stream)
        let expected = Self.king(weights, room: room)
        let deviation = (expected * (1 - expected) / 20_000).squareRoot()
        #expect(abs(measured - expected) < 5 * deviation, "measured \(measured), theory \(expected)")
    }

    /// Che, Tung and Wang, IEEE JSAC 20(7), 2002; its error is below 0.005 for such laws and sizes (Fricker, Robert and
    /// Roberts, ITC 24, 2012, who find it accurate already for caches of tens of objects).
    @Test(arguments: [(0.8, 20), (0.8, 60), (1.2, 20)])
    func `the resume share under LRU is Che's, on large cases`(exponent: Double, room: Int) {
        var stream = Self.stream("che \(exponent) \(room)")
        let weights = Self.normalized((1...300).map { pow(Double($0), -exponent) })
        let measured = Self.resumeShare(weights, room: room, opens: 30_000, from: &stream)
        let expected = Self.che(weights, room: room)
        let deviation = (expected * (1 - expected) / 30_000).squareRoot()
        #expect(abs(measured - expected) < 5 * deviation + 0.005, "measured \(measured), theory \(expected)")
    }

    /// The plain cache: 1.5 million opens of 10,000 apps, and a tenth of the error allowed above.
    @Test(arguments: [(0.8, 100), (0.8, 1000), (1.0, 500)])
    func `the hit share of a large plain cache is Che's`(exponent: Double, room: Int) {
        var stream = Self.stream("plain che \(exponent) \(room)")
        let weights = Self.normalized((1...10_000).map { pow(Double($0), -exponent) })
        var bounds = weights
        for index in 1..<bounds.count { bounds[index] += bounds[index - 1] }
        func draw() -> UInt32 {
            let target = stream.uniform()
            var (low, high) = (0, bounds.count - 1)
            while low < high {
                let middle = (low + high) / 2
                if target < bounds[middle] { high = middle } else { low = middle + 1 }
            }
            return UInt32(low)
        }
        var cache = PlainCache(rule: .leastRecentlyUsed, apps: weights.count, room: room)
        let opens = 1_500_000
        cache.request((0..<100_000).map { _ in draw() })
        let measured = Double(cache.request((0..<opens).map { _ in draw() })) / Double(opens)
        let expected = Self.che(weights, room: room)
        let deviation = (expected * (1 - expected) / Double(opens)).squareRoot()
        #expect(abs(measured - expected) < 5 * deviation + 0.0005, "measured \(measured), theory \(expected)")
    }

    /// King's formula to three parts in ten thousand, and Gelenbe's product form, with the plain cache.
    @Test(arguments: [(6, 2), (7, 3), (8, 4)])
    func `the hit share of a small plain cache is the exact one`(apps: Int, room: Int) {
        var stream = Self.stream("plain king \(apps) \(room)")
        let weights = Self.normalized((0..<apps).map { _ in 0.1 + stream.uniform() })
        let opens = 1_000_000
        let trace = (0..<opens).map { _ in
            var left = stream.uniform()
            let app = weights.firstIndex { weight in
                left -= weight
                return left < 0
            }
            return UInt32(app ?? apps - 1)
        }
        let expected = [
            (PlainCache.Rule.leastRecentlyUsed, Self.king(weights, room: room)),
            (.firstInFirstOut, Self.gelenbe(weights, room: room)),
        ]
        for (rule, share) in expected {
            var cache = PlainCache(rule: rule, apps: apps, room: room)
            let measured = Double(cache.request(trace)) / Double(opens)
            let deviation = (share * (1 - share) / Double(opens)).squareRoot()
            #expect(abs(measured - share) < 6 * deviation, "\(rule): measured \(measured), theory \(share)")
        }
    }

    @Test func `theory agrees with itself: Che's approximation comes close to King's formula`() {
        let weights = Self.normalized((1...9).map { 1 / Double($0) })
        for room in 2...4 { #expect(abs(Self.king(weights, room: room) - Self.che(weights, room: room)) < 0.02) }
        #expect(Self.king([0.5, 0.5], room: 1) == 0.5)
    }

    // MARK: A generated workload

    @Test(arguments: [3, 5, 8, 12])
    func `LRU, LFU and the oracle hit as often as the workload's own statistics say`(room: Int) throws {
        let apps = (0..<40).map { index in
            var app = AppModel(name: "app-\(index)", category: "test")
            app.popularity = 1 / Double(index + 1)
            return app
        }
        var persona = Persona(name: "test")
        persona.installedApps = 40
        persona.pickups.perDay = 80
        persona.pickups.extraAppsMean = 1.5
        persona.pickups.extraAppsShape = 1
        persona.apps.active = 30
        persona.apps.zipf = 1.1
        persona.apps.repeatLast = 0.2
        persona.visit = LogNormal(mu: 3.4, sigma: 1, cap: 1800)
        let workload = PersonaWorkload(
            persona: persona, apps: apps, seed: 3, replication: 0, startWeekday: 0, days: 10)
        let file = WorkloadFile(of: .persona(workload), apps: apps, days: 10)
        let launches = file.launches(in: file.screenSessions).map(\.app)
        #expect(launches.count > 800)
        let statistics = WorkloadStatistics(of: file)
        let rules: [(String, any EvictionPolicy)] = [
            ("lru", LeastRecentlyUsed()), ("lfu", LeastFrequentlyUsed()), ("belady", Belady()),
        ]
        for (name, policy) in rules {
            let hits = CacheMode.hits(launches, apps: file.apps.count, room: room, policy: policy)
            let figure = try #require(statistics["\(name)_hit_c\(room)"])
            #expect(Double(hits) / Double(launches.count) == figure, "\(name)")
        }
    }

    // MARK: The optimum

    /// Rivals that leave the trigger alone and end their hits where memory ends.
    static let rivals = EvictionPolicies.all.filter { !$0.descriptor.replacesTrigger && !$0.descriptor.isOracle }

    @Test func `with equal sizes nobody beats the oracle, in ten thousand random cases`() {
        var stream = Self.stream("rivals")
        var oracleHits = 0
        var rivalHits = 0
        for round in 0..<10_000 {
            let apps = 4 + stream.integer(below: 5)
            let room = 1 + stream.integer(below: 4)
            // Squares favour some apps over others.
            let requests = (0..<16).map { _ in Int(Double(apps) * stream.uniform() * stream.uniform()) }
            let entry = Self.rivals[round % Self.rivals.count]
            let rival = entry.make(entry.descriptor.defaultArguments(seed: UInt64(round)))
            let best = CacheMode.hits(requests, apps: apps, room: room, policy: Belady())
            let other = CacheMode.hits(requests, apps: apps, room: room, policy: rival)
            #expect(other <= best, "round \(round): \(entry.descriptor.name), room \(room), \(requests)")
            oracleHits += best
            rivalHits += other
        }
        #expect(rivalHits < oracleHits - 5000)
    }

    @Test func `on tiny cases the oracle is as good as the best of all choices`() {
        var stream = Self.stream("brute force")
        for round in 0..<400 {
            let apps = 3 + stream.integer(below: 3)
            let room = 1 + stream.integer(below: 3)
            let requests = (0..<10).map { _ in stream.integer(below: apps) }
            let found = CacheMode.hits(requests, apps: apps, room: room, policy: Belady())
            #expect(found == Self.mostHits(requests[...], room: room, resident: []), "round \(round): \(requests)")
        }
    }

    // MARK: Theory

    static func stream(_ purpose: String) -> RandomStream {
        RandomStream(StreamKey(seed: 20, replication: 0, entity: "cache", purpose: purpose))
    }

    static func normalized(_ weights: [Double]) -> [Double] {
        let sum = weights.reduce(0, +)
        return weights.map { $0 / sum }
    }

    /// The share of opens that find their app once the cache is full.
    static func resumeShare(
        _ weights: [Double], room: Int, opens: Int, from stream: inout RandomStream
    ) -> Double {
        var cache = CacheMode(apps: weights.count, room: room, policy: LeastRecentlyUsed())
        var bounds = weights
        for index in 1..<bounds.count { bounds[index] += bounds[index - 1] }
        func draw() -> Int {
            let target = stream.uniform()
            return bounds.firstIndex { target < $0 } ?? bounds.count - 1
        }
        for _ in 0..<20 * room { cache.open(draw()) }
        let before = cache.hits
        for _ in 0..<opens { cache.open(draw()) }
        #expect(cache.residentApps == room)
        return Double(cache.hits - before) / Double(opens)
    }

    /// Contents i1 (latest) … im have probability p1 · p2/(1-p1) · p3/(1-p1-p2) ⋯ (King, IFIP Congress 1971).
    static func king(_ weights: [Double], room: Int) -> Double {
        var share = 0.0
        func visit(_ chosen: [Int], probability: Double, left: Double) {
            if chosen.count == room {
                share += probability * (1 - left)
                return
            }
            for app in weights.indices where !chosen.contains(app) {
                visit(chosen + [app], probability: probability * weights[app] / left, left: left - weights[app])
            }
        }
        visit([], probability: 1, left: 1)
        return share
    }

    /// Under FIFO the ordered contents have probability proportional to the product of their shares (Gelenbe, IEEE
    /// TC C-22(6), 1973).
    static func gelenbe(_ weights: [Double], room: Int) -> Double {
        var (found, total) = (0.0, 0.0)
        func visit(_ chosen: [Int], product: Double, sum: Double) {
            if chosen.count == room {
                found += product * sum
                total += product
                return
            }
            for app in weights.indices where !chosen.contains(app) {
                visit(chosen + [app], product: product * weights[app], sum: sum + weights[app])
            }
        }
        visit([], product: 1, sum: 0)
        return found / total
    }

    /// An app stays as long as fewer than `room` others were opened, taken as a fixed number of opens.
    static func che(_ weights: [Double], room: Int) -> Double {
        var (low, high) = (0.0, 1e9)
        for _ in 0..<200 {
            let middle = (low + high) / 2
            let filled = weights.reduce(0) { $0 + 1 - exp(-$1 * middle) }
            if filled < Double(room) { low = middle } else { high = middle }
        }
        return weights.reduce(0) { $0 + $1 * (1 - exp(-$1 * low)) }
    }

    /// The most hits that any sequence of evictions leaves; every launch must be let in.
    static func mostHits(_ requests: ArraySlice<Int>, room: Int, resident: Set<Int>) -> Int {
        guard let app = requests.first else { return 0 }
        let rest = requests.dropFirst()
        if resident.contains(app) { return 1 + mostHits(rest, room: room, resident: resident) }
        guard resident.count == room else { return mostHits(rest, room: room, resident: resident.union([app])) }
        return resident.map { mostHits(rest, room: room, resident: resident.subtracting([$0]).union([app])) }.max() ?? 0
    }
}
