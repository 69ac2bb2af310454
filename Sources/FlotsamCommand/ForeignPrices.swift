// SPDX-License-Identifier: GPL-3.0-or-later
import Experiments
import ForeignPolicies
import Recording
import Scenario
import Vocabulary

/// What a decision of each policy of foreign code costs, from a short trial.
struct ForeignPrices {
    private var prices: [(policy: String, nanoseconds: Double)] = []

    init(_ experiment: Experiment) {
        for pair in experiment.policies {
            if pair.eviction.code != nil, !prices.contains(where: { $0.policy == pair.eviction.text }) {
                var policy = pair.makeEviction(1)
                var price = PolicyPrice()
                let isTogether = policy.ranksTogether
                prices.append(
                    (pair.eviction.text, isTogether ? price.batchedRank(&policy) : price.rank(&policy)))
            }
            if pair.scheduling.code != nil, !prices.contains(where: { $0.policy == pair.scheduling.text }) {
                var policy = pair.makeScheduling(1)
                var price = PolicyPrice()
                prices.append((pair.scheduling.text, price.decision(&policy)))
            }
        }
    }

    /// A line for each.
    var text: String {
        prices.map { "\($0.policy): \(Self.text($0.nanoseconds)) per decision (from a short trial)\n" }.joined()
    }

    /// Nanoseconds by policy.
    var json: JSONValue {
        .object(Dictionary(uniqueKeysWithValues: prices.map { ($0.policy, .number($0.nanoseconds)) }))
    }

    private static func text(_ nanoseconds: Double) -> String {
        nanoseconds < 1000 ? "\(Figures.short(nanoseconds)) ns" : "\(Figures.short(nanoseconds / 1000)) µs"
    }
}
