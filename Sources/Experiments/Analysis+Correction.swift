// SPDX-License-Identifier: GPL-3.0-or-later
import Scenario
import Statistics

extension Analysis {
    /// Corrects the p-values of comparisons that are judged together, by the method of the analysis.
    ///
    /// The order of the comparisons does not matter.
    ///
    /// - Parameters:
    ///   - tests: comparisons of the same plan.
    ///   - changes: for the index of a comparison, its differences by replication; NaN for a missing value.
    /// - Returns: each comparison with its corrected p-value. Under maxT, it also has the corrected interval.
    func corrected(_ tests: [PairedComparison], changes: (Int) -> [Double]) -> [(paired: PairedComparison, p: Double)] {
        switch correction {
        case .maxT:
            let flips = SignFlips(tests.indices.map(changes), level: level)
            return zip(tests, flips.p).map { ($0.reaching(standardErrors: flips.reach), $1) }
        case .holm: return Array(zip(tests, holm(tests.map(\.p))))
        case .none: return tests.map { ($0, $0.p) }
        }
    }
}

extension ReplicationValues {
    /// Differences of a metric between two combinations of policy and point, by replication.
    ///
    /// A difference is NaN if one of the two values is missing, and zero if the values differ only by rounding.
    func changes(
        metric: Int, from left: (policy: Int, point: Int), to right: (policy: Int, point: Int)
    ) -> [Double] {
        zip(all(metric, left.policy, left.point), all(metric, right.policy, right.point)).map {
            PairedComparison.change(from: $0, to: $1)
        }
    }
}
