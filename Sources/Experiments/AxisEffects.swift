// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Scenario
import Statistics

/// Effects of each axis of a sweep on a metric under one policy.
///
/// If every combination of values is a point, the effect of a value is its paired difference from the axis's first
/// value. Within a replication, the effect is averaged over all values of the other axes. If the points are a plain
/// list, they count as the values of one axis. The effects of all axes are corrected together. Differences are paired,
/// because all points have the same users.
///
/// Source: D. C. Montgomery, Design and Analysis of Experiments, 8th ed., Wiley 2013, section 5.3.
public struct AxisEffects: Sendable {
    /// Comparison of one value of an axis with the axis's first value.
    public struct Row: Sendable {
        /// Index of the axis; zero for a list of points.
        public let axis: Int
        /// Value that is compared.
        public let value: String
        /// First value of the axis; `value` is compared with it.
        public let base: String
        /// Difference from the first value.
        public let paired: PairedComparison
        /// Verdict about the difference.
        public let verdict: Verdict
    }

    /// Index of the policy.
    public let policy: Int
    /// Names of the axes.
    public let axes: [String]
    /// Comparisons for each axis and each value except the first, in the order of the sweep.
    public let rows: [Row]

    /// Whether any run differs between a value and the first value of its axis.
    var changes: Bool { rows.contains { $0.paired.differing > 0 } }

    /// Value of an axis, and the points that have this value.
    private struct Level {
        let value: String
        let points: [Int]
    }

    /// Judges a metric under a policy.
    ///
    /// The result is nil for fewer than two points, if two points have equal values, or if no replication has a value
    /// at every point.
    public init?(_ judgement: Judgement, metric: Int, policy: Int) {
        let (plan, rules) = (judgement.plan, judgement.analysis)
        guard plan.points.count > 1, Set(plan.points.map(\.values)).count == plan.points.count else { return nil }
        let product = Self.levels(of: plan)
        self.policy = policy
        let isProduct = product.reduce(1) { $0 * $1.count } == plan.points.count
        let levels = isProduct ? product : [Self.list(of: plan)]
        axes = isProduct ? plan.axes : ["the sweep point"]
        let cells = plan.points.indices.map { judgement.values.all(metric, policy, $0) }
        let whole = (0..<plan.replications).filter { run in cells.allSatisfy { $0[run].isFinite } }
        guard !whole.isEmpty else { return nil }
        func mean(_ level: Level) -> [Double] {
            whole.map { run in level.points.reduce(0) { $0 + cells[$1][run] } / Double(level.points.count) }
        }
        let entry = plan.metrics.entries[metric]
        let tests = levels.enumerated().flatMap { axis, values in
            values.dropFirst().map { (axis: axis, value: $0.value, lists: (mean(values[0]), mean($0))) }
        }
        let plain = tests.map { PairedComparison($0.lists, of: entry, level: rules.level) }
        let found = rules.corrected(plain) { index in
            zip(tests[index].lists.0, tests[index].lists.1).map { PairedComparison.change(from: $0, to: $1) }
        }
        // An axis can also affect a metric that has no better direction.
        let preference = entry.better == .neutral ? .lower : Preference(entry.better)
        rows = zip(tests, found).map { test, found in
            Row(
                axis: test.axis, value: test.value, base: levels[test.axis][0].value, paired: found.paired,
                verdict: Verdict(
                    found.paired, adjustedP: found.p, level: rules.level,
                    equivalence: rules.equivalence(of: entry.name), preference: preference))
        }
    }

    /// Values of each axis, in the order of the sweep.
    private static func levels(of plan: Plan) -> [[Level]] {
        plan.axes.indices.map { axis in
            let values = plan.points.map { $0.values[axis] }.reduce(into: [String]()) {
                if !$0.contains($1) { $0.append($1) }
            }
            return values.map { value in
                Level(value: value, points: plan.points.indices.filter { plan.points[$0].values[axis] == value })
            }
        }
    }

    /// Longest label of a point in a sentence, in characters.
    private static let longest = 100

    /// Points, labelled by the values that differ from the first point's; a label that is too long is replaced by the
    /// point's number.
    private static func list(of plan: Plan) -> [Level] {
        plan.points.indices.map { point in
            let changed = plan.axes.indices.filter { plan.points[point].values[$0] != plan.points[0].values[$0] }
            let text = changed.map { "\(plan.axes[$0]) = \(plan.points[point].values[$0])" }.joined(separator: ", ")
            let told = text.count <= longest ? text : "point \(point + 1) of \(plan.points.count)"
            return Level(value: point == 0 ? "the first" : told, points: [point])
        }
    }
}

extension Findings {
    /// Sentences about the effects of the axes on the primary metric under the baseline, the largest effect first.
    var byAxis: [String] {
        guard let effects = axisEffects else { return [] }
        let moved = moved
        let open = effects.axes.filter { axis in !moved.contains { effects.axes[$0.axis] == axis } }
        return moved.map(sentence) + (unmoved(open, effects).map { [$0] } ?? [])
    }

    /// For each axis with a significant effect, the value with the largest effect; the axes are in descending order of
    /// these effects.
    ///
    /// Effects are those on the primary metric under the baseline.
    var moved: [AxisEffects.Row] {
        guard let effects = axisEffects else { return [] }
        func size(_ row: AxisEffects.Row) -> Double { abs(row.paired.difference) }
        return effects.axes.indices.compactMap { axis in
            effects.rows.filter { $0.axis == axis && ($0.verdict == .better || $0.verdict == .worse) }
                .max { size($0) < size($1) }
        }.sorted { (size($1), $0.axis) < (size($0), $1.axis) }
    }

    /// Sentence about the effect of a value.
    func sentence(_ row: AxisEffects.Row) -> String {
        Self.capitalized(
            "\(axisEffects?.axes[row.axis] ?? "") matters: \(axisPolicy) has \(told(row)), "
                + "\(Self.count(row.paired.n, "pair")).")
    }

    /// Name of the policy whose axis effects are shown.
    var axisPolicy: String { names[axisEffects?.policy ?? judgement.baseline] }

    /// Capitalizes a text that begins with "the "; any other text begins with a key and stays unchanged.
    private static func capitalized(_ text: String) -> String {
        text.hasPrefix("the ") ? "T" + text.dropFirst() : text
    }

    /// An effect in words: "53 % fewer relaunches per day at 6 GiB than at 3 GiB [34, 73]".
    func told(_ row: AxisEffects.Row) -> String {
        let change = Change(row.paired, entry)
        return "\(change.amount) \(entry.title) at \(row.value) than at \(row.base) \(change.interval)"
    }

    /// Sentence about axes without a significant effect; nil if there are none.
    private func unmoved(_ axes: [String], _ effects: AxisEffects) -> String? {
        guard let last = axes.last else { return nil }
        let rows = effects.rows.filter { axes.contains(effects.axes[$0.axis]) }
        let isNothing = rows.allSatisfy { $0.verdict == .equivalent }
        let band = Figures.rough(judgement.analysis.equivalence(of: entry.name) * 100)
        let within = isNothing ? ": all values are within \(band) %" : ""
        let verb = isNothing ? "changes" : "significantly changes"
        if axes.count == 1 {
            return Self.capitalized(
                isNothing
                    ? "\(last) does not change \(entry.title)\(within)."
                    : "\(last) does not significantly change \(entry.title).")
        }
        let first = axes.count == 2 ? "Neither \(axes[0])" : "None of " + axes.dropLast().joined(separator: ", ")
        return "\(first) \(axes.count == 2 ? "nor" : "and") \(last) \(verb) \(entry.title)\(within)."
    }
}
