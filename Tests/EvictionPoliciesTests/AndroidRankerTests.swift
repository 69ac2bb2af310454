// SPDX-License-Identifier: GPL-3.0-or-later
import EvictionPolicies
import Quantities
import Testing
import Vocabulary

@Suite struct AndroidRankerTests {
    private func ranker(_ uses: Double, _ recency: Double, _ size: Double) -> AndroidRanker {
        adjusted(AndroidRanker()) { ($0.uses, $0.recency, $0.size, $0.spared) = (uses, recency, size, 0) }
    }

    func candidate(
        _ app: Int, seen: Double, opens: Int32, mebibytes: Double, state: ProcessState = .suspended, band: Int16 = 0
    ) -> EvictionCandidate {
        EvictionCandidate(
            app: AppID(app), band: band, state: state, footprint: .mebibytes(mebibytes),
            resident: .mebibytes(mebibytes), bandSet: .zero, launched: .zero, lastForeground: .seconds(seen),
            opens: opens, relaunchTime: .second, relaunchEnergy: .zero)
    }

    func order(_ policy: AndroidRanker, _ candidates: [EvictionCandidate]) -> [Int] {
        var policy = policy
        policy.survey(candidates, at: .seconds(1000))
        let ranks = candidates.map { policy.rank($0, at: .seconds(1000)) }
        return candidates.indices.sorted { ranks[$0] < ranks[$1] }.map { Int(candidates[$0].app.index) }
    }

    @Test func `the weighted sum of places decides among the oldest`() {
        // Places by age 0 1 2 3, by opens 3 0 1 2, by size 0 3 2 1.
        let candidates = [
            candidate(0, seen: 1, opens: 40, mebibytes: 400), candidate(1, seen: 2, opens: 10, mebibytes: 100),
            candidate(2, seen: 3, opens: 20, mebibytes: 200), candidate(3, seen: 4, opens: 30, mebibytes: 300),
        ]
        // 0: 1.5 + 0 + 0; 1: 0 + 0.35 + 0.45; 2: 0.5 + 0.7 + 0.3; 3: 1 + 1.05 + 0.15. The older of 0 and 2 is first.
        #expect(order(adjusted(AndroidRanker()) { $0.spared = 0 }, candidates) == [1, 0, 2, 3])
        #expect(order(ranker(0, 1, 0), candidates) == [0, 1, 2, 3])
        #expect(order(ranker(1, 0, 0), candidates) == [1, 2, 3, 0])
        #expect(order(ranker(0, 0, 1), candidates) == [0, 3, 2, 1])
    }

    @Test func `only the oldest few are re-ranked, and the most recent never`() {
        let candidates = (0..<12).map { candidate($0, seen: Double($0), opens: Int32(12 - $0), mebibytes: 50) }
        let byUse = adjusted(AndroidRanker()) { ($0.uses, $0.recency, $0.size) = (1, 0, 0) }
        #expect(order(byUse, candidates) == [7, 6, 5, 4, 3, 2, 1, 0, 8, 9, 10, 11])
        #expect(order(byUse, Array(candidates[..<5])) == [1, 0, 2, 3, 4])
        #expect(order(byUse, Array(candidates[..<2])) == [0, 1])
    }

    @Test func `whoever works dies after all who wait`() {
        let candidates = [
            candidate(0, seen: 1, opens: 1, mebibytes: 900, state: .background, band: 40),
            candidate(1, seen: 2, opens: 9, mebibytes: 10), candidate(2, seen: 3, opens: 9, mebibytes: 10),
        ]
        #expect(order(AndroidRanker(), candidates).last == 0)
    }
}
