// SPDX-License-Identifier: GPL-3.0-or-later
import EvictionPolicies
import Quantities
import Testing
import Vocabulary

/// Policies with a parameter become simpler ones at the ends of its range.
@Suite struct LimitCaseTests {
    /// Apps of different sizes in a memory of a kind; every request is of one app, and whoever does not fit pushes
    /// others out.
    private struct Cache {
        var policy: any EvictionPolicy
        let sizes: [Double]
        let room: Double
        var residents: [Int: Double] = [:]
        var launched: [Double]
        var seen: [Double]
        var opens: [Int32]
        var victims: [Int] = []

        init(_ policy: any EvictionPolicy, sizes: [Double], room: Double) {
            (self.policy, self.sizes, self.room) = (policy, sizes, room)
            launched = sizes.map { _ in 0 }
            seen = launched
            opens = sizes.map { _ in 0 }
        }

        func view(_ app: Int) -> EvictionCandidate {
            // A relaunch costs one second per mebibyte.
            EvictionCandidate(
                app: AppID(app), band: 0, state: .suspended, footprint: .mebibytes(sizes[app]),
                resident: .mebibytes(sizes[app]), bandSet: .seconds(seen[app]), launched: .seconds(launched[app]),
                lastForeground: .seconds(seen[app]), opens: opens[app],
                relaunchTime: .seconds(ByteCount.mebibytes(sizes[app]).mebibytes), relaunchEnergy: .zero)
        }

        mutating func open(_ app: Int, at step: Int) {
            let now = SimTime.seconds(Double(step))
            if residents[app] == nil { launched[app] = now.seconds }
            seen[app] = now.seconds
            opens[app] += 1
            policy.didOpen(AppID(app), at: now)
            residents[app] = policy.rank(view(app), at: now)
            while residents.keys.reduce(0, { $0 + sizes[$1] }) > room {
                // Equal ranks die in the order in which their bands were set, which is that of their last use.
                let victim = residents.min { ($0.value, seen[$0.key]) < ($1.value, seen[$1.key]) }?.key
                guard let victim else { return }
                residents[victim] = nil
                policy.didEvict(view(victim), at: now)
                victims.append(victim)
            }
        }
    }

    private func victims(_ policy: any EvictionPolicy, seed: UInt64, steps: Int = 2000) -> [Int] {
        var random = PolicyRandom(seed: seed)
        let sizes = (0..<30).map { _ in (10 + 190 * random.nextUniform()).rounded() }
        var cache = Cache(policy, sizes: sizes, room: 900)
        for step in 1...steps { cache.open(Int(30 * random.nextUniform() * random.nextUniform()), at: step) }
        return cache.victims
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `property 5: greedy dual size with a cost equal to the size evicts exactly like LRU`(seed: UInt64) throws {
        let entry = try #require(EvictionPolicies.all.first { $0.descriptor.name == "gdsf" })
        let plain = entry.make(PolicyArguments(values: [0, 1], seed: 0))
        let expected = victims(LeastRecentlyUsed(), seed: seed)
        #expect(expected.count > 200)
        #expect(victims(plain, seed: seed) == expected)
        #expect(victims(GreedyDualSizeFrequency(), seed: seed) != expected, "with the frequency it is another order")
    }

    @Test func `property 6: LFU with fading counts tends to LRU as its half-life goes to zero`() {
        func agreement(_ halfLife: SimDuration) -> Double {
            var (same, all) = (0, 0)
            for seed in 1...4 as ClosedRange<UInt64> {
                // Victims are compared up to the first difference, after which the memories differ as well.
                let found = victims(adjusted(LeastFrequentlyUsed()) { $0.halfLife = halfLife }, seed: seed)
                let expected = victims(LeastRecentlyUsed(), seed: seed)
                same += zip(found, expected).prefix { $0 == $1 }.count
                all += expected.count
            }
            return Double(same) / Double(all)
        }
        let towardsLRU = [1000, 30, 3, 0.1].map { agreement(.seconds($0)) }
        #expect(towardsLRU == towardsLRU.sorted() && towardsLRU[0] < 0.1 && towardsLRU[3] == 1, "\(towardsLRU)")
    }
}
