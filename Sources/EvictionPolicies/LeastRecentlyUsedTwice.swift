// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Structures
import Vocabulary

/// The app whose second to last use is longest ago dies first.
///
/// Apps that were used only once die before all others, the longest ago first.
///
/// Source: O'Neil, O'Neil and Weikum, "The LRU-K page replacement algorithm for database disk buffering", SIGMOD 1993,
/// doi:10.1145/170035.170081. Here K = 2, with no correlated period and an unlimited history.
public struct LeastRecentlyUsedTwice: EvictionPolicy {
    /// Entry of the policy, with the name in experiment files.
    public static let entry = EvictionPolicyEntry(
        PolicyDescriptor(
            name: "lru-2", summary: "The app whose second-to-last use is longest ago.",
            source: "O'Neil, O'Neil and Weikum 1993, doi:10.1145/170035.170081", meansApps: true)
    ) { _ in LeastRecentlyUsedTwice() }

    /// A time longer than any run, in seconds, so that apps used once rank before apps used twice.
    private static let never = 1e9

    private struct Uses {
        var last = -1.0
        var lastButOne = -1.0
    }

    private var uses = GrowingAppTable(Uses())

    /// Creates the policy.
    public init() {}

    /// Time of the second to last use, in seconds; for an app that was not used twice, a time before all runs.
    public mutating func rank(_ candidate: EvictionCandidate, at now: SimTime) -> Double {
        let use = uses[candidate.app]
        if use.lastButOne >= 0 { return use.lastButOne }
        return (use.last >= 0 ? use.last : candidate.lastForeground.seconds) - Self.never
    }

    /// Remembers the last two uses, whether or not the app had a process.
    public mutating func didOpen(_ app: AppID, at now: SimTime) {
        uses[app] = Uses(last: now.seconds, lastButOne: uses[app].last)
    }
}
