// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Scenario
import Statistics

/// Coverage of the intervals of small experiments, measured on the metrics of finished runs.
///
/// The replications of a large experiment are split into disjoint groups, and each group is judged like an experiment.
/// The mean difference over all replications counts as the true difference. The study compares the nominal level, for
/// instance 95 %, with the coverage for the model's own metrics, some of which are skewed or rare.
public struct CoverageStudy: Sendable {
    /// Results for one metric under one policy at one sweep point.
    public struct Row: Sendable {
        /// Index of the metric in the plan.
        public let metric: Int
        /// Index of the policy.
        public let policy: Int
        /// Index of the sweep point.
        public let point: Int
        /// Share of all replications in which the policy and the baseline differ.
        public let differing: Double
        /// Number of groups; all their replications have values.
        public let groups: Int
        /// Number of groups in which enough replications differ for an interval.
        public let decided: Int
        /// Number of groups with an interval that contains the true difference.
        public let covered: Int
        /// Number of groups with a wrong verdict.
        ///
        /// The verdict `equivalent` is wrong if the true difference is outside the band of equivalence. The verdicts
        /// `better` and `worse` are wrong if it is inside the band or has the other sign.
        public let wrong: Int

        /// Share of the intervals that contain the true difference; NaN when there are no intervals.
        public var coverage: Double { decided > 0 ? Double(covered) / Double(decided) : .nan }
    }

    /// Results for all comparisons of one metric at one sweep point, corrected together as in the analysis.
    public struct Family: Sendable {
        /// Index of the metric in the plan.
        public let metric: Int
        /// Index of the sweep point.
        public let point: Int
        /// Number of comparisons that differ in at least one replication.
        public let comparisons: Int
        /// Number of groups in which at least one comparison has an interval; all their replications have values.
        public var decided = 0
        /// Number of groups in which every interval contains the true difference.
        public var covered = 0
        /// Number of groups in which a verdict contradicts the true difference.
        public var wrong = 0
    }

    /// Reliability of a metric's intervals, over all policies and points.
    public enum Standing: Sendable, Equatable {
        /// Most groups have no interval, because too few replications differ.
        case tooRare
        /// Most groups have an interval, but there are too few groups to judge the coverage.
        case tooFewGroups
        /// The groups are too small for the metric, so they have no intervals. The value is the number of pairs needed.
        case tellsFrom(Int)
        /// Coverage is more than two percentage points below the nominal level.
        ///
        /// A few replications differ by far more than the others. A group without any of them underestimates the
        /// spread.
        case tooUneven
        /// Coverage is within two percentage points of the nominal level.
        case holds
        /// Coverage is more than two percentage points above the nominal level.
        case cautious

        /// Judges the coverage of intervals.
        ///
        /// - Parameters:
        ///   - isRare: whether most groups have no interval.
        ///   - spread: spread of the metric over replications.
        ///   - group: number of replications in a group.
        public init(
            covered: Int, of decided: Int, isRare: Bool, level: Double, spread: Metric.Spread = .even, group: Int = 0
        ) {
            if case .uneven(let fewest) = spread, fewest > group {
                self = .tellsFrom(fewest)
                return
            }
            guard decided >= fewestIntervals else {
                self = isRare ? .tooRare : .tooFewGroups
                return
            }
            let share = Double(covered) / Double(decided)
            self = share < level - 0.02 ? .tooUneven : share > level + 0.02 ? .cautious : .holds
        }
    }

    /// Smallest number of intervals for an estimate of coverage.
    public static let fewestIntervals = 30

    /// Number of replications in a group.
    public let group: Int
    /// Nominal level of the intervals.
    public let level: Double
    /// One row for each metric, policy and sweep point at which some replication differs from the baseline.
    public let rows: [Row]
    /// One family for each metric and sweep point with at least two rows.
    public let families: [Family]
    /// For each metric, the number of pairs in which a run has no value, and the number of all pairs.
    ///
    /// Only metrics with such pairs are listed. No group contains such a pair. A metric with many such pairs therefore
    /// has fewer groups, or no group and no row.
    public let withoutValue: [(metric: Int, pairs: Int, of: Int)]

    /// Studies finished runs.
    ///
    /// - Parameters:
    ///   - group: number of replications in a group, from 2 to half of the plan's replications.
    public init(_ judgement: Judgement, store: RunStore, group: Int) {
        let plan = judgement.plan
        guard group >= 2 && 2 * group <= plan.replications else { fatalError("a study needs two groups or more") }
        let values = ReplicationValues(plan: plan, store: store)
        var rows: [Row] = []
        var counts = plan.metrics.entries.indices.map { (metric: $0, pairs: 0, of: 0) }
        for row in judgement.comparisons {
            let pairs = values.pairs(
                metric: row.metric, (judgement.baseline, row.point), (row.policy, row.point))
            let done = [judgement.baseline, row.policy].map { values.withoutValue(row.metric, $0, row.point).done }
            counts[row.metric].of += done.min() ?? 0
            counts[row.metric].pairs += max(0, (done.min() ?? 0) - pairs.baseline.count)
            guard let found = Self.study(pairs, row, judgement, group: group) else { continue }
            rows.append(found)
        }
        self.group = group
        self.rows = rows
        let ofFamilies = Dictionary(grouping: rows) { [$0.metric, $0.point] }
        families = ofFamilies.keys.sorted { $0.lexicographicallyPrecedes($1) }.compactMap { key in
            ofFamilies[key].flatMap { Self.family(of: $0, judgement, values, group: group) }
        }
        withoutValue = counts.filter { $0.pairs > 0 }
        level = judgement.analysis.level
    }

    private static func study(
        _ pairs: (baseline: [Double], alternative: [Double]), _ row: ComparisonRow, _ judgement: Judgement, group: Int
    ) -> Row? {
        let rules = judgement.analysis
        let groups = pairs.baseline.count / group
        guard groups >= 2 else { return nil }
        let all = PairedComparison(baseline: pairs.baseline, alternative: pairs.alternative)
        guard all.differing > 0 else { return nil }
        let entry = judgement.plan.metrics.entries[row.metric]
        let equivalence = rules.equivalence(of: entry.name)
        let band = equivalence * abs(all.baselineMean)
        var (decided, covered, wrong) = (0, 0, 0)
        for index in 0..<groups {
            let part = index * group..<(index + 1) * group
            let own = PairedComparison(
                (Array(pairs.baseline[part]), Array(pairs.alternative[part])), of: entry, level: rules.level)
            guard own.halfWidth.isFinite else { continue }
            decided += 1
            if own.low <= all.difference, all.difference <= own.high { covered += 1 }
            let verdict = Verdict(
                own, adjustedP: own.p, level: rules.level, equivalence: equivalence, preference: .lower)
            if isWrong(verdict, truth: all.difference, band: band) { wrong += 1 }
        }
        return Row(
            metric: row.metric, policy: row.policy, point: row.point,
            differing: Double(all.differing) / Double(all.n), groups: groups, decided: decided, covered: covered,
            wrong: wrong)
    }

    /// Joint results of all comparisons of one metric at one sweep point; nil if there is only one comparison.
    private static func family(
        of rows: [Row], _ judgement: Judgement, _ values: ReplicationValues, group: Int
    ) -> Family? {
        guard rows.count > 1 else { return nil }
        let (metric, point) = (rows[0].metric, rows[0].point)
        let rules = judgement.analysis
        let entry = judgement.plan.metrics.entries[metric]
        let equivalence = rules.equivalence(of: entry.name)
        let lists = ([judgement.baseline] + rows.map(\.policy)).map { values.all(metric, $0, point) }
        // A replication in which a policy has no value belongs to no group.
        let whole = lists[0].indices.filter { replication in lists.allSatisfy { $0[replication].isFinite } }
        let kept = lists.map { list in whole.map { list[$0] } }
        let truths = kept.dropFirst().map { PairedComparison(baseline: kept[0], alternative: $0) }
        var family = Family(metric: metric, point: point, comparisons: rows.count)
        for start in stride(from: 0, through: whole.count - group, by: group) {
            let parts = kept.map { Array($0[start..<start + group]) }
            let tests = parts.dropFirst().map {
                PairedComparison((parts[0], $0), of: entry, level: rules.level)
            }
            let found = rules.corrected(tests) { index in
                zip(parts[0], parts[index + 1]).map { PairedComparison.change(from: $0, to: $1) }
            }
            let given = zip(found, truths).filter { $0.0.paired.halfWidth.isFinite }
            guard !given.isEmpty else { continue }
            family.decided += 1
            if given.allSatisfy({ $0.0.paired.low <= $0.1.difference && $0.1.difference <= $0.0.paired.high }) {
                family.covered += 1
            }
            let isAnyWrong = given.contains { test, truth in
                let verdict = Verdict(
                    test.paired, adjustedP: test.p, level: rules.level, equivalence: equivalence, preference: .lower)
                return isWrong(verdict, truth: truth.difference, band: equivalence * abs(truth.baselineMean))
            }
            if isAnyWrong { family.wrong += 1 }
        }
        return family
    }

    /// Whether a verdict contradicts the true difference, for a metric of which lower values are better.
    private static func isWrong(_ verdict: Verdict, truth: Double, band: Double) -> Bool {
        switch verdict {
        case .undecided, .neutral: false
        case .equivalent: abs(truth) > band
        case .better: truth >= -band
        case .worse: truth <= band
        }
    }
}
