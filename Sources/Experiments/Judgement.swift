// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Phone
import PhoneCore
import Recording
import Scenario
import Statistics

/// Mean of one metric under one policy at one sweep point.
public struct SummaryRow: Sendable {
    /// Index of the metric in the catalogue.
    public let metric: Int
    /// Index of the policy.
    public let policy: Int
    /// Index of the sweep point.
    public let point: Int
    /// Mean with its interval; nil when no replication has a value.
    public let interval: MeanInterval?
}

/// Comparison of a policy with the baseline, in one metric at one sweep point.
public struct ComparisonRow: Sendable {
    /// Index of the metric in the catalogue.
    public let metric: Int
    /// Index of the policy.
    public let policy: Int
    /// Index of the sweep point.
    public let point: Int
    /// Paired difference from the baseline; nil when no replication has both values.
    ///
    /// With maxT, the interval is corrected over all comparisons of the primary metric.
    public internal(set) var paired: PairedComparison?
    /// P-value; corrected if the metric is the primary one.
    public internal(set) var adjustedP: Double
    /// Verdict about the difference.
    public internal(set) var verdict: Verdict

    /// Reason why the interval is missing, or wider than the differences alone require; nil otherwise.
    public var reason: String? { paired.map(\.reason) ?? "no pair of values" }
}

/// Means and paired differences of the finished runs.
///
/// Sums are always in the order of the replications.
public struct Judgement: Sendable {
    /// The plan that was judged.
    public let plan: Plan
    /// Index of the policy pair with which the others are compared.
    public let baseline: Int
    /// Rules by which the runs are judged.
    public let analysis: Analysis
    /// Means, by metric, policy and sweep point.
    public let summary: [SummaryRow]
    /// Differences from the baseline, by metric, policy and sweep point.
    public let comparisons: [ComparisonRow]
    /// Shares of the gaps to references that policies close in the primary metric, by policy, reference and sweep
    /// point.
    public let headrooms: [HeadroomRow]
    /// Comparisons between the points of a sweep; nil without a sweep.
    public let sweep: SweepJudgement?
    /// Effects of the axes of a design; empty without a design.
    public let sensitivities: [SensitivityRow]
    /// Selection of the best policy, which drops the other policies early; nil if all policies are run to the end.
    public let selection: PolicySelection?
    /// Winner at each point of a sweep; empty without a sweep.
    public let winners: [WinnerRow]
    /// Values of the runs by replication.
    let values: ReplicationValues

    /// Judges the finished runs; you can choose a baseline and rules other than the plan's.
    public init(plan: Plan, store: RunStore, baseline: Int? = nil, analysis: Analysis? = nil) {
        self.plan = plan
        let chosen = baseline ?? plan.baseline
        let rules = analysis ?? plan.analysis
        self.baseline = chosen
        self.analysis = rules
        let values = ReplicationValues(plan: plan, store: store)
        self.values = values
        var summary: [SummaryRow] = []
        var comparisons: [ComparisonRow] = []
        for metric in plan.metrics.entries.indices {
            for policy in plan.policies.indices {
                for point in plan.points.indices {
                    let own = values.finite(metric: metric, policy: policy, point: point)
                    let interval = own.isEmpty ? nil : MeanInterval(own, level: rules.level)
                    summary.append(SummaryRow(metric: metric, policy: policy, point: point, interval: interval))
                    guard policy != chosen else { continue }
                    let pairs = values.pairs(metric: metric, (chosen, point), (policy, point))
                    comparisons.append(
                        Self.compare(pairs, metric, policy, point, plan.metrics.entries[metric], rules))
                }
            }
        }
        self.summary = summary
        self.comparisons = Self.correct(comparisons, plan, rules) { index in
            let row = comparisons[index]
            return values.changes(metric: row.metric, from: (chosen, row.point), to: (row.policy, row.point))
        }
        headrooms = Self.headrooms(plan: plan, values: values, baseline: chosen, rules: rules)
        sweep = plan.points.count > 1 ? SweepJudgement(plan, values, baseline: chosen, rules) : nil
        sensitivities = Self.sensitivities(plan, values, baseline: chosen, rules)
        selection = rules.selection.map { PolicySelection(plan, values, $0) }
        winners = Self.winners(plan, values, rules)
    }

    /// Compares the pairs of one metric.
    static func compare(
        _ pairs: (baseline: [Double], alternative: [Double]), _ metric: Int, _ policy: Int, _ point: Int,
        _ entry: MetricList.Entry, _ rules: Analysis
    ) -> ComparisonRow {
        guard !pairs.baseline.isEmpty else {
            return ComparisonRow(
                metric: metric, policy: policy, point: point, paired: nil, adjustedP: 1, verdict: .undecided)
        }
        let paired = PairedComparison(pairs, of: entry, level: rules.level)
        return ComparisonRow(
            metric: metric, policy: policy, point: point, paired: paired, adjustedP: paired.p,
            verdict: verdict(paired, adjustedP: paired.p, entry, rules))
    }

    /// Corrects the comparisons of the primary metric together, over all rivals and sweep points.
    ///
    /// References are excluded: no phone could have them, and each would reduce the power of the rivals' comparisons.
    static func correct(
        _ rows: [ComparisonRow], _ plan: Plan, _ rules: Analysis, changes: (Int) -> [Double]
    ) -> [ComparisonRow] {
        let metrics = plan.metrics
        guard let primary = metrics.index(of: rules.primary) else { return rows }
        let tested = rows.indices.filter {
            rows[$0].metric == primary && rows[$0].paired != nil && !plan.policies[rows[$0].policy].isReference
        }
        let found = rules.corrected(tested.compactMap { rows[$0].paired }) { changes(tested[$0]) }
        var corrected = rows
        for (index, (paired, p)) in zip(tested, found) {
            corrected[index].paired = paired
            corrected[index].adjustedP = p
            corrected[index].verdict = verdict(paired, adjustedP: p, metrics.entries[primary], rules)
        }
        return corrected
    }

    static func verdict(
        _ paired: PairedComparison, adjustedP: Double, _ entry: MetricList.Entry, _ rules: Analysis
    ) -> Verdict {
        Verdict(
            paired, adjustedP: adjustedP, level: rules.level, equivalence: rules.equivalence(of: entry.name),
            preference: Preference(entry.better))
    }
}

/// Values of metrics by replication.
struct ReplicationValues: Sendable {
    let plan: Plan
    let store: RunStore

    /// Value of one run.
    ///
    /// For many values, `all` is faster.
    func value(_ metric: Int, _ policy: Int, _ point: Int, _ replication: Int) -> Double {
        store.value(metric, plan.index(replication: replication, point: point, policy: policy))
    }

    /// One value per replication; NaN for a missing value.
    func all(_ metric: Int, _ policy: Int, _ point: Int) -> [Double] {
        let column = store.column(metric)
        return (0..<plan.replications).map { replication in
            column[plan.index(replication: replication, point: point, policy: policy)]
        }
    }

    /// Number of finished runs without a value, and number of all finished runs.
    func withoutValue(_ metric: Int, _ policy: Int, _ point: Int) -> (number: Int, done: Int) {
        let done = zip(0..., all(metric, policy, point)).filter { replication, _ in
            store.holds(plan.index(replication: replication, point: point, policy: policy))
        }
        return (done.count { !$0.1.isFinite }, done.count)
    }

    func finite(metric: Int, policy: Int, point: Int) -> [Double] {
        all(metric, policy, point).filter(\.isFinite)
    }
}
