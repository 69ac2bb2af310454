// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Phone
import PhoneCore
import Scenario
import Statistics

/// Share of the gap between the baseline and a reference that a policy closes in the primary metric.
public struct HeadroomRow: Sendable {
    /// Result of a policy's comparison with a reference.
    public enum Finding: String, Sendable {
        /// The policy closes a share of the gap, from 0 to 1.
        case closes
        /// The policy is worse than the baseline, so it closes nothing of the gap.
        case closesNothing = "closes-nothing"
        /// The policy has a better mean than the reference, but the difference is not significant.
        case reaches
        /// The policy is significantly better than the reference, so the reference is no bound.
        case beats
        /// The baseline is significantly better than the reference, so the reference is no bound.
        case referenceLoses = "reference-loses"
        /// The reference does not differ significantly from the baseline, or the share has no interval.
        case noSureGap = "no-sure-gap"
    }

    /// Index of the policy.
    public let policy: Int
    /// Index of the reference: a policy with foresight, or a phone that never kills a process to free memory.
    public let reference: Int
    /// Index of the sweep point.
    public let point: Int
    /// Share of the gap with its interval, regardless of the finding.
    public let headroom: Headroom
    /// Result of the comparison; the share is printed only for `closes`.
    public let finding: Finding

    /// Share of the gap with its interval; nil unless the finding is `closes`.
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

/// Lower bound of the primary metric for any eviction order, and the saving of the best policy.
public struct EvictionBoundFinding: Sendable {
    /// Largest possible saving as a share of the baseline's mean, in whole per cent, rounded up.
    public let most: Int
    /// Policy with the best mean among those that are significantly better than the baseline, with its saving in per
    /// cent.
    public let best: (policy: Int, saved: Int)?
}

extension Judgement {
    /// Metrics that have a bound, each with the metric that contains this bound.
    private static let bounds = [
        "relaunches_per_day": "least_relaunches_per_day", "launch_wait_s_per_day": "least_launch_wait_s_per_day",
    ]

    /// Bound at a sweep point: the lowest mean bound of the baseline and of other eviction orders with the same
    /// scheduler.
    ///
    /// The result is nil without another eviction order, with too few replications, or if the primary metric has no
    /// bound.
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

/// Smallest number of fetches with which no app's copy is stale at an open, and the fetches of the compared policies.
public struct FetchBoundFinding: Sendable {
    /// Smallest number of fetch occasions a day that any schedule needs.
    public let least: Double
    /// For each policy, the fetch occasions a day and the share of opens with a stale copy.
    public let found: [(policy: Int, occasions: Double, stale: Double)]
}

extension Judgement {
    /// Primary metrics for which the smallest number of fetches is printed.
    private static let freshness: Set<String> = [
        "content_age_s_mean", "content_age_s_p95", "freshness_s_mean", "freshness_s_p95", "since_refresh_s_mean",
        "stale_open_share", "fetch_occasions_per_day",
    ]

    /// Smallest number of fetches that any schedule needs at a sweep point, and the fetches of the policies.
    ///
    /// The result is nil if all policies have one scheduler, if there are too few replications, or if the primary
    /// metric is not in `freshness`.
    ///
    /// The bound differs between runs of one user, because each run lacks different opens. The lowest mean bound is
    /// therefore used.
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
    /// First words of every remark on a policy that reads the future, also in older results.
    private static let foresight = "reads the future"

    /// Remark on a policy that reads the future.
    static let oracleRemark = foresight + ", so it is a reference and not a rival"

    /// Replaces remarks of other program versions with the present remark.
    static func current(_ remarks: [String]) -> [String] {
        remarks.map { $0.hasPrefix(foresight) ? oracleRemark : $0 }
    }

    /// Whether the pair is a reference, which no phone could have, and not a rival.
    ///
    /// A reference is not a bound, because a rival may be better.
    public var isReference: Bool { remarks.contains(Self.oracleRemark) || eviction == "unbounded" }

    /// Name of the kind of reference, in words.
    var referenceTitle: String {
        remarks.contains(Self.oracleRemark) ? "a heuristic with foresight" : "a phone with unlimited memory"
    }

    /// Whether two pairs have the same eviction or the same scheduling, so that they are comparable.
    func sharesHalf(with other: PlannedPolicy) -> Bool {
        eviction == other.eviction || scheduling == other.scheduling
    }
}

extension Plan {
    /// References for a policy: those that share eviction or scheduling with the policy, and also with the baseline.
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
    /// Compares every policy with each of its references, in the replications that have all three values.
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
    /// One list per policy, with the replications in which all these policies have a finite value.
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
