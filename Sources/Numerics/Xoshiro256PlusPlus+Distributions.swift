// SPDX-License-Identifier: GPL-3.0-or-later
import CGSL

/// Random variables from GSL's samplers and this generator. Parameters are checked; no sample is NaN.
extension Xoshiro256PlusPlus {
    /// A gamma variable with mean shape × scale.
    public mutating func gamma(shape: Double, scale: Double) -> Double {
        checkPositive(shape, scale, "gamma")
        return withGSL { gsl_ran_gamma($0, shape, scale) }
    }

    /// A beta variable on (0, 1) with mean a / (a + b).
    public mutating func beta(_ a: Double, _ b: Double) -> Double {
        checkPositive(a, b, "beta")
        return withGSL { gsl_ran_beta($0, a, b) }
    }

    /// A Poisson count with the given mean.
    public mutating func poisson(mean: Double) -> Int {
        guard mean >= 0 && mean < 4e9 else { fatalError("a Poisson mean must lie between 0 and 4e9, found \(mean)") }
        return mean == 0 ? 0 : withGSL { Int(gsl_ran_poisson($0, mean)) }
    }

    /// A negative-binomial count: the failures before the n-th success.
    ///
    /// The number of successes need not be an integer. The mean is n (1 - p) / p.
    public mutating func negativeBinomial(successes n: Double, probability p: Double) -> Int {
        guard n > 0 && p > 0 && p <= 1 else {
            fatalError("a negative binomial distribution needs n > 0 and 0 < p <= 1, found \(n), \(p)")
        }
        return withGSL { Int(gsl_ran_negative_binomial($0, p, n)) }
    }

    /// A binomial count: successes in a number of trials.
    public mutating func binomial(trials: Int, probability p: Double) -> Int {
        guard trials >= 0 && p >= 0 && p <= 1 else {
            fatalError("a binomial distribution needs trials >= 0 and 0 <= p <= 1")
        }
        guard let trials = UInt32(exactly: trials) else { fatalError("too many trials: \(trials)") }
        return withGSL { Int(gsl_ran_binomial($0, p, trials)) }
    }

    /// A geometric count: trials up to and including the first success; at least 1.
    public mutating func geometric(probability p: Double) -> Int {
        guard p > 0 && p <= 1 else { fatalError("a geometric distribution needs 0 < p <= 1, found \(p)") }
        return p == 1 ? 1 : withGSL { Int(gsl_ran_geometric($0, p)) }
    }
}

@inline(__always)
private func checkPositive(_ first: Double, _ second: Double, _ name: StaticString) {
    guard first > 0 && second > 0 && first.isFinite && second.isFinite else {
        fatalError("a \(name) distribution needs positive parameters, found \(first) and \(second)")
    }
}
