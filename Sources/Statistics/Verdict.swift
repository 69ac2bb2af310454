// SPDX-License-Identifier: GPL-3.0-or-later

/// Conclusion about an alternative that a comparison supports.
///
/// A policy must not win by a difference that does not matter, however significant the difference is. Differences
/// within a band around zero, the region of practical equivalence, therefore count as equivalent. The verdict depends
/// on the position of the interval relative to this band:
///
/// | interval | verdict |
/// |---|---|
/// | inside the band, its ends included | equivalent |
/// | wholly outside, and the corrected p at most 1 - level | better or worse, by the preference |
/// | anything else, and whenever fewer than five pairs differ | undecided: add replications |
///
/// In a metric without a preferred direction, no difference is better or worse. A difference that is not equivalent is
/// then neutral, unless fewer than five pairs differ.
///
/// The whole interval must fit into the band, so `equivalent` is wrong in at most half of 1 - level of the cases. A
/// pair of one-sided tests would allow 1 - level. The interval is not corrected for several comparisons.
///
/// Source: J. K. Kruschke, Rejecting or accepting parameter values in Bayesian estimation, Advances in Methods and
/// Practices in Psychological Science 1 (2018) 270-280, doi:10.1177/2515245918771304, applied to t-intervals.
public enum Verdict: String, Sendable, CaseIterable {
    /// The difference is significant and larger than the band, in the preferred direction.
    case better
    /// The difference is significant and larger than the band, against the preferred direction.
    case worse
    /// The interval lies within the band.
    case equivalent
    /// The data do not decide.
    case undecided
    /// The metric has no preferred direction; the interval shows the size of the difference.
    case neutral = "neither way is better"

    /// Judges an interval of a difference.
    /// - Parameters:
    ///   - low: lower end of the interval of alternative minus baseline.
    ///   - high: upper end of the interval.
    ///   - band: the largest difference that does not matter, in the metric's unit, not negative.
    ///   - isSignificant: whether the p-value, corrected for all comparisons, is small enough.
    ///   - preference: the preferred direction; without one, no difference is better or worse.
    public init(low: Double, high: Double, band: Double, isSignificant: Bool, preference: Preference) {
        guard low <= high && band >= 0 else {
            fatalError("a verdict needs low <= high and a band that is not negative")
        }
        if low >= -band && high <= band {
            self = .equivalent
        } else if preference == .neither {
            self = .neutral
        } else if !isSignificant || (low <= band && high >= -band) {
            self = .undecided
        } else {
            self = (low > band) == (preference == .higher) ? .better : .worse
        }
    }

    /// Judges a paired comparison.
    /// - Parameters:
    ///   - comparison: a comparison whose interval has the same level.
    ///   - adjustedP: the corrected p-value of the comparison, or the uncorrected value of a single comparison.
    ///   - level: the confidence level; p must not exceed 1 - level.
    ///   - equivalence: the band as a share of the baseline's mean, for instance 0.01.
    ///   - preference: the preferred direction.
    public init(
        _ comparison: PairedComparison, adjustedP: Double, level: Double = 0.95, equivalence: Double,
        preference: Preference
    ) {
        self.init(
            low: comparison.low, high: comparison.high, band: equivalence * abs(comparison.baselineMean),
            isSignificant: adjustedP <= 1 - level, preference: preference)
        if self == .neutral, comparison.isTooRare { self = .undecided }
    }
}
