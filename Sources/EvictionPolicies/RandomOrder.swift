// SPDX-License-Identifier: GPL-3.0-or-later
import Platform
import Quantities
import Structures
import Vocabulary

/// Each victim is drawn uniformly at random among the candidates; any rule should beat this baseline.
///
/// Source: random replacement (Belady, IBM Systems Journal 5(2), 1966, doi:10.1147/sj.52.0078). A rank that is drawn
/// once and kept would favour survivors over newcomers. Therefore each candidate's rank is the last victim's rank plus
/// an exponential draw. As the rest of an exponential time is again exponential, all candidates have equal chances.
public struct RandomOrder: EvictionPolicy {
    /// Entry of the policy, with the name in experiment files.
    public static let entry = EvictionPolicyEntry(
        PolicyDescriptor(
            name: "random", summary: "Each victim is drawn uniformly at random.",
            source: "Belady 1966, doi:10.1147/sj.52.0078")
    ) { RandomOrder(seed: $0.seed) }

    private var random: PolicyRandom
    private var ranks = GrowingAppTable(Double.zero)
    private var lastEvicted = 0.0

    /// Creates the policy from its own seed.
    public init(seed: UInt64) { random = PolicyRandom(seed: seed) }

    /// The last victim's rank plus an exponential draw of mean one.
    public mutating func rank(_ candidate: EvictionCandidate, at now: SimTime) -> Double {
        let rank = lastEvicted - log(1 - random.nextUniform())
        ranks[candidate.app] = rank
        return rank
    }

    /// Continues the ranks from the victim's rank.
    public mutating func didEvict(_ candidate: EvictionCandidate, at now: SimTime) {
        lastEvicted = max(lastEvicted, ranks[candidate.app])
    }
}
