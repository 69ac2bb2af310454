// SPDX-License-Identifier: GPL-3.0-or-later
import Numerics

/// Quantile of independent replications with an interval between two of their ordered values.
///
/// The number of values below the true quantile is binomial, for any distribution. The ends are the innermost values
/// beyond which the true quantile lies with a probability of at most (1 - level) / 2 each. If the probability is larger
/// even beyond the smallest or the largest value, there are too few replications for an interval.
///
/// Source: H. A. David, H. N. Nagaraja, Order Statistics, 3rd edition, Wiley 2003, section 7.1.
public struct QuantileInterval: Equatable, Sendable {
    /// Quantile of the values, by linear interpolation between neighbours.
    public let value: Double
    /// Lower end of the interval; nil if there are too few values.
    public let low: Double?
    /// Upper end of the interval; nil if there are too few values.
    public let high: Double?
    /// Number of values.
    public let n: Int

    /// Computes the quantile of one number per replication.
    ///
    /// - Parameters:
    ///   - fraction: strictly between 0 and 1.
    ///   - values: at least one.
    ///   - level: strictly between 0 and 1.
    public init(_ fraction: Double, of values: [Double], level: Double = 0.95) {
        let sorted = values.sorted()
        value = quantile(fraction, ofSorted: sorted)
        n = sorted.count
        guard let ranks = Self.ranks(fraction, n: sorted.count, level: level) else {
            low = nil
            high = nil
            return
        }
        low = sorted[ranks.low - 1]
        high = sorted[ranks.high - 1]
    }

    /// Ranks, from 1, of the values between which the quantile lies; nil if there are too few values.
    public static func ranks(_ fraction: Double, n: Int, level: Double) -> (low: Int, high: Int)? {
        guard fraction > 0 && fraction < 1 && level > 0 && level < 1 else {
            fatalError("shares must lie between 0 and 1")
        }
        let tail = (1 - level) / 2
        guard n >= fewest(fraction, level: level) else { return nil }
        func below(_ count: Int) -> Double { Binomial.cumulative(count, trials: n, probability: fraction) }
        // Probabilities of fewer than `low` values below the quantile, and of `high` or more.
        let low = (1...n).last { below($0 - 1) <= tail } ?? 1
        let high = (1...n).first { 1 - below($0 - 1) <= tail } ?? n
        return (low, high)
    }

    /// Fewest replications that give an interval; with fewer, all values may lie on one side of the quantile.
    public static func fewest(_ fraction: Double, level: Double) -> Int {
        let share = max(fraction, 1 - fraction)
        var (n, onOneSide) = (1, share)
        while onOneSide > (1 - level) / 2 {
            n += 1
            onOneSide *= share
        }
        return n
    }
}
