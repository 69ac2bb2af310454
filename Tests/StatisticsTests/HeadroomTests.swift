// SPDX-License-Identifier: GPL-3.0-or-later
import RandomStreams
import Statistics
import Testing

@Suite struct HeadroomTests {
    @Test func `the share is the mean gain over the mean gap`() {
        let headroom = Headroom(baseline: [10, 12, 14], policy: [9, 10, 12], reference: [6, 8, 9])
        // Gains 1, 2, 2; gaps 4, 4, 5.
        #expect(abs(headroom.share - 5.0 / 13) < 1e-15)
        #expect(headroom.low < headroom.share && headroom.share < headroom.high)
        #expect(headroom.n == 3)
    }

    @Test func `where nothing varies the interval is a point, and the ends are 0 and 1`() {
        let baseline = [5.0, 6, 7]
        let reference = [3.0, 4, 5]
        for (policy, share) in [(baseline, 0.0), (reference, 1), ([4.0, 5, 6], 0.5)] {
            let headroom = Headroom(baseline: baseline, policy: policy, reference: reference)
            #expect(headroom.share == share && abs(headroom.low - share) < 1e-9 && abs(headroom.high - share) < 1e-9)
        }
    }

    @Test func `at both ends of the interval gain minus share times gap is just significant`() {
        let baseline = [20.0, 25, 22, 30, 27]
        let policy = [17.0, 24, 18, 27, 22]
        let reference = [12.0, 15, 13, 20, 15]
        let headroom = Headroom(baseline: baseline, policy: policy, reference: reference, level: 0.9)
        for end in [headroom.low, headroom.high] {
            let scaled = baseline.indices.map { baseline[$0] - end * (baseline[$0] - reference[$0]) }
            #expect(abs(PairedComparison(baseline: policy, alternative: scaled).p - 0.1) < 1e-9)
        }
    }

    @Test func `a gap that may be none, or a single replication, says nothing`() {
        let small = Headroom(baseline: [1, 2, 3, 4], policy: [1, 2, 3, 3], reference: [2, 1, 4, 2])
        #expect(small.low == -.infinity && small.high == .infinity)
        #expect(Headroom(baseline: [2], policy: [1], reference: [0]).high == .infinity)
        #expect(Headroom(baseline: [2, 3], policy: [1, 1], reference: [2, 3]).share.isNaN)
    }
}

/// Seeds are fixed; the limit is 3.9 standard deviations away, crossed with probability 1e-4 by a sound method.
@Suite struct HeadroomStatisticalTests {
    @Test(arguments: [4, 10, 30])
    func `Fieller's intervals hold the true share as often as they say`(n: Int) {
        var stream = RandomStream(seed: 12, replication: 0, entity: "headroom", purpose: "coverage \(n)")
        let studies = 4000
        var held = 0
        for _ in 0..<studies {
            var lists: [[Double]] = [[], [], []]
            for _ in 0..<n {
                let shared = stream.normal(mean: 100, sd: 10)
                lists[0].append(shared + stream.normal())
                lists[1].append(shared - 4 + stream.normal())
                lists[2].append(shared - 10 + 2 * stream.normal())
            }
            let headroom = Headroom(baseline: lists[0], policy: lists[1], reference: lists[2])
            if headroom.low <= 0.4 && 0.4 <= headroom.high { held += 1 }
        }
        let share = Double(held) / Double(studies)
        #expect(abs(share - 0.95) < 3.9 * (0.95 * 0.05 / Double(studies)).squareRoot())
    }
}
