// SPDX-License-Identifier: GPL-3.0-or-later

/// Length of the first part of a series that differs from the rest, found by MSER.
///
/// MSER tries every cut within the first half and takes the cut after which the mean of the rest has the smallest
/// error. The error is the sum of squares about this mean, divided by the square of the number of values. Values are
/// first averaged in batches; with batches of five, the method is MSER-5.
///
/// Source: K. P. White, M. J. Cobb, S. C. Spratt, A comparison of five steady-state truncation heuristics for
/// simulation, Winter Simulation Conference 2000, 755-760, doi:10.1109/WSC.2000.899788.
public struct SteadyState: Equatable, Sendable {
    /// Number of values to omit.
    public let cut: Int
    /// Whether the best cut is the largest cut tried, which means that the series is too short.
    public let isAtLimit: Bool
    /// Mean of the omitted values; nil if none are omitted.
    public let before: Double?
    /// Mean of the remaining values that fill batches.
    public let after: Double

    /// Fewest batches that give a result.
    public static let fewestBatches = 4

    /// Finds the cut of a series; nil if the series has fewer than four batches.
    ///
    /// - Parameter batch: number of values averaged to one; values at the end that do not fill a batch are not used.
    public init?(_ series: [Double], batch: Int = 5) {
        guard batch > 0 else { fatalError("a batch needs at least one value") }
        let count = series.count / batch
        guard count >= Self.fewestBatches else { return nil }
        let means = (0..<count).map { Self.mean(series[($0 * batch)..<(($0 + 1) * batch)]) }
        let limit = count / 2
        var best = (cut: 0, error: Double.infinity)
        for cut in 0...limit {
            let rest = means[cut...]
            let mean = Self.mean(rest)
            let squares = rest.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
            let error = squares / Double(rest.count * rest.count)
            if error < best.error { best = (cut, error) }
        }
        cut = best.cut * batch
        isAtLimit = best.cut == limit
        before = best.cut == 0 ? nil : Self.mean(means[..<best.cut])
        after = Self.mean(means[best.cut...])
    }

    private static func mean(_ values: ArraySlice<Double>) -> Double { values.reduce(0, +) / Double(values.count) }
}
