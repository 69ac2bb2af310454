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
/// Each series has one value per simulated day: the primary metric of the baseline, or the difference of another policy
/// from the baseline. Each value is the mean over the pilot's replications. Values cover whole days, because within a
/// day the night looks like a steady state. If there are enough days, their values are averaged in batches of five.
public struct WarmupAdvice: Sendable {
    /// One series with one value per day.
    public struct Row: Sendable {
        /// Index of the policy.
        ///
        /// The baseline's series is its metric; other series are differences from the baseline.
        public let policy: Int
        /// Mean over the replications for each day; days on which no replication has a value are omitted.
        public let days: [Double]
        /// Start of the steady part according to MSER; nil if there are too few days.
        public let steady: SteadyState?
    }

    /// Series of the policies, with the baseline first.
    public let rows: [Row]
    /// Number of days of the pilot.
    public let days: Int
    /// Number of replications of the pilot.
    public let replications: Int
    /// Warm-up of the experiment, in days.
    public let warmup: Double

    /// Smallest number of days for batches of five days; batches smooth the weekly pattern.
    private static let daysForBatches = 40

    /// Runs the pilot at the first sweep point.
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

    /// Number of days to omit, which is the largest of all series; nil if no series has enough days.
    public var advised: Int? { rows.compactMap { $0.steady?.cut }.max() }

    /// Whether a series has no steady part within the pilot, or too few days.
    public var isTooShort: Bool { rows.contains { $0.steady?.isAtLimit ?? true } }

    /// Sentences with the advice and what it means for the experiment.
    public func sentences(names: [String]) -> [String] {
        guard let advised, let longest = rows.first(where: { $0.steady?.cut == advised }), let cut = longest.steady
        else {
            return ["Too few days have values: MSER needs at least \(SteadyState.fewestBatches)."]
        }
        var told: [String] = []
        if let before = cut.before {
            let moves = before < cut.after ? "rise" : "fall"
            told.append(
                "In the first \(Findings.count(advised, "day")) of \(names[longest.policy]), values still \(moves) "
                    + "(mean \(Figures.short(before)), then \(Figures.short(cut.after))); MSER advises a warm-up of "
                    + "\(advised) d."
            )
        } else {
            told.append("No day at the beginning differs from the rest; MSER advises no warm-up.")
        }
        if isTooShort {
            told.append("A series still changes halfway through the pilot. A longer pilot may advise a longer warm-up.")
        }
        let own = UnitText.tenths(warmup)
        told.append(
            warmup < Double(advised)
                ? "The experiment's warm-up of \(own) d is too short."
                : "The experiment's warm-up of \(own) d is enough by this measure.")
        return told
    }
}
