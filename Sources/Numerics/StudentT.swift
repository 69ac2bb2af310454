// SPDX-License-Identifier: GPL-3.0-or-later
import CGSL
import Platform

/// Student's t distribution.
///
/// GSL computes it, except for one degree of freedom. In that case, GSL's inverse loses digits in the tails, so the
/// closed form (Cauchy's distribution) is used.
public enum StudentT {
    /// Quantile of the t distribution.
    /// - Parameters:
    ///   - probability: strictly between 0 and 1.
    ///   - degreesOfFreedom: positive.
    public static func quantile(_ probability: Double, degreesOfFreedom: Double) -> Double {
        guard probability > 0 && probability < 1 else { fatalError("a quantile needs a probability between 0 and 1") }
        guard degreesOfFreedom > 0 else { fatalError("Student's t needs positive degrees of freedom") }
        if probability == 0.5 { return 0 }
        if probability > 0.5 { return upperQuantile(1 - probability, degreesOfFreedom: degreesOfFreedom) }
        return -upperQuantile(probability, degreesOfFreedom: degreesOfFreedom)
    }

    /// Value that a t variable exceeds with a given probability; precise in far tails.
    /// - Parameters:
    ///   - tail: strictly between 0 and 1.
    ///   - degreesOfFreedom: positive.
    public static func upperQuantile(_ tail: Double, degreesOfFreedom: Double) -> Double {
        guard tail > 0 && tail < 1 else { fatalError("a quantile needs a probability between 0 and 1") }
        guard degreesOfFreedom > 0 else { fatalError("Student's t needs positive degrees of freedom") }
        if degreesOfFreedom == 1 { return cos(.pi * tail) / sin(.pi * tail) }
        GSL.prepare()
        let result = gsl_cdf_tdist_Qinv(tail, degreesOfFreedom)
        guard result.isFinite else {
            fatalError("no t quantile for tail \(tail) and \(degreesOfFreedom) degrees of freedom")
        }
        return result
    }

    /// The probability that a t variable stays below a value.
    public static func cumulative(_ t: Double, degreesOfFreedom: Double) -> Double {
        if t > 0 { return 1 - upperTail(t, degreesOfFreedom: degreesOfFreedom) }
        return upperTail(-t, degreesOfFreedom: degreesOfFreedom)
    }

    /// The probability that a t variable exceeds a value.
    public static func upperTail(_ t: Double, degreesOfFreedom: Double) -> Double {
        guard !t.isNaN && degreesOfFreedom > 0 else {
            fatalError("Student's t needs a number and positive degrees of freedom")
        }
        if degreesOfFreedom == 1 { return atan2(1, t) / .pi }
        GSL.prepare()
        let result = gsl_cdf_tdist_Q(t, degreesOfFreedom)
        guard result.isFinite else {
            fatalError("no t probability for \(t) and \(degreesOfFreedom) degrees of freedom")
        }
        return result
    }
}
