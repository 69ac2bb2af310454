// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Structures
import Vocabulary

/// Newcomers wait in a line in order of arrival.
///
/// Apps that come back after their eviction from the line are ordered by last use.
///
/// Source: Johnson and Shasha, "2Q: a low overhead high performance buffer management replacement algorithm", VLDB 1994
/// (the full version). The line of newcomers has a quarter of the processes, and a use does not change its order. The
/// number of remembered victims of the line is half the number of processes. A remembered app joins the main queue when
/// it comes back.
public struct TwoQueues: EvictionPolicy {
    /// Entry of the policy, with the name in experiment files.
    public static let entry = EvictionPolicyEntry(
        PolicyDescriptor(
            name: "two-queues",
            summary: "Newcomers die in order of arrival; apps that return after an eviction die in order of last use.",
            source: "Johnson and Shasha, VLDB 1994: 2Q", meansApps: true),
        TwoQueues(),
        Parameter(
            \.newcomers, "newcomers", .fraction, 0...1, "share of the processes that are newcomers (paper: 25 %)"),
        Parameter(
            \.remembered, "remembered", .fraction, 0...10,
            "number of evicted newcomers to remember, as a share of the processes (paper: 50 %)"))

    /// Share of the processes that wait in the line of newcomers.
    public var newcomers = 0.25
    /// Number of remembered victims of the line, as a share of the processes.
    public var remembered = 0.5

    private static let (line, main) = (0, 1)
    private var queues = StandingQueues(count: 2)
    private var order = DeathOrder()
    /// Remembered victims of the line, with the oldest first.
    private var lost: [AppID] = []

    /// Creates the policy with its defaults.
    public init() {}

    /// Zero, because the queues move with each victim.
    public var rankLifetime: SimDuration? { .zero }

    /// The position in the order of eviction.
    public mutating func rank(_ candidate: EvictionCandidate, at now: SimTime) -> Double { order[candidate.app] }

    /// Moves an app of the main queue to its end; an app in the line keeps its position.
    public mutating func didOpen(_ app: AppID, at now: SimTime) {
        switch queues.queue(of: app) {
        case Self.line: break
        case Self.main: queues.append(app, to: Self.main)
        default: add(app)
        }
    }

    /// Takes the first app of the line if the line is longer than its share or the main queue is empty.
    ///
    /// Otherwise it takes the first app of the main queue.
    public mutating func survey(_ candidates: [EvictionCandidate], at now: SimTime) {
        for app in queues.newcomers(among: candidates, at: now) { add(app) }
        let line = queues.inQuestion(Self.line)
        let main = queues.inQuestion(Self.main)
        let isLong = line.count > max(1, Int(newcomers * Double(queues.standing)))
        order.set(isLong || main.isEmpty ? line + main : main + line)
    }

    /// Remembers a victim of the line.
    public mutating func didEvict(_ candidate: EvictionCandidate, at now: SimTime) {
        if queues.queue(of: candidate.app) == Self.line {
            lost.append(candidate.app)
            lost.removeFirst(max(0, lost.count - max(1, Int(remembered * Double(queues.standing)))))
        }
        queues.evict(candidate.app)
    }

    private mutating func add(_ app: AppID) {
        let known = lost.firstIndex(of: app)
        if let known { lost.remove(at: known) }
        queues.append(app, to: known == nil ? Self.line : Self.main)
    }
}
