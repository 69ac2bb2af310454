// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// The app with the latest next open dies first.
///
/// This heuristic knows the future, so it is no rival of the other policies.
///
/// Source: Belady (IBM Systems Journal 5(2), 1966, doi:10.1147/sj.52.0078). For apps of equal size, no order causes
/// fewer new launches. For different sizes this is a greedy rule, and others may be better. The optimum is NP-hard
/// (Chrobak, Woeginger, Makino and Xu, Algorithmica 63, 2012, doi:10.1007/s00453-011-9502-9). With
/// `weigh=size-and-cost`, the time to the next use has more weight for large apps that launch fast.
public struct Belady: EvictionPolicy {
    /// Entry of the policy, with the name in experiment files.
    public static let entry = EvictionPolicyEntry(
        PolicyDescriptor(
            name: "belady",
            summary: "The app whose next open is farthest in the future; a heuristic that knows the future.",
            source: "Belady 1966, doi:10.1147/sj.52.0078", isOracle: true),
        Belady(),
        Parameter(
            \.weighsSizeAndCost, "weigh", .choice(["nothing": false, "size-and-cost": true]),
            "factor that multiplies the time to the next use: 1, or footprint divided by relaunch time"))

    /// Whether the time to the next use is multiplied by footprint divided by relaunch time.
    public var weighsSizeAndCost = false

    /// Creates the policy with its defaults.
    public init() {}

    /// Zero when weighted, because weighted times to the next use shrink at different rates.
    public var rankLifetime: SimDuration? { weighsSizeAndCost ? .zero : nil }

    /// The instant of the next use, negated, in seconds; when weighted, the weighted time until then, negated.
    public mutating func rank(_ candidate: EvictionCandidate, at now: SimTime) -> Double {
        guard weighsSizeAndCost else { return -candidate.nextOpen.seconds }
        let wait = max(0, (candidate.nextOpen - now).seconds)
        return -wait * candidate.footprint.mebibytes / max(candidate.relaunchTime.seconds, 1e-3)
    }
}
