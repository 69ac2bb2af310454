// SPDX-License-Identifier: GPL-3.0-or-later
import CGSL
import Platform

/// Count, mean and spread of a list of numbers.
public struct Moments: Equatable, Sendable {
    /// Number of values.
    public let count: Int
    /// Arithmetic mean.
    public let mean: Double
    /// Variance with divisor n - 1; zero for a single number.
    public let variance: Double

    /// Summarises a list.
    /// - Precondition: at least one number, all finite.
    public init(_ values: [Double]) {
        guard !values.isEmpty else { fatalError("moments need at least one value") }
        guard values.allSatisfy(\.isFinite) else { fatalError("moments need finite values") }
        count = values.count
        mean = gsl_stats_mean(values, 1, values.count)
        variance = values.count < 2 ? 0 : gsl_stats_variance_m(values, 1, values.count, mean)
        guard mean.isFinite && variance.isFinite else { fatalError("the moments overflow") }
    }

    /// The standard deviation, the root of the variance.
    public var standardDeviation: Double { variance.squareRoot() }
    /// The standard deviation of the mean.
    public var standardError: Double { (variance / Double(count)).squareRoot() }
}

/// The linear correlation of two lists of equal length; zero when one of them does not vary.
public func correlation(_ left: [Double], _ right: [Double]) -> Double {
    guard left.count == right.count && left.count > 1 else {
        fatalError("a correlation needs two lists of equal length")
    }
    let result = gsl_stats_correlation(left, 1, right, 1, left.count)
    return result.isNaN ? 0 : result
}

/// The quantile of a sorted list by linear interpolation between neighbours (type 7 of Hyndman and Fan).
/// - Parameters:
///   - fraction: between 0 (the smallest) and 1 (the largest).
///   - values: sorted in rising order, not empty.
public func quantile(_ fraction: Double, ofSorted values: [Double]) -> Double {
    guard !values.isEmpty else { fatalError("a quantile needs at least one value") }
    guard fraction >= 0 && fraction <= 1 else { fatalError("a quantile needs a fraction between 0 and 1") }
    let result = gsl_stats_quantile_from_sorted_data(values, 1, values.count, fraction)
    guard !result.isNaN else { fatalError("a quantile needs values that are numbers") }
    return result
}
