// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import Measures

@Suite struct LogHistogramTests {
    @Test(arguments: [0.001, 0.5, 1, 17, 3600, 8e6]) func `a quantile is within half a percent`(value: Double) {
        var histogram = LogHistogram()
        for _ in 0..<9 { histogram.add(value) }
        histogram.add(0)
        #expect(abs(histogram.quantile(0.5) / value - 1) < 0.005)
        #expect(histogram.quantile(0.1) == 0)
        #expect(histogram.mean == histogram.sum / 10)
    }

    @Test func `values below a millisecond have no bin, and count in the sum`() {
        var histogram = LogHistogram()
        for value in [0.0005, 0.00025, 2, -1] { histogram.add(value) }
        #expect(histogram.sum == 2.00075)
        #expect(histogram.quantile(0.75) == 0)
    }

    @Test func `what was removed is as if it had never been added`() {
        var histogram = LogHistogram()
        for value in [0, 2, 40, 1e9] { histogram.add(value) }
        histogram.removeAll()
        #expect(histogram.count == 0)
        #expect(histogram.sum == 0)
        #expect(histogram.mean.isNaN)
        histogram.add(3)
        #expect(histogram.quantile(0.01) == histogram.quantile(1))
    }

    @Test func `a quantile is the value of the rank that its share reaches, rounded up`() {
        var histogram = LogHistogram()
        for value in 1...10 { histogram.add(Double(value)) }
        // Ten values: p95 is the 9.5th, so the tenth; p90 the ninth; p91 the tenth; p05 the first.
        let expected = [
            (0.05, 1.0), (0.1, 1), (0.11, 2), (0.5, 5), (0.51, 6), (0.9, 9), (0.91, 10), (0.95, 10), (1, 10),
        ]
        for (share, value) in expected {
            #expect(abs(histogram.quantile(share) / value - 1) < 0.005, "the quantile \(share)")
        }
        #expect(histogram.mean == 5.5)
    }

    /// 2,400 bins of 1 % from a millisecond on end at 2.3e7 s, after nine months.
    @Test func `values beyond the last bin count in it, and in the sum as what they are`() {
        var histogram = LogHistogram()
        for value in [1, 1e9, 1e12] { histogram.add(value) }
        #expect(histogram.sum == 1_001_000_000_001 && histogram.mean == 1_001_000_000_001 / 3)
        // The second and the third value are in the middle of the last bin: a millisecond times 1.01^2399.5.
        #expect(histogram.quantile(0.5) == histogram.quantile(1))
        #expect(abs(histogram.quantile(1) / 23_395_718.727 - 1) < 1e-9)
        #expect(abs(histogram.quantile(0.3) - 1) < 0.005)
    }
}
