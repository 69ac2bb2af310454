// SPDX-License-Identifier: GPL-3.0-or-later
import Statistics
import Testing

@Suite struct PairedComparisonTests {
    /// Expected: R's `t.test(extra ~ group, paired = TRUE)` on `sleep` (t = -4.0621, df = 9, p = 0.002833, interval
    /// -2.4598858 to -0.7001142, there first minus second); further digits from `scipy.stats.ttest_rel` 1.17.1.
    @Test func `the comparison of a pair of lists is R's paired t-test`() {
        let comparison = PairedComparison(baseline: SleepData.first, alternative: SleepData.second)
        #expect(abs(comparison.difference - 1.58) < 1e-14)
        let student = MeanInterval(zip(SleepData.first, SleepData.second).map { $1 - $0 })
        #expect(abs(student.low - 0.7001142367230175) < 1e-12)
        #expect(abs(student.high - 2.459885763276983) < 1e-12)
        // The far end is Hall's, 5.10825181294446 by NumPy: one of the ten, 4.6, makes the differences skewed.
        #expect(abs(comparison.low - 0.7001142367230175) < 1e-12)
        #expect(abs(comparison.high - 5.108251812944461) < 1e-12)
        #expect(abs(comparison.p / 0.002832890197384273 - 1) < 1e-11)
        #expect(comparison.n == 10)
        #expect(abs(comparison.relative - 1.58 / 0.75) < 1e-14)
        // (var(first) + var(second)) / var(second - first), by NumPy.
        #expect(abs(comparison.varianceReduction - 4.765423031727379) < 1e-12)
        #expect(abs(comparison.halfWidth - (5.108251812944461 - 1.58)) < 1e-12)
    }

    /// Expected: NumPy and SciPy (`stats.skew(…, bias=False)`, `stats.t.ppf`) by Hall's formula.
    @Test func `the interval of skewed differences reaches to the side of the large ones`() {
        let changes = [0, 0, 1, 0, 2, 0, 9, 1, 0, 0.5]
        let comparison = PairedComparison(baseline: changes.map { _ in 3 }, alternative: changes.map { 3 + $0 })
        #expect(abs(comparison.low - -0.6310923779304645) < 1e-12)
        #expect(abs(comparison.high - 7.3484198492680495) < 1e-12)
        let mirrored = PairedComparison(baseline: changes.map { 3 + $0 }, alternative: changes.map { _ in 3 })
        #expect(mirrored.low == -comparison.high && mirrored.high == -comparison.low)
    }

    @Test func `the other way round only signs turn`() {
        let there = PairedComparison(baseline: SleepData.first, alternative: SleepData.second)
        let back = PairedComparison(baseline: SleepData.second, alternative: SleepData.first)
        #expect(back.difference == -there.difference)
        #expect(back.low == -there.high && back.high == -there.low)
        #expect(back.p == there.p && back.varianceReduction == there.varianceReduction)
    }

    @Test(arguments: [2, 3, 10])
    func `a list against itself says nothing of what was not seen`(n: Int) {
        let values = Array(SleepData.second.prefix(n))
        let comparison = PairedComparison(baseline: values, alternative: values)
        #expect(comparison.difference == 0 && comparison.low == -.infinity && comparison.high == .infinity)
        #expect(comparison.p == 1 && comparison.relative == 0 && comparison.differing == 0 && comparison.isTooRare)
        #expect(comparison.varianceReduction == .infinity)
        let verdict = Verdict(comparison, adjustedP: comparison.p, equivalence: 0.01, preference: .lower)
        #expect(verdict == .undecided)
    }

    @Test(arguments: [(1, 1.0), (2, 0.5), (3, 0.25), (4, 0.125)])
    func `a difference in fewer than five pairs decides nothing`(differing: Int, p: Double) {
        let baseline = [Double](repeating: 7, count: 12)
        let alternative = baseline.indices.map { $0 < differing ? 7.0 + Double(1 + $0 % 2) * 100 : 7 }
        let comparison = PairedComparison(baseline: baseline, alternative: alternative)
        #expect(comparison.differing == differing && comparison.isTooRare)
        #expect(comparison.low == -.infinity && comparison.high == .infinity)
        #expect(comparison.p == p)
        let verdict = Verdict(comparison, adjustedP: comparison.p, equivalence: 0.01, preference: .lower)
        #expect(verdict == .undecided)
    }

    @Test func `the fifth pair that differs makes an interval`() {
        let baseline = [Double](repeating: 7, count: 12)
        let alternative = baseline.indices.map { $0 < 5 ? 7.0 + Double($0 + 1) : 7 }
        let comparison = PairedComparison(baseline: baseline, alternative: alternative)
        #expect(comparison.differing == 5 && !comparison.isTooRare)
        // Mean 15 / 12; variance (55 - 12 x 1.25^2) / 11; t of 11 degrees of freedom 2.200985.
        #expect(abs(comparison.difference - comparison.low - 2.200985 * (36.25 / 11 / 12).squareRoot()) < 1e-6)
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

    @Test(arguments: [(2, 0.5), (5, 0.0625), (10, 0.001953125)])
    func `a difference that is the same in every pair has no spread to judge by`(n: Int, p: Double) {
        let baseline = (0..<n).map(Double.init)
        let comparison = PairedComparison(baseline: baseline, alternative: baseline.map { $0 - 1 })
        #expect(comparison.difference == -1 && comparison.low == -.infinity && comparison.high == .infinity)
        #expect(comparison.p == p && comparison.varianceReduction == .infinity)
    }

    @Test func `from a baseline of zero any change is infinitely large`() {
        #expect(PairedComparison(baseline: [0, 0], alternative: [1, 2]).relative == .infinity)
        #expect(PairedComparison(baseline: [0, 0], alternative: [-1, -2]).relative == -.infinity)
    }

    /// Expected by NumPy: the root of the mean of both variances, over four times six pairs.
    @Test func `pairs that agree closely beside what replications differ by get a wider interval`() {
        let baseline = [10.0, 30, 20, 40, 25, 15]
        let alternative = zip(baseline, [0.1, 0.12, 0.08, 0.11, 0.09, 0.1]).map { $0 + $1 }
        let comparison = PairedComparison(baseline: baseline, alternative: alternative)
        #expect(comparison.isWidened && !comparison.isTooRare)
        #expect(abs(comparison.high - comparison.difference - 0.45018662539571874) < 1e-12)
        #expect(abs(comparison.difference - comparison.low - 0.45018662539571874) < 1e-12)
        #expect(comparison.reason == "the pairs agree too closely for 6 replications to decide")
        // p = 1e-5 and an interval of the differences alone well above the band: and yet one pair may undo it.
        #expect(comparison.p < 0.001)
        #expect(Verdict(comparison, adjustedP: comparison.p, equivalence: 0.001, preference: .lower) == .undecided)
        #expect(Verdict(comparison, adjustedP: comparison.p, equivalence: 0.03, preference: .lower) == .equivalent)
    }

    /// Expected by SciPy: the largest share of six unseen, beta.ppf(0.975, 0.5, 6.5) = 0.33038890915155006, times what
    /// two strangers differ by, 2 / root(pi) of the same deviation of 10.804479 as above.
    @Test func `where a metric hangs on one moment an interval holds what such a pair may change`() {
        let baseline = [10.0, 30, 20, 40, 25, 15]
        let alternative = zip(baseline, [0.1, 0.12, 0.08, 0.11, 0.09, 0.1]).map { $0 + $1 }
        let comparison = PairedComparison(baseline: baseline, alternative: alternative, spread: .momentary)
        let deviation = 0.45018662539571874 * 24
        let reach = 0.33038890915155006 * deviation * 1.1283791670955126
        #expect(abs(comparison.high - comparison.difference - reach) < 1e-9)
        #expect(abs(comparison.difference - comparison.low - reach) < 1e-9)
        #expect(comparison.isWidened && comparison.reason == "the pairs agree too closely for 6 replications to decide")
        let rough = PairedComparison(baseline: baseline, alternative: alternative, level: 0.8, spread: .momentary)
        // beta.ppf(0.9, 0.5, 6.5) = 0.19436
        #expect(abs((rough.high - rough.difference) / deviation / 1.1283791670955126 - 0.19436) < 1e-4)
    }

    @Test(arguments: [(9, true), (10, false)])
    func `what few replications make most of has no interval from few pairs`(n: Int, isUneven: Bool) {
        let baseline = (0..<n).map { 10 + Double($0) }
        let alternative = baseline.map { $0 + 3 + $0.truncatingRemainder(dividingBy: 3) }
        let comparison = PairedComparison(baseline: baseline, alternative: alternative, spread: .uneven(fewest: 10))
        #expect(comparison.isTooUneven == isUneven && !comparison.isTooRare && comparison.differing == n)
        #expect((comparison.low == -.infinity) == isUneven && (comparison.high == .infinity) == isUneven)
        #expect(comparison.reason == (isUneven ? "too uneven for 9 replications, needs 10" : nil))
        let verdict = Verdict(comparison, adjustedP: comparison.p, equivalence: 0.01, preference: .lower)
        #expect(comparison.p < 1e-5 && verdict == (isUneven ? .undecided : .worse))
        let even = PairedComparison(baseline: baseline, alternative: alternative)
        #expect(isUneven || (even.low == comparison.low && even.high == comparison.high))
    }

    @Test func `an interval that reaches far enough by itself is left as it is`() {
        let comparison = PairedComparison(baseline: SleepData.first, alternative: SleepData.second)
        #expect(!comparison.isWidened && comparison.reason == nil)
    }

    @Test(
        arguments: [
            (100.0, 3e-10, 0), (100, 3e-9, 10), (0, 3e-10, 0), (0, 3e-9, 10), (1e9, 3e-4, 0), (1e9, 3e-3, 10),
        ])
    func `what differs by rounding does not differ`(size: Double, step: Double, differing: Int) {
        let baseline = (0..<10).map { size + Double($0) * 1e-3 * size }
        let alternative = baseline.enumerated().map { $1 + step * ($0 % 2 == 0 ? 2 : 2.5) }
        let comparison = PairedComparison(baseline: baseline, alternative: alternative)
        #expect(comparison.differing == differing)
        #expect(comparison.isTooRare == (differing == 0) && (comparison.p == 1) == (differing == 0))
        if differing == 0 { #expect(comparison.reason == "differs in 0 of 10 replications") }
    }

    @Test func `figures without two lists count in whatever unit`() {
        let slopes = PairedComparison(ofDifferences: [1e-12, 2e-12, 3e-12, 4e-12, 6e-12])
        #expect(slopes.differing == 5 && slopes.low > 0 && !slopes.isWidened)
        #expect(abs(slopes.difference - 3.2e-12) < 1e-24)
    }

    @Test func `reasons are told in words`() {
        func reason(_ alternative: [Double]) -> String? {
            PairedComparison(baseline: alternative.map { _ in 1 }, alternative: alternative).reason
        }
        #expect(reason([2]) == "differs in 1 of 1 replication")
        #expect(reason([1, 1, 2, 3]) == "differs in 2 of 4 replications")
        #expect(reason([2, 2, 2, 2, 2]) == "the difference is equal in every replication")
        #expect(reason([2, 3, 2, 3, 2]) == nil)
    }
}
