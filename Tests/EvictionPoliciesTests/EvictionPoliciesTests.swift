import EvictionPolicies
import Quantities
import Testing
import Vocabulary

@Suite struct EvictionPoliciesTests {
    func candidate(
        _ app: Int, band: Int16 = 0, mebibytes: Double = 50, seen: Double = 0, launched: Double = 0, opens: Int32 = 1
    ) -> EvictionCandidate {
        EvictionCandidate(
            app: AppID(app), band: band, state: .suspended, footprint: .mebibytes(mebibytes),
            resident: .mebibytes(mebibytes), bandSet: .zero, launched: .seconds(launched),
            lastForeground: .seconds(seen), opens: opens, relaunchTime: .seconds(1), relaunchEnergy: .zero)
    }

    @Test func `names are unique and the first is the system's own rule`() {
        let names = EvictionPolicies.all.map(\.descriptor.name)
        #expect(Set(names).count == names.count)
        #expect(names.first == "jetsam")
        #expect(["lru", "largest-first", "random"].allSatisfy(names.contains))
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
}
