// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Measures
import Phone
import PhoneCore
import Quantities
import Scenario
import Statistics
import Vocabulary

/// Sensitivity of an experiment's answer to each value that was not measured.
///
/// Each assumed value is made smaller and larger, while all other values stay unchanged. Baseline and policy then run
/// again with the same users. Interactions do not show, because only one assumption varies at a time. Only the first
/// sweep point is used.
public struct AssumptionStudy: Sendable {
    /// Results of the experiment with one value changed.
    public struct Side: Sendable {
        /// Changed value; for several values, their common factor.
        public let text: String
        /// Difference with the changed value: policy minus baseline.
        public let paired: PairedComparison
        /// Change of this difference relative to the unchanged experiment, for the same users.
        public let shift: PairedComparison
        /// Verdict with the changed value.
        public let verdict: Verdict

        /// Whether the difference changes by more than sampling noise.
        public var isTold: Bool { shift.low > 0 || shift.high < 0 }
    }

    /// Assumption with its effects.
    public struct Row: Sendable {
        /// Assumption, and its location in the models.
        public let value: AssumedValue
        /// Results with the smaller value; nil if there is no valid smaller value.
        public let low: Side?
        /// Results with the larger value; nil if there is no valid larger value.
        public let high: Side?
        /// Larger of the absolute shifts of the two sides, as a share of the baseline's mean.
        public let weight: Double

        /// Whether a side changes the difference by more than sampling noise.
        public var isTold: Bool { sides.contains(where: \.isTold) }

        /// Sides with results.
        public var sides: [Side] { [low, high].compactMap { $0 } }
    }

    /// Options of the study.
    public struct Question: Sendable {
        /// Share by which a value without a declared interval is made smaller and larger.
        public var share = 0.3
        /// Number of replications; nil for the experiment's minimum.
        public var replications: Int?
        /// Prefix of the paths of assumptions to vary, such as `device.display`; empty for all assumptions.
        public var only = ""
        /// Name of the policy pair to compare with the baseline; nil for the pair with the best mean.
        public var policy: String?

        /// Creates the default options.
        public init() {}
    }

    /// Unchanged experiment.
    public let experiment: Experiment
    /// Index of the policy pair that is compared with the baseline.
    public let policy: Int
    /// Number of replications.
    public let replications: Int
    /// Primary metric.
    public let metric: MetricList.Entry
    /// Difference in the unchanged experiment: policy minus baseline.
    public let paired: PairedComparison
    /// Verdict of the unchanged experiment.
    public let verdict: Verdict
    /// Assumptions, the most influential first.
    public let rows: [Row]
    /// Assumptions that cannot be varied: words, tables, temperatures and zeros.
    public let others: [Assumption]
    /// Assumptions for which neither changed value is valid, with the error.
    public let refused: [(value: AssumedValue, message: String)]

    /// Carries out the runs.
    ///
    /// - Throws: `Diagnostics` when the experiment is invalid, has only one policy pair or lacks the requested pair. It
    ///   is also thrown when no assumption has the prefix.
    public init(
        _ source: SourceText, overrides: [String], catalog: PolicyCatalog, library: ModelLibrary, _ question: Question
    ) throws(Diagnostics) {
        let load = { @Sendable (more: [String]) throws(Diagnostics) in
            try loadExperiment(source, overrides: overrides + more, catalog: catalog, library: library)
        }
        let experiment = try load([])
        let found = try assumedValues(
            of: source, overrides: overrides, catalog: catalog, library: library, varied: question.share)
        let list = MetricList(MetricCatalog.catalogue, ofApps: experiment.appMetrics)
        guard let index = list.index(of: experiment.analysis.primary) else {
            throw Diagnostics("\(experiment.path) has no primary metric")
        }
        let count = question.replications ?? experiment.replicationRule.minimum
        let trial = Trial(experiment, metric: index, entry: list.entries[index], replications: count)
        let policy = try trial.policy(named: question.policy)
        let base = trial.values(experiment, policy)
        self.experiment = experiment
        self.policy = policy
        replications = count
        metric = list.entries[index]
        paired = trial.compared(base)
        verdict = trial.verdict(paired)
        others = question.only.isEmpty ? found.others : []
        let values = found.values.filter { $0.path.hasPrefix(question.only) }
        guard !values.isEmpty else {
            throw Diagnostics(
                "in \(experiment.path), no assumption that begins with \(question.only) can be varied",
                hint: nearest(to: question.only, in: found.values.map(\.path)).map { "did you mean \($0)?" })
        }
        let settings = values.flatMap { [$0.low, $0.high] }
        let sides = inParallel(settings.count) { number in
            trial.side(settings[number], against: base, policy, load)
        }
        var rows: [Row] = []
        var refused: [(AssumedValue, String)] = []
        for (number, value) in values.enumerated() {
            let pair = (sides[2 * number], sides[2 * number + 1])
            let (low, high) = (try? pair.0.get(), try? pair.1.get())
            if low == nil, high == nil {
                refused.append((value, [pair.0.message, pair.1.message].compactMap { $0 }.first ?? ""))
                continue
            }
            let shift = max(abs(low?.shift.difference ?? 0), abs(high?.shift.difference ?? 0))
            rows.append(Row(value: value, low: low, high: high, weight: shift / abs(paired.baselineMean)))
        }
        self.rows = rows.enumerated().sorted {
            ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset)
        }.map(\.element)
        self.refused = refused
    }

    /// Assumptions for which a significant shift changes the verdict, the most influential first.
    public var deciding: [Row] { rows.filter { $0.sides.contains { $0.verdict != verdict && $0.isTold } } }

    /// Other assumptions for which the verdict changes, although the shift is not significant.
    ///
    /// One significant and one insignificant verdict do not prove that the two differences differ.
    public var perhapsDeciding: [Row] {
        let sure = Set(deciding.map(\.value.path))
        return rows.filter { row in !sure.contains(row.value.path) && row.sides.contains { $0.verdict != verdict } }
    }
}

/// Comparison of one policy with the baseline, in the experiment and in changed copies of it.
private struct Trial: Sendable {
    let experiment: Experiment
    let metric: Int
    let entry: MetricList.Entry
    let replications: Int

    init(_ experiment: Experiment, metric: Int, entry: MetricList.Entry, replications: Int) {
        self.experiment = experiment
        self.metric = metric
        self.entry = entry
        self.replications = replications
    }

    /// Index of the named policy pair.
    ///
    /// Without a name, the index is that of the pair with the best mean among those possible on a phone.
    func policy(named name: String?) throws(Diagnostics) -> Int {
        let others = experiment.policies.indices.filter { $0 != experiment.baselineIndex }
        guard !others.isEmpty else {
            throw Diagnostics(
                "\(experiment.path) has only one pair of policies, so it compares nothing",
                hint: "name a second pair under policies:")
        }
        if let name {
            guard let index = others.first(where: { experiment.policies[$0].name == name }) else {
                let names = others.map { experiment.policies[$0].name }
                throw Diagnostics(
                    "the experiment does not compare \"\(name)\" with its baseline",
                    hint: nameHint(name, in: names))
            }
            return index
        }
        let real = others.filter { !experiment.policies[$0].isOracle && !experiment.policies[$0].replacesTrigger }
        let among = real.isEmpty ? others : real
        guard among.count > 1 else { return among[0] }
        let means = inParallel(among.count) { number in
            values(experiment, among[number]).map(\.alternative).reduce(0, +)
        }
        let sign = entry.better == .higher ? -1.0 : 1.0
        let best = zip(among, means).min { sign * $0.1 < sign * $1.1 }
        return best?.0 ?? among[0]
    }

    /// Values of the metric under the baseline and the policy, one pair per replication.
    func values(_ experiment: Experiment, _ policy: Int) -> [(baseline: Double, alternative: Double)] {
        (0..<replications).map { replication in
            (
                value(experiment, experiment.baselineIndex, replication), value(experiment, policy, replication)
            )
        }
    }

    private func value(_ experiment: Experiment, _ policy: Int, _ replication: Int) -> Double {
        var run = experiment.specification(point: 0, policy: policy, replication: replication)
        run.tables = []
        return simulate(run).metrics[metric]
    }

    func compared(_ values: [(baseline: Double, alternative: Double)]) -> PairedComparison {
        let kept = values.filter { $0.baseline.isFinite && $0.alternative.isFinite }
        return PairedComparison(
            (kept.map(\.baseline), kept.map(\.alternative)), of: entry, level: experiment.analysis.level)
    }

    private static func change(_ pair: (baseline: Double, alternative: Double)) -> Double {
        PairedComparison.change(from: pair.baseline, to: pair.alternative)
    }

    func verdict(_ paired: PairedComparison) -> Verdict {
        Verdict(
            paired, adjustedP: paired.p, level: experiment.analysis.level,
            equivalence: experiment.analysis.equivalence(of: entry.name),
            preference: Preference(entry.better))
    }

    /// Results of the experiment with a changed value, or its error.
    func side(
        _ setting: AssumedValue.Setting?, against base: [(baseline: Double, alternative: Double)], _ policy: Int,
        _ load: @Sendable ([String]) throws(Diagnostics) -> Experiment
    ) -> Result<AssumptionStudy.Side, Diagnostics> {
        guard let setting else { return .failure(Diagnostics("the value is already at this end of its interval")) }
        var problem = Diagnostics()
        for overrides in setting.overrides {
            do {
                let found = values(try load(overrides), policy)
                let paired = compared(found)
                let moved = zip(base, found).map { (Self.change($0), Self.change($1)) }
                return .success(
                    AssumptionStudy.Side(
                        text: setting.text, paired: paired, shift: compared(moved), verdict: verdict(paired)))
            } catch {
                problem = error
            }
        }
        return .failure(problem)
    }
}

extension Result where Failure == Diagnostics {
    /// Message of the first error.
    fileprivate var message: String? {
        guard case .failure(let problems) = self else { return nil }
        return problems.list.first?.message
    }
}
