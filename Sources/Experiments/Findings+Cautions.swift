// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Quantities
import Scenario
import Statistics

extension Findings {
    /// Shortest warm-up that needs no caution, in seconds.
    ///
    /// A phone begins with empty memory and a full battery. With a shorter warm-up, metrics include this first day.
    private static let shortestWarmup = 86_400.0

    /// Cautions about a verdict, printed next to it.
    public var cautions: [String] {
        [fewPairs, noIntervals, closePairs, noValues, warmup, oneUser, repetitions].compactMap { $0 }
    }

    private var primaryRows: [ComparisonRow] { judgement.comparisons.filter { judgement.isPrimary($0) } }

    private var fewPairs: String? {
        guard let fewest = primaryRows.map({ $0.paired?.n ?? 0 }).min(), fewest < judgement.analysis.fewestPairs
        else {
            return nil
        }
        return
            "There \(fewest == 1 ? "is" : "are") only \(Self.count(fewest, "pair")), but a verdict needs "
            + "\(judgement.analysis.fewestPairs) that differ; ten are a good start."
    }

    private var noIntervals: String? {
        let rows = primaryRows.filter { row in
            row.paired.map { $0.n >= PairedComparison.fewestDiffering && !$0.halfWidth.isFinite } ?? false
        }
        let told = rows.prefix(3).compactMap { row in
            row.paired.map { paired in
                let scope = plan.axes.isEmpty ? "" : " at \(label(row.point))"
                return "\(names[row.policy])\(scope) (\(paired.reason ?? ""))"
            }
        }
        guard !told.isEmpty else { return nil }
        let more = rows.count > told.count ? " and \(rows.count - told.count) more" : ""
        return "No interval (± inf) for \(told.joined(separator: ", "))\(more): the difference may have any size."
    }

    private var closePairs: String? {
        let rows = primaryRows.filter { $0.paired?.isWidened ?? false }
        guard let n = rows.compactMap(\.paired?.n).max() else { return nil }
        let policies = plan.policies.indices.filter { policy in rows.contains { $0.policy == policy } }
        return "The differences of \(Figures.list(policies.map { names[$0] })) from the baseline vary so little that "
            + "one unusual replication would outweigh all \(n). The interval is wide enough to allow for it."
    }

    /// Sentence about runs without a value of a shown metric, such as a ratio whose denominator is zero.
    private var noValues: String? {
        let parts = ([metric] + others).compactMap(noValues)
        return parts.isEmpty ? nil : parts.joined(separator: "; ") + "; means and pairs use the other runs."
    }

    /// Clause about the runs without a value of a metric.
    ///
    /// The result is nil if no run has a value, because the tables already show that.
    private func noValues(_ metric: Int) -> String? {
        let without = plan.policies.indices.map { judgement.runsWithoutValue(metric: metric, policy: $0) }
        let (number, done) = (without.reduce(0) { $0 + $1.number }, without.reduce(0) { $0 + $1.done })
        guard number > 0, number < done else { return nil }
        let some = plan.policies.indices.filter { without[$0].number > 0 }
        let who = plan.policies.count > 1 ? some.map { "\(names[$0]) \(without[$0].number)" } : []
        return "\(number) of \(Self.count(done, "run")) \(number == 1 ? "has" : "have") no value of "
            + plan.metrics.entries[metric].name + (who.isEmpty ? "" : " (\(who.joined(separator: ", ")))")
    }

    private var warmup: String? {
        let warmup = plan.warmup.seconds
        guard warmup < Self.shortestWarmup else { return nil }
        let length = warmup == 0 ? "There is no warm-up" : "The warm-up is \(Figures.short(warmup / 3600)) h"
        return
            "\(length): metrics include the first day, which begins with an empty memory and a full battery. "
            + "`flotsam check --plan FILE --warmup '14 d'` recommends a warm-up."
    }

    private var oneUser: String? {
        guard plan.isRecorded else { return nil }
        return
            "With one recorded user, replications differ only by random events of the phone, and the interval does not "
            + "cover other users."
    }

    private var repetitions: String? {
        let text = judgement.values.store.repeatedReplications(of: plan)
        if let text { return text }
        guard !plan.isRecorded, let workloads = judgement.values.store.repeatedWorkloads(of: plan) else {
            return nil
        }
        return workloads.prefix(1).uppercased() + workloads.dropFirst() + "."
    }
}
