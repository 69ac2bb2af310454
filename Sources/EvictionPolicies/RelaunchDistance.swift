// SPDX-License-Identifier: GPL-3.0-or-later
import Platform
import Quantities
import Structures
import Vocabulary

/// The app with the longest expected distance, in opens, to its next use dies first.
///
/// Source: Lee and Kyung, "A calibrated relaunch distance framework for app eviction in smartphone memory management",
/// Electronics 15(11), 2415, 2026, doi:10.3390/electronics15112415. It follows M2ARP (Lee and Park, CSSE 47(1), 2023,
/// doi:10.32604/csse.2023.038139). The papers predict the distance with a network trained on other users. Here, the
/// prediction is the app's typical distance: a mean of the logarithms of its distances, in which older ones have less
/// weight. Everything is learned in the run.
///
/// With calibration, an app's class is determined by its typical distance and the number of opens since its last use.
/// For each class, the policy counts how often the next open was of an app in the class. The mean distance to the next
/// use follows from these counts. Apps with and without a typical distance are thus comparable.
///
/// Without calibration, the expected distance is the typical distance minus the opens since the last use. Apps without
/// a typical distance then die first.
public struct RelaunchDistance: EvictionPolicy {
    /// Entry of the policy, with the name in experiment files.
    public static let entry = EvictionPolicyEntry(
        PolicyDescriptor(
            name: "relaunch-distance",
            summary: "The app whose next use is predicted to come after the most opens.",
            source: "Lee and Kyung 2026, doi:10.3390/electronics15112415", needs: .apps, meansApps: true),
        RelaunchDistance(),
        Parameter(
            \.isCalibrated, "calibrated", .choice(["on": true, "off": false]),
            "whether predictions are calibrated with the outcomes of similar predictions"),
        Parameter(
            \.lean, "lean", .number, 0...1000,
            "weight, in opens, of the estimate from the opens since the last use alone; assumption"),
        Parameter(
            \.memory, "memory", .fraction, 0...1, "weight of the old mean when a new distance is added; assumption"))

    /// Whether predictions are calibrated with the outcomes of similar predictions.
    public var isCalibrated = true
    /// Weight, in opens, of the estimate that uses only the opens since the last use.
    public var lean = 100.0
    /// Weight of the old mean when a new distance is added to an app's typical distance.
    public var memory = 0.7

    /// Number of classes of distances, by powers of two up to 2^10.
    private static let steps = 11
    /// The class of apps that were opened only once.
    private static let unknown = steps

    private struct Habit {
        /// The number of the app's last open; zero before its first open.
        var last = 0
        /// The mean logarithm to base two of the app's distances; negative before there is one.
        var typical = -1.0
    }

    private struct Tally {
        var opens = 0.0
        var returns = 0.0
    }

    private var habits = GrowingAppTable(Habit())
    /// All apps that were opened at least once.
    private var known: [AppID] = []
    private var tallies = Array(repeating: Tally(), count: (steps + 1) * steps)
    private var opens = 0
    /// The expected distance of each class; emptied by an open, and calculated again when needed.
    private var expected: [Double] = []

    /// Creates the policy with its defaults.
    public init() {}

    /// Zero, because distances change with every open.
    public var rankLifetime: SimDuration? { .zero }

    /// Learns the app's distance, and the outcome for all other apps, which were not opened.
    public mutating func didOpen(_ app: AppID, at now: SimTime) {
        opens += 1
        for other in known {
            let index = Self.index(habits[other], elapsed: opens - habits[other].last - 1)
            tallies[index].opens += 1
            if other == app { tallies[index].returns += 1 }
        }
        if habits[app].last == 0 { known.append(app) } else { learn(app, distance: opens - habits[app].last) }
        habits[app].last = opens
        expected.removeAll(keepingCapacity: true)
    }

    private mutating func learn(_ app: AppID, distance: Int) {
        let logarithm = Self.logarithm(distance)
        let typical = habits[app].typical
        habits[app].typical = typical < 0 ? logarithm : memory * typical + (1 - memory) * logarithm
    }

    /// The expected distance, negated.
    public mutating func rank(_ candidate: EvictionCandidate, at now: SimTime) -> Double {
        let habit = habits[candidate.app]
        guard habit.last > 0 else { return -.greatestFiniteMagnitude }
        let elapsed = opens - habit.last
        guard isCalibrated else { return Self.rawRank(habit, elapsed: elapsed) }
        if expected.isEmpty { expect() }
        return -expected[Self.index(habit, elapsed: elapsed)]
    }

    private static func rawRank(_ habit: Habit, elapsed: Int) -> Double {
        guard habit.typical >= 0 else { return -1e9 - Double(elapsed) }
        return -max(0, Double(1 << Int(habit.typical.rounded())) - Double(elapsed))
    }

    /// Derives each class's mean distance to the next use from the share of cases in which the app was opened next.
    private mutating func expect() {
        expected = Array(repeating: 0, count: tallies.count)
        for step in 0..<Self.steps {
            // This estimate uses only the opens since the last use.
            let column = (0...Self.unknown).map { tallies[$0 * Self.steps + step] }
            let all = column.reduce(into: Tally()) {
                $0.opens += $1.opens; $0.returns += $1.returns
            }
            let pooled = (all.returns + 0.5) / (all.opens + 1 + Double(1 << step))
            for (typical, tally) in column.enumerated() {
                expected[typical * Self.steps + step] = (tally.returns + lean * pooled) / (tally.opens + lean)
            }
        }
        for typical in 0...Self.unknown {
            var beyond = Double(1 << Self.steps)
            for step in (0..<Self.steps).reversed() {
                let index = typical * Self.steps + step
                let share = min(1, expected[index])
                let stays = pow(1 - share, Double(1 << step))
                beyond = (1 - stays) / max(share, 1e-9) + stays * beyond
                expected[index] = beyond
            }
        }
    }

    private static func index(_ habit: Habit, elapsed: Int) -> Int {
        let typical = habit.typical < 0 ? unknown : min(steps - 1, Int(habit.typical))
        return typical * steps + min(steps - 1, Int(logarithm(elapsed + 1)))
    }

    private static func logarithm(_ distance: Int) -> Double { log2(Double(max(1, distance))) }
}
