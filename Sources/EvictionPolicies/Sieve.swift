// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Structures
import Vocabulary

/// A hand goes round from the oldest process to the newest and ends the first that was not used since it last came by.
///
/// Source: Zhang, Yang, Yue, Vigfusson and Rashmi, "SIEVE is simpler than LRU", NSDI 2024. The order is that of
/// launches. A use marks a process, the hand removes the mark, and no process is moved. The phone may kill a
/// process further on, because those before are at work. Then the marks up to there are removed as if the hand had gone
/// there.
public struct Sieve: EvictionPolicy {
    /// Entry of the policy, with the name in experiment files.
    public static let entry = EvictionPolicyEntry(
        PolicyDescriptor(
            name: "sieve", summary: "The next app in launch order that was not used since the hand last passed it.",
            source: "Zhang et al., NSDI 2024: SIEVE is simpler than LRU", meansApps: true)
    ) { _ in Sieve() }

    /// Longer than any run, in seconds: added once for processes behind the hand, twice for marked ones.
    private static let round = 1e9

    private struct Marks {
        var used = SimTime.zero
        /// When the hand last came by.
        var passed = SimTime.zero
    }

    private var marks = GrowingAppTable(Marks())
    /// The launch of the process at the hand.
    private var hand = SimTime.zero
    /// All candidates for the last victim.
    private var standing: [EvictionCandidate] = []

    /// Creates the policy.
    public init() {}

    /// Zero: the hand moves with each victim.
    public var rankLifetime: SimDuration? { .zero }

    /// Remembers the processes in the circle.
    public mutating func survey(_ candidates: [EvictionCandidate], at now: SimTime) {
        standing.removeAll(keepingCapacity: true)
        standing.append(contentsOf: candidates)
    }

    /// Distance of the hand to the process: marked ones die in its second round.
    public mutating func rank(_ candidate: EvictionCandidate, at now: SimTime) -> Double {
        distance(candidate) + (isMarked(candidate) ? 2 * Self.round : 0)
    }

    /// Marks the process if there is one; the use that launches it does not.
    public mutating func didOpen(_ app: AppID, at now: SimTime) { marks[app].used = now }

    /// Removes the marks up to the victim, behind which the hand stops.
    public mutating func didEvict(_ candidate: EvictionCandidate, at now: SimTime) {
        let end = rank(candidate, at: now)
        for other in standing where distance(other) < end { marks[other.app].passed = now }
        // Behind the newest comes the oldest; a process that is just being launched is not in the circle yet.
        let isNewest = standing.allSatisfy { $0.launched <= candidate.launched || $0.launched >= now }
        hand = isNewest ? .zero : candidate.launched + SimDuration(nanoseconds: 1)
    }

    private func isMarked(_ candidate: EvictionCandidate) -> Bool {
        let mark = marks[candidate.app]
        return mark.used > candidate.launched && mark.used > mark.passed
    }

    private func distance(_ candidate: EvictionCandidate) -> Double {
        candidate.launched.seconds + (candidate.launched < hand ? Self.round : 0)
    }
}
