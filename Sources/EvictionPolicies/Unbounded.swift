// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// No process dies of a memory shortage, as on a phone with unlimited memory.
///
/// The shortage shows as `ram_growth_mib` instead of kills. Source: the "unbounded" policy of cache simulators such as
/// Caffeine, which gives a comparison its scale.
public struct Unbounded: EvictionPolicy {
    /// Entry of the policy, with the name in experiment files.
    public static let entry = EvictionPolicyEntry(
        PolicyDescriptor(
            name: "unbounded", summary: "No process dies for lack of memory; the phone's memory grows as needed.",
            source: "the upper bound of Caffeine's cache simulator", replacesTrigger: true)
    ) { _ in Unbounded() }

    /// Creates the policy.
    public init() {}

    /// True, because this policy never kills.
    public var killsNobody: Bool { true }

    /// Zero; the rank is never used.
    public mutating func rank(_ candidate: EvictionCandidate, at now: SimTime) -> Double { 0 }
}
