// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Scenario
import Statistics

/// Effect of each part of a policy, in an experiment with every combination of eviction and scheduling.
///
/// The main effect of an eviction policy is its paired difference from the baseline's eviction policy. Both are
/// averaged over all scheduling policies within a replication. Main effects of scheduling policies are averaged over
/// eviction policies. All main effects are corrected together.
///
/// An interaction is a pair's difference from the baseline, minus the sum of the differences that each part makes
/// alone. Interactions are corrected over all pairs that share no policy with the baseline. References are excluded.
///
/// Source: D. C. Montgomery, Design and Analysis of Experiments, 8th ed., Wiley 2013, section 5.3.
public struct FactorEffects: Sendable {
    /// Part of a policy.
    public enum Factor: String, Sendable, CaseIterable {
        case eviction, scheduling
    }

    /// Comparison of a level with the baseline's level, or of a pair with the sum of its parts' effects.
    public struct Row: Sendable {
        /// Level or pair of policies, as written.
        public let name: String
        /// Differences of the metric, in the replications in which all combinations have a value.
        public let paired: PairedComparison
        /// Corrected p-value.
        public let adjustedP: Double
        /// Verdict about the difference.
        public let verdict: Verdict
    }

    /// Levels of each factor, with the baseline's level first.
    public let levels: [Factor: [String]]
    /// Main effects of all levels except the baseline's, in the order of `levels`.
    public private(set) var effects: [Factor: [Row]] = [:]
    /// Interactions of the pairs that share no policy with the baseline.
    public private(set) var interactions: [Row] = []

    /// Judges the effects of eviction and scheduling on a metric.
    ///
    /// The result is nil unless the policies are all combinations of at least two levels of each factor. It is also nil
    /// if no replication has values of all policies.
    public init?(_ judgement: Judgement, metric: Int, point: Int) {
        let plan = judgement.plan
        let policies = plan.policies.indices.filter { !plan.policies[$0].isReference }
        guard policies.contains(judgement.baseline) else { return nil }
        let ordered = [judgement.baseline] + policies.filter { $0 != judgement.baseline }
        let evictions = Self.distinct(ordered.map { plan.policies[$0].eviction })
        let schedulings = Self.distinct(ordered.map { plan.policies[$0].scheduling })
        guard evictions.count > 1, schedulings.count > 1, policies.count == evictions.count * schedulings.count,
            policies.allSatisfy({ plan.policies[$0].memory == plan.policies[policies[0]].memory })
        else { return nil }
        let columns = evictions.map { eviction in
            schedulings.map { scheduling in
                policies.first {
                    plan.policies[$0].eviction == eviction && plan.policies[$0].scheduling == scheduling
                }.map { judgement.values.all(metric, $0, point) }
            }
        }
        let cells = columns.map { $0.compactMap(\.self) }
        guard cells.allSatisfy({ $0.count == schedulings.count }) else { return nil }
        let whole = (0..<plan.replications).filter { run in cells.joined().allSatisfy { $0[run].isFinite } }
        guard !whole.isEmpty else { return nil }
        levels = [.eviction: evictions, .scheduling: schedulings]
        judge(cells.map { row in row.map { cell in whole.map { cell[$0] } } }, judgement, metric)
    }

    private mutating func judge(_ cells: [[[Double]]], _ judgement: Judgement, _ metric: Int) {
        let (entry, rules) = (judgement.plan.metrics.entries[metric], judgement.analysis)
        typealias Test = (name: String, baseline: [Double], alternative: [Double])
        func corrected(_ tests: [Test]) -> [Row] {
            let plain = tests.map { PairedComparison(($0.baseline, $0.alternative), of: entry, level: rules.level) }
            let found = rules.corrected(plain) { index in
                zip(tests[index].baseline, tests[index].alternative).map { PairedComparison.change(from: $0, to: $1) }
            }
            return zip(tests, found).map { test, found in
                let verdict = Judgement.verdict(found.paired, adjustedP: found.p, entry, rules)
                return Row(name: test.name, paired: found.paired, adjustedP: found.p, verdict: verdict)
            }
        }
        let (evictions, schedulings) = (levels[.eviction] ?? [], levels[.scheduling] ?? [])
        let byEviction = cells.map(Self.mean)
        let byScheduling = schedulings.indices.map { scheduling in Self.mean(cells.map { $0[scheduling] }) }
        let first = evictions.indices.dropFirst().map { Test(evictions[$0], byEviction[0], byEviction[$0]) }
        let second = schedulings.indices.dropFirst().map {
            Test(schedulings[$0], byScheduling[0], byScheduling[$0])
        }
        let both = corrected(first + second)
        effects = [.eviction: Array(both.prefix(first.count)), .scheduling: Array(both.dropFirst(first.count))]
        let pairs = evictions.indices.dropFirst().flatMap { eviction in
            schedulings.indices.dropFirst().map { scheduling in
                let alone = cells[0][0].indices.map {
                    cells[eviction][0][$0] + cells[0][scheduling][$0] - cells[0][0][$0]
                }
                return Test("\(evictions[eviction])+\(schedulings[scheduling])", alone, cells[eviction][scheduling])
            }
        }
        interactions = corrected(pairs)
    }

    private static func distinct(_ names: [String]) -> [String] {
        var found: [String] = []
        for name in names where !found.contains(name) { found.append(name) }
        return found
    }

    /// Mean of several lists, replication by replication.
    private static func mean(_ lists: [[Double]]) -> [Double] {
        lists[0].indices.map { index in lists.reduce(0) { $0 + $1[index] } / Double(lists.count) }
    }
}

extension Findings {
    /// Effects of eviction and scheduling on the primary metric at a point, with their interactions.
    public func factors(_ point: Int) -> FactorEffects? { FactorEffects(judgement, metric: metric, point: point) }

    /// Sentences about the effects of both factors, with the larger effect first; empty if `factors` is nil.
    func byFactor(_ point: Int) -> [String] {
        guard hasRivals, let factors = factors(point) else { return [] }
        let told = FactorEffects.Factor.allCases.map {
            (decides: decision($0, factors), open: open($0, factors, point))
        }
        let decisions = told.compactMap(\.decides).sorted { $0.size > $1.size }
        return decisions.map(\.text) + told.filter { $0.decides == nil }.map(\.open) + [together(factors)]
    }

    /// Sentence about the best of the levels that are better than the baseline's or, if there are none, of those that
    /// are worse.
    private func decision(
        _ factor: FactorEffects.Factor, _ factors: FactorEffects
    ) -> (text: String, size: Double)? {
        let sign = entry.better == .lower ? 1.0 : -1
        let ordered = (factors.effects[factor] ?? []).sorted {
            sign * $0.paired.difference < sign * $1.paired.difference
        }
        let best = ordered.first { $0.verdict == .better } ?? ordered.first { $0.verdict == .worse }
        guard let best, let base = factors.levels[factor]?.first else { return nil }
        let change = Change(best.paired, entry)
        let others = factors.levels[factor == .eviction ? .scheduling : .eviction]?.count ?? 0
        let text =
            "\(factor.title) matters: \(best.name) has \(change.amount) \(entry.title) than \(base) "
            + "\(change.interval), over all \(others) \(factor.other), \(Self.count(best.paired.n, "pair"))."
        return (text, abs(best.paired.difference))
    }

    /// Sentence about a factor without a significant effect.
    private func open(_ factor: FactorEffects.Factor, _ factors: FactorEffects, _ point: Int) -> String {
        let rows = factors.effects[factor] ?? []
        let share =
            factor == .eviction
            ? decidedKills(point).map { " (a policy chose the victim of \($0) of kills)" } ?? "" : ""
        if rows.allSatisfy({ $0.verdict == .equivalent }) {
            let band = Figures.rough(judgement.analysis.equivalence(of: entry.name) * 100)
            let base = factors.levels[factor]?.first ?? ""
            return "\(factor.title) makes no difference here\(share): all policies are within \(band) % of \(base)."
        }
        let widest = rows.max { abs($0.paired.difference) < abs($1.paired.difference) }
        let most = widest.map { "; largest difference: \($0.name), \(Change($0.paired, entry).text)" } ?? ""
        return "\(factor.title) makes no significant difference\(share)\(most)."
    }

    private func together(_ factors: FactorEffects) -> String {
        let limit = 1 - judgement.analysis.level
        let sure = factors.interactions.filter { $0.adjustedP < limit && !$0.paired.isTooRare }
        guard let most = sure.min(by: { $0.adjustedP < $1.adjustedP }) else {
            return "Eviction and scheduling have no significant interaction."
        }
        let change = Change(most.paired, entry)
        return
            "The two interact: \(most.name) has \(change.amount) \(entry.title) than its two policies would give "
            + "without the interaction \(change.interval), so compare single pairs."
    }

    /// Share of the kills under the baseline for which a policy chose the victim.
    private func decidedKills(_ point: Int) -> String? {
        guard let metric = plan.metrics.index(of: "policy_decided_kill_share"),
            let row = judgement.summaryRow(metric: metric, policy: judgement.baseline, point: point).interval
        else { return nil }
        return Figures.rough(row.mean * 100) + " %"
    }
}

extension FactorEffects.Factor {
    fileprivate var title: String { self == .eviction ? "Eviction" : "Scheduling" }
    fileprivate var other: String { self == .eviction ? "scheduling policies" : "eviction policies" }
}
