// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import PhoneCore
import Recording
import Scenario
import Statistics

/// Sensitivity of a metric to an axis of a design.
public struct SensitivityRow: Sendable {
    /// Index of the metric.
    public let metric: Int
    /// Index of the policy.
    ///
    /// For the baseline, the row is about the metric itself. For any other policy, it is about the difference from the
    /// baseline.
    public let policy: Int
    /// Index of the axis.
    public let axis: Int
    /// Estimated measure.
    public let measure: Measure
    /// Estimate; nil if no replication has values at all points, or if nothing varies.
    public let estimate: DesignEstimate?
    /// Number of replications with a value at every point.
    public let n: Int

    /// Measure of sensitivity.
    public enum Measure: String, Sendable, CaseIterable {
        /// Mean of the elementary effects, mean of their absolute values, and their standard deviation.
        case mu, muStar = "mu_star", sigma
        /// Sobol's first-order and total indices.
        case first, total

        static func all(of kind: SweepDesign.Kind) -> [Measure] {
            kind == .morris ? [.mu, .muStar, .sigma] : [.first, .total]
        }
    }
}

extension Judgement {
    /// Sensitivities of the paired differences to the axes of a design, in the primary and the shown metrics.
    ///
    /// The list is empty without a design.
    static func sensitivities(
        _ plan: Plan, _ values: ReplicationValues, baseline: Int, _ rules: Analysis
    ) -> [SensitivityRow] {
        guard let design = rules.design, let study = DesignStudy(plan, design) else { return [] }
        let names = [rules.primary] + rules.shown.filter { $0 != rules.primary }
        var rows: [SensitivityRow] = []
        for metric in names.compactMap({ plan.metrics.index(of: $0) }) {
            for policy in plan.policies.indices {
                let results = (0..<plan.replications).compactMap { replication in
                    study.results { point in
                        let own = values.value(metric, policy, point, replication)
                        return policy == baseline ? own : own - values.value(metric, baseline, point, replication)
                    }
                }
                let found = study.estimates(results, level: rules.level, seed: plan.seed)
                for axis in plan.axes.indices {
                    for (index, measure) in SensitivityRow.Measure.all(of: design.kind).enumerated() {
                        rows.append(
                            SensitivityRow(
                                metric: metric, policy: policy, axis: axis, measure: measure,
                                estimate: found?[index * plan.axes.count + axis], n: results.count))
                    }
                }
            }
        }
        return rows
    }

    /// The text of `sensitivity.csv`.
    var sensitivityTable: [UInt8] {
        var out = ByteBuffer()
        out.append(contentsOf: TableCatalog.sensitivity.header)
        for row in sensitivities {
            let names = [row.policy == baseline ? "" : plan.policies[baseline].name, plan.policies[row.policy].name]
            lead(row.metric, names + [plan.axes[row.axis], row.measure.rawValue], nil, &out)
            for value in [row.estimate?.value, row.estimate?.low, row.estimate?.high] { append(value, &out) }
            out.comma()
            out.append(row.n)
            out.newline()
        }
        return out.bytes
    }
}

/// Rows of a design, and the computation of its measures.
struct DesignStudy {
    private let design: SweepDesign
    /// Coordinates of each row, as shares of the axes' ranges.
    private let coordinates: [[Double]]
    private let inputs: Int

    /// Creates the study of a plan; nil when the plan's points do not match the design.
    init?(_ plan: Plan, _ design: SweepDesign) {
        let numbers = plan.axisValues.compactMap(\.numbers)
        inputs = plan.axes.count
        guard numbers.count == inputs, design.ranges.count == inputs, !design.rows.isEmpty,
            design.rows.allSatisfy(plan.points.indices.contains)
        else { return nil }
        self.design = design
        coordinates = design.rows.map { point in
            zip(numbers, design.ranges).map { ($0[point] - $1.lowerBound) / ($1.upperBound - $1.lowerBound) }
        }
    }

    private var group: Int { design.kind == .morris ? inputs + 1 : inputs + 2 }

    /// Values of one replication at all rows; nil when a value is missing.
    func results(_ value: (_ point: Int) -> Double) -> [Double]? {
        let results = design.rows.map(value)
        return results.allSatisfy(\.isFinite) ? results : nil
    }

    /// Estimates of each measure for each axis; nil without results.
    func estimates(_ results: [[Double]], level: Double, seed: UInt64) -> [DesignEstimate]? {
        guard !results.isEmpty else { return nil }
        return DesignEstimate.all(results: results, group: group, level: level, seed: seed) { groups, values in
            switch design.kind {
            case .saltelli:
                return SobolIndices(values: values, inputs: inputs).map { $0.first + $0.total }
            case .morris:
                let points = groups.flatMap { coordinates[$0 * group..<($0 + 1) * group] }
                let effects = ElementaryEffects(points: points, values: values)
                return effects.mean + effects.size + effects.deviation
            }
        }
    }
}
