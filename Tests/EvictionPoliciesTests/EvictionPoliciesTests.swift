// SPDX-License-Identifier: GPL-3.0-or-later
import EvictionPolicies
import Quantities
import Testing
import Vocabulary

@Suite struct EvictionPoliciesTests {
    func candidate(
        _ app: Int, band: Int16 = 0, mebibytes: Double = 50, seen: Double = 0, launched: Double = 0, opens: Int32 = 1,
        seconds: Double = 1, joules: Double = 0
    ) -> EvictionCandidate {
        EvictionCandidate(
            app: AppID(app), band: band, state: .suspended, footprint: .mebibytes(mebibytes),
            resident: .mebibytes(mebibytes), bandSet: .zero, launched: .seconds(launched),
            lastForeground: .seconds(seen), opens: opens, relaunchTime: .seconds(seconds),
            relaunchEnergy: .joules(joules))
    }

    @Test func `names are unique and the first is the system's own rule`() {
        let names = EvictionPolicies.all.map(\.descriptor.name)
        #expect(Set(names).count == names.count)
        #expect(names.first == "jetsam")
        #expect(["lru", "largest-first", "random"].allSatisfy(names.contains))
    }

    @Test func `every entry names its source, and its defaults make a policy`() {
        for entry in EvictionPolicies.all {
            #expect(!entry.descriptor.source.isEmpty && entry.descriptor.summary.hasSuffix("."))
            var policy = entry.make(entry.descriptor.defaultArguments(seed: 3))
            #expect(policy.rank(candidate(0), at: .zero).isFinite)
            #expect(policy.killsNobody == (entry.descriptor.name == "unbounded"))
            #expect(entry.descriptor.replacesTrigger == (policy.killsNobody || policy.replacesTrigger))
            #expect(entry.descriptor.isOracle == (entry.descriptor.name == "belady"))
        }
        #expect(PolicyCatalog(eviction: EvictionPolicies.all).eviction(named: "lru") != nil)
    }

    @Test func `jetsam sees the band only`() {
        var policy = Jetsam()
        let low = policy.rank(candidate(0, band: 0, mebibytes: 1, seen: 9), at: .zero)
        #expect(low < policy.rank(candidate(1, band: 20, mebibytes: 900), at: .zero))
        #expect(low == policy.rank(candidate(2, band: 0, mebibytes: 900), at: .zero))
    }

    @Test func `each plain rule orders by its own measure`() {
        var lru = LeastRecentlyUsed()
        #expect(lru.rank(candidate(0, seen: 1), at: .zero) < lru.rank(candidate(1, seen: 2), at: .zero))
        var largest = LargestFirst()
        #expect(
            largest.rank(candidate(0, mebibytes: 9), at: .zero) < largest.rank(candidate(1, mebibytes: 8), at: .zero))
        var fifo = FirstInFirstOut()
        #expect(fifo.rank(candidate(0, launched: 1), at: .zero) < fifo.rank(candidate(1, launched: 2), at: .zero))
        var lfu = LeastFrequentlyUsed()
        #expect(lfu.rank(candidate(0, opens: 1), at: .zero) < lfu.rank(candidate(1, opens: 2), at: .zero))
    }

    @Test func `greedy dual lets what was valuable long ago fall behind`() {
        var policy = GreedyDualSizeFrequency()
        let old = policy.rank(candidate(0, mebibytes: 10, opens: 5), at: .zero)
        for round in 1...10 {
            let victim = candidate(round, mebibytes: 10, opens: 1)
            _ = policy.rank(victim, at: .zero)
            policy.didEvict(victim, at: .zero)
        }
        #expect(policy.rank(candidate(0, mebibytes: 10, opens: 5), at: .zero) == old)
        #expect(policy.rank(candidate(11, mebibytes: 10, opens: 1), at: .zero) > old)
    }

    @Test(arguments: [(0, 1), (1, 0)])
    func `greedy dual weighs waiting or energy, as its parameter says`(value: Int, victim: Int) throws {
        let entry = try #require(EvictionPolicies.all.first { $0.descriptor.name == "gdsf" })
        var policy = entry.make(PolicyArguments(values: [Double(value), 0], seed: 0))
        // App 0 is slow and frugal, app 1 fast and hungry.
        let ranks = [
            policy.rank(candidate(0, seconds: 3, joules: 1), at: .zero),
            policy.rank(candidate(1, seconds: 1, joules: 3), at: .zero),
        ]
        #expect(ranks[victim] < ranks[1 - victim])
    }

    /// The frequency of HPL-98-69R1, which begins anew after an eviction, and perfect counts, which outlive it.
    @Test(arguments: [0.0, 2])
    func `greedy dual evicts what the textbook's table evicts`(frequency: Double) throws {
        // H = L + uses × cost / size on every use; the least H dies and becomes L.
        let entry = try #require(EvictionPolicies.all.first { $0.descriptor.name == "gdsf" })
        var policy = entry.make(PolicyArguments(values: [0, frequency], seed: 0))
        var random = PolicyRandom(seed: 4)
        let sizes = (0..<30).map { _ in 10 + 190 * random.nextUniform() }
        let costs = (0..<30).map { _ in 0.3 + 2 * random.nextUniform() }
        var uses = Array(repeating: Int32(0), count: 30)
        var forgotten = uses
        var table: [Int: Double] = [:]
        var ranks: [Int: Double] = [:]
        var launched = Array(repeating: 0.0, count: 30)
        var inflation = 0.0
        var evictions = 0
        for step in 1...3000 {
            let app = Int(30 * random.nextUniform() * random.nextUniform())
            uses[app] += 1
            if table[app] == nil { launched[app] = Double(step) }
            table[app] = inflation + Double(uses[app] - forgotten[app]) * costs[app] / sizes[app]
            func view(_ app: Int) -> EvictionCandidate {
                candidate(app, mebibytes: sizes[app], launched: launched[app], opens: uses[app], seconds: costs[app])
            }
            ranks[app] = policy.rank(view(app), at: .seconds(Double(step)))
            while table.keys.reduce(0, { $0 + sizes[$1] }) > 900 {
                let expected = table.min { $0.value < $1.value }?.key
                let found = ranks.min { $0.value < $1.value }?.key
                #expect(found == expected, "step \(step)")
                guard let victim = expected, let worth = table.removeValue(forKey: victim) else { return }
                inflation = worth
                ranks[victim] = nil
                policy.didEvict(view(victim), at: .seconds(Double(step)))
                if frequency == 0 { forgotten[victim] = uses[victim] }
                evictions += 1
            }
        }
        #expect(evictions > 200)
    }

    @Test func `random victims are uniform, newcomers and survivors alike`() {
        var policy = RandomOrder(seed: 12)
        let apps = 10
        var ranks = (0..<apps).map { policy.rank(candidate($0), at: .zero) }
        var age = Array(repeating: 0, count: apps)
        var newcomers = 0
        let rounds = 20_000
        for _ in 0..<rounds {
            let victim = ranks.indices.min { ranks[$0] < ranks[$1] } ?? 0
            if age[victim] == 0 { newcomers += 1 }
            policy.didEvict(candidate(victim), at: .zero)
            for index in age.indices { age[index] += 1 }
            age[victim] = 0
            ranks[victim] = policy.rank(candidate(victim), at: .zero)
        }
        // The newcomer dies next with probability 1/10: 2,000 expected, five standard deviations are 212.
        #expect(abs(newcomers - rounds / apps) < 212)
    }

    @Test func `greedy dual renews the inflation of an app that comes back in the background`() {
        var policy = GreedyDualSizeFrequency()
        #expect(policy.rank(candidate(0, mebibytes: 10), at: .zero) == 0.1)
        let victim = candidate(1, mebibytes: 2)
        #expect(policy.rank(victim, at: .zero) == 0.5)
        policy.didEvict(victim, at: .zero)
        #expect(policy.rank(candidate(0, mebibytes: 10), at: .zero) == 0.1)
        // Nobody opened it, but its process is another.
        #expect(policy.rank(candidate(0, mebibytes: 10, launched: 5), at: .seconds(5)) == 0.6)
    }

    @Test func `fading counts are logarithms to the base of two`() {
        var policy = adjusted(LeastFrequentlyUsed()) { $0.halfLife = .day }
        func rank() -> Double { policy.rank(candidate(0, opens: 9), at: .zero) }
        policy.didOpen(AppID(0), at: .zero)
        #expect(rank() == 0)
        policy.didOpen(AppID(0), at: .zero)
        #expect(abs(rank() - 1) < 1e-12)
        // A day later two count as one; with two more they are three, each worth two of the first day.
        for _ in 0..<2 { policy.didOpen(AppID(0), at: .zero + .day) }
        #expect(abs(rank() - 2.584_962_500_721_156) < 1e-12)
        // After another day that is 1.5, and with one more 2.5, each worth four.
        policy.didOpen(AppID(0), at: .zero + .days(2))
        #expect(abs(rank() - 3.321_928_094_887_362) < 1e-12)
        // An app opened once is worth as much on day 3.32: six times in two days weigh less than once on the fourth.
        policy.didOpen(AppID(1), at: .zero + .days(4))
        #expect(policy.rank(candidate(1), at: .zero) == 4)
    }
}
