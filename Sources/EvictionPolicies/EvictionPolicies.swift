// SPDX-License-Identifier: GPL-3.0-or-later
// EvictionPolicies contains the built-in orders in which processes die: one file per policy, and this registry.
// In: read-only views of candidates (`EvictionCandidate`). Out: a rank; the smallest dies first.
// A policy decides no trigger, no threshold and no protection; these belong to the operating system's profile.
// It imports `Platform`, `Quantities`, `Structures` and `Vocabulary`. A new policy is one file and one line in `all`.
// Read first: `Jetsam.swift`, the shortest policy and the default.

import Vocabulary

/// The built-in eviction policies.
public enum EvictionPolicies {
    /// Every policy that an experiment file can name, the default first.
    public static let all: [EvictionPolicyEntry] = [
        Jetsam.entry, LeastRecentlyUsed.entry, LargestFirst.entry, RandomOrder.entry, FirstInFirstOut.entry,
        LeastFrequentlyUsed.entry, GreedyDualSizeFrequency.entry, LowMemoryKiller.entry, AndroidRanker.entry,
        SmartLMK.entry, Predicted.entry, LeastRecentlyUsedTwice.entry, AdaptiveReplacement.entry,
        SmallMainGhost.entry, Sieve.entry, TwoQueues.entry, WindowTinyLFU.entry, LeastRegret.entry,
        RelaunchDistance.entry, LearnedRanker.entry, Belady.entry, Unbounded.entry,
    ]
}
