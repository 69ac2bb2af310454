// SPDX-License-Identifier: GPL-3.0-or-later
import CGSL

/// The normal distribution with mean 0 and standard deviation 1.
public enum NormalDistribution {
    /// Quantile of the normal distribution, for a probability strictly between 0 and 1.
    public static func quantile(_ probability: Double) -> Double {
        guard probability > 0 && probability < 1 else { fatalError("a quantile needs a probability between 0 and 1") }
        GSL.prepare()
        let result = gsl_cdf_ugaussian_Pinv(probability)
        guard result.isFinite else { fatalError("no normal quantile for probability \(probability)") }
        return result
    }

    /// The probability that a normal variable stays below a value.
    public static func cumulative(_ x: Double) -> Double {
        guard !x.isNaN else { fatalError("a normal probability needs a number, found NaN") }
        GSL.prepare()
        return gsl_cdf_ugaussian_P(x)
    }

    /// The probability that a normal variable exceeds a value.
    public static func upperTail(_ x: Double) -> Double {
        guard !x.isNaN else { fatalError("a normal probability needs a number, found NaN") }
        GSL.prepare()
        return gsl_cdf_ugaussian_Q(x)
    }
}

/// The chi-squared distribution.
public enum ChiSquared {
    /// Probability that a chi-squared variable exceeds a value: the p-value of a goodness-of-fit test.
    public static func upperTail(_ x: Double, degreesOfFreedom: Double) -> Double {
        guard !x.isNaN && degreesOfFreedom > 0 else {
            fatalError("a chi-squared probability needs a number and positive degrees of freedom")
        }
        GSL.prepare()
        let result = gsl_cdf_chisq_Q(x, degreesOfFreedom)
        guard result.isFinite else {
            fatalError("no chi-squared probability for \(x), \(degreesOfFreedom) degrees of freedom")
        }
        return result
    }
}

/// The binomial distribution.
public enum Binomial {
    /// Probability that the number of successes in a number of trials is at most `successes`.
    public static func cumulative(_ successes: Int, trials: Int, probability: Double) -> Double {
        guard trials >= 0 && probability >= 0 && probability <= 1 else {
            fatalError("a binomial distribution needs trials >= 0 and 0 <= p <= 1")
        }
        if successes < 0 { return 0 }
        guard let most = UInt32(exactly: trials) else { fatalError("too many trials: \(trials)") }
        if successes >= trials { return 1 }
        GSL.prepare()
        let result = gsl_cdf_binomial_P(UInt32(successes), probability, most)
        guard result.isFinite else { fatalError("no binomial probability for \(successes) of \(trials)") }
        return result
    }
}

/// The beta distribution.
public enum BetaDistribution {
    /// Quantile of the beta distribution with mean a / (a + b), for a probability strictly between 0 and 1.
    ///
    /// The quantile is found by bisection of GSL's distribution function, because GSL's inverse fails if `b` is
    /// 100,000.
    public static func quantile(_ probability: Double, _ a: Double, _ b: Double) -> Double {
        guard probability > 0 && probability < 1 && a > 0 && b > 0 else {
            fatalError("a beta quantile needs 0 < p < 1, a > 0 and b > 0")
        }
        GSL.prepare()
        var (low, high) = (0.0, 1.0)
        while true {
            let middle = (low + high) / 2
            if middle == low || middle == high { return middle }
            if gsl_cdf_beta_P(middle, a, b) < probability { low = middle } else { high = middle }
        }
    }
}
