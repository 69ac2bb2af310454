// SPDX-License-Identifier: GPL-3.0-or-later
import Statistics
import Testing

@Suite struct ShareIntervalTests {
    /// Newcombe, Two-sided confidence intervals for the single proportion, Statistics in Medicine 17 (1998) 857-872,
    /// table I, method 3: Wilson's interval of 81 of 263, 15 of 148, 0 of 20 and 1 of 29.
    @Test(arguments: [
        (81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0, 0.1611), (1, 29, 0.0061, 0.1718),
    ])
    func `Wilson's interval is the one in print`(count: Int, cases: Int, low: Double, high: Double) {
        let interval = ShareInterval(count, of: cases, level: 0.95)
        #expect(interval.share == Double(count) / Double(cases))
        #expect(abs(interval.low - low) < 5e-5 && abs(interval.high - high) < 5e-5)
    }

    @Test func `all of them and none of them mirror each other`() {
        let (none, all) = (ShareInterval(0, of: 12, level: 0.9), ShareInterval(12, of: 12, level: 0.9))
        #expect(none.low == 0 && all.high == 1)
        #expect(abs(none.high - (1 - all.low)) < 1e-12)
        #expect(none.high > 0.1 && none.high < 0.3)
    }

    /// Kendall 1938: the variance of tau of n unrelated rankings is 2 (2 n + 5) / (9 n (n - 1)), at n = 10 0.0617.
    @Test func `a tau of two standard deviations has p 0.0455`() {
        let deviation = (2.0 * 25 / (9 * 10 * 9)).squareRoot()
        #expect(abs(kendallPValue(2 * deviation, count: 10) - 0.0455) < 1e-4)
        #expect(abs(kendallPValue(-2 * deviation, count: 10) - 0.0455) < 1e-4)
        #expect(kendallPValue(0, count: 10) == 1)
        #expect(kendallPValue(1, count: 2) == 1)
    }
}
