// SPDX-License-Identifier: GPL-3.0-or-later
import Platform
import Quantities
import Structures
import Vocabulary

/// A weighted sum of three features, learned from recorded users, predicts which app has the latest next open.
///
/// Source: learning to rank by pairs (Burges and others, ICML 2005, doi:10.1145/1102351.1102363), as in learned caches
/// such as LRB (Song and others, NSDI 2020). The sum is linear, so the numbers in brackets after the name are the whole
/// model. `Tests/Reference/learned_ranker.py` learned the defaults from the two recorded users of App Usage (NOTICE).
/// The weight `cost` was not learned and is off.
public struct LearnedRanker: EvictionPolicy {
    /// Entry of the policy, with the name in experiment files.
    public static let entry = EvictionPolicyEntry(
        PolicyDescriptor(
            name: "learned",
            summary: "The app whose next use is predicted to come last; the weights are learned from other users.",
            source: "Burges et al. 2005, doi:10.1145/1102351.1102363; weights of this project", needs: .apps,
            meansApps: true),
        LearnedRanker(),
        Parameter(\.recency, "recency", .number, -100...100, "weight of -ln(1 + minutes since the last open)"),
        Parameter(\.opens, "opens", .number, -100...100, "weight of ln(1 + opens)"),
        Parameter(\.hour, "hour", .number, -100...100, "weight of ln(1 + opens in this eighth of the day)"),
        Parameter(
            \.cost, "cost", .number, -100...100, "weight of ln(launch time in ms per MiB); not learned (assumption)"))

    /// Weight of the time since the last open.
    public var recency = 0.09
    /// Weight of the number of opens.
    public var opens = 0.71
    /// Weight of the opens in the same eighth of the day.
    public var hour = 0.12
    /// Weight of the saved launch time per mebibyte.
    public var cost = 0.0

    private static let parts = 8

    private struct Habit {
        var last = SimTime.zero
        var opens = 0.0
        var byPart = SIMD8<Float>.zero
    }

    private var habits = GrowingAppTable(Habit())

    /// Creates the policy with its defaults.
    public init() {}

    /// Zero, because features change with the hour and with every open.
    public var rankLifetime: SimDuration? { .zero }

    /// Learns from an open.
    public mutating func didOpen(_ app: AppID, at now: SimTime) {
        habits[app].last = now
        habits[app].opens += 1
        habits[app].byPart[Self.part(now)] += 1
    }

    /// The weighted sum; an app that was never opened comes before all others.
    public mutating func rank(_ candidate: EvictionCandidate, at now: SimTime) -> Double {
        let habit = habits[candidate.app]
        guard habit.opens > 0 else { return -1e9 + candidate.lastForeground.seconds }
        let since = log1p(max(0, (now - habit.last).seconds) / 60)
        let inPart = log1p(Double(habit.byPart[Self.part(now)]))
        let sum = -recency * since + opens * log1p(habit.opens) + hour * inPart
        guard cost != 0 else { return sum }
        let saved = max(candidate.relaunchTime.seconds * 1000, 1) / max(candidate.footprint.mebibytes, 0x1p-10)
        return sum + cost * log(saved)
    }

    private static func part(_ now: SimTime) -> Int { min(parts - 1, max(0, Int(now.hourOfDay / 3))) }
}
