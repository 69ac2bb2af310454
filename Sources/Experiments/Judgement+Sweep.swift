// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Phone
import PhoneCore
import Recording
import Scenario
import Statistics

/// Paired comparison of a metric between two sweep points under the same policy.
public struct PointComparisonRow: Sendable {
    /// The comparison; its `point` is compared with `baseline`.
    public let row: ComparisonRow
    /// Index of the sweep point with which the other point is compared.
    public let baseline: Int
}

/// Change of a metric per unit of a swept axis, over all points of the sweep.
public struct SlopeRow: Sendable {
    /// Index of the metric.
    public let metric: Int
    /// Index of the policy.
    public let policy: Int
    /// The axis.
    public let axis: SweepAxis
    /// Mean slope over the replications, compared with zero; nil when no replication has values at all points.
    public let slope: PairedComparison?
}

/// Position on a swept axis at which a policy's difference from the baseline changes its sign, in the primary metric.
public struct CrossingRow: Sendable {
    /// Index of the policy.
    public let policy: Int
    /// The axis.
    public let axis: SweepAxis
    /// Index of a sweep point that has the crossing's values of the other axes.
    public let point: Int
    /// Position of the crossing on the axis, with its interval.
    public let crossing: Crossing
}

/// Comparisons between the points of a sweep.
public struct SweepJudgement: Sendable {
    /// Differences from the baseline point, by metric, policy and point.
    public let comparisons: [PointComparisonRow]
    /// Slopes, by metric, policy and axis.
    public let slopes: [SlopeRow]
    /// Crossings, by policy, axis, values of the other axes, and position.
    public let crossings: [CrossingRow]

    init(_ plan: Plan, _ values: ReplicationValues, baseline: Int, _ rules: Analysis) {
        var rows: [ComparisonRow] = []
        var baselines: [Int] = []
        var slopes: [SlopeRow] = []
        let axes = plan.numericAxes
        for metric in plan.metrics.entries.indices {
            let spread = Spread(plan.metrics.entries[metric].spread)
            for policy in plan.policies.indices {
                for point in plan.points.indices {
                    guard let other = plan.baselinePoint(of: point, named: rules.sweepBaseline) else { continue }
                    let pairs = values.pairs(metric: metric, (policy, other), (policy, point))
                    rows.append(
                        Judgement.compare(pairs, metric, policy, point, plan.metrics.entries[metric], rules))
                    baselines.append(other)
                }
                for axis in axes {
                    let each = values.slopes(metric: metric, policy: policy, axis)
                    let slope =
                        each.isEmpty
                        ? nil : PairedComparison(ofDifferences: each, level: rules.level, spread: spread)
                    slopes.append(SlopeRow(metric: metric, policy: policy, axis: axis, slope: slope))
                }
            }
        }
        let corrected = Judgement.correct(rows, plan, rules) { index in
            let row = rows[index]
            return values.changes(
                metric: row.metric, from: (row.policy, baselines[index]), to: (row.policy, row.point))
        }
        comparisons = zip(corrected, baselines).map { PointComparisonRow(row: $0, baseline: $1) }
        self.slopes = slopes
        crossings = Self.crossings(plan, values, axes, baseline: baseline, rules)
    }

    private static func crossings(
        _ plan: Plan, _ values: ReplicationValues, _ axes: [SweepAxis], baseline: Int, _ rules: Analysis
    ) -> [CrossingRow] {
        guard let metric = plan.metrics.index(of: rules.primary) else { return [] }
        var rows: [CrossingRow] = []
        for policy in plan.policies.indices where policy != baseline {
            for axis in axes {
                for group in axis.groups(of: plan) where group.count > 1 {
                    let differences = values.differences(metric: metric, policy, baseline, points: group)
                    guard !differences[0].isEmpty else { continue }
                    let found = Crossing.all(
                        axis: group.map { axis.numbers[$0] }, differences: differences, level: rules.level,
                        spread: Spread(plan.metrics.entries[metric].spread))
                    rows += found.map { CrossingRow(policy: policy, axis: axis, point: group[0], crossing: $0) }
                }
            }
        }
        return rows
    }
}

extension ReplicationValues {
    /// Values of two combinations of policy and point, in the replications that have both values.
    func pairs(
        metric: Int, _ left: (policy: Int, point: Int), _ right: (policy: Int, point: Int)
    ) -> (baseline: [Double], alternative: [Double]) {
        var pairs: (baseline: [Double], alternative: [Double]) = ([], [])
        for (first, second) in zip(all(metric, left.policy, left.point), all(metric, right.policy, right.point)) {
            guard first.isFinite, second.isFinite else { continue }
            pairs.baseline.append(first)
            pairs.alternative.append(second)
        }
        return pairs
    }

    /// Slope along an axis by least squares, for each replication, pooled over the values of the other axes.
    ///
    /// Only replications with a value at every point are used.
    func slopes(metric: Int, policy: Int, _ axis: SweepAxis) -> [Double] {
        let groups = axis.groups(of: plan).map { group in
            let mean = group.reduce(0) { $0 + axis.numbers[$1] } / Double(group.count)
            return group.map { (point: $0, offset: axis.numbers[$0] - mean) }
        }
        let spread = groups.joined().reduce(0) { $0 + $1.offset * $1.offset }
        return (0..<plan.replications).compactMap { replication in
            let sum = groups.joined().reduce(0) {
                $0 + $1.offset * value(metric, policy, $1.point, replication)
            }
            let rounding = groups.joined().reduce(0) {
                $0 + abs($1.offset) * PairedComparison.rounding(of: value(metric, policy, $1.point, replication))
            }
            if sum.isFinite, abs(sum) <= rounding { return 0 }
            return sum.isFinite ? sum / spread : nil
        }
    }

    /// Differences between two policies at each point, in the replications that have both values at every point.
    func differences(metric: Int, _ policy: Int, _ baseline: Int, points: [Int]) -> [[Double]] {
        var lists = points.map { _ in [Double]() }
        for replication in 0..<plan.replications {
            let row = points.map {
                PairedComparison.change(
                    from: value(metric, baseline, $0, replication), to: value(metric, policy, $0, replication))
            }
            guard row.allSatisfy(\.isFinite) else { continue }
            for index in row.indices { lists[index].append(row[index]) }
        }
        return lists
    }
}
