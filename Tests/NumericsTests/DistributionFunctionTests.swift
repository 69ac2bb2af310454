// SPDX-License-Identifier: GPL-3.0-or-later
import Numerics
import Testing

/// Expected values: SciPy 1.17.1 (`scipy.stats`), which R's `qt`, `pt`, `qnorm` and `pchisq` share to these digits.
@Suite struct DistributionFunctionTests {
    @Test(arguments: [
        (1.0, 6.313751514675044, 12.706204736174705, 63.65674116287158),
        (2, 2.9199855803537256, 4.302652729749464, 9.924843200918293),
        (4, 2.131846786326651, 2.7764451051977943, 4.604094871349993),
        (9, 1.8331129326562376, 2.2621571627982053, 3.2498355415921263),
        (29, 1.6991270265334977, 2.045229642132704, 2.7563859036706053),
        (99, 1.660391156016991, 1.9842169515864176, 2.6264054572808275),
        (1e6, 1.6448551507220406, 1.9599663568141072, 2.5758342201053344),
    ])
    func `quantiles of Student's t are the tabulated ones`(df: Double, at5: Double, at2: Double, at05: Double) {
        for (tail, expected) in [(0.05, at5), (0.025, at2), (0.005, at05)] {
            let found = StudentT.upperQuantile(tail, degreesOfFreedom: df)
            #expect(abs(found / expected - 1) < 1e-11)
            #expect(abs(StudentT.upperTail(expected, degreesOfFreedom: df) / tail - 1) < 1e-11)
            #expect(abs(StudentT.quantile(1 - tail, degreesOfFreedom: df) / expected - 1) < 1e-11)
            #expect(abs(StudentT.cumulative(-expected, degreesOfFreedom: df) / tail - 1) < 1e-11)
        }
    }

    @Test(arguments: [1e-12, 1e-9, 1e-6, 1e-4])
    func `with one degree of freedom even far tails follow the closed form`(tail: Double) {
        let value = StudentT.upperQuantile(tail, degreesOfFreedom: 1)
        #expect(abs(StudentT.upperTail(value, degreesOfFreedom: 1) / tail - 1) < 1e-14)
        // Cauchy: the quantile is 1 / tan(pi tail), which is 1 / (pi tail) up to (pi tail)² / 3.
        #expect(abs(value * .pi * tail - 1) < 4 * tail * tail + 1e-14)
    }

    @Test func `the median is zero`() {
        #expect(StudentT.quantile(0.5, degreesOfFreedom: 7) == 0)
        #expect(StudentT.cumulative(0, degreesOfFreedom: 7) == 0.5)
    }

    @Test func `normal and chi-squared values are the tabulated ones`() {
        #expect(abs(NormalDistribution.quantile(0.975) - 1.959963984540054) < 1e-13)
        #expect(abs(NormalDistribution.cumulative(1.959963984540054) - 0.975) < 1e-14)
        #expect(abs(NormalDistribution.upperTail(6) / 9.865876450376946e-10 - 1) < 1e-12)
        #expect(abs(ChiSquared.upperTail(3.841458820694124, degreesOfFreedom: 1) - 0.05) < 1e-13)
        #expect(abs(ChiSquared.upperTail(18.307038053275146, degreesOfFreedom: 10) - 0.05) < 1e-13)
    }

    /// Expected: `scipy.stats.beta.ppf` 1.17.1.
    @Test(
        arguments: [
            (0.975, 10.5, 0.21719626750921053), (0.95, 5.5, 0.30574558468894947),
            (0.975, 100_000.5, 2.51190526529258e-5),
        ])
    func `quantiles of the beta distribution are SciPy's`(probability: Double, b: Double, expected: Double) {
        #expect(abs(BetaDistribution.quantile(probability, 0.5, b) / expected - 1) < 1e-9)
    }
}
