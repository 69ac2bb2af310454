// SPDX-License-Identifier: GPL-3.0-or-later
import Numerics
import Platform

/// Smallest effect that a paired t-test detects with a number of replications, and the number of replications that it
/// needs to detect an effect.
///
/// The test finds a difference d with the probability `power` when d is (t(1 - alpha / 2) + t(power)) s / root(n), with
/// t of n - 1 degrees of freedom. This is the usual approximation to the noncentral t, within 1 % from ten replications
/// on.
///
/// Source: J. Cohen, Statistical Power Analysis for the Behavioral Sciences, 2nd edition, 1988, chapter 2.
public enum Power {
    /// Usual probability of finding a true difference.
    public static let usual = 0.8

    /// Smallest true difference that is found with the probability `power`.
    ///
    /// - Parameters:
    ///   - deviation: standard deviation of the paired differences, at least 0.
    ///   - n: replications; fewer than two find no difference.
    ///   - alpha: probability of finding a difference that does not exist, two-sided, strictly between 0 and 1.
    /// - Returns: the difference in the unit of the deviation; infinite if none is found.
    public static func detectable(deviation: Double, n: Int, alpha: Double, power: Double = usual) -> Double {
        guard n > 1 else { return .infinity }
        let freedom = Double(n - 1)
        let reach =
            StudentT.upperQuantile(alpha / 2, degreesOfFreedom: freedom)
            + StudentT.upperQuantile(1 - power, degreesOfFreedom: freedom)
        return reach * deviation / Double(n).squareRoot()
    }

    /// Fewest replications that find a difference; nil if a million do not.
    ///
    /// - Parameter effect: the true difference, above 0.
    public static func replications(
        effect: Double, deviation: Double, alpha: Double, power: Double = usual
    ) -> Int? {
        var low = 1
        var high = 2
        while detectable(deviation: deviation, n: high, alpha: alpha, power: power) > effect {
            low = high
            high *= 2
            if high > 1_000_000 { return nil }
        }
        while high - low > 1 {
            let middle = (low + high) / 2
            if detectable(deviation: deviation, n: middle, alpha: alpha, power: power) > effect {
                low = middle
            } else {
                high = middle
            }
        }
        return high
    }
}
