// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Measures
import Phone
import PhoneCore
import Quantities
import Scenario
import Statistics

/// Warm-up that an experiment needs, in days, estimated from a pilot without a warm-up.
///
/// Each series has one value per simulated day: the baseline's primary metric, or another policy's difference from
/// it.
/// Each series is averaged over the pilot's replications. Only whole days count, because within a day the night looks
/// like a steady state. If there are enough days, they are averaged in batches of five.
public struct WarmupAdvice: Sendable {
    /// One series of days.
    public struct Row: Sendable {
        /// Index of the policy; for the baseline, the series is its metric, otherwise the difference from the
        /// baseline.
        public let policy: Int
        /// Mean over replications for each day; a day without a value in any replication is omitted.
        public let days: [Double]
        /// Cut by MSER; nil where there are too few days.
        public let steady: SteadyState?
    }

    /// Rows, the baseline first.
    public let rows: [Row]
    /// Number of days of the pilot.
    public let days: Int
    /// Number of replications of the pilot.
    public let replications: Int
    /// The warm-up of the experiment, in days.
    public let warmup: Double

    /// Fewest days for batches of five; batches smooth the weekly pattern.
    private static let daysForBatches = 40

    /// Runs the pilot, at the first point of a sweep.
    ///
    /// - Throws: `Diagnostics` when a recording is shorter than the pilot.
    public init(_ experiment: Experiment, days: Int, replications: Int) throws(Diagnostics) {
        if let recorded = experiment.points[0].user.mostDays, recorded < days {
            throw Diagnostics(
                "a pilot of \(days) days needs a recording of \(days) days, and this one has \(recorded)",
                hint: "give a shorter --warmup, or user: {repeat: true}")
        }
        let metric = MetricList(MetricCatalog.catalogue, ofApps: experiment.appMetrics)
            .index(of: experiment.analysis.primary)
        let policies = experiment.policies.indices
        let runs = inParallel(replications * policies.count) { index in
            var specification = experiment.specification(
                point: 0, policy: index % policies.count, replication: index / policies.count)
            specification.duration = .days(Double(days))
            specification.tables = []
            return simulateDays(specification).map { day -> Double in
                guard let metric, day.indices.contains(metric) else { return .nan }
                return day[metric]
            }
        }
        let baseline = experiment.baselineIndex
        rows = ([baseline] + policies.filter { $0 != baseline }).map { policy in
            let series = (0..<days).compactMap { day -> Double? in
                let values = (0..<replications).map { replication in
                    let own = runs[replication * policies.count + policy][day]
                    return policy == baseline ? own : own - runs[replication * policies.count + baseline][day]
                }.filter(\.isFinite)
                return values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
            }
            let batch = series.count >= Self.daysForBatches ? 5 : 1
            return Row(policy: policy, days: series, steady: SteadyState(series, batch: batch))
        }
        self.days = days
        self.replications = replications
        warmup = experiment.warmup / .day
    }

    /// Creates the advice from given series.
    init(rows: [Row], days: Int, replications: Int, warmup: Double) {
        self.rows = rows
        self.days = days
        self.replications = replications
        self.warmup = warmup
    }

    /// Number of days to omit: the longest cut of all series; nil where no series has enough days.
    public var advised: Int? { rows.compactMap { $0.steady?.cut }.max() }

    /// Whether some series has no steady part within the pilot.
    public var isTooShort: Bool { rows.contains { $0.steady?.isAtLimit ?? true } }

    /// Sentences with the advice, and its consequence for the experiment.
    public func sentences(names: [String]) -> [String] {
        guard let advised, let longest = rows.first(where: { $0.steady?.cut == advised }), let cut = longest.steady
        else {
            return ["Too few days have values: MSER needs at least \(SteadyState.fewestBatches)."]
        }
        var told: [String] = []
        if let before = cut.before {
            let moves = before < cut.after ? "rise" : "fall"
            told.append(
                "The first \(Findings.count(advised, "day")) of \(names[longest.policy]) still \(moves) "
                    + "(\(Figures.short(before)) there, \(Figures.short(cut.after)) after them); MSER advises "
                    + "a warm-up of \(advised) d.")
        } else {
            told.append("No day at the beginning differs from the rest; MSER advises no warm-up.")
        }
        if isTooShort {
            told.append("A series still changes at half of the pilot. A longer pilot may advise a longer warm-up.")
        }
        let own = UnitText.tenths(warmup)
        told.append(
            warmup < Double(advised)
                ? "The experiment's warm-up of \(own) d is too short."
                : "The experiment's warm-up of \(own) d is enough by this measure.")
        return told
    }
}
