// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Scenario
import Statistics

/// Results of a comparison in sentences, the most important first.
///
/// The sentences contain the winner, its gain, the policies tied with it, the number of pairs that would decide, the
/// other metrics and the costs. `run`, `compare` and the report print these sentences, and no other code puts a verdict
/// into words.
public struct Findings: Sendable {
    let judgement: Judgement
    let metric: Int
    /// Metrics besides the primary one for which the winner's changes are printed.
    let others: [Int]
    let names: [String]
    /// Whether every point of a large sweep is printed.
    let isWhole: Bool
    /// Effects of the axes on the baseline, used by several sentences; nil without a sweep.
    ///
    /// If the axes set only parameters of rivals, the baseline does not change. The effects are then those on a rival.
    let axisEffects: AxisEffects?

    /// Prepares the sentences of a judgement.
    public init(_ judgement: Judgement, others: [Int] = [], isWhole: Bool = false) {
        self.judgement = judgement
        self.isWhole = isWhole
        self.others = others
        names = judgement.plan.shortNames
        metric = judgement.plan.metrics.index(of: judgement.analysis.primary) ?? 0
        axisEffects = judgement.analysis.design == nil ? Self.effects(judgement, metric) : nil
    }

    private static func effects(_ judgement: Judgement, _ metric: Int) -> AxisEffects? {
        let baseline = AxisEffects(judgement, metric: metric, policy: judgement.baseline)
        let plan = judgement.plan
        guard let baseline, plan.axes.allSatisfy({ $0.hasPrefix("policies.") }), !baseline.changes else {
            return baseline
        }
        return plan.policies.indices.lazy.filter { $0 != judgement.baseline && !plan.policies[$0].isReference }
            .compactMap { AxisEffects(judgement, metric: metric, policy: $0) }.first { $0.changes } ?? baseline
    }

    var plan: Plan { judgement.plan }
    var entry: MetricList.Entry { plan.metrics.entries[metric] }
    var baseline: String { names[judgement.baseline] }

    /// All sentences.
    ///
    /// A sweep has a sentence about all points, sentences about the axes, and the first sentence of each point.
    public var sentences: [String] {
        guard plan.policies.count > 1 else { return byAxis + shownPoints.compactMap(alone) }
        guard entry.better != .neutral else {
            return [
                "For \(entry.title), neither a higher nor a lower value is better, so this metric ranks no policy; "
                    + "choose another primary metric."
            ]
        }
        guard plan.points.count > 1 else { return sentences(at: 0) }
        if judgement.analysis.design != nil { return [] }
        return (hasRivals ? [overPoints] : []) + moved.map(sentence) + shownPoints.map { label($0) + ": " + lead($0) }
    }

    /// Largest number of points with a sentence and a table each; assumption about how much people read.
    static let mostShown = 8

    /// Points that are printed one by one: all points or, if there are too many and `isWhole` is false, none.
    public var shownPoints: Range<Int> {
        isWhole || plan.points.count <= Self.mostShown ? plan.points.indices : 0..<0
    }

    private func sentences(at point: Int) -> [String] {
        let others = [rest(point), hasRivals ? references(point) : nil, bound(point), fetchBound(point)].compactMap {
            $0
        }
        return byFactor(point) + [lead(point)] + others + who(point)
            + [doubt(point), beside(point), pairing(point)].compactMap { $0 }
    }

    /// Axes of a sweep with their values at a point.
    public func label(_ point: Int) -> String {
        zip(plan.axes, plan.points[point].values).map { "\($0) = \($1)" }.joined(separator: ", ")
    }

    /// Sentence about the mean at a point when there is only one policy.
    private func alone(_ point: Int) -> String? {
        guard let mean = mean(point) else { return nil }
        return (plan.axes.isEmpty ? "" : label(point) + ": ") + mean
            + (plan.axes.isEmpty ? "; it is the only policy, so nothing is compared." : ".")
    }

    /// Mean in words, such as "jetsam has 8.109 ± 0.47 Wh/d energy per day, 4 replications"; nil if no run has a value.
    func mean(_ point: Int) -> String? {
        guard let mean = judgement.summaryRow(metric: metric, policy: 0, point: point).interval else { return nil }
        let unit = entry.isCount || entry.unit == "1" ? "" : " \(entry.unit)"
        return names[0] + " has " + Figures.interval(mean.mean, mean.halfWidth) + unit
            + " \(entry.title), \(Self.count(mean.n, "replication"))"
    }

    // MARK: Rivals and verdicts

    /// Whether the baseline has a rival: another policy that is not a reference.
    var hasRivals: Bool {
        plan.policies.indices.contains { $0 != judgement.baseline && !plan.policies[$0].isReference }
    }

    func row(_ policy: Int, _ point: Int) -> ComparisonRow? {
        judgement.comparisonRow(metric: metric, policy: policy, point: point)
    }

    /// Ranks of the policies in the primary metric, as far as the runs determine them; nil if no direction is better.
    public func ranking(_ point: Int) -> Ranking? { Ranking(judgement, metric: metric, point: point) }

    /// Rivals that have the given verdict, with the best mean first.
    func rivals(_ verdict: Verdict, _ point: Int) -> [Int] {
        (ranking(point)?.entries ?? []).map(\.policy).filter {
            $0 != judgement.baseline && row($0, point)?.paired != nil && row($0, point)?.verdict == verdict
        }
    }

    /// Policy with the best mean among those that are significantly better than the baseline.
    func winner(_ point: Int) -> Int? { rivals(.better, point).first }

    private var overPoints: String {
        let winners = plan.points.indices.map { winner($0) }
        if winners.allSatisfy({ $0 == nil }) {
            return "No policy is significantly better than \(baseline) at any of \(plan.points.count) sweep points."
        }
        if let same = winners[0], winners.allSatisfy({ $0 == same }) {
            return "\(names[same]) has the best mean \(entry.title) at all \(plan.points.count) sweep points, and "
                + "is significantly better than \(baseline) at each."
        }
        return acrossPoints(winners.compactMap { $0 })
    }

    // MARK: The winner

    private func lead(_ point: Int) -> String {
        if !hasRivals, let references = references(point) { return references }
        guard let winner = winner(point), let paired = row(winner, point)?.paired else { return noWinner(point) }
        let change = Change(paired, entry)
        var text = "\(names[winner]) has \(change.amount) \(entry.title) than \(baseline) \(change.interval), "
        text += Self.count(paired.n, "pair")
        let ranking = ranking(point)
        let others = (ranking?.entries ?? []).map(\.policy).filter { $0 != winner && $0 != judgement.baseline }
        let relations = others.compactMap { other in
            (ranking?.relation(of: other, to: winner) ?? ranking?.relation(of: winner, to: other)).map { (other, $0) }
        }
        let equal = relations.filter { $0.1.verdict == .equivalent }.map { names[$0.0] }
        let open = relations.filter { $0.1.verdict == .undecided }
        if !equal.isEmpty { text += "; \(Figures.list(equal)) \(equal.count == 1 ? "is" : "are") equivalent to it" }
        guard !open.isEmpty else { return text + "." }
        text += "; no significant difference from \(Self.few(open.map { names[$0.0] }))"
        return text + more(open.map(\.1.paired), mean: paired.alternativeMean) + "."
    }

    /// List of at most five rivals; if there are more, the first three and the number of the others.
    static func few(_ told: [String]) -> String {
        Figures.list(told.count <= 5 ? told : told.prefix(3) + ["\(told.count - 3) more"])
    }

    private func noWinner(_ point: Int) -> String {
        let open = rivals(.undecided, point)
        let equal = rivals(.equivalent, point)
        let worse = rivals(.worse, point)
        let pairs = (open + equal + worse).compactMap { row($0, point)?.paired }
        guard let most = pairs.map(\.n).max() else {
            return "No replication has values of both \(baseline) and a rival."
        }
        guard most >= judgement.analysis.fewestPairs else {
            return "\(Self.count(most, "pair")) decide\(most == 1 ? "s" : "") nothing, because a verdict needs "
                + "\(judgement.analysis.fewestPairs) that differ."
        }
        func told(_ policy: Int) -> String {
            guard let paired = row(policy, point)?.paired else { return names[policy] }
            if paired.isTooRare { return "\(names[policy]) (differs in \(paired.differing) of \(paired.n))" }
            return "\(names[policy]) (\(Change(paired, entry).text))"
        }
        var clauses: [String] = []
        if !open.isEmpty {
            clauses.append("no significant difference from \(Self.few(open.map(told)))")
        }
        if !equal.isEmpty {
            clauses.append(
                "\(Figures.list(equal.map(told))) \(equal.count == 1 ? "is" : "are") equivalent within "
                    + Figures.rough(judgement.analysis.equivalence(of: entry.name) * 100) + " %")
        }
        if let next = worse.first {
            clauses.append(
                "\(worse.count > 1 ? "of the worse policies, the best is " : "")\(told(next))"
                    + (worse.count > 1 ? "" : " is worse"))
        }
        let said = "No policy is \(open.isEmpty ? "better" : "significantly better") than \(baseline)"
        let needed = more(
            open.compactMap { row($0, point)?.paired }.filter { !$0.isTooRare }, mean: pairs[0].baselineMean)
        return "\(said) in \(entry.title), \(Self.count(most, "pair")): " + clauses.joined(separator: "; ") + needed
            + "."
    }

    /// Clause about the number of further pairs that would detect a difference of twice the band of equivalence.
    ///
    /// With so many pairs, the half-width of the interval equals that of the band. Around a difference of twice the
    /// band, the interval then excludes the band; around zero, it equals the band.
    private func more(_ open: [PairedComparison], mean: Double) -> String {
        let known = open.filter { $0.halfWidth.isFinite }
        let share = judgement.analysis.equivalence(of: entry.name)
        guard share > 0, mean != 0, !known.isEmpty else { return "" }
        let extra = known.map { $0.pairs(forHalfWidth: share * abs(mean)) - Double($0.n) }.max() ?? 0
        guard extra >= 1 else { return "; more pairs may decide" }
        let goal = "detect a difference of \(Figures.rough(share * 200)) %"
        guard extra <= 9999 else { return "; it would take more than 10000 pairs to \(goal)" }
        return "; about \(Self.count(Int(extra), "more pair")) would \(goal)"
    }

    static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)" + (number == 1 ? "" : "s") }
}
