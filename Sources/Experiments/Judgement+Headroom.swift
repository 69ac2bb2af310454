// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Phone
import PhoneCore
import Scenario
import Statistics

/// Share of the gap between the baseline and a reference that a policy closes, in the primary metric.
public struct HeadroomRow: Sendable {
    /// Result of a comparison with a reference.
    public enum Finding: String, Sendable {
        /// The policy closes a share of the gap, between nothing and all of it.
        case closes
        /// The policy closes nothing of the gap: it is worse than the baseline.
        case closesNothing = "closes-nothing"
        /// The policy has the better mean, but no significant difference from the reference.
        case reaches
        /// The policy is significantly better than the reference, which is therefore no bound.
        case beats
        /// The baseline is significantly better than the reference, which is therefore no bound.
        case referenceLoses = "reference-loses"
        /// The reference does not differ significantly from the baseline, so there is no gap.
        case noSureGap = "no-sure-gap"
    }

    /// Index of the policy.
    public let policy: Int
    /// Index of the reference: a policy with foresight, or a phone that never kills a process to free memory.
    public let reference: Int
    /// Index of the sweep point.
    public let point: Int
    /// Share and interval, whether or not there is a gap.
    public let headroom: Headroom
    /// Result of the comparison; the share is printed only for `closes`.
    public let finding: Finding

    /// Share and interval where there is a gap.
    public var closed: Headroom? { finding == .closes ? headroom : nil }

    init(
        policy: Int, reference: Int, point: Int, _ values: (baseline: [Double], policy: [Double], reference: [Double]),
        of entry: MetricList.Entry, level: Double
    ) {
        (self.policy, self.reference, self.point) = (policy, reference, point)
        headroom = Headroom(
            baseline: values.baseline, policy: values.policy, reference: values.reference, level: level)
        let gap = PairedComparison((values.baseline, values.reference), of: entry, level: level)
        let rest = PairedComparison((values.reference, values.policy), of: entry, level: level)
        if !gap.excludesZero || !headroom.low.isFinite {
            finding = .noSureGap
        } else if entry.better != .neutral, (gap.difference < 0) != (entry.better == .lower) {
            finding = .referenceLoses
        } else if headroom.share > 1 {
            finding = rest.excludesZero ? .beats : .reaches
        } else {
            finding = headroom.share < 0 ? .closesNothing : .closes
        }
    }
}

/// Lower bound for any eviction order in the primary metric, and the saving of the best policy.
public struct EvictionBoundFinding: Sendable {
    /// Largest saving as a share of the baseline's mean, in whole per cent, rounded up.
    public let most: Int
    /// Policy with the best mean among those that are significantly better than the baseline, and its saving in per
    /// cent.
    public let best: (policy: Int, saved: Int)?
}

extension Judgement {
    /// Metrics that have a bound in each run.
    private static let bounds = [
        "relaunches_per_day": "least_relaunches_per_day", "launch_wait_s_per_day": "least_launch_wait_s_per_day",
    ]

    /// Bound at a sweep point: the lowest bound in the runs of the baseline and of other orders with the same
    /// scheduler.
    ///
    /// The result is nil without such rivals, or in a metric that has no bound.
    public func evictionBound(_ point: Int) -> EvictionBoundFinding? {
        let scheduling = plan.policies[baseline].scheduling
        let rivals = plan.policies.indices.filter {
            !plan.policies[$0].isReference && plan.policies[$0].scheduling == scheduling
        }
        guard let bound = Self.bounds[analysis.primary], let least = plan.metrics.index(of: bound),
            let metric = plan.metrics.index(of: analysis.primary),
            Set(rivals.map { plan.policies[$0].eviction }).count > 1
        else { return nil }
        func mean(_ metric: Int, _ policy: Int) -> Double? {
            summaryRow(metric: metric, policy: policy, point: point).interval?.mean
        }
        guard plan.replications >= analysis.fewestPairs, let own = mean(metric, baseline), own > 0,
            let lowest = rivals.compactMap({ mean(least, $0) }).min()
        else { return nil }
        let better = comparisons.filter {
            $0.metric == metric && $0.point == point && $0.verdict == .better && rivals.contains($0.policy)
        }
        let best = better.compactMap { row in mean(metric, row.policy).map { (row.policy, $0) } }.min { $0.1 < $1.1 }
        return EvictionBoundFinding(
            most: Int((100 * (1 - lowest / own)).rounded(.up)),
            best: best.map { ($0.0, Int((100 * (1 - $0.1 / own)).rounded())) })
    }
}

/// Fewest fetches that keep the copy fresh at every open, and the fetches of the compared policies.
public struct FetchBoundFinding: Sendable {
    /// Fewest fetch occasions a day, for any schedule.
    public let least: Double
    /// Fetch occasions a day, and the share of opens with a stale copy, by policy in the order of the table.
    public let found: [(policy: Int, occasions: Double, stale: Double)]
}

extension Judgement {
    /// Primary metrics for which the fewest fetches of any schedule are of interest.
    private static let freshness: Set<String> = [
        "content_age_s_mean", "content_age_s_p95", "freshness_s_mean", "freshness_s_p95", "since_refresh_s_mean",
        "stale_open_share", "fetch_occasions_per_day",
    ]

    /// Fewest fetches that any schedule needs at a sweep point, and the fetches of the policies.
    ///
    /// The result is nil if all policies have the same scheduler, if there are too few replications, or if the primary
    /// metric is not in `freshness`.
    ///
    /// Runs of one user miss different opens, so the lowest bound of these runs is used.
    public func fetchBound(_ point: Int) -> FetchBoundFinding? {
        guard Self.freshness.contains(analysis.primary) else { return nil }
        let rivals = plan.policies.indices.filter { !plan.policies[$0].isReference }
        let indices = ["least_fetch_occasions_per_day", "fetch_occasions_per_day", "stale_open_share"].map {
            plan.metrics.index(of: $0)
        }
        guard Set(rivals.map { plan.policies[$0].scheduling }).count > 1, plan.replications >= analysis.fewestPairs,
            let least = indices[0], let occasions = indices[1], let stale = indices[2]
        else { return nil }
        func mean(_ metric: Int, _ policy: Int) -> Double? {
            summaryRow(metric: metric, policy: policy, point: point).interval?.mean
        }
        let found = rivals.compactMap { policy in
            mean(occasions, policy).flatMap { fetches in mean(stale, policy).map { (policy, fetches, $0) } }
        }
        guard let lowest = rivals.compactMap({ mean(least, $0) }).min(), lowest > 0, !found.isEmpty else { return nil }
        return FetchBoundFinding(least: lowest, found: found)
    }
}

extension PairedComparison {
    /// Whether the interval of the difference lies on one side of zero.
    var excludesZero: Bool { low > 0 || high < 0 }
}

extension PlannedPolicy {
    /// First words of every remark on a policy that reads the future, including those of older results.
    private static let foresight = "reads the future"

    /// Remark on a policy that reads the future.
    static let oracleRemark = foresight + ": a heuristic with foresight, not a rival"

    /// Replaces remarks of other program versions by those of this program.
    static func current(_ remarks: [String]) -> [String] {
        remarks.map { $0.hasPrefix(foresight) ? oracleRemark : $0 }
    }

    /// Whether the pair is a reference that no phone could have, instead of a rival.
    ///
    /// A reference is not a bound: a rival may do better.
    public var isReference: Bool { remarks.contains(Self.oracleRemark) || eviction == "unbounded" }

    /// Name of the kind of reference, in words.
    var referenceTitle: String {
        remarks.contains(Self.oracleRemark) ? "a heuristic with foresight" : "a phone without a limit of memory"
    }

    /// Whether two pairs differ only in eviction or only in scheduling; such pairs are comparable.
    func sharesHalf(with other: PlannedPolicy) -> Bool {
        eviction == other.eviction || scheduling == other.scheduling
    }
}

extension Plan {
    /// References for a policy: those that differ from it, and from the baseline, in the same half of the pair.
    func references(for policy: Int, baseline: Int) -> [Int] {
        guard policy != baseline, self.policies[policy].sharesHalf(with: self.policies[baseline]) else { return [] }
        return self.policies.indices.filter { reference in
            reference != policy && reference != self.baseline && self.policies[reference].isReference
                && self.policies[reference].sharesHalf(with: self.policies[policy])
                && self.policies[reference].sharesHalf(with: self.policies[baseline])
        }
    }
}

extension Judgement {
    /// Compares every policy with every reference for it, over the replications that have all three values.
    static func headrooms(
        plan: Plan, values: ReplicationValues, baseline: Int, rules: Analysis
    ) -> [HeadroomRow] {
        guard let metric = plan.metrics.index(of: rules.primary) else { return [] }
        let entry = plan.metrics.entries[metric]
        var rows: [HeadroomRow] = []
        for policy in plan.policies.indices {
            for reference in plan.references(for: policy, baseline: baseline) {
                for point in plan.points.indices {
                    let lists = values.complete(metric: metric, policies: [baseline, policy, reference], point: point)
                    guard !lists[0].isEmpty else { continue }
                    rows.append(
                        HeadroomRow(
                            policy: policy, reference: reference, point: point, (lists[0], lists[1], lists[2]),
                            of: entry, level: rules.level))
                }
            }
        }
        return rows
    }
}

extension ReplicationValues {
    /// One list per policy, over the replications in which all policies of the list have a finite value.
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
