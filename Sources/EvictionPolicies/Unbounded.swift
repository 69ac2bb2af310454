// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// Nobody dies for want of memory: what a phone without a limit of memory does.
///
/// The shortage shows as `ram_growth_mib` instead of kills. Source: the "unbounded" policy of cache simulators, for
/// instance Caffeine's, which gives a comparison its scale.
public struct Unbounded: EvictionPolicy {
    /// How experiment files name the policy.
    public static let entry = EvictionPolicyEntry(
        PolicyDescriptor(
            name: "unbounded", summary: "Nobody dies for want of memory; the phone grows as much as it needs.",
            source: "the upper bound of Caffeine's cache simulator", replacesTrigger: true)
    ) { _ in Unbounded() }

    /// Creates the policy.
    public init() {}

    /// True: this is what sets it apart.
    public var killsNobody: Bool { true }

    /// Nobody asks.
    public mutating func rank(_ candidate: EvictionCandidate, at now: SimTime) -> Double { 0 }
}
