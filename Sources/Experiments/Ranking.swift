// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Scenario
import Statistics

/// Order of the policies in one metric at one sweep point, with the range of ranks that the runs allow.
///
/// Every two rivals are compared in the replications that both have. The p-values are corrected over all these
/// comparisons, by the method of the analysis. A policy's best rank is one more than the number of significantly better
/// policies. Its worst rank is the number of policies minus the number of significantly worse ones. References
/// (policies that read the future, and `unbounded`) are not ranked.
///
/// The method of M. Mogstad et al. derives ranks from all paired differences, corrected together.
///
/// Source: M. Mogstad, J. P. Romano, A. M. Shaikh, D. Wilhelm, Inference for ranks with applications to mobility across
/// neighbourhoods and academic achievement across countries, Review of Economic Studies 91 (2024) 476-518,
/// doi:10.1093/restud/rdad006.
public struct Ranking: Sendable {
    /// Policy with its possible ranks.
    public struct Entry: Sendable, Equatable {
        /// Index of the policy.
        public let policy: Int
        /// Mean of the metric over the policy's replications.
        public let mean: Double
        /// Best rank that the runs allow; 1 is the highest.
        public let best: Int
        /// Worst rank that the runs allow.
        public let worst: Int

        /// The ranks as text: `1` or `2 to 4`.
        public var text: String { best == worst ? "\(best)" : "\(best) to \(worst)" }
    }

    /// Comparison of a policy with one that has a better mean.
    struct Relation: Sendable {
        let paired: PairedComparison
        var verdict: Verdict
    }

    /// Rivals with the best mean first; a policy without a value is omitted.
    public let entries: [Entry]
    /// Number of pairs of policies that were compared.
    public let comparisons: Int
    private let relations: [[Int]: Relation]

    /// Ranks the policies of a judgement in a metric.
    ///
    /// The result is nil when no direction of the metric is better, or when fewer than two policies have values.
    public init?(_ judgement: Judgement, metric: Int, point: Int) {
        let plan = judgement.plan
        let better = plan.metrics.entries[metric].better
        guard better != .neutral else { return nil }
        let means = plan.policies.indices.compactMap { policy -> (policy: Int, mean: Double)? in
            guard !plan.policies[policy].isReference else { return nil }
            return judgement.summaryRow(metric: metric, policy: policy, point: point).interval.map { (policy, $0.mean) }
        }
        guard means.count > 1 else { return nil }
        let ordered = means.sorted {
            $0.mean == $1.mean ? $0.policy < $1.policy : ($0.mean < $1.mean) == (better == .lower)
        }
        let relations = Self.relations(judgement, metric, point, ordered.map(\.policy))
        var above = [Int](repeating: 0, count: plan.policies.count)
        var below = above
        for (pair, relation) in relations where relation.verdict == .worse {
            above[pair[1]] += 1
            below[pair[0]] += 1
        }
        entries = ordered.map { policy, mean in
            Entry(policy: policy, mean: mean, best: 1 + above[policy], worst: ordered.count - below[policy])
        }
        comparisons = relations.count
        self.relations = relations
    }

    /// Comparison of a policy with one that has a better mean; nil when they have no replication in common.
    func relation(of policy: Int, to better: Int) -> Relation? { relations[[better, policy]] }

    /// Comparisons of each policy with each policy that has a better mean; keys are both indices, with the better
    /// first.
    private static func relations(
        _ judgement: Judgement, _ metric: Int, _ point: Int, _ order: [Int]
    ) -> [[Int]: Relation] {
        let rules = judgement.analysis
        let entry = judgement.plan.metrics.entries[metric]
        var pairs: [(key: [Int], paired: PairedComparison)] = []
        for (rank, better) in order.enumerated() {
            for policy in order[(rank + 1)...] {
                let lists = judgement.values.pairs(metric: metric, (better, point), (policy, point))
                guard !lists.baseline.isEmpty else { continue }
                let paired = PairedComparison(lists, of: entry, level: rules.level)
                pairs.append(([better, policy], paired))
            }
        }
        let corrected = rules.corrected(pairs.map(\.paired)) { index in
            let key = pairs[index].key
            return judgement.values.changes(metric: metric, from: (key[0], point), to: (key[1], point))
        }
        return Dictionary(
            uniqueKeysWithValues: zip(pairs, corrected).map { pair, found in
                let verdict = Judgement.verdict(found.paired, adjustedP: found.p, entry, rules)
                return (pair.key, Relation(paired: found.paired, verdict: verdict))
            })
    }
}
