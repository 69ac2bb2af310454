// SPDX-License-Identifier: GPL-3.0-or-later
import Numerics
import Platform

/// Distributions other than the exponential and the normal distribution.
///
/// Lognormal, Weibull and Pareto variables are transformations of a ziggurat draw. The others use GSL's samplers, which
/// draw from this stream.
extension RandomStream {
    /// A lognormal variable: the exponential of a normal variable.
    /// - Parameters:
    ///   - mu: mean of the logarithm; the median is exp(mu).
    ///   - sigma: standard deviation of the logarithm, not negative.
    public mutating func logNormal(mu: Double, sigma: Double) -> Double { exp(mu + sigma * normal()) }

    /// A Weibull variable, with mean scale × Γ(1 + 1 / shape).
    /// - Parameters:
    ///   - shape: positive; below 1 the hazard falls, above 1 it rises.
    ///   - scale: positive, in the unit of the result.
    public mutating func weibull(shape: Double, scale: Double) -> Double {
        guard shape > 0 && scale > 0 else {
            fatalError("a Weibull distribution needs positive parameters, found \(shape) and \(scale)")
        }
        return scale * pow(exponential(), 1 / shape)
    }

    /// A Pareto variable, never below its minimum; its mean is finite for shapes above 1.
    public mutating func pareto(shape: Double, minimum: Double) -> Double {
        guard shape > 0 && minimum > 0 else {
            fatalError("a Pareto distribution needs positive parameters, found \(shape) and \(minimum)")
        }
        return minimum * exp(exponential() / shape)
    }

    /// A gamma variable with mean shape × scale.
    public mutating func gamma(shape: Double, scale: Double) -> Double { generator.gamma(shape: shape, scale: scale) }

    /// A beta variable on (0, 1) with mean a / (a + b).
    public mutating func beta(_ a: Double, _ b: Double) -> Double { generator.beta(a, b) }

    /// A Poisson count with the given mean.
    public mutating func poisson(mean: Double) -> Int { generator.poisson(mean: mean) }

    /// A negative-binomial count: failures before the n-th success.
    ///
    /// The number of successes need not be whole. The mean is n (1 - p) / p.
    public mutating func negativeBinomial(successes: Double, probability: Double) -> Int {
        generator.negativeBinomial(successes: successes, probability: probability)
    }

    /// A negative-binomial count, given by its mean and its dispersion; the variance is mean + mean² / dispersion.
    public mutating func negativeBinomial(mean: Double, dispersion: Double) -> Int {
        mean == 0 ? 0 : negativeBinomial(successes: dispersion, probability: dispersion / (dispersion + mean))
    }

    /// A binomial count: successes in a number of trials.
    public mutating func binomial(trials: Int, probability: Double) -> Int {
        generator.binomial(trials: trials, probability: probability)
    }

    /// A geometric count: trials up to and including the first success; at least 1.
    public mutating func geometric(probability: Double) -> Int { generator.geometric(probability: probability) }

    /// An index drawn with probabilities proportional to weights.
    ///
    /// - Parameter weights: not negative, with a positive sum.
    /// - Complexity: linear; for many draws from one long list, compute the cumulative weights once and search them.
    public mutating func index(weights: [Double]) -> Int {
        var total = 0.0
        for weight in weights { total += weight }
        guard total > 0 else { fatalError("a weighted choice needs a positive sum of weights") }
        var remaining = uniform() * total
        var last = 0
        for (index, weight) in weights.enumerated() where weight > 0 {
            last = index
            if remaining < weight { return index }
            remaining -= weight
        }
        return last
    }

    /// Shuffles a list; each order is equally likely.
    public mutating func shuffle<Element>(_ list: inout [Element]) {
        for position in stride(from: list.count - 1, to: 0, by: -1) {
            list.swapAt(position, integer(below: position + 1))
        }
    }
}
