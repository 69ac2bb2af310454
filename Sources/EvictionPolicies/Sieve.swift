// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Structures
import Vocabulary

/// A hand goes round from the oldest to the newest process, and ends the first one not used since the hand last passed
/// it.
///
/// Source: Zhang, Yang, Yue, Vigfusson and Rashmi, "SIEVE is simpler than LRU", NSDI 2024. The order is that of
/// launches. A use marks a process, the hand removes the mark, and no process is moved. If earlier processes are at
/// work, the phone may kill a process further on. Then the marks up to that process are removed, as if the hand had
/// moved there.
public struct Sieve: EvictionPolicy {
    /// Entry of the policy, with the name in experiment files.
    public static let entry = EvictionPolicyEntry(
        PolicyDescriptor(
            name: "sieve",
            summary: "In launch order, the next app that was not used since SIEVE's hand last passed it.",
            source: "Zhang et al., NSDI 2024: SIEVE is simpler than LRU", meansApps: true)
    ) { _ in Sieve() }

    /// A time longer than any run, in seconds; added once for processes behind the hand, twice for marked processes.
    private static let round = 1e9

    private struct Marks {
        var used = SimTime.zero
        /// When the hand last passed.
        var passed = SimTime.zero
    }

    private var marks = GrowingAppTable(Marks())
    /// The launch time of the process at the hand.
    private var hand = SimTime.zero
    /// All candidates at the last survey.
    private var standing: [EvictionCandidate] = []

    /// Creates the policy.
    public init() {}

    /// Zero, because the hand moves with each victim.
    public var rankLifetime: SimDuration? { .zero }

    /// Remembers the processes in the circle.
    public mutating func survey(_ candidates: [EvictionCandidate], at now: SimTime) {
        standing.removeAll(keepingCapacity: true)
        standing.append(contentsOf: candidates)
    }

    /// Distance from the hand to the process; marked processes die in the second round.
    public mutating func rank(_ candidate: EvictionCandidate, at now: SimTime) -> Double {
        distance(candidate) + (isMarked(candidate) ? 2 * Self.round : 0)
    }

    /// Marks the process of the app; the use that launches a process does not mark it.
    public mutating func didOpen(_ app: AppID, at now: SimTime) { marks[app].used = now }

    /// Removes the marks up to the victim, and moves the hand behind it.
    public mutating func didEvict(_ candidate: EvictionCandidate, at now: SimTime) {
        let end = rank(candidate, at: now)
        for other in standing where distance(other) < end { marks[other.app].passed = now }
        // After the newest comes the oldest; a process that is just being launched is not in the circle yet.
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
