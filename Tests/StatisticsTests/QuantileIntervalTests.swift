// SPDX-License-Identifier: GPL-3.0-or-later
import RandomStreams
import Statistics
import Testing

@Suite struct QuantileIntervalTests {
    /// Expected: `scipy.stats.binom.cdf` 1.17.1.
    @Test(arguments: [
        (0.95, 200, 0.95, 184, 197), (0.5, 10, 0.95, 2, 9), (0.9, 60, 0.9, 50, 59), (0.05, 100, 0.95, 1, 11),
    ])
    func `the ranks leave half of the error on either side`(
        fraction: Double, n: Int, level: Double, low: Int, high: Int
    ) throws {
        let ranks = try #require(QuantileInterval.ranks(fraction, n: n, level: level))
        #expect(ranks == (low, high))
    }

    /// The least n at which the larger of q and 1 - q to the n is at most (1 - level) / 2.
    @Test(arguments: [(0.5, 0.95, 6), (0.95, 0.95, 72), (0.99, 0.95, 368), (0.9, 0.9, 29), (0.05, 0.95, 72)])
    func `below the least number there is a quantile and no interval`(fraction: Double, level: Double, fewest: Int) {
        #expect(QuantileInterval.fewest(fraction, level: level) == fewest)
        let values = (1...fewest).map { Double(($0 * 7919) % 10_007) }
        let enough = QuantileInterval(fraction, of: values, level: level)
        #expect(enough.low != nil && enough.high != nil && enough.n == fewest)
        let tooFew = QuantileInterval(fraction, of: Array(values.dropLast()), level: level)
        #expect(tooFew.low == nil && tooFew.high == nil)
        #expect(tooFew.value == quantile(fraction, of: Array(values.dropLast())))
    }

    @Test func `the ends are values of those ranks in rising order`() {
        let found = QuantileInterval(0.5, of: [9, 1, 8, 2, 7, 3, 6, 4, 5, 10])
        #expect(found.value == 5.5 && found.low == 2 && found.high == 9)
    }

    /// 0.9785 for the median of ten, whatever the distribution: P(2 <= B <= 8), B binomial with 10 and 1/2.
    @Test func `intervals hold the quantile as often as the binomial says`() {
        var stream = RandomStream(seed: 8, replication: 0, entity: "quantile", purpose: "coverage")
        let median = 0.6931471805599453
        var held = 0
        for _ in 0..<4000 {
            let found = QuantileInterval(0.5, of: (0..<10).map { _ in stream.exponential(mean: 1) })
            if let low = found.low, let high = found.high, low <= median, median <= high { held += 1 }
        }
        #expect(abs(Double(held) / 4000 - 0.978515625) < 3.9 * (0.9785 * 0.0215 / 4000).squareRoot())
    }
}
