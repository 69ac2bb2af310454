// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Structures
import Vocabulary

/// The app with the smallest value dies first; the value is inflation + opens × relaunch cost / footprint.
///
/// Source: Greedy-Dual-Size (Cao and Irani, USITS 1997) with frequency (Cherkasova, HP Laboratories HPL-98-69R1, 1998).
/// The inflation is the value of the last victim. An app keeps the inflation of its last use, so apps unused for long
/// fall behind. Its number of opens starts again after an eviction. Without this number, the rule is Greedy-Dual-Size
/// itself. If the cost then equals the size, the rule is the order of last use.
public struct GreedyDualSizeFrequency: EvictionPolicy {
    /// Entry of the policy, with the name in experiment files.
    public static let entry = EvictionPolicyEntry(
        PolicyDescriptor(
            name: "gdsf",
            summary: "The app with the lowest opens x relaunch cost / footprint dies first; unused apps fall behind.",
            source: "Cao and Irani 1997; Cherkasova, HPL-98-69R1, 1998"),
        GreedyDualSizeFrequency(),
        Parameter(
            \.cost, "cost", .choice(["launch-time": .launchTime, "launch-energy": .launchEnergy]),
            "cost of a relaunch: seconds of waiting or joules (choice of this project)"),
        Parameter(
            \.frequency, "frequency", .choice(["on": .sinceEviction, "off": .none, "perfect": .always]),
            "which opens count: those since the last eviction (HPL-98-69R1), none (Cao and Irani), or all"))

    /// Measure of the cost of a relaunch.
    public enum Cost: Sendable {
        case launchTime, launchEnergy
    }

    /// The opens by which the cost is multiplied.
    enum Frequency: Sendable {
        /// Opens since the app was last evicted, at least one, as in the source.
        case sinceEviction
        /// All opens, across evictions.
        case always
        /// No opens, which gives Greedy-Dual-Size.
        case none
    }

    private struct Memory {
        var opens: Int32 = -1
        /// Number of opens at the last eviction, which no longer count.
        var forgotten: Int32 = 0
        var launched = SimTime.zero
        var inflation = 0.0
        var worth = 0.0
    }

    private var memories = GrowingAppTable(Memory())
    private var inflation = 0.0
    /// Measure of the cost of a relaunch.
    public var cost = Cost.launchTime
    /// The opens by which the cost is multiplied.
    var frequency = Frequency.sinceEviction

    /// Creates the policy with its defaults.
    public init() {}

    /// The app's value, in seconds or joules per mebibyte.
    public mutating func rank(_ candidate: EvictionCandidate, at now: SimTime) -> Double {
        var memory = memories[candidate.app]
        if memory.opens != candidate.opens || memory.launched != candidate.launched {
            memory.opens = candidate.opens
            memory.launched = candidate.launched
            memory.inflation = inflation
        }
        let size = max(candidate.footprint.mebibytes, 0x1p-10)
        let relaunch = cost == .launchTime ? candidate.relaunchTime.seconds : candidate.relaunchEnergy.joules
        let uses =
            switch frequency {
            case .sinceEviction: max(1, candidate.opens - memory.forgotten)
            case .always: candidate.opens
            case .none: Int32(1)
            }
        memory.worth = memory.inflation + Double(uses) * relaunch / size
        memories[candidate.app] = memory
        return memory.worth
    }

    /// Sets the inflation to the victim's value, and forgets the victim's opens.
    public mutating func didEvict(_ candidate: EvictionCandidate, at now: SimTime) {
        memories[candidate.app].forgotten = candidate.opens
        inflation = max(inflation, memories[candidate.app].worth)
    }
}
