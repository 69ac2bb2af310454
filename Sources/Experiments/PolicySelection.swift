// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import PhoneCore
import Recording
import Scenario
import Statistics

/// Best of many policies at each sweep point, by the procedure of Kim and Nelson (`KimNelson`).
///
/// Policies are dropped by their results alone, replication by replication, regardless of time and the number of jobs.
/// Runs are given out in stages, each a fifth longer than the previous one, so some runs are not used.
public struct PolicySelection: Sendable {
    /// Outcome of a policy at a sweep point.
    public struct Row: Sendable, Equatable {
        /// Index of the sweep point.
        public let point: Int
        /// Index of the policy.
        public let policy: Int
        /// Outcome of the selection for the policy.
        public let outcome: Outcome
        /// Number of replications of the policy that the selection used.
        public let replications: Int
        /// Mean over these replications; nil if there are none.
        public let mean: Double?
        /// Index of the better policy because of which this policy was dropped; nil if it was not dropped.
        public let by: Int?
        /// Indifference zone, in the unit of the metric; nil before the first replications.
        public let indifference: Double?
    }

    /// Outcome of a policy.
    public enum Outcome: String, Sendable {
        /// The only remaining policy.
        case selected
        /// A policy that is significantly not the best, or is within the indifference zone of the best.
        case eliminated
        /// A policy that is neither selected nor eliminated yet.
        case left
    }

    /// Rows by sweep point, then by policy; references are excluded.
    public let rows: [Row]
    private let plan: Plan
    private let rule: SelectionRule

    /// Evaluates the finished runs.
    init(_ plan: Plan, _ values: ReplicationValues, _ rule: SelectionRule) {
        self.plan = plan
        self.rule = rule
        let rivals = plan.policies.indices.filter { !plan.policies[$0].isReference }
        guard let metric = plan.metrics.index(of: rule.isUsable(in: plan) ? plan.analysis.primary : ""),
            rivals.count > 1
        else {
            rows = []
            return
        }
        rows = plan.points.indices.flatMap { point in
            Self.rows(plan, values, rule, metric: metric, point: point, rivals: rivals)
        }
    }

    private static func rows(
        _ plan: Plan, _ values: ReplicationValues, _ rule: SelectionRule, metric: Int, point: Int, rivals: [Int]
    ) -> [Row] {
        let baseline = rivals.firstIndex(of: plan.baseline) ?? 0
        let share = rule.indifference
        var state = KimNelson(
            alternatives: rivals.count, first: rule.first, level: rule.level,
            preference: Preference(plan.metrics.entries[metric].better)
        ) { first in
            share * abs(first[baseline].reduce(0, +) / Double(first[baseline].count))
        }
        var seen = rivals.map { _ in [Double]() }
        for replication in 0..<plan.replications where !state.isDecided {
            let results = rivals.map { values.value(metric, $0, point, replication) }
            // A replication without a value of one remaining rival is skipped for all rivals.
            guard state.left.allSatisfy({ results[$0].isFinite }) else { continue }
            for rival in state.left { seen[rival].append(results[rival]) }
            state.add(results)
        }
        return rivals.indices.map { rival in
            let dropped = state.eliminated.first { $0.alternative == rival }
            let outcome = dropped != nil ? Outcome.eliminated : state.isDecided ? .selected : .left
            let mean = seen[rival].isEmpty ? nil : seen[rival].reduce(0, +) / Double(seen[rival].count)
            return Row(
                point: point, policy: rivals[rival], outcome: outcome, replications: seen[rival].count, mean: mean,
                by: dropped.map { rivals[$0.by] }, indifference: state.indifference)
        }
    }

    /// Numbers of replications at which the stages end, up to the largest number.
    private func stages(atMost most: Int) -> [Int] {
        var ends = [min(rule.first, most)]
        while let last = ends.last, last < most { ends.append(min(most, last + max(1, last / 5))) }
        return ends
    }

    /// Plan of the next stage; nil when every point is decided or no more replications are allowed.
    func next(atMost most: Int) -> Plan? {
        guard rows.contains(where: { $0.outcome == .left }), plan.replications < most else { return nil }
        let ends = stages(atMost: most)
        guard let end = ends.first(where: { $0 > plan.replications }) else { return nil }
        return plan.with(replications: end, lengths: lengths(ends, end))
    }

    /// Number of replications of each policy at each point.
    ///
    /// The runs of a policy continue to the end of the stage in which the policy was dropped or the point was decided.
    private func lengths(_ ends: [Int], _ end: Int) -> [Int] {
        var lengths = [Int](repeating: end, count: plan.policies.count * plan.points.count)
        for point in plan.points.indices {
            let own = rows.filter { $0.point == point }
            let isOpen = own.contains { $0.outcome == .left }
            let latest = own.map(\.replications).max() ?? end
            for policy in plan.policies.indices {
                let row = own.first { $0.policy == policy }
                let ended = row?.outcome == .eliminated ? row?.replications : isOpen ? nil : latest
                guard let ended else { continue }
                lengths[policy * plan.points.count + point] = ends.first { $0 >= ended } ?? end
            }
        }
        return lengths
    }

    /// Message if policies are left after the largest number of replications; nil when every point is decided.
    var missed: String? {
        let open = Set(rows.filter { $0.outcome == .left }.map(\.point)).count
        guard open > 0 else { return nil }
        let scope = plan.points.count > 1 ? " at \(open) of \(plan.points.count) points" : ""
        return "no policy was selected\(scope) within \(plan.replications) replications: several are left"
    }
}

extension SelectionRule {
    fileprivate func isUsable(in plan: Plan) -> Bool {
        plan.metrics.index(of: plan.analysis.primary).map { plan.metrics.entries[$0].better != .neutral } ?? false
    }
}

extension Judgement {
    /// The text of `selection.csv`.
    var selectionTable: [UInt8] {
        var out = ByteBuffer()
        out.append(contentsOf: TableCatalog.selection(axes: plan.axisColumns).header)
        guard let selection, let metric = plan.metrics.index(of: plan.analysis.primary) else { return out.bytes }
        for row in selection.rows {
            lead(metric, [plan.policies[row.policy].name], row.point, &out)
            out.comma()
            out.append(text: row.outcome.rawValue)
            out.comma()
            out.append(row.replications)
            append(row.mean, &out)
            out.comma()
            if let by = row.by { out.append(field: plan.policies[by].name) }
            append(row.indifference, &out)
            out.newline()
        }
        return out.bytes
    }
}
