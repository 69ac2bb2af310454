// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Scenario
import Statistics

/// What each axis of a sweep does to a metric under one policy, where every combination of values is a point.
///
/// The effect of a value is its paired difference from the axis's first, each averaged over all values of the other
/// axes within a replication; the effects of all axes are corrected together. Points see the same users, so the
/// differences are paired as those of policies are.
///
/// Source: D. C. Montgomery, Design and Analysis of Experiments, 8th ed., Wiley 2013, section 5.3.
public struct AxisEffects: Sendable {
    /// One value of an axis beside the axis's first.
    public struct Row: Sendable {
        /// Index of the axis.
        public let axis: Int
        /// The value.
        public let value: String
        /// The axis's first value.
        public let base: String
        /// The difference between the two.
        public let paired: PairedComparison
        /// What follows.
        public let verdict: Verdict
    }

    /// All values but the first of each axis, in the order of the sweep.
    public let rows: [Row]

    /// Judges a metric under a policy; nil without two points, where they are no product, or where no replication has
    /// a value at all of them.
    public init?(_ judgement: Judgement, metric: Int, policy: Int) {
        let (plan, rules) = (judgement.plan, judgement.analysis)
        let levels = plan.axes.indices.map { axis in
            plan.points.map { $0.values[axis] }.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        }
        guard plan.points.count > 1, levels.reduce(1, { $0 * $1.count }) == plan.points.count,
            Set(plan.points.map(\.values)).count == plan.points.count
        else { return nil }
        let cells = plan.points.indices.map { judgement.values.all(metric, policy, $0) }
        let whole = (0..<plan.replications).filter { run in cells.allSatisfy { $0[run].isFinite } }
        guard !whole.isEmpty else { return nil }
        func mean(_ axis: Int, _ value: String) -> [Double] {
            let points = plan.points.indices.filter { plan.points[$0].values[axis] == value }
            return whole.map { run in points.reduce(0) { $0 + cells[$1][run] } / Double(points.count) }
        }
        let entry = plan.metrics.entries[metric]
        let tests = levels.enumerated().flatMap { axis, values in
            values.dropFirst().map { (axis: axis, value: $0, lists: (mean(axis, values[0]), mean(axis, $0))) }
        }
        let plain = tests.map { PairedComparison($0.lists, of: entry, level: rules.level) }
        let found = rules.corrected(plain) { index in
            zip(tests[index].lists.0, tests[index].lists.1).map { PairedComparison.change(from: $0, to: $1) }
        }
        rows = zip(tests, found).map { test, found in
            Row(
                axis: test.axis, value: test.value, base: levels[test.axis][0], paired: found.paired,
                verdict: Judgement.verdict(found.paired, adjustedP: found.p, entry, rules))
        }
    }
}

extension Findings {
    /// What the axes of a sweep do to the primary metric under the baseline, the one that changes most first; empty
    /// where they are no product.
    var byAxis: [String] {
        guard let effects = axisEffects else { return [] }
        let moved = moved
        let open = plan.axes.indices.filter { axis in !moved.contains { $0.axis == axis } }.map { plan.axes[$0] }
        return moved.map(\.text) + (unmoved(open, effects).map { [$0] } ?? [])
    }

    /// The axes that surely change the primary metric under the baseline, the one that changes most first.
    var moved: [(axis: Int, text: String)] {
        guard let effects = axisEffects else { return [] }
        var sure: [(axis: Int, text: String, size: Double)] = []
        for axis in plan.axes.indices {
            let rows = effects.rows.filter { $0.axis == axis && ($0.verdict == .better || $0.verdict == .worse) }
            guard let most = rows.max(by: { abs($0.paired.difference) < abs($1.paired.difference) }) else { continue }
            let change = Change(most.paired, entry)
            let text =
                "\(plan.axes[axis]) decides: \(baseline) has \(change.amount) \(entry.title) at \(most.value) than at "
                + "\(most.base) \(change.interval), \(Self.count(most.paired.n, "pair"))."
            sure.append((axis, text, abs(most.paired.difference)))
        }
        return sure.sorted { ($1.size, $0.axis) < ($0.size, $1.axis) }.map { ($0.axis, $0.text) }
    }

    /// That none of some axes surely changes the metric.
    private func unmoved(_ axes: [String], _ effects: AxisEffects) -> String? {
        guard let last = axes.last else { return nil }
        let rows = effects.rows.filter { axes.contains(plan.axes[$0.axis]) }
        let isNothing = rows.allSatisfy { $0.verdict == .equivalent }
        let band = Figures.rough(judgement.analysis.equivalence(of: entry.name) * 100)
        let within = isNothing ? ": all are within \(band) %" : ""
        let verb = isNothing ? "changes" : "surely changes"
        if axes.count == 1 {
            return isNothing
                ? "\(last) changes nothing in \(entry.title)\(within)."
                : "\(last) does not surely change \(entry.title)."
        }
        let first = axes.count == 2 ? "Neither \(axes[0])" : "None of " + axes.dropLast().joined(separator: ", ")
        return "\(first) \(axes.count == 2 ? "nor" : "and") \(last) \(verb) \(entry.title)\(within)."
    }
}
