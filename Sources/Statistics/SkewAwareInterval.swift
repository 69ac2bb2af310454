// SPDX-License-Identifier: GPL-3.0-or-later
import Numerics
import Platform

/// Interval for the mean of a few values that may be skewed: the hull of Student's interval and Hall's interval.
///
/// Differences between policies are often many small ones and a few large ones. Student's interval is symmetric about
/// the mean and then misses the true mean on the side of the large differences. Hall's transformation removes the
/// skewness. With about ten values, however, the skewness itself is uncertain, so the interval is never narrower than
/// Student's interval.
///
/// The transformation is T = W + g W^2 / 3 + g^2 W^3 / 27 + g / 6n with W = (mean - true mean) / s and skewness g. The
/// distribution of root(n) T is near Student's t. Coverage: docs/statistics.md.
///
/// Source: P. Hall, On the removal of skewness by transformation, Journal of the Royal Statistical Society B 54(1),
/// 1992, 221-228, doi:10.1111/j.2517-6161.1992.tb01876.x.
/// - Parameters:
///   - values: at least three, not all equal.
///   - moments: moments of the values.
///   - level: strictly between 0 and 1.
func skewAwareInterval(_ values: [Double], _ moments: Moments, level: Double) -> (low: Double, high: Double) {
    let half = studentHalfWidth(moments, level: level)
    let (n, deviation) = (Double(values.count), moments.standardDeviation)
    let thirds = values.reduce(0) { sum, value in
        let standard = (value - moments.mean) / deviation
        return sum + standard * standard * standard
    }
    // The skewness is adjusted for the bias of small samples: G1 of Joanes and Gill 1998 (doi:10.1111/1467-9884.00122).
    let skewness = thirds * n / ((n - 1) * (n - 2))
    guard abs(skewness) > 1e-9 else { return (moments.mean - half, moments.mean + half) }
    let bias = skewness / (6 * n)
    let reach = half / deviation
    /// Deviation of the mean, in standard deviations, that the transformation maps to a given deviation of Student's t.
    func inverse(_ transformed: Double) -> Double {
        3 * (cbrt(1 + skewness * (transformed - bias)) - 1) / skewness
    }
    return (
        moments.mean - max(half, deviation * inverse(reach)),
        moments.mean - min(-half, deviation * inverse(-reach))
    )
}
