// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// Lowest band first, and within a band the process whose band was set first, as in iOS.
///
/// Source: `memorystatus_kill_top_process` in Apple's published kernel xnu-11417.101.15
/// (`bsd/kern/kern_memorystatus_policy.c`). Bands are walked upwards, each from the head of its queue, whatever the
/// size or use of the processes. Each time its band is set, a process moves to the tail. The phone breaks equal ranks
/// in this order.
public struct Jetsam: EvictionPolicy {
    /// Entry of the policy, with the name in experiment files.
    public static let entry = EvictionPolicyEntry(
        PolicyDescriptor(
            name: "jetsam",
            summary: "Lowest band first, as on iOS; within a band, the process whose band was set first.",
            source: "xnu-11417.101.15, memorystatus_kill_top_process", family: .ios)
    ) { _ in Jetsam() }

    /// Creates the policy.
    public init() {}

    /// The band as a rank.
    public mutating func rank(_ candidate: EvictionCandidate, at now: SimTime) -> Double { Double(candidate.band) }
}
