// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import PhoneCore

extension Visits.Measures {
    /// What opens have come to since the end of the warm-up: sums, for whoever wants their increments.
    package struct Totals {
        /// Of the ages of content, in seconds.
        package let contentAge: Double
        /// Opens that the ages are of.
        package let contentOpens: Double
        /// Warm and cold opens by the user.
        package let relaunches: Double
        /// Of the time that opens take, in seconds.
        package let wait: Double
    }

    /// Reads the sums.
    package func totals(_ measures: RunMeasures) -> Totals {
        let ages = measures[contentAge]
        return Totals(
            contentAge: ages.sum, contentOpens: Double(ages.count), relaunches: measures[warm] + measures[cold],
            wait: measures[wait].sum)
    }

    /// Counts what no order of eviction could have gone below.
    package func countBound(_ bound: EvictionBound, _ measures: inout RunMeasures) {
        let least = bound.least
        measures.add(leastRelaunches, least.relaunches)
        measures.add(leastWait, least.wait)
    }
}
