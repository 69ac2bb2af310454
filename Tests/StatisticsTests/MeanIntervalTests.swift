// SPDX-License-Identifier: GPL-3.0-or-later
import Statistics
import Testing

@Suite struct MeanIntervalTests {
    /// Expected: R's `t.test(extra)` on group 2 of `sleep`; digits from `scipy.stats.t.interval` 1.17.1.
    @Test(arguments: [(0.95, 0.8976775393767051, 3.7623224606232943), (0.9, 1.1693340350169195, 3.4906659649830796)])
    func `the interval of a mean is that of R's t-test`(level: Double, low: Double, high: Double) {
        let interval = MeanInterval(SleepData.second, level: level)
        #expect(abs(interval.mean - 2.33) < 1e-14)
        #expect(abs(interval.low - low) < 1e-12)
        #expect(abs(interval.high - high) < 1e-12)
        #expect(interval.n == 10)
    }

    @Test func `one value has a mean and an infinite interval`() {
        let interval = MeanInterval([4.5])
        #expect(interval.mean == 4.5)
        #expect(interval.low == -.infinity && interval.high == .infinity)
    }

    @Test func `equal values have an interval without width`() {
        let interval = MeanInterval([0.1, 0.1, 0.1])
        #expect(interval.mean == 0.1)
        #expect(interval.halfWidth == 0)
    }

    /// Expected: `numpy.quantile` and R's `quantile` (type 7) of 1, 2, 3, 4, 10.
    @Test(arguments: [(0, 1), (0.1, 1.4), (0.25, 2), (0.5, 3), (0.9, 7.6), (1, 10)])
    func `quantiles lie between neighbours`(fraction: Double, expected: Double) {
        #expect(abs(quantile(fraction, of: [10, 3, 1, 4, 2]) - expected) < 1e-14)
    }
}
