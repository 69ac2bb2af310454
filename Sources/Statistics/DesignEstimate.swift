// SPDX-License-Identifier: GPL-3.0-or-later
import Numerics

/// A figure of a sampling design with its interval.
public struct DesignEstimate: Equatable, Sendable {
    /// Value of the figure.
    public let value: Double
    /// Lower end of the interval.
    public let low: Double
    /// Upper end of the interval.
    public let high: Double

    /// Number of bootstrap samples of the design and its replications.
    static let resamples = 1000

    /// Estimates figures of the mean result, with percentile intervals by the bootstrap.
    ///
    /// Replications are resampled with replacement, and so are trajectories or groups of points, because both users and
    /// points are a sample.
    ///
    /// Source: B. Efron, R. J. Tibshirani, An Introduction to the Bootstrap, Chapman & Hall 1993, chapter 13. For
    /// indices: G. E. B. Archer, A. Saltelli, I. M. Sobol, Journal of Statistical Computation and Simulation 58 (1997)
    /// 99-120, doi:10.1080/00949659708811825.
    ///
    /// - Parameters:
    ///   - results: for each replication, the result at each row of the design; at least one replication.
    ///   - group: number of rows of a trajectory, or of a group of points.
    ///   - level: strictly between 0 and 1.
    ///   - seed: seed of the bootstrap.
    ///   - figures: returns the figures of some groups from the groups' numbers and the mean results at their rows; nil
    ///     if there is no estimate.
    ///     results at their rows; nil if there is no estimate.
    ///     if there is no estimate.
    /// - Returns: one estimate for each figure; nil if the whole design gives none.
    public static func all(
        results: [[Double]], group: Int, level: Double, seed: UInt64,
        figures: (_ groups: [Int], _ values: [Double]) -> [Double]?
    ) -> [DesignEstimate]? {
        let groups = results[0].count / group
        /// The figures of some groups, from the mean results of some replications.
        func estimated(of drawn: [Int], under replications: [Int]) -> [Double]? {
            let values = drawn.flatMap { start in
                (start * group..<(start + 1) * group).map { row in
                    replications.reduce(0) { $0 + results[$1][row] } / Double(replications.count)
                }
            }
            return figures(drawn, values)
        }
        guard let whole = estimated(of: Array(0..<groups), under: Array(results.indices)) else { return nil }
        var generator = Xoshiro256PlusPlus(spreading: seed)
        var samples = [[Double]](repeating: [], count: whole.count)
        for _ in 0..<resamples {
            let replications = results.map { _ in generator.below(results.count) }
            let drawn = (0..<groups).map { _ in generator.below(groups) }
            guard let found = estimated(of: drawn, under: replications) else { continue }
            for index in found.indices { samples[index].append(found[index]) }
        }
        return zip(whole, samples).map { value, sample in
            let sorted = sample.sorted()
            guard !sorted.isEmpty else { return DesignEstimate(value: value, low: -.infinity, high: .infinity) }
            return DesignEstimate(
                value: value, low: quantile((1 - level) / 2, ofSorted: sorted),
                high: quantile((1 + level) / 2, ofSorted: sorted))
        }
    }
}
