// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Structures
import Vocabulary

/// A newcomer stays only if it was recently used more often than the app that would leave for it.
///
/// Source: Einziger, Friedman and Manes, "TinyLFU: a highly efficient cache admission policy", ACM Transactions on
/// Storage 13(4), 2017, doi:10.1145/3149371 (W-TinyLFU). Newcomers wait in a window of 1 % of the processes. The
/// window's oldest app is compared with the oldest app of the probation queue. The app used less often dies, and a
/// winning newcomer joins the probation queue. A use moves an app from probation to the protected queue, which has at
/// most 80 % of the processes outside the window.
///
/// Counts of uses are at most 15, and are halved after ten times as many uses as there are processes. Counts are exact,
/// because a phone has few apps and needs none of the paper's sketches.
public struct WindowTinyLFU: EvictionPolicy {
    /// Entry of the policy, with the name in experiment files.
    public static let entry = EvictionPolicyEntry(
        PolicyDescriptor(
            name: "w-tinylfu",
            summary: "A newcomer stays only if it was recently used more often than the app it would displace.",
            source: "Einziger, Friedman and Manes 2017, doi:10.1145/3149371", meansApps: true),
        WindowTinyLFU(),
        Parameter(\.windowShare, "window", .fraction, 0...1, "share of the processes in the window (paper: 1 %)"),
        Parameter(
            \.protectedShare, "protected", .fraction, 0...1,
            "largest share that the protected queue has of the processes outside the window (paper: 80 %)"))

    /// Share of the processes in the window, which has room for at least one.
    public var windowShare = 0.01
    /// Largest share of the processes outside the window that may be in the protected queue.
    public var protectedShare = 0.8

    private static let (window, probation, protected) = (0, 1, 2)
    /// Largest count; the paper's counters have four bits.
    private static let largestCount = 15
    /// Uses per process after which counts are halved.
    private static let sample = 10

    private var queues = StandingQueues(count: 3)
    private var order = DeathOrder()
    private var counts = GrowingAppTable(Count())
    private var uses = 0
    private var halvings = 0
    /// The newcomer that has won against the next victim.
    private var admitted: AppID?

    private struct Count {
        var value = 0
        /// Number of halvings of all counts when this count was last updated.
        var halvings = 0
    }

    /// Creates the policy with its defaults.
    public init() {}

    /// Zero, because the queues move with each victim.
    public var rankLifetime: SimDuration? { .zero }

    /// The position in the order of eviction.
    public mutating func rank(_ candidate: EvictionCandidate, at now: SimTime) -> Double { order[candidate.app] }

    /// Counts a use, and moves the app to its new queue.
    public mutating func didOpen(_ app: AppID, at now: SimTime) {
        let windowRoom = windowRoom(of: queues.room)
        // If no app had to die for the last newcomer, there was room for the oldest app of the window.
        while queues[Self.window].count > windowRoom, let oldest = queues[Self.window].first {
            queues.append(oldest, to: Self.probation)
        }
        count(app)
        switch queues.queue(of: app) {
        case Self.probation, Self.protected: queues.append(app, to: Self.protected)
        default: queues.append(app, to: Self.window)
        }
        demote(of: queues.room)
    }

    /// Compares the oldest app of the window with the oldest app on probation.
    public mutating func survey(_ candidates: [EvictionCandidate], at now: SimTime) {
        for app in queues.newcomers(among: candidates, at: now) { didOpen(app, at: now) }
        let windowRoom = windowRoom(of: queues.standing)
        if queues.room == 0 { demote(of: queues.standing) }
        let window = queues.inQuestion(Self.window)
        let main = queues.inQuestion(Self.probation) + queues.inQuestion(Self.protected)
        admitted = nil
        guard let oldest = window.first, window.count >= windowRoom || main.isEmpty else {
            order.set(main + window)
            return
        }
        if let victim = main.first, frequency(oldest) > frequency(victim) {
            admitted = oldest
            order.set(main + window)
        } else {
            order.set([oldest] + main + window.dropFirst())
        }
    }

    /// If the next victim in the order dies, the newcomer that won moves to probation; any other victim leaves a gap.
    public mutating func didEvict(_ candidate: EvictionCandidate, at now: SimTime) {
        if candidate.app == order.next, let admitted { queues.append(admitted, to: Self.probation) }
        queues.evict(candidate.app)
    }

    /// Number of apps for which the window has room if all queues together have room for `room` apps.
    private func windowRoom(of room: Int) -> Int { max(1, Int(windowShare * Double(room))) }

    /// Moves the oldest apps of the protected queue to probation while the queue is too long.
    private mutating func demote(of room: Int) {
        guard room > 0 else { return }
        let most = Int(protectedShare * Double(room - windowRoom(of: room)))
        while queues[Self.protected].count > most, let oldest = queues[Self.protected].first {
            queues.append(oldest, to: Self.probation)
        }
    }

    private mutating func count(_ app: AppID) {
        counts[app] = Count(value: min(Self.largestCount, frequency(app) + 1), halvings: halvings)
        uses += 1
        guard queues.room > 0, uses >= Self.sample * queues.room else { return }
        halvings += 1
        uses /= 2
    }

    private func frequency(_ app: AppID) -> Int {
        counts[app].value >> min(Int.bitWidth - 1, halvings - counts[app].halvings)
    }
}
