// SPDX-License-Identifier: GPL-3.0-or-later
import Platform
import Quantities
import Structures
import Vocabulary

/// The app that the user has opened least often first; counts survive the process and, if asked to, fade.
///
/// Source: least-frequently-used with perfect counts, for instance Breslau, Cao, Fan, Phillips and Shenker, INFOCOM
/// 1999, doi:10.1109/INFCOM.1999.749260; with fading counts Lee and others, "LRFU", IEEE Transactions on Computers
/// 50(12), 2001, doi:10.1109/TC.2001.970573: the shorter the half-life, the more it is LRU.
public struct LeastFrequentlyUsed: EvictionPolicy {
    /// How experiment files name the policy.
    public static let entry = EvictionPolicyEntry(
        PolicyDescriptor(
            name: "lfu", summary: "The app that the user has opened least often.",
            source: "Breslau et al. 1999, doi:10.1109/INFCOM.1999.749260; Lee et al. 2001, doi:10.1109/TC.2001.970573"
        ),
        LeastFrequentlyUsed(),
        Parameter(
            \.halfLife, "half-life", .duration, 0...(365 * 86400),
            "time in which an open comes to count half; 0 s: it counts for ever (assumption)"))

    /// Time in which an open comes to count half; nothing fades when zero.
    public var halfLife = SimDuration.zero
    /// The logarithm to base two of each app's faded count, seen from time zero; it changes with its opens only.
    private var logarithms = GrowingAppTable(-1.0)

    /// Creates the policy with its defaults.
    public init() {}

    /// How often the user has opened the app, or the logarithm of the faded count.
    public mutating func rank(_ candidate: EvictionCandidate, at now: SimTime) -> Double {
        halfLife > .zero ? logarithms[candidate.app] : Double(candidate.opens)
    }

    /// An open adds one to the count, which weighs the more the later it comes: the same as the past fading.
    public mutating func didOpen(_ app: AppID, at now: SimTime) {
        guard halfLife > .zero else { return }
        let weight = now.seconds / halfLife.seconds
        let before = logarithms[app]
        logarithms[app] = before < 0 ? weight : max(before, weight) + log1p(exp2(-abs(before - weight))) / M_LN2
    }
}
