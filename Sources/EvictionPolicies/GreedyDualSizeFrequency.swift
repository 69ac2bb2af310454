// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Structures
import Vocabulary

/// The least of inflation + opens × relaunch cost / footprint; the inflation is the value of the last victim.
///
/// Source: Greedy-Dual-Size (Cao and Irani, USITS 1997) with frequency (Cherkasova, HP Laboratories HPL-98-69R1,
/// 1998). An app takes the inflation of its last use with it, so that apps unused for long fall behind. Without the
/// frequency it is Greedy-Dual-Size itself, and with a cost equal to the size that is the order of last use.
public struct GreedyDualSizeFrequency: EvictionPolicy {
    /// How experiment files name the policy.
    public static let entry = EvictionPolicyEntry(
        PolicyDescriptor(
            name: "gdsf", summary: "Least worth per byte first: opens times relaunch cost over footprint, ageing.",
            source: "Cao and Irani 1997; Cherkasova, HPL-98-69R1, 1998"),
        GreedyDualSizeFrequency(),
        Parameter(
            \.cost, "cost", .choice(["launch-time": .launchTime, "launch-energy": .launchEnergy]),
            "what a relaunch is taken to cost: seconds of waiting or joules (choice of this project)"),
        Parameter(
            \.countsUses, "frequency", .choice(["on": true, "off": false]),
            "whether opens multiply the cost (HPL-98-69R1) or not (Cao and Irani)"))

    /// What a relaunch is taken to cost.
    public enum Cost: Sendable {
        case launchTime, launchEnergy
    }

    private struct Memory {
        var opens: Int32 = -1
        var launched = SimTime.zero
        var inflation = 0.0
        var worth = 0.0
    }

    private var memories = GrowingAppTable(Memory())
    private var inflation = 0.0
    /// What a relaunch is taken to cost.
    public var cost = Cost.launchTime
    /// Whether opens multiply the cost.
    var countsUses = true

    /// Creates the policy with its defaults.
    public init() {}

    /// The app's worth: seconds or joules per mebibyte.
    public mutating func rank(_ candidate: EvictionCandidate, at now: SimTime) -> Double {
        var memory = memories[candidate.app]
        if memory.opens != candidate.opens || memory.launched != candidate.launched {
            memory.opens = candidate.opens
            memory.launched = candidate.launched
            memory.inflation = inflation
        }
        let size = max(candidate.footprint.mebibytes, 0x1p-10)
        let relaunch = cost == .launchTime ? candidate.relaunchTime.seconds : candidate.relaunchEnergy.joules
        let uses = countsUses ? Double(candidate.opens) : 1
        memory.worth = memory.inflation + uses * relaunch / size
        memories[candidate.app] = memory
        return memory.worth
    }

    /// The victim's worth becomes the inflation.
    public mutating func didEvict(_ candidate: EvictionCandidate, at now: SimTime) {
        inflation = max(inflation, memories[candidate.app].worth)
    }
}
