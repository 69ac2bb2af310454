// SPDX-License-Identifier: GPL-3.0-or-later
import Statistics
import Testing

@Suite struct VerdictTests {
    @Test(arguments: [
        (-3.0, -2.0, Verdict.better), (2.0, 3.0, .worse), (-0.5, 0.5, .equivalent), (-1.0, 1.0, .equivalent),
        (0.2, 0.9, .equivalent), (0.5, 2.0, .undecided), (-5.0, 4.0, .undecided), (1.0, 2.0, .undecided),
        (-2.0, -1.0, .undecided), (-2.0, 0.3, .undecided), (-.infinity, .infinity, .undecided),
    ])
    func `an interval is held against the band`(low: Double, high: Double, expected: Verdict) {
        #expect(Verdict(low: low, high: high, band: 1, isSignificant: true, preference: .lower) == expected)
        // The mirror image of interval and preference is the same case.
        #expect(Verdict(low: -high, high: -low, band: 1, isSignificant: true, preference: .higher) == expected)
    }

    @Test func `without significance after correction nothing wins`() {
        #expect(Verdict(low: 2, high: 3, band: 1, isSignificant: false, preference: .lower) == .undecided)
        #expect(Verdict(low: -0.5, high: 0.5, band: 1, isSignificant: false, preference: .lower) == .equivalent)
    }

    @Test func `a metric without a preference is never better or worse`() {
        #expect(Verdict(low: 2, high: 3, band: 1, isSignificant: true, preference: .neither) == .neutral)
        #expect(Verdict(low: -1, high: 1, band: 1, isSignificant: true, preference: .neither) == .equivalent)
        #expect(Verdict(low: -2, high: 3, band: 1, isSignificant: false, preference: .neither) == .neutral)
    }

    @Test func `the band is a share of the baseline's mean`() {
        let comparison = PairedComparison(
            baseline: [100, 110, 90, 105, 95], alternative: [100.6, 110.4, 90.5, 105.55, 95.45])
        #expect(Verdict(comparison, adjustedP: comparison.p, equivalence: 0.01, preference: .lower) == .equivalent)
        #expect(Verdict(comparison, adjustedP: comparison.p, equivalence: 0.001, preference: .lower) == .worse)
        #expect(Verdict(comparison, adjustedP: comparison.p, equivalence: 0.001, preference: .higher) == .better)
        #expect(Verdict(comparison, adjustedP: 0.2, equivalence: 0.001, preference: .higher) == .undecided)
    }

    @Test func `a policy against itself is undecided, however wide the band`() {
        let comparison = PairedComparison(baseline: [1, 2, 3], alternative: [1, 2, 3])
        #expect(Verdict(comparison, adjustedP: comparison.p, equivalence: 1, preference: .lower) == .undecided)
    }
}
