// SPDX-License-Identifier: GPL-3.0-or-later
import EvictionPolicies
import Processes
import Quantities
import Testing
import Vocabulary

/// The whole table as a cache of equal apps under independent references, against closed forms.
///
/// With reference probabilities p, n apps and room for m: under FIFO and under random replacement the ordered
/// contents have probability proportional to the product of their p (Gelenbe, IEEE TC C-22(6), 1973); under LRU the
/// contents i1 (latest) to im have probability p1 · p2/(1-p1) · p3/(1-p1-p2) ⋯ (King, IFIP Congress 1971).
@Suite struct CacheTheoryStatisticalTests {
    static let weights = [0.34, 0.22, 0.15, 0.11, 0.08, 0.06, 0.04]
    static let room = 3

    @Test(arguments: ["lru", "fifo", "random", "jetsam"])
    func `the share of opens that find a process agrees with theory`(name: String) throws {
        let isRecency = name == "lru" || name == "jetsam"
        let expected = isRecency ? Self.kingHitRatio() : Self.gelenbeHitRatio()
        let opens = 40_000
        let measured = try Self.simulate(try makePolicy(name, seed: 5), opens: opens)
        // Successive hits correlate; five times the binomial deviation leaves a false-alarm probability below 1e-4
        // if the effective number of opens is no less than two thirds of the actual.
        let deviation = (expected * (1 - expected) / Double(opens)).squareRoot()
        #expect(abs(measured - expected) < 5 * deviation, "measured \(measured), theory \(expected)")
    }

    @Test func `theory itself: recency beats first-in first-out here, and both beat chance`() {
        #expect(Self.kingHitRatio() > Self.gelenbeHitRatio() + 0.02)
        #expect(Self.gelenbeHitRatio() > Double(Self.room) / Double(Self.weights.count) + 0.1)
    }

    /// Opens apps by the weights; memory holds `room` of them beside the one being launched.
    static func simulate(_ policy: any EvictionPolicy, opens: Int) throws -> Double {
        var phone = TestPhone(apps: weights.count, policy: policy) { $0.compressBelowShare = 0 }
        // Above the idle threshold by a little more than `room` apps of 100 MiB.
        let threshold = phone.table.memory.visible * phone.table.profile.idleShare
        let spare = phone.table.available - threshold - .mebibytes(100) * (Double(room) + 0.5)
        phone.table.setBallast(spare, at: phone.now)
        var random = PolicyRandom(seed: 77)
        var hits = 0
        for _ in 0..<opens {
            var draw = random.nextUniform()
            let app =
                weights.firstIndex {
                    draw -= $0; return draw < 0
                } ?? weights.count - 1
            if phone.open(app) == .resume { hits += 1 }
            phone.leave(app)
            phone.wait(3)
            try #require(phone.table.residentApps <= room)
            phone.table.clearKills()
        }
        return Double(hits) / Double(opens)
    }

    static func kingHitRatio() -> Double {
        var hits = 0.0
        visit([]) { contents in
            var probability = 1.0
            var left = 1.0
            for app in contents {
                probability *= weights[app] / left
                left -= weights[app]
            }
            hits += probability * (1 - left)
        }
        return hits
    }

    static func gelenbeHitRatio() -> Double {
        var hits = 0.0
        var total = 0.0
        visit([]) { contents in
            let product = contents.reduce(1) { $0 * weights[$1] }
            total += product
            hits += product * contents.reduce(0) { $0 + weights[$1] }
        }
        return hits / total
    }

    /// Every ordered choice of `room` apps.
    static func visit(_ prefix: [Int], _ body: ([Int]) -> Void) {
        if prefix.count == room { return body(prefix) }
        for app in weights.indices where !prefix.contains(app) { visit(prefix + [app], body) }
    }
}
