// SPDX-License-Identifier: GPL-3.0-or-later
import Statistics
import Testing

@Suite struct KendallTauTests {
    @Test func `the same order gives one, the reverse minus one`() {
        #expect(kendallTauB([1, 2, 3, 4], [10, 20, 30, 40]) == 1)
        #expect(kendallTauB([1, 2, 3, 4], [4, 3, 2, 1]) == -1)
    }

    @Test func `tau-b of known answers, with and without ties`() throws {
        // The example in the documentation of scipy.stats.kendalltau.
        #expect(abs(try #require(kendallTauB([12, 2, 1, 12, 2], [1, 4, 7, 1, 0])) + 0.4714045207910317) < 1e-15)
        // By hand: pairs (1,1) (2,1) (2,3): two concordant, one tied on each side: 1 / sqrt(2 * 2).
        #expect(try #require(kendallTauB([1, 2, 2], [1, 1, 3])) == 0.5)
    }

    @Test func `ties everywhere and single things have no order`() {
        #expect(kendallTauB([1, 1, 1], [1, 2, 3]) == nil)
        #expect(kendallTauB([1], [1]) == nil)
        #expect(kendallTauB([], []) == nil)
    }
}
