// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Measures
import Phone
import PhoneCore
import Quantities
import Scenario

/// A run in two versions: unchanged, and with another pair of policies from an instant on.
///
/// Measurement begins at this instant in both versions.
public struct PolicyFork: Sendable {
    /// A metric in both versions.
    public struct Row: Sendable {
        /// Name of the metric of the phone or of an app.
        public let name: String
        /// Unit of the metric.
        public let unit: String
        /// Value in the original run.
        public let original: Double
        /// Value in the run with the other policies.
        public let continued: Double
    }

    /// Instant from which the other policies decide.
    public let instant: SimTime
    /// Name of the other pair of policies.
    public let policyName: String
    /// Number of measured days.
    public let days: Double
    /// The primary metric, then the shown metrics, then all other metrics.
    public let rows: [Row]
    /// Number of rows at the start of `rows` that the experiment shows.
    public let shown: Int

    /// Simulates both versions.
    ///
    /// - Throws: `Diagnostics` when the instant is not within the run.
    public init(_ replay: RunReplay, under policy: Int, from time: SimTime) throws(Diagnostics) {
        var run = replay.specification
        let end = SimTime.zero + run.duration
        guard time > .zero, time < end else {
            throw Diagnostics(
                "the policies of the run cannot change at \(time.dayAndClock)",
                hint: "the run begins at \(SimTime.zero.dayAndClock) and ends at \(end.dayAndClock)")
        }
        instant = time
        policyName = replay.plan.policies[policy].name
        days = (end - time) / .day
        run.warmup = time - .zero
        run.tables = []
        let other = replay.experiment.ownSpecification(
            point: replay.run.point, policy: policy, replication: replay.run.replication)
        let runs = [run, run.continued(as: other, from: time)]
        let values = inParallel(runs.count) { simulate(runs[$0]).metrics }
        let entries = replay.plan.metrics.entries
        let analysis = replay.plan.analysis
        let wanted = ([analysis.primary] + analysis.shown).compactMap(replay.plan.metrics.index)
        let rest = entries.indices.filter { !wanted.contains($0) }
        shown = wanted.count
        rows = (wanted + rest).map { index in
            Row(
                name: entries[index].name, unit: entries[index].unit, original: values[0][index],
                continued: values[1][index])
        }
    }
}
