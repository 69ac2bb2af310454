// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// The app that the user has not seen for longest dies first, in any band.
///
/// Source: the classic replacement rule (Mattson, Gecsei, Slutz and Traiger, IBM Systems Journal 9(2), 1970,
/// doi:10.1147/sj.92.0078). Android's low-memory killer orders cached apps by this rule.
public struct LeastRecentlyUsed: EvictionPolicy {
    /// Entry of the policy, with the name in experiment files.
    public static let entry = EvictionPolicyEntry(
        PolicyDescriptor(
            name: "lru", summary: "The app that the user has not seen for the longest time.",
            source: "Mattson et al. 1970, doi:10.1147/sj.92.0078")
    ) { _ in LeastRecentlyUsed() }

    /// Creates the policy.
    public init() {}

    /// When the user last saw the app, in seconds.
    public mutating func rank(_ candidate: EvictionCandidate, at now: SimTime) -> Double {
        candidate.lastForeground.seconds
    }
}
