// SPDX-License-Identifier: GPL-3.0-or-later
import Numerics

/// Share of the gap between a baseline and a reference that a policy closes, with Fieller's interval.
///
/// A reference is a policy that no phone could have. It need not be a bound: if the policy is better than the
/// reference, the share is above 1.
///
/// The share is the mean gain of the policy over the mean gain of the reference, both against the baseline and paired
/// by replication. At 0, the policy is no better than the baseline; at 1, it is as good as the reference. The interval
/// is that of a ratio of two correlated means (Fieller, J. R. Stat. Soc. B 16(2), 1954). Unlike the interval of a
/// linear approximation, it stays valid for a small gap. If the gap may be zero, the interval is infinite.
///
///     let headroom = Headroom(baseline: jetsam, policy: predicted, reference: belady, level: 0.95)
///     headroom.share, headroom.low, headroom.high
public struct Headroom: Equatable, Sendable {
    /// Share of the gap that is closed; not a number if there is no gap.
    public let share: Double
    /// Lower end of the interval; minus infinity if the gap may be zero, or for a single replication.
    public let low: Double
    /// Upper end of the interval; infinity if the gap may be zero, or for a single replication.
    public let high: Double
    /// Number of replications.
    public let n: Int

    /// Compares three lists replication by replication.
    /// - Parameters:
    ///   - baseline: one number per replication, at least one, all finite.
    ///   - policy: the same number of values, in the same order of replications.
    ///   - reference: the same number of values, in the same order of replications.
    ///   - level: the share of such intervals that contain the true share, strictly between 0 and 1.
    public init(baseline: [Double], policy: [Double], reference: [Double], level: Double = 0.95) {
        guard baseline.count == policy.count && baseline.count == reference.count else {
            fatalError("headroom needs equal counts, found \(baseline.count), \(policy.count) and \(reference.count)")
        }
        let gains = zip(baseline, policy).map { PairedComparison.change(from: $1, to: $0) }
        let gaps = zip(baseline, reference).map { PairedComparison.change(from: $1, to: $0) }
        let (gain, gap) = (Moments(gains), Moments(gaps))
        n = gain.count
        share = gap.mean == 0 ? .nan : gain.mean / gap.mean
        guard n > 1, gap.mean != 0 else {
            (low, high) = (-.infinity, .infinity)
            return
        }
        let products = zip(gains, gaps).map { ($0 - gain.mean) * ($1 - gap.mean) }
        let covariance = products.reduce(0, +) / Double(n - 1)
        let t = StudentT.quantile(0.5 + level / 2, degreesOfFreedom: Double(n - 1))
        let factor = t * t / Double(n)
        // The interval contains the shares r for which the mean of gain - r × gap is not significantly different from
        // zero.
        let squared = gap.mean * gap.mean - factor * gap.variance
        let linear = gain.mean * gap.mean - factor * covariance
        let constant = gain.mean * gain.mean - factor * gain.variance
        guard squared > 0 else {
            (low, high) = (-.infinity, .infinity)
            return
        }
        let root = max(0, linear * linear - squared * constant).squareRoot()
        (low, high) = ((linear - root) / squared, (linear + root) / squared)
    }
}
