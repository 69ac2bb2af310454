// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Phone
import PhoneCore
import Scenario
import Statistics

/// What share of the gap between the baseline and a reference a policy closes, in the primary metric.
public struct HeadroomRow: Sendable {
    /// What may be said of a policy beside a reference.
    public enum Finding: String, Sendable {
        /// The policy closes a share of the gap, between nothing and all of it.
        case closes
        /// The policy closes nothing of the gap: it is worse than the baseline.
        case closesNothing = "closes-nothing"
        /// The policy has the better mean, but does not surely differ from the reference.
        case reaches
        /// The policy surely does better than the reference, which is no bound.
        case beats
        /// The baseline surely does better than the reference, which is no bound.
        case referenceLoses = "reference-loses"
        /// The reference does not surely differ from the baseline: there is no gap to have a share of.
        case noSureGap = "no-sure-gap"
    }

    /// Index of the policy.
    public let policy: Int
    /// Index of the reference: a policy with foresight, or a phone on which nobody dies for want of memory.
    public let reference: Int
    /// Index of the sweep point.
    public let point: Int
    /// The share and its interval, whatever they are.
    public let headroom: Headroom
    /// What may be said; only of `closes` is the share told.
    public let finding: Finding

    /// The share and its interval where they are one of a gap.
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

/// What no order of eviction can go below in the primary metric, and what the best of the compared saves.
public struct EvictionBoundFinding: Sendable {
    /// The share of the baseline's mean that can be saved at most, in whole per cent, rounded up.
    public let most: Int
    /// The policy with the best mean among those that are surely better than the baseline, and what it saves in per
    /// cent.
    public let best: (policy: Int, saved: Int)?
}

extension Judgement {
    /// The metrics that a bound of each run stands beside.
    private static let bounds = [
        "relaunches_per_day": "least_relaunches_per_day", "launch_wait_s_per_day": "least_launch_wait_s_per_day",
    ]

    /// The bound at a sweep point: the lowest of what the runs of the baseline and of other orders beside the same
    /// scheduler allow; none without such rivals, or in a metric that has no bound.
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

/// What any schedule needs so that every open shows a fresh copy, and what the compared ones do for theirs.
public struct FetchBoundFinding: Sendable {
    /// Fetch occasions a day that any schedule needs.
    public let least: Double
    /// By policy, in the order of the table: its occasions a day, and the share of opens whose copy was too old.
    public let found: [(policy: Int, occasions: Double, stale: Double)]
}

extension Judgement {
    /// The metrics beside which the bound of schedules is told.
    private static let freshness: Set<String> = [
        "content_age_s_mean", "content_age_s_p95", "freshness_s_mean", "freshness_s_p95", "since_refresh_s_mean",
        "stale_open_share", "fetch_occasions_per_day",
    ]

    /// The bound of schedules at a sweep point; none where all have one schedule, or another question is asked.
    ///
    /// Runs of one user differ in the opens that are missed, so the lowest of their bounds is told.
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
    /// How every remark on a policy that reads the future begins, those of older results as well.
    private static let foresight = "reads the future"

    /// The remark on a policy that reads the future.
    static let oracleRemark = foresight + ": a heuristic with foresight, not a rival"

    /// Remarks as this program words them, whichever program wrote them.
    static func current(_ remarks: [String]) -> [String] {
        remarks.map { $0.hasPrefix(foresight) ? oracleRemark : $0 }
    }

    /// Whether the pair is a reference that no phone could have, and no rival of the others.
    ///
    /// It is not a bound: a rival may do better.
    public var isReference: Bool { remarks.contains(Self.oracleRemark) || eviction == "unbounded" }

    /// What a reference is, in words.
    var referenceTitle: String {
        remarks.contains(Self.oracleRemark) ? "a heuristic with foresight" : "a phone without a limit of memory"
    }

    /// Whether two pairs differ in eviction only or in scheduling only, so that one can be held against the other.
    func sharesHalf(with other: PlannedPolicy) -> Bool {
        eviction == other.eviction || scheduling == other.scheduling
    }
}

extension Plan {
    /// The references for a policy: those that differ from it, and from the baseline, in the same half of the pair.
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
    /// Relates every policy to every reference for it, over the replications that have all three values.
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
