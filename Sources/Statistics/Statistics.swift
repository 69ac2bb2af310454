// SPDX-License-Identifier: GPL-3.0-or-later
// Statistics contains the conclusions from replications: intervals, paired differences, corrections, verdicts.
// In: one number per replication, in the order of the replications. Out: plain values that a table can hold.
// No result is NaN: a single replication gives an infinite interval with p = 1, never a guess.
// Distribution functions, means and variances come from Numerics; this module adds only what GSL lacks.
// Read first: `PairedComparison.swift`, then `Verdict.swift`.
import Numerics

/// Value below which a fraction of a list lies, with linear interpolation between neighbours.
///
/// The method is type 7 of Hyndman and Fan, the default of R and NumPy.
/// - Parameters:
///   - fraction: between 0 (the smallest) and 1 (the largest).
///   - values: in any order, not empty.
public func quantile(_ fraction: Double, of values: [Double]) -> Double {
    quantile(fraction, ofSorted: values.sorted())
}

/// Half the width of a t-interval around a mean; infinite for one value, because its spread is unknown.
func studentHalfWidth(_ moments: Moments, level: Double) -> Double {
    guard level > 0 && level < 1 else { fatalError("a confidence level must lie between 0 and 1, found \(level)") }
    guard moments.count > 1 else { return .infinity }
    guard moments.variance > 0 else { return 0 }
    let factor = StudentT.upperQuantile((1 - level) / 2, degreesOfFreedom: Double(moments.count - 1))
    return factor * moments.standardError
}
