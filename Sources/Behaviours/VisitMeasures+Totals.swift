// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import PhoneCore

extension Visits.Measures {
    /// Sums over opens since the end of the warm-up, for callers that compute differences between them.
    package struct Totals {
        /// Sum of the ages of content, in seconds.
        package let contentAge: Double
        /// Number of opens in the sum of ages.
        package let contentOpens: Double
        /// Warm and cold opens by the user.
        package let relaunches: Double
        /// Sum of the times that opens take, in seconds.
        package let wait: Double
    }

    /// Reads the sums.
    package func totals(_ measures: RunMeasures) -> Totals {
        let ages = measures[contentAge]
        return Totals(
            contentAge: ages.sum, contentOpens: Double(ages.count), relaunches: measures[warm] + measures[cold],
            wait: measures[wait].sum)
    }

    /// Counts the lower bounds on relaunches and on waiting time, which hold for every order of eviction.
    package func countBound(_ bound: EvictionBound, _ measures: inout RunMeasures) {
        let least = bound.least
        measures.add(leastRelaunches, least.relaunches)
        measures.add(leastWait, least.wait)
    }
}
