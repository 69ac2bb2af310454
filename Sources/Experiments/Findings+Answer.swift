// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Scenario
import Statistics
import Vocabulary

extension Findings {
    /// One line of the answer: a topic and a text of at most 25 words.
    public struct AnswerLine: Sendable, Equatable {
        /// Topic of the line: `wins`, `ties`, `costs` (for a sweep `axes`), `trust` or `next`.
        ///
        /// If the baseline has no rival or no direction is better, `finds` replaces the first three.
        public let name: String
        /// Text of the line.
        public let text: String
    }

    /// Conditions under which the runs of an answer are valid.
    public struct AnswerSetting: Sendable {
        /// Name of the phone with its system.
        public let phone: String
        /// Number of assumptions of the model.
        public let assumptions: Int
        /// Clause about the comparison of the model with measurements of this phone.
        public let evidence: String

        /// Creates a setting.
        public init(phone: String, assumptions: Int, evidence: String) {
            (self.phone, self.assumptions, self.evidence) = (phone, assumptions, evidence)
        }
    }

    /// Largest numbers of names and of words in a line of the answer.
    private static let mostNames = 3
    static let mostWords = 25

    /// The answer: the winner, the ties, the costs in other metrics or the effects of axes, the trust, and the next
    /// step.
    ///
    /// - Parameters:
    ///   - directory: path of the results, quoted for the user's shell.
    ///   - setting: conditions under which the runs are valid.
    public func answer(in directory: String, of setting: AnswerSetting? = nil) -> [AnswerLine] {
        guard judgement.analysis.design == nil else { return [] }
        let texts: [(String, String)] =
            !hasRivals || entry.better == .neutral
            ? [("finds", finds)]
            : plan.points.count > 1
                ? [("wins", winsOverPoints), ("ties", tiesOverPoints), ("axes", axesOverPoints)]
                : [("wins", wins(0)), ("ties", ties(0)), ("costs", costs(0))]
        return (texts + [("trust", trust(setting)), ("next", next(directory))]).map { AnswerLine(name: $0, text: $1) }
    }

    // MARK: One point

    /// The winner.
    ///
    /// Without a winner, the text names the baseline if no rival can be better, or reports that no policy has won yet.
    private func wins(_ point: Int) -> String {
        if let winner = winner(point), let paired = row(winner, point)?.paired {
            let change = Change(paired, entry)
            return "\(names[winner]): \(change.amount) \(entry.title) than \(baseline) \(change.interval), "
                + Self.count(paired.n, "pair")
        }
        let open = rivals(.undecided, point)
        let pairs = plan.policies.indices.compactMap { row($0, point)?.paired?.n }.max() ?? 0
        guard pairs >= judgement.analysis.fewestPairs else {
            return
                "no policy yet: \(Self.count(pairs, "pair")) \(pairs == 1 ? "is" : "are") too few; "
                + "\(judgement.analysis.fewestPairs) may be enough"
        }
        guard let first = open.first, let paired = row(first, point)?.paired else {
            return "\(baseline): no rival is better in \(entry.title), \(Self.count(pairs, "pair"))"
        }
        return "no significant winner over \(baseline); the best undecided policy is \(names[first]): "
            + "\(Change(paired, entry).text) \(entry.title)"
    }

    /// Policies without a significant difference from the winner or, without one, from the baseline.
    private func ties(_ point: Int) -> String {
        let winner = winner(point)
        let ranking = ranking(point)
        let rivals = (ranking?.entries ?? []).map(\.policy).filter { $0 != winner }
        func verdict(_ policy: Int) -> Verdict? {
            guard let winner else { return policy == judgement.baseline ? nil : row(policy, point)?.verdict }
            if policy == judgement.baseline { return nil }
            return (ranking?.relation(of: policy, to: winner) ?? ranking?.relation(of: winner, to: policy))?.verdict
        }
        let equal = rivals.filter { verdict($0) == .equivalent }.map { names[$0] }
        let open = rivals.filter { verdict($0) == .undecided }.map { names[$0] }
        let parts =
            (open.isEmpty ? [] : ["\(Self.some(open)) \(open.count == 1 ? "is" : "are") undecided"])
            + (equal.isEmpty ? [] : ["\(Self.some(equal)) \(equal.count == 1 ? "is" : "are") equivalent"])
        return parts.isEmpty ? "none" : parts.joined(separator: "; ")
    }

    /// Metrics in which the winner is worse; if schedulers differ, also the best policies in freshness and energy
    /// together.
    private func costs(_ point: Int) -> String {
        let worse = winner(point).map { winner in
            others.compactMap { other -> (text: String, size: Double)? in
                guard let row = judgement.comparisonRow(metric: other, policy: winner, point: point),
                    row.verdict == .worse, let paired = row.paired
                else { return nil }
                let metric = plan.metrics.entries[other]
                return ("\(Change(paired, metric).amount) \(metric.title)", abs(paired.relative))
            }.sorted { $0.size > $1.size }.map(\.text)
        }
        let frontier = pareto(point)
        guard let worse else { return frontier ?? "none, because no policy wins" }
        // The text contains as many metrics as fit into the limit of words.
        for count in stride(from: min(2, worse.count), through: 0, by: -1) {
            let first = worse.isEmpty ? "nothing significant" : worse.prefix(count).joined(separator: ", ")
            let text = [first, frontier ?? ""].filter { !$0.isEmpty }.joined(separator: "; ")
            if text.split(separator: " ").count <= Self.mostWords { return text }
        }
        return frontier ?? ""
    }

    /// Policies to which no other policy is preferable; mean freshness and mean energy both count.
    ///
    /// Another policy is preferable if it is better in one of the two and not worse in the other. The result is nil if
    /// all policies have the same scheduler, or if all or none of the policies qualify.
    private func pareto(_ point: Int) -> String? {
        let policies = plan.policies.indices.filter { !plan.policies[$0].isReference }
        guard Set(policies.map { plan.policies[$0].scheduling }).count > 1,
            let age = plan.metrics.index(of: "content_age_s_mean"),
            let energy = plan.metrics.index(of: "energy_wh_per_day")
        else { return nil }
        let found = policies.compactMap { policy -> (policy: Int, values: [Double])? in
            let means = [age, energy].compactMap {
                judgement.summaryRow(metric: $0, policy: policy, point: point).interval?.mean
            }
            return means.count == 2 ? (policy, means) : nil
        }
        // Values that differ by less than the band of equivalence count as equal.
        let bands = [age, energy].map { 1 - judgement.analysis.equivalence(of: plan.metrics.entries[$0].name) }
        let best = found.filter { one in
            !found.contains { other in
                let isNoWorse = zip(other.values, one.values).allSatisfy { $0 <= $1 }
                return isNoWorse && zip(zip(other.values, one.values), bands).contains { $0.0 < $0.1 * $1 }
            }
        }
        guard !best.isEmpty, best.count < found.count else { return nil }
        return "Pareto-optimal in freshness and energy: \(Self.some(best.map { names[$0.policy] }))"
    }

    /// Text for a neutral metric, or a baseline without rivals.
    ///
    /// For a sweep, the text describes the effects of the axes. Otherwise it contains the differences of the other
    /// policies from the baseline or, without other policies, the baseline's mean.
    private var finds: String {
        guard plan.points.count == 1 else { return axesOverPoints }
        let others = plan.policies.indices.compactMap { policy in
            policy == judgement.baseline
                ? nil : row(policy, 0)?.paired.map { "\(names[policy]): \(Change($0, entry).of)" }
        }
        return others.isEmpty ? mean(0) ?? "no run has a value of \(entry.title)" : Self.fitting(others)
    }

    /// As many clauses as fit into the limit of words, followed by the number of the others.
    private static func fitting(_ clauses: [String]) -> String {
        for count in stride(from: clauses.count, through: 1, by: -1) {
            let more = count < clauses.count ? ["\(clauses.count - count) more"] : []
            let text = (clauses.prefix(count) + more).joined(separator: "; ")
            if count == 1 || text.split(separator: " ").count <= mostWords { return text }
        }
        return ""
    }

    // MARK: Sweeps

    private var winsOverPoints: String {
        let winners = plan.points.indices.map { winner($0) }
        var policies: [Int] = []
        for policy in winners.compactMap(\.self) where !policies.contains(policy) { policies.append(policy) }
        guard !policies.isEmpty else {
            return "no policy is significantly better than \(baseline) at any of \(plan.points.count) points"
        }
        func list(_ words: ([Int]) -> String) -> String {
            let parts = policies.prefix(Self.mostNames).map { policy in
                "\(names[policy]) at \(words(plan.points.indices.filter { winners[$0] == policy }))"
            }
            return Figures.list(parts) + ", significantly better than \(baseline)"
        }
        let text = list(values(at:))
        return text.split(separator: " ").count <= Self.mostWords ? text : list(count(_:))
    }

    private var tiesOverPoints: String {
        let rivals = plan.policies.indices.filter { $0 != judgement.baseline && !plan.policies[$0].isReference }
        let open = rivals.map { policy in
            (policy, plan.points.indices.count { (row(policy, $0)?.verdict ?? .undecided) == .undecided })
        }.filter { $0.1 > 0 }
        let told = open.prefix(Self.mostNames).map { "\(names[$0.0]) at \($0.1)" }
        return open.isEmpty
            ? "none: every point is decided"
            : "undecided: \(told.joined(separator: ", ")) of \(plan.points.count) points"
    }

    /// Effects of the axes on the baseline: the largest effect with its figures, and the names of the other axes.
    private var axesOverPoints: String {
        guard let effects = axisEffects else { return "no user has runs at all points yet" }
        guard let most = moved.first else {
            return hasRivals && entry.better != .neutral
                ? "no axis significantly changes \(axisPolicy)" : byAxis.first.map(Self.unstopped) ?? ""
        }
        let others = moved.dropFirst().map { effects.axes[$0.axis] }
        let more = others.isEmpty ? [] : ["\(Self.some(others)) \(others.count == 1 ? "matters" : "matter"), too"]
        return Self.fitting(["\(effects.axes[most.axis]): \(axisPolicy) has \(told(most))"] + more)
    }

    // MARK: Trust and the next step

    private func trust(_ setting: AnswerSetting?) -> String {
        let people = plan.isRecorded ? "one recorded user" : Self.count(plan.replications, "user")
        let phone = setting.map { " on \($0.phone)" } ?? ""
        let open = setting.map { Self.count($0.assumptions, "assumption") } ?? "assumptions"
        let doubt =
            plan.doubts.isEmpty
            ? "; the intervals do not cover \(open)"
            : "; the intervals also cover \(Self.count(plan.doubts.count, "assumption"))"
        let measured = setting.map { "; " + $0.evidence } ?? ""
        return people + phone + doubt + measured + (emptying.isEmpty ? "" : "; eviction decides little")
    }

    private func next(_ directory: String) -> String {
        let pairs = plan.policies.indices.compactMap { row($0, 0)?.paired?.n }.max() ?? 0
        if hasRivals, pairs < judgement.analysis.fewestPairs {
            return "raise replications in the experiment file, and run it again"
        }
        guard plan.points.count == 1, hasRivals else { return "flotsam report \(directory)" }
        guard let policy = winner(0) ?? rivals(.undecided, 0).first ?? rivals(.worse, 0).first else {
            return "flotsam why --sensitivity \(directory)"
        }
        return "flotsam why \(directory) --policy '\(plan.policies[policy].name)' --against "
            + "'\(plan.policies[judgement.baseline].name)'"
    }

    /// List of names; if there are more than three, the first two and the number of the others.
    private static func some(_ told: [String]) -> String {
        Figures.list(told.count <= mostNames ? told : told.prefix(2) + ["\(told.count - 2) more"])
    }

    private static func unstopped(_ sentence: String) -> String { String(sentence.dropLast()) }

    // MARK: Reasons for empty verdicts

    /// Smallest share of kills that a policy must choose for a meaningful comparison of eviction orders.
    private static let leastDecided = 0.1

    /// Reasons why verdicts about eviction have no meaning, to be printed first.
    ///
    /// Either no process is killed, or policies chose hardly any victim. Each reason is a sentence with all points to
    /// which it applies.
    public var emptying: [String] {
        guard Set(plan.policies.map(\.eviction)).count > 1 else { return [] }
        func mean(_ name: String, _ point: Int) -> [Double] {
            guard let metric = plan.metrics.index(of: name) else { return [] }
            return plan.policies.indices.compactMap {
                judgement.summaryRow(metric: metric, policy: $0, point: point).interval?.mean
            }
        }
        var (idle, poor): ([Int], [(point: Int, share: Double)]) = ([], [])
        for point in plan.points.indices {
            let kills = ["kills_per_day", "system_kills_per_day"].compactMap { mean($0, point).max() }
            if !kills.isEmpty, kills.allSatisfy({ $0 == 0 }) {
                idle.append(point)
            } else if let most = mean("policy_decided_kill_share", point).max(), most < Self.leastDecided {
                poor.append((point, most))
            }
        }
        func scope(_ points: [Int]) -> String {
            if plan.axes.isEmpty { return "" }
            return points.count == plan.points.count ? " at any point" : " at \(Self.few(points.map(label)))"
        }
        var said: [String] = []
        if !idle.isEmpty {
            said.append(
                "The eviction policies have nothing to decide\(scope(idle)): no process is killed under any policy.")
        }
        if let most = poor.map(\.share).max() {
            said.append(
                "The eviction policies cannot decide much\(scope(poor.map(\.point))): a "
                    + "policy chose the victim of at most \(Figures.short(100 * most, digits: 2)) % of kills "
                    + "(\(killMetrics(poor.map(\.point)))). \(remedy(poor.map(\.point)))"
            )
        }
        return said
    }

    /// Suggestion of settings that give policies more choice.
    ///
    /// Another system is suggested only if a reaper kills, because some families have no reaper.
    private func remedy(_ points: [Int]) -> String {
        let metric = plan.metrics.index(of: KillReason.longIdleExit.metricName)
        let means = points.compactMap { point in
            metric.flatMap { judgement.summaryRow(metric: $0, policy: judgement.baseline, point: point).interval?.mean }
        }
        return means.contains { $0 > 0 }
            ? "A system without a reaper (device: {os: ios-18}) or less memory gives the policies more choice. "
                + "With \"policies: {reaper: policy}\", they also rank the victims of the reaper."
            : "Less memory gives the policies more choice."
    }

    /// Metrics that show who chose the victims at some points.
    ///
    /// The first is the share of kills that policies chose. The most frequent reasons for kills follow.
    private func killMetrics(_ points: [Int]) -> String {
        let reasons = KillReason.allCases.map(\.metricName).compactMap { name -> (name: String, kills: Double)? in
            guard let metric = plan.metrics.index(of: name) else { return nil }
            let means = points.flatMap { point in
                plan.policies.indices.compactMap {
                    judgement.summaryRow(metric: metric, policy: $0, point: point).interval?.mean
                }
            }
            return means.max().flatMap { $0 > 0 ? (name, $0) : nil }
        }.sorted { ($1.kills, $0.name) < ($0.kills, $1.name) }
        let names = ["policy_decided_kill_share"] + reasons.prefix(2).map(\.name)
        return Figures.list(names + (reasons.count > 2 ? ["\(reasons.count - 2) more"] : []))
    }
}
