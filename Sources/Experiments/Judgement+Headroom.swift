// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Phone
import PhoneCore
import Statistics

/// What share of the gap between the baseline and a bound a policy closes, in the primary metric.
public struct HeadroomRow: Sendable {
    /// Index of the policy.
    public let policy: Int
    /// Index of the bound: an oracle, or a phone on which nobody dies for want of memory.
    public let bound: Int
    /// Index of the sweep point.
    public let point: Int
    /// The share and its interval.
    public let headroom: Headroom
}

extension PlannedPolicy {
    /// What is said of a policy that reads the future.
    static let oracleRemark = "reads the future: a bound, not a rival"

    /// Whether the pair is a bound on what others can reach, and no rival of theirs.
    public var isBound: Bool { remarks.contains(Self.oracleRemark) || eviction == "unbounded" }

    /// Whether two pairs differ in eviction only or in scheduling only, so that one can bound the other.
    func sharesHalf(with other: PlannedPolicy) -> Bool {
        eviction == other.eviction || scheduling == other.scheduling
    }
}

extension Plan {
    /// The bounds for a policy: those that differ from it, and from the baseline, in the same half of the pair.
    func bounds(for policy: Int, baseline: Int) -> [Int] {
        guard policy != baseline, policies[policy].sharesHalf(with: policies[baseline]) else { return [] }
        return policies.indices.filter { bound in
            bound != policy && bound != baseline && policies[bound].isBound
                && policies[bound].sharesHalf(with: policies[policy])
                && policies[bound].sharesHalf(with: policies[baseline])
        }
    }
}

extension Judgement {
    /// Relates every policy to every bound for it, over the replications that have all three values.
    static func headrooms(
        plan: Plan, values: ReplicationValues, baseline: Int, rules: Analysis
    ) -> [HeadroomRow] {
        guard let metric = plan.metrics.index(of: rules.primary) else { return [] }
        var rows: [HeadroomRow] = []
        for policy in plan.policies.indices {
            for bound in plan.bounds(for: policy, baseline: baseline) {
                for point in plan.points.indices {
                    let lists = values.complete(metric: metric, policies: [baseline, policy, bound], point: point)
                    guard !lists[0].isEmpty else { continue }
                    let headroom = Headroom(
                        baseline: lists[0], policy: lists[1], bound: lists[2], level: rules.level)
                    rows.append(HeadroomRow(policy: policy, bound: bound, point: point, headroom: headroom))
                }
            }
        }
        return rows
    }
}

extension ReplicationValues {
    /// One list per policy, over the replications in which all of them have a finite value.
    func complete(metric: Int, policies: [Int], point: Int) -> [[Double]] {
        var lists = policies.map { _ in [Double]() }
        for replication in 0..<plan.replications {
            let row = policies.map { value(metric, $0, point, replication) }
            guard row.allSatisfy(\.isFinite) else { continue }
            for index in row.indices { lists[index].append(row[index]) }
        }
        return lists
    }
}
