// SPDX-License-Identifier: GPL-3.0-or-later
import Statistics
import Testing

@Suite struct PairedComparisonTests {
    /// Expected: R's `t.test(extra ~ group, paired = TRUE)` on `sleep` (t = -4.0621, df = 9, p = 0.002833, interval
    /// -2.4598858 to -0.7001142, there first minus second); further digits from `scipy.stats.ttest_rel` 1.17.1.
    @Test func `the comparison of a pair of lists is R's paired t-test`() {
        let comparison = PairedComparison(baseline: SleepData.first, alternative: SleepData.second)
        #expect(abs(comparison.difference - 1.58) < 1e-14)
        #expect(abs(comparison.low - 0.7001142367230175) < 1e-12)
        #expect(abs(comparison.high - 2.459885763276983) < 1e-12)
        #expect(abs(comparison.p / 0.002832890197384273 - 1) < 1e-11)
        #expect(comparison.n == 10)
        #expect(abs(comparison.relative - 1.58 / 0.75) < 1e-14)
        // (var(first) + var(second)) / var(second - first), by NumPy.
        #expect(abs(comparison.varianceReduction - 4.765423031727379) < 1e-12)
        #expect(abs(comparison.halfWidth - 0.8798857632769827) < 1e-12)
    }

    @Test func `the other way round only signs turn`() {
        let there = PairedComparison(baseline: SleepData.first, alternative: SleepData.second)
        let back = PairedComparison(baseline: SleepData.second, alternative: SleepData.first)
        #expect(back.difference == -there.difference)
        #expect(back.low == -there.high && back.high == -there.low)
        #expect(back.p == there.p && back.varianceReduction == there.varianceReduction)
    }

    @Test(arguments: [2, 3, 10])
    func `a list against itself differs by exactly zero`(n: Int) {
        let values = Array(SleepData.second.prefix(n))
        let comparison = PairedComparison(baseline: values, alternative: values)
        #expect(comparison.difference == 0 && comparison.low == 0 && comparison.high == 0)
        #expect(comparison.p == 1 && comparison.relative == 0)
        #expect(comparison.varianceReduction == .infinity)
    }

    @Test func `lists of zeros compare without a number that is none`() {
        let comparison = PairedComparison(baseline: [0, 0, 0], alternative: [0, 0, 0])
        #expect(comparison.difference == 0 && comparison.p == 1 && comparison.relative == 0)
        #expect(comparison.varianceReduction == 1)
    }

    @Test(arguments: [(3.0, 3.0), (3.0, 5.0), (0.0, 1.0), (0.0, 0.0)])
    func `one pair tells the difference and nothing about its certainty`(baseline: Double, alternative: Double) {
        let comparison = PairedComparison(baseline: [baseline], alternative: [alternative])
        #expect(comparison.difference == alternative - baseline)
        #expect(comparison.low == -.infinity && comparison.high == .infinity)
        #expect(comparison.p == 1 && comparison.n == 1)
        #expect(!comparison.relative.isNaN && !comparison.varianceReduction.isNaN)
        let verdict = Verdict(comparison, adjustedP: comparison.p, equivalence: 0.01, preference: .lower)
        #expect(verdict == .undecided)
    }

    @Test func `a difference that is the same in every pair is certain`() {
        let comparison = PairedComparison(baseline: [1, 2, 4], alternative: [0, 1, 3])
        #expect(comparison.low == -1 && comparison.high == -1)
        #expect(comparison.p == 0 && comparison.varianceReduction == .infinity)
    }

    @Test func `from a baseline of zero any change is infinitely large`() {
        #expect(PairedComparison(baseline: [0, 0], alternative: [1, 2]).relative == .infinity)
        #expect(PairedComparison(baseline: [0, 0], alternative: [-1, -2]).relative == -.infinity)
    }
}
