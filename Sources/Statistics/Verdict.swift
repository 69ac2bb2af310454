// SPDX-License-Identifier: GPL-3.0-or-later

/// What a comparison allows to be said about an alternative.
///
/// A difference that does not matter must not win however sure it is, so a band around zero is called equivalent: the
/// region of practical equivalence. The interval is held against it:
///
/// | interval | verdict |
/// |---|---|
/// | inside the band, its ends included | equivalent |
/// | wholly outside, and the corrected p at most 1 - level | better or worse, by the preference |
/// | anything else, and whenever fewer than five pairs differ | undecided: add replications |
///
/// Of a metric without a preferred direction nothing is better or worse: what is not equivalent is neutral, except
/// where fewer than five pairs differ.
///
/// The interval that must fit into the band is the whole one, so `equivalent` is called wrongly in at most half of
/// 1 - level of the cases (a pair of one-sided tests would allow 1 - level); it is not corrected for several
/// comparisons.
///
/// Source: J. K. Kruschke, Rejecting or accepting parameter values in Bayesian estimation, Advances in Methods and
/// Practices in Psychological Science 1 (2018) 270-280, doi:10.1177/2515245918771304, applied to t-intervals.
public enum Verdict: String, Sendable, CaseIterable {
    /// Surely, and by more than the band, in the wished direction.
    case better
    /// Surely, and by more than the band, against the wished direction.
    case worse
    /// Surely within the band.
    case equivalent
    /// The data do not tell.
    case undecided
    /// The metric describes and does not judge; the interval tells by how much it differs.
    case neutral = "neither way is better"

    /// Judges an interval of a difference.
    /// - Parameters:
    ///   - low: lower end of the interval of alternative minus baseline.
    ///   - high: its upper end.
    ///   - band: the largest difference that does not matter, in the metric's unit, not negative.
    ///   - isSignificant: whether the p-value, corrected for all comparisons made, is small enough.
    ///   - preference: which direction is wished for; without one no difference is better or worse.
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
    ///   - comparison: with the interval at the same level.
    ///   - adjustedP: the comparison's p-value after correction, or as it is if there was only one.
    ///   - level: the confidence level; p must not exceed 1 - level.
    ///   - equivalence: the band as a share of the baseline's mean, for instance 0.01.
    ///   - preference: which direction is wished for.
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
