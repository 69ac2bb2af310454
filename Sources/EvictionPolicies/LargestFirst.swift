// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// The largest footprint dies first.
///
/// Source: the option `ro.lmk.kill_heaviest_task` of Android's lmkd (`lmkd.cpp`). With this option, lmkd kills the
/// largest process of a level instead of the oldest; here there are no levels.
public struct LargestFirst: EvictionPolicy {
    /// Entry of the policy, with the name in experiment files.
    public static let entry = EvictionPolicyEntry(
        PolicyDescriptor(
            name: "largest-first", summary: "The process with the largest footprint dies first.",
            source: "Android lmkd, ro.lmk.kill_heaviest_task")
    ) { _ in LargestFirst() }

    /// Creates the policy.
    public init() {}

    /// The footprint in bytes, negated.
    public mutating func rank(_ candidate: EvictionCandidate, at now: SimTime) -> Double {
        -Double(candidate.footprint.bytes)
    }
}
