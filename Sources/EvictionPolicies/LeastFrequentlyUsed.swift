// SPDX-License-Identifier: GPL-3.0-or-later
import Platform
import Quantities
import Structures
import Vocabulary

/// The app that the user has opened least often dies first; counts outlive the process, and older opens may count less.
///
/// Source: least-frequently-used with perfect counts, for instance Breslau, Cao, Fan, Phillips and Shenker, INFOCOM
/// 1999, doi:10.1109/INFCOM.1999.749260. With opens that lose weight over time: Lee and others, "LRFU", IEEE
/// Transactions on Computers 50(12), 2001, doi:10.1109/TC.2001.970573. A shorter half-life brings the rule closer to
/// LRU.
public struct LeastFrequentlyUsed: EvictionPolicy {
    /// Entry of the policy, with the name in experiment files.
    public static let entry = EvictionPolicyEntry(
        PolicyDescriptor(
            name: "lfu", summary: "The app that the user has opened least often.",
            source: "Breslau et al. 1999, doi:10.1109/INFCOM.1999.749260; Lee et al. 2001, doi:10.1109/TC.2001.970573"
        ),
        LeastFrequentlyUsed(),
        Parameter(
            \.halfLife, "half-life", .duration, 0...(365 * 86400),
            "time after which an open counts half; with 0 s, opens count for ever (assumption)"))

    /// Half-life of an open's weight; zero if all opens count the same.
    public var halfLife = SimDuration.zero
    /// Logarithm to base two of each app's weighted count, relative to time zero; it changes only with the app's opens.
    private var logarithms = GrowingAppTable(-1.0)

    /// Creates the policy with its defaults.
    public init() {}

    /// Number of opens of the app, or the logarithm of its weighted count.
    public mutating func rank(_ candidate: EvictionCandidate, at now: SimTime) -> Double {
        halfLife > .zero ? logarithms[candidate.app] : Double(candidate.opens)
    }

    /// Adds an open to an app's count.
    ///
    /// Later opens have more weight, which is equivalent to reducing the weight of earlier opens.
    public mutating func didOpen(_ app: AppID, at now: SimTime) {
        guard halfLife > .zero else { return }
        let weight = now.seconds / halfLife.seconds
        let before = logarithms[app]
        logarithms[app] = before < 0 ? weight : max(before, weight) + log1p(exp2(-abs(before - weight))) / M_LN2
    }
}
