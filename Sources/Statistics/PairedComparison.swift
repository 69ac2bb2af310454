// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Numerics

/// What an alternative changes against a baseline when both saw the same workloads: a paired t-test.
///
/// Replication k of both lists must be the same workload (common random numbers); then the difference within each pair
/// is free of most of the chance in the workload, and the interval of the mean difference is narrower than two separate
/// intervals by what `varianceReduction` says.
///
///     let change = PairedComparison(baseline: lru, alternative: largestFirst, level: 0.95)
///     change.difference, change.low, change.high, change.p
public struct PairedComparison: Equatable, Sendable {
    /// The mean of alternative minus baseline.
    public let difference: Double
    /// The lower end of the interval of the difference; minus infinity for a single pair.
    public let low: Double
    /// The upper end of the interval of the difference; infinity for a single pair.
    public let high: Double
    /// The probability of a mean difference at least as large in either direction if the true one were zero.
    ///
    /// It is 1 for a single pair and where all differences are zero, and 0 where all are equal but not zero.
    public let p: Double
    /// How many pairs there were.
    public let n: Int
    /// The difference as a share of the baseline's mean; zero if there is none, infinite if the baseline's mean is
    /// zero.
    public let relative: Double
    /// By how many times pairing divided the variance of the difference, compared with independent workloads.
    ///
    /// Above 1 pairing helped. It is infinite where all differences are equal, and 1 where it cannot be known: for a
    /// single pair, and where neither list varies.
    public let varianceReduction: Double
    /// The mean of the baseline.
    public let baselineMean: Double
    /// The mean of the alternative.
    public let alternativeMean: Double

    /// Compares two lists pair by pair.
    /// - Parameters:
    ///   - baseline: one number per replication, at least one, all finite.
    ///   - alternative: as many, in the same order of replications.
    ///   - level: the share of such intervals that hold the true difference, strictly between 0 and 1.
    public init(baseline: [Double], alternative: [Double], level: Double = 0.95) {
        precondition(
            baseline.count == alternative.count,
            "a paired comparison needs equal counts, found \(baseline.count) and \(alternative.count)")
        let left = Moments(baseline)
        let right = Moments(alternative)
        let change = Moments(zip(baseline, alternative).map { $1 - $0 })
        let half = studentHalfWidth(change, level: level)
        difference = change.mean
        low = change.mean - half
        high = change.mean + half
        p = Self.pValue(change)
        n = change.count
        relative = Self.ratio(change.mean, to: abs(left.mean), ofZeros: 0)
        varianceReduction = Self.ratio(left.variance + right.variance, to: change.variance, ofZeros: 1)
        baselineMean = left.mean
        alternativeMean = right.mean
    }

    /// Half the width of the interval; the quantity that replications are added to shrink.
    public var halfWidth: Double { high - difference }

    private static func pValue(_ change: Moments) -> Double {
        if change.mean == 0 || change.count == 1 { return 1 }
        guard change.variance > 0 else { return 0 }
        let t = abs(change.mean) / change.standardError
        return min(1, 2 * StudentT.upperTail(t, degreesOfFreedom: Double(change.count - 1)))
    }

    private static func ratio(_ part: Double, to whole: Double, ofZeros: Double) -> Double {
        if whole != 0 { return part / whole }
        return part == 0 ? ofZeros : (part < 0 ? -Double.infinity : .infinity)
    }
}
