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

    // MARK: Limits that are off by default

    private func lowest(
        _ memory: MemoryView, at seconds: Double = 100, _ change: (inout LowMemoryKiller.Parameters) -> Void
    ) -> Int? {
        var policy = LowMemoryKiller(
            adjusted(.init()) {
                $0.extraFree = .zero
                change(&$0)
            })
        return policy.highestRankToDie(memory, at: .seconds(seconds)).map { 1000 - Int($0) }
    }

    @Test func `much of the memory in swap lets anybody die`() {
        // 4096 MiB less 15 free and 300 of files: 1000 of 4781 are swapped.
        let found = [0.22, 0.20].map { limit in
            lowest(memory(free: 15, compressed: 1000)) { $0.swapUse = limit }
        }
        #expect(found == [701, 0])
        #expect(lowest(memory(free: 17, compressed: 1000)) { $0.swapUse = 0.2 } == nil)
    }

    @Test func `until Android 13 the high watermark alone kills nobody, and critical thrashing begins earlier`() {
        #expect(lowest(memory(free: 15)) { $0.lowScore = 1001 } == nil)
        #expect(lowest(memory(free: 15)) { $0.lowScore = 900 } == 900)
        func thrashing(_ factor: Double) -> Int? {
            var policy = LowMemoryKiller(
                adjusted(.init()) {
                    $0.extraFree = .zero
                    $0.criticalThrashing = factor
                })
            _ = policy.highestRankToDie(memory(free: 17), at: .seconds(10))
            return policy.highestRankToDie(memory(free: 15, refaulted: 750), at: .seconds(10.5)).map { 1000 - Int($0) }
        }
        #expect(thrashing(3) == 201 && thrashing(2) == 0)
    }

    @Test func `after a kill for thrashing few file pages kill once more`() {
        func found(_ least: Double, killed: Bool = true) -> [Int?] {
            var policy = LowMemoryKiller(
                adjusted(.init()) {
                    $0.extraFree = .zero
                    $0.leastFiles = .mebibytes(least)
                })
            func ask(_ memory: MemoryView, _ seconds: Double) -> Int? {
                policy.highestRankToDie(memory, at: .seconds(seconds)).map { 1000 - Int($0) }
            }
            _ = ask(memory(free: 15), 10)
            let first = ask(memory(free: 15, refaulted: 400), 10.5)
            if killed { policy.didEvict(candidate(0), at: .seconds(10.5)) }
            // A minute later all is forgotten but the kill.
            let short = ask(memory(free: 15, files: 250, refaulted: 400), 70)
            let enough = ask(memory(free: 15, files: 290, refaulted: 400), 71)
            return [first, short, enough, ask(memory(free: 15, files: 250, refaulted: 400), 72)]
        }
        #expect(found(0) == [201, 701, 701, 701])
        #expect(found(280) == [201, 201, 701, 701])
        #expect(found(280, killed: false) == [201, 701, 701, 701])
    }

    // MARK: Waiting for a death

    /// What lmkd says after a kill of 50 MiB at 100 s, which take so long to be free, asked at instants with so many
    /// MiB free, those of the victim with them.
    private func afterKill(
        deathTime: Double, timeout: Double = 0.1, _ questions: [(seconds: Double, free: Double)]
    ) -> [Int?] {
        var policy = LowMemoryKiller(
            adjusted(.init()) {
                $0.extraFree = .zero
                ($0.deathTime, $0.killTimeout) = (.seconds(deathTime), .seconds(timeout))
            })
        policy.didEvict(candidate(0), at: .seconds(100))
        return questions.map { question in
            policy.highestRankToDie(memory(free: question.free), at: .seconds(question.seconds))
                .map { 1000 - Int($0) }
        }
    }

    @Test func `nobody is killed while a victim dies, for a tenth of a second`() {
        // 15 MiB are free but for the victim; the marks lie at 8, 12.1 and 16.2 MiB.
        let questions = [(100, 65), (100.09, 65), (100.11, 65), (100.29, 65), (100.31, 65)]
            .map { (seconds: Double($0.0), free: Double($0.1)) }
        #expect(afterKill(deathTime: 0.3, questions) == [nil, nil, 701, 701, nil])
        #expect(afterKill(deathTime: 0.3, timeout: 0.25, questions) == [nil, nil, nil, 701, nil])
        #expect(afterKill(deathTime: 0.3, timeout: 1, questions) == [nil, nil, nil, nil, nil])
        #expect(afterKill(deathTime: 0.05, questions) == [nil, nil, nil, nil, nil])
        // Without a time to die its memory is there at once: 65 MiB are enough, 15 are not.
        #expect(afterKill(deathTime: 0, [(100, 65), (100, 15)]) == [nil, 701])
    }

    @Test func `who finds no memory waits for the victim, or for the end of the timeout`() {
        // 55 MiB with the victim's 50: below the lowest mark.
        #expect(afterKill(deathTime: 0.05, [(100, 55)]) == [nil])
        #expect(afterKill(deathTime: 0.05, [(100, 55), (100, 15)]) == [nil, 701])
        #expect(afterKill(deathTime: 0.3, [(100, 55)]) == [0])
    }

    // MARK: Stalls

    @Test func `seventy milliseconds of waiting in a second wake lmkd for one`() {
        var policy = LowMemoryKiller(
            adjusted(.init()) {
                $0.extraFree = .zero
                $0.followsStalls = true
                $0.stalls.rates.compressRate = .mebibytes(400)
                $0.stalls.rates.readRate = .mebibytes(100)
            })
        func ask(free: Double, _ compressed: Double, _ refaulted: Double, _ seconds: Double) -> Int? {
            policy.highestRankToDie(
                memory(free: free, compressed: compressed, refaulted: refaulted), at: .seconds(seconds)
            )
            .map { 1000 - Int($0) }
        }
        // Nobody waits: nobody dies, whatever is free.
        #expect(ask(free: 1, 0, 0, 10) == nil)
        // 20 MiB take 50 ms, 2 MiB of files another 20.
        #expect(ask(free: 15, 20, 0, 10.5) == nil)
        #expect(ask(free: 15, 20, 2, 10.9) == 701)
        // It looks on for a second, and what comes out of the compressor stalls nobody.
        #expect(ask(free: 15, 5, 2, 11.8) == 701 && ask(free: 17, 5, 2, 11.9) == nil)
        #expect(ask(free: 15, 5, 2, 12.0) == nil)
        // In the second after, the same is counted anew.
        #expect(ask(free: 15, 25, 2, 13.5) == nil)
    }

    @Test func `seven tenths of a second in which nobody gets on let anybody die`() {
        func found(_ share: Double, _ mebibytes: Double) -> Int? {
            var policy = LowMemoryKiller(
                adjusted(.init()) {
                    $0.extraFree = .zero
                    $0.followsStalls = true
                    $0.stalls.rates.compressRate = .mebibytes(100)
                    $0.stalls.rates.fullShare = share
                })
            _ = policy.highestRankToDie(memory(free: 15), at: .seconds(10))
            return policy.highestRankToDie(memory(free: 15, compressed: mebibytes), at: .seconds(10.2))
                .map { 1000 - Int($0) }
        }
        #expect(found(1, 69) == 701 && found(1, 71) == 0)
        #expect(found(0.5, 139) == 701 && found(0.5, 141) == 0)
    }

    @Test func `a death answers a stall: nobody else dies for it, and the next is counted from there`() {
        var policy = LowMemoryKiller(
            adjusted(.init()) {
                $0.extraFree = .zero
                $0.followsStalls = true
                $0.stalls.rates.compressRate = .mebibytes(100)
                $0.stalls.rates.fullShare = 1
            })
        func ask(_ compressed: Double, _ seconds: Double) -> Int? {
            policy.highestRankToDie(memory(free: 900, compressed: compressed), at: .seconds(seconds))
                .map { 1000 - Int($0) }
        }
        #expect(ask(0, 10) == nil)
        // Two seconds of waiting in one instant, with plenty of free memory: one dies of it.
        #expect(ask(200, 20) == 0)
        policy.didEvict(candidate(0), at: .seconds(20))
        #expect(ask(200, 20) == nil && ask(400, 20) == nil && ask(600, 20.9) == nil)
        // A second after the death only what was waited since then counts.
        #expect(ask(669, 21.5) == nil && ask(741, 21.6) == 0)
    }

    @Test func `after a death lmkd looks at memory again at its next poll`() {
        var policy = LowMemoryKiller(
            adjusted(.init()) {
                $0.extraFree = .zero
                $0.followsStalls = true
                $0.stalls.rates.compressRate = .mebibytes(400)
            })
        func ask(free: Double, _ seconds: Double) -> Int? {
            policy.highestRankToDie(memory(free: free, compressed: 40), at: .seconds(seconds)).map { 1000 - Int($0) }
        }
        // What lies in the compressor at the first look made nobody wait.
        #expect(policy.highestRankToDie(memory(free: 15, compressed: 900), at: .seconds(5)) == nil)
        #expect(policy.highestRankToDie(memory(free: 15), at: .seconds(7)) == nil)
        #expect(ask(free: 15, 10) == 701)
        policy.didEvict(candidate(0), at: .seconds(10))
        // Below the low watermark anybody may die after a death, but not before lmkd looks.
        #expect(ask(free: 11, 10) == nil && ask(free: 11, 10.009) == nil && ask(free: 11, 10.011) == 0)
        // Where tasks reclaim memory themselves they wait until it does.
        policy.didEvict(candidate(0), at: .seconds(10.02))
        #expect(ask(free: 11, 10.02) == nil && ask(free: 7, 10.02) == 0)
    }

    @Test func `ten seconds with little progress let anybody die where that is asked for`() {
        func found(_ limit: Double) -> [Int?] {
            var policy = LowMemoryKiller(
                adjusted(.init()) {
                    $0.extraFree = .zero
                    $0.followsStalls = true
                    $0.stalls.rates.compressRate = .mebibytes(100)
                    $0.stallCritical = limit
                })
            // A fifth of each second waits, and half of that is everybody's: towards 10 %.
            return (0...60).map { second in
                let view = memory(free: 15, compressed: 20 * Double(second))
                return policy.highestRankToDie(view, at: .seconds(Double(10 + second))).map { 1000 - Int($0) }
            }
        }
        #expect(Set(found(0.11).compactMap { $0 }) == [701])
        let strict = found(0.09)
        // 10 % less 0.9 to the power of the seconds: 9 % after 22.
        #expect(strict.firstIndex(of: 0).map { (21...24).contains($0) } == true && strict.last == 0)
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
