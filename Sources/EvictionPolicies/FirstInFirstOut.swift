// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// The process that was launched first dies first, whatever its use.
///
/// Source: first-in first-out replacement (Belady, IBM Systems Journal 5(2), 1966, doi:10.1147/sj.52.0078).
public struct FirstInFirstOut: EvictionPolicy {
    /// Entry of the policy, with the name in experiment files.
    public static let entry = EvictionPolicyEntry(
        PolicyDescriptor(
            name: "fifo", summary: "The process that was launched first.",
            source: "Belady 1966, doi:10.1147/sj.52.0078")
    ) { _ in FirstInFirstOut() }

    /// Creates the policy.
    public init() {}

    /// Launch time of the process, in seconds.
    public mutating func rank(_ candidate: EvictionCandidate, at now: SimTime) -> Double {
        candidate.launched.seconds
    }
}
