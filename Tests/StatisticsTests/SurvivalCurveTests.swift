// SPDX-License-Identifier: GPL-3.0-or-later
import Statistics
import Testing

@Suite struct SurvivalCurveTests {
    @Test func `ends and losses from sight are counted as Kaplan and Meier do`() {
        // At 1 of four, at 3 of the two still seen: 3/4, then 3/4 · 1/2. The loss at 2 only takes one out of sight.
        let curve = SurvivalCurve([(3, true), (1, true), (2, false), (4, false)])
        #expect([0.5, 1, 2, 2.9, 3, 9].map(curve.share) == [1, 0.75, 0.75, 0.75, 0.375, 0.375])
    }

    @Test func `ends at one length count together, and a loss at that length was still in sight`() {
        let curve = SurvivalCurve([(2, true), (2, false), (2, true), (5, true)])
        #expect([1, 2, 5].map(curve.share) == [1, 0.5, 0])
    }

    @Test func `nothing ended, everything lasts`() {
        #expect(SurvivalCurve([(7, false)]).share(after: 100) == 1)
    }
}
