// SPDX-License-Identifier: GPL-3.0-or-later
import Numerics

/// Share of independent cases with Wilson's score interval.
///
/// The interval stays within 0 and 1, and is wider than zero even if none or all of the cases count.
///
/// Source: E. B. Wilson, Probable inference, the law of succession, and statistical inference, Journal of the American
/// Statistical Association 22(158), 1927, 209-212, doi:10.1080/01621459.1927.10502953.
public struct ShareInterval: Equatable, Sendable {
    /// Observed share.
    public let share: Double
    /// Lower end of the interval.
    public let low: Double
    /// Upper end of the interval.
    public let high: Double

    /// Computes the share of cases and its interval.
    /// - Parameters:
    ///   - count: number of cases that count, at most `cases`.
    ///   - cases: number of all cases, at least one.
    ///   - level: the share of such intervals that contain the true share, strictly between 0 and 1.
    public init(_ count: Int, of cases: Int, level: Double) {
        guard cases > 0 && (0...cases).contains(count) else {
            fatalError("the number of cases must be positive, and the count must be between 0 and that number")
        }
        let n = Double(cases)
        share = Double(count) / n
        let z = NormalDistribution.quantile((1 + level) / 2)
        let middle = (share + z * z / (2 * n)) / (1 + z * z / n)
        let half = z / (1 + z * z / n) * (share * (1 - share) / n + z * z / (4 * n * n)).squareRoot()
        low = count == 0 ? 0 : middle - half
        high = count == cases ? 1 : middle + half
    }
}

/// Probability that two unrelated measures without ties agree or disagree at least this much about n items; 1 for fewer
/// than three items.
///
/// The p-value uses the normal approximation (Kendall, A new measure of rank correlation, Biometrika 30, 1938,
/// doi:10.1093/biomet/30.1-2.81).
public func kendallPValue(_ tau: Double, count n: Int) -> Double {
    guard n > 2 else { return 1 }
    let n = Double(n)
    return min(1, 2 * NormalDistribution.upperTail(abs(tau) * (9 * n * (n - 1) / (2 * (2 * n + 5))).squareRoot()))
}
