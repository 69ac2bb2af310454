// SPDX-License-Identifier: GPL-3.0-or-later
import Numerics
import Platform

/// Compares an alternative with a baseline under the same workloads, by a paired t-test and an interval.
///
/// The interval allows for skewed differences (`skewAwareInterval`). If the spread of the metric requires it, the
/// interval also allows for rare pairs that are missing from a small sample (`reach`).
///
/// Replication k of both lists must be the same workload (common random numbers). The difference within each pair is
/// then free of most of the randomness of the workload. The interval of the mean difference is therefore narrower than
/// for two independent samples; `varianceReduction` is the factor.
///
///     let change = PairedComparison(baseline: lru, alternative: largestFirst, level: 0.95)
///     change.difference, change.low, change.high, change.p
public struct PairedComparison: Equatable, Sendable {
    /// Mean of alternative minus baseline; exactly zero if it is no more than rounding, see `resolution`.
    public let difference: Double
    /// Lower end of the interval of the difference; minus infinity if too few pairs differ, see `isTooRare`.
    public private(set) var low: Double
    /// Upper end of the interval of the difference; infinity if too few pairs differ.
    public private(set) var high: Double
    /// Probability of a mean difference at least as large in either direction if the true difference were zero.
    ///
    /// The value is 1 if the mean difference is zero, and never 0. If differences are rare or equal, it is at least
    /// 2^(1-k) for k pairs that differ. This is the smallest value that changing the signs of k differences can give.
    public let p: Double
    /// Number of pairs.
    public let n: Int
    /// Number of pairs whose values differ by more than rounding, see `resolution`.
    public let differing: Int
    /// Spread of the metric over replications.
    public let spread: Spread
    /// Whether the interval was widened because the pairs agree closely compared with the variation between
    /// replications.
    public let isWidened: Bool
    /// Difference as a share of the baseline's mean; zero without a difference, infinite if the baseline's mean is
    /// zero.
    public let relative: Double
    /// Factor by which pairing divided the variance of the difference, compared with independent workloads.
    ///
    /// If the factor is above 1, pairing helped. The factor is infinite if all differences are equal. It is 1 if it
    /// cannot be estimated: for a single pair, or if neither list varies.
    public let varianceReduction: Double
    /// Standard deviation of the differences; zero for a single pair.
    public let deviation: Double
    /// Mean of the baseline.
    public let baselineMean: Double
    /// Mean of the alternative.
    public let alternativeMean: Double

    /// Compares two lists pair by pair.
    /// - Parameters:
    ///   - baseline: one number per replication, at least one, all finite.
    ///   - alternative: the same number of values, in the same order of replications.
    ///   - level: the share of such intervals that contain the true difference, strictly between 0 and 1.
    ///   - spread: spread of the metric over replications.
    ///   - resolution: the largest difference that counts as zero, in the unit of the values.
    public init(
        baseline: [Double], alternative: [Double], level: Double = 0.95, spread: Spread = .even,
        resolution: Double = Self.resolution
    ) {
        guard baseline.count == alternative.count else {
            fatalError("a paired comparison needs equal counts, found \(baseline.count) and \(alternative.count)")
        }
        let left = Moments(baseline)
        let right = Moments(alternative)
        let parting = zip(baseline, alternative).count { Self.change(from: $0, to: $1, resolution: resolution) != 0 }
        differing = parting
        let changes = zip(baseline, alternative).map { parting == 0 ? 0 : $1 - $0 }
        let change = Moments(changes)
        let size = max(Self.size(of: baseline), Self.size(of: alternative))
        difference = Self.change(from: 0, to: change.mean, size: size, resolution: resolution)
        let isUneven = Self.fewest(spread) > change.count
        let isKnown = differing >= Self.fewestDiffering && change.variance > 0 && !isUneven
        let shown = isKnown ? skewAwareInterval(changes, change, level: level) : (-.infinity, .infinity)
        let reach = Self.reach(left, right, spread, level: level)
        low = min(shown.low, difference - reach)
        high = max(shown.high, difference + reach)
        self.spread = spread
        isWidened = low < shown.low || high > shown.high
        p = difference == 0 ? 1 : Self.pValue(change, differing: differing)
        n = change.count
        relative = Self.ratio(difference, to: abs(left.mean), ofZeros: 0)
        varianceReduction = Self.ratio(left.variance + right.variance, to: change.variance, ofZeros: 1)
        deviation = change.standardDeviation
        baselineMean = left.mean
        alternativeMean = right.mean
    }

    /// Judges values that already are differences, such as slopes, in any unit; every value except zero counts as a
    /// difference.
    public init(ofDifferences values: [Double], level: Double = 0.95, spread: Spread = .even) {
        self.init(baseline: values.map { _ in 0 }, alternative: values, level: level, spread: spread, resolution: 0)
    }

    /// Fewest pairs that must differ before a conclusion is possible.
    ///
    /// If fewer pairs differ, the observed spread is a poor estimate of the true spread. Intervals of nominal 95 % from
    /// ten pairs then contain the true difference in half of the cases or fewer (docs/statistics.md).
    public static let fewestDiffering = 5

    /// Largest difference that counts as zero: a billionth of the unit of the metric.
    ///
    /// No metric is printed with so many digits. When the order of events changes, sums of a day in double precision
    /// differ by less.
    public static let resolution = 1e-9
    /// Largest difference that counts as zero, as a share of the larger value: the error of a few thousand additions in
    /// double precision.
    private static let relativeResolution = 1e-12

    /// Largest difference between values of a given size that counts as zero.
    public static func rounding(of size: Double, resolution: Double = Self.resolution) -> Double {
        resolution + relativeResolution * abs(size)
    }

    /// Difference of a new value from an old one; exactly zero within rounding, not finite if either value is not
    /// finite.
    public static func change(from old: Double, to new: Double, resolution: Double = Self.resolution) -> Double {
        change(from: old, to: new, size: max(abs(old), abs(new)), resolution: resolution)
    }

    private static func change(from old: Double, to new: Double, size: Double, resolution: Double) -> Double {
        let change = new - old
        return change.isFinite && abs(change) <= rounding(of: size, resolution: resolution) ? 0 : change
    }

    /// Mean of the absolute values.
    private static func size(of values: [Double]) -> Double {
        values.reduce(0) { $0 + abs($1) / Double(values.count) }
    }

    /// Smallest distance from the mean difference to each end of the interval, because rare pairs that differ much may
    /// be missing from the sample.
    ///
    /// With the same users, two policies mostly behave in the same way, and differ by little. Occasionally a pair
    /// diverges: a charge begins an hour later, and from then on the two runs differ as those of two unrelated users
    /// do. If none of n pairs has diverged, the share of diverging pairs has the posterior Beta(1/2, n + 1/2) by
    /// Jeffreys' prior. The posterior's median is 0.23 / n. Two unrelated values with the standard deviation s differ
    /// by 2 s / root(pi) on average. The median times this difference is about s / 4n; the factor 1/4 is 0.248 at ten
    /// pairs and 0.257 at most.
    ///
    /// A metric that depends on single moments diverges far more often than a sum of events. For such a metric, the
    /// upper end of the share's interval replaces the median: 0.22 at ten pairs and 95 %.
    ///
    /// Source of the prior: L. D. Brown, T. T. Cai, A. DasGupta, Interval estimation for a binomial proportion,
    /// Statistical Science 16(2), 2001, 101-133, doi:10.1214/ss/1009213286, section 4.1.2. Effect on coverage:
    /// docs/statistics.md.
    private static func reach(_ left: Moments, _ right: Moments, _ spread: Spread, level: Double) -> Double {
        let (n, deviation) = (Double(left.count), ((left.variance + right.variance) / 2).squareRoot())
        guard spread == .momentary else { return deviation / (4 * n) }
        return BetaDistribution.quantile((1 + level) / 2, 0.5, n + 0.5) * deviation * 2 / Double.pi.squareRoot()
    }

    /// Fewest pairs for which there is an interval.
    private static func fewest(_ spread: Spread) -> Int {
        if case .uneven(let fewest) = spread { fewest } else { 0 }
    }

    /// A copy of this comparison whose interval extends at least the given number of standard errors to both sides.
    public func reaching(standardErrors: Double) -> PairedComparison {
        let half = standardErrors * deviation / Double(n).squareRoot()
        var wider = self
        wider.low = min(low, difference - half)
        wider.high = max(high, difference + half)
        return wider
    }

    /// Whether too few pairs differ for any conclusion, even for equivalence.
    public var isTooRare: Bool { differing < Self.fewestDiffering }

    /// Whether a few replications make up most of the metric and a sample of so few pairs may contain none of them.
    public var isTooUneven: Bool { Self.fewest(spread) > n }

    /// Why there is no interval, or a wider one than the differences alone require; nil otherwise.
    public var reason: String? {
        if isTooRare { return "differs in \(differing) of \(n) replication\(n == 1 ? "" : "s")" }
        if isTooUneven { return "too uneven for \(n) replications, needs \(Self.fewest(spread))" }
        if !halfWidth.isFinite { return "the difference is equal in every replication" }
        return isWidened ? "the pairs agree too closely for \(n) replications to decide" : nil
    }

    /// Largest distance from the difference to an end of the interval; more replications reduce it.
    public var halfWidth: Double { max(high - difference, difference - low) }

    /// Approximate number of pairs for which the ends of the interval are at most `halfWidth` from the difference.
    ///
    /// The length of the interval shrinks with the root of the number of pairs. The result is infinite if too few pairs
    /// differ.
    public func pairs(forHalfWidth halfWidth: Double) -> Double {
        let ratio = self.halfWidth / halfWidth
        return (Double(n) * ratio * ratio).rounded(.up)
    }

    private static func pValue(_ change: Moments, differing: Int) -> Double {
        let least = min(1, exp2(Double(1 - differing)))
        guard change.variance > 0 else { return least }
        let t = abs(change.mean) / change.standardError
        let p = min(1, 2 * StudentT.upperTail(t, degreesOfFreedom: Double(change.count - 1)))
        return differing < fewestDiffering ? max(p, least) : p
    }

    private static func ratio(_ part: Double, to whole: Double, ofZeros: Double) -> Double {
        if whole != 0 { return part / whole }
        return part == 0 ? ofZeros : (part < 0 ? -Double.infinity : .infinity)
    }
}
