// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Testing
import Vocabulary

@testable import EvictionPolicies

@Suite struct LowMemoryKillerTests {
    func candidate(
        _ app: Int, state: ProcessState = .suspended, band: Int16 = 0, seen: Double = 0, launched: Double = 0,
        mebibytes: Double = 50
    ) -> EvictionCandidate {
        EvictionCandidate(
            app: AppID(app), band: band, state: state, footprint: .mebibytes(mebibytes),
            resident: .mebibytes(mebibytes), bandSet: .zero, launched: .seconds(launched),
            lastForeground: .seconds(seen), opens: 1, relaunchTime: .second, relaunchEnergy: .zero)
    }

    func memory(
        free: Double, files: Double = 300, compressed: Double = 0, refaulted: Double = 0
    ) -> MemoryView {
        MemoryView(
            total: .gibibytes(4), free: .mebibytes(free), fileBacked: .mebibytes(files),
            compressed: .mebibytes(compressed), compressorLimit: .mebibytes(4000), refaulted: .mebibytes(refaulted))
    }

    func scores(_ candidates: [EvictionCandidate], at now: SimTime = .seconds(10_000)) -> [Int] {
        var scores = AdjustmentScores()
        scores.assign(to: candidates, at: now)
        return candidates.map { scores[$0.app] }
    }

    @Test func `states have the scores of Android's table`() {
        let candidates = [
            candidate(0, state: .active, band: 100), candidate(1, state: .background, band: 120),
            candidate(2, state: .background, band: 40), candidate(3, seen: 9970), candidate(4, seen: 9000),
        ]
        #expect(scores(candidates) == [0, 200, 500, 700, 900])
        // After a minute nobody is the previous app.
        #expect(scores(candidates, at: .seconds(10_031))[3...] == [900, 910])
    }

    @Test func `cached and empty processes interleave, ten slots each`() {
        let cached = (0..<4).map { candidate($0, seen: 100 - Double($0)) }
        let empty = (4..<7).map { candidate($0, seen: 1, launched: 100 - Double($0)) }
        #expect(scores(cached + empty) == [900, 910, 920, 930, 905, 915, 925])
        let many = scores((0..<25).map { candidate($0, seen: 100 - Double($0)) })
        #expect(many[..<6] == [900, 900, 910, 910, 920, 920])
        #expect(many[18...].allSatisfy { $0 == 990 })
    }

    @Test func `in a score the order is the queue's, or the heaviest first`() {
        let pair = (0..<20).map { candidate($0, seen: 100, mebibytes: 10 + Double($0)) }
        for heaviest in [false, true] {
            var policy = LowMemoryKiller(adjusted(.init()) { $0.killsHeaviest = heaviest })
            policy.survey(pair, at: .seconds(1000))
            let ranks = pair[..<2].map { policy.rank($0, at: .seconds(1000)) }
            #expect(heaviest ? ranks[1] < ranks[0] : ranks[1] == ranks[0])
        }
    }

    @Test func `watermarks are those of a kernel with four gigabytes`() {
        let marks = Watermarks(total: .gibibytes(4), extraFree: .zero)
        // 4 GiB: the root of 16 × 4,194,304 KiB is 8,192 KiB; steps of 4.096 MiB are more than a quarter of it.
        #expect(marks.least == .kibibytes(8192))
        #expect(abs(marks.low.mebibytes - 12.096) < 1e-3 && abs(marks.high.mebibytes - 16.192) < 1e-3)
        #expect(Watermarks(total: .mebibytes(512), extraFree: .zero).low == .kibibytes(2896 * 1.25))
    }

    @Test func `the decisions of the stall mode, in their order`() {
        func lowest(_ memory: MemoryView, after kill: Double? = nil) -> Int? {
            var policy = LowMemoryKiller(adjusted(.init()) { $0.extraFree = .zero })
            if let kill { policy.didEvict(candidate(0), at: .seconds(kill)) }
            return policy.highestRankToDie(memory, at: .seconds(100)).map { 1000 - Int($0) }
        }
        #expect(lowest(memory(free: 17)) == nil)
        #expect(lowest(memory(free: 17, compressed: 3900)) == nil)
        #expect(lowest(memory(free: 15)) == 701)
        #expect(lowest(memory(free: 15, compressed: 3700)) == 201)
        #expect(lowest(memory(free: 7)) == 0)
        #expect(lowest(memory(free: 11), after: 99.5) == 0)
        #expect(lowest(memory(free: 11), after: 98) == 701)
        #expect(lowest(memory(free: 15), after: 99.5) == 701)
    }

    @Test func `reading the whole file cache again within a second is thrashing, and is forgotten by halves`() {
        var thrashing = Thrashing(limit: 1)
        thrashing.update(memory(free: 15), at: .seconds(10))
        thrashing.update(memory(free: 15, refaulted: 290), at: .seconds(10.5))
        #expect(!thrashing.isOverLimit)
        thrashing.didKill()
        thrashing.update(memory(free: 15, refaulted: 310), at: .seconds(10.9))
        #expect(thrashing.isOverLimit && !thrashing.isCritical)
        thrashing.didKill()
        // Two windows later a quarter is left.
        thrashing.update(memory(free: 15, refaulted: 310), at: .seconds(12.5))
        #expect(abs(thrashing.share - 310.0 / 300 / 4) < 0.01)
        thrashing.update(memory(free: 15, refaulted: 310 + 900), at: .seconds(30))
        #expect(thrashing.isCritical)
    }

    @Test(arguments: zip([400.0, 310, 200, 120, 100, 80, 60], [nil, 950, 900, 250, 200, 100, 0]))
    func `the levels of the old mode need free and file pages to be short`(files: Double, score: Int?) {
        #expect(MinfreeLevels.lowestScore(memory(free: 50, files: files)) == score)
        #expect(MinfreeLevels.lowestScore(memory(free: 400, files: files)) == nil)
    }

    @Test func `the rank of the lowest score that may die admits that score and no lower one`() throws {
        var policy = LowMemoryKiller(adjusted(.init()) { $0.usesLevels = true })
        let candidates = (0..<10).map { candidate($0, seen: 1000 - 10 * Double($0)) }
        policy.survey(candidates, at: .seconds(5000))
        let highest = policy.highestRankToDie(memory(free: 50, files: 310), at: .seconds(5000))
        let limit = try #require(highest)
        let dying = candidates.filter { policy.rank($0, at: .seconds(5000)) <= limit }.map(\.app.index)
        #expect(dying == [5, 6, 7, 8, 9])
    }

    @Test func `what the user sees or hears dies by size, whatever the mode`() {
        for heaviest in [false, true] {
            var policy = LowMemoryKiller(adjusted(.init()) { $0.killsHeaviest = heaviest })
            let heard = [20.0, 80].enumerated().map {
                candidate($0.offset, state: .background, band: 120, mebibytes: $0.element)
            }
            policy.survey(heard, at: .seconds(1000))
            let ranks = heard.map { policy.rank($0, at: .seconds(1000)) }
            // The score of 200 leaves 800; a heavier process comes before a lighter one of its score.
            #expect(abs(ranks[0] - (800 + 1.0 / 22)) < 1e-12 && abs(ranks[1] - (800 + 1.0 / 82)) < 1e-12)
        }
    }
}
