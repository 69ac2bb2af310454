// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Files
import Measures
import Phone
import Quantities
import Recording
import Scenario

extension Plan {
    /// Lays out the runs of an experiment.
    public init(_ experiment: Experiment, replications: Int? = nil) {
        var analysis = Analysis(
            level: experiment.level, equivalence: experiment.equivalence, primary: experiment.primaryMetric,
            holm: experiment.adjustsForComparisons, shown: experiment.shownMetrics,
            sweepBaseline: Dictionary(
                experiment.sweepBaseline.map { ($0.path, $0.value) }, uniquingKeysWith: { first, _ in first }),
            equivalenceByMetric: experiment.equivalenceByMetric, design: experiment.sweepDesign)
        analysis.quantiles = experiment.quantiles
        analysis.selection = experiment.selection
        analysis.warmup = experiment.warmup.seconds
        analysis.isRecorded = experiment.points.contains { $0.user.recording != nil }
        self.init(
            name: experiment.name, question: experiment.question, schema: experiment.schema, seed: experiment.seed,
            axes: experiment.axes,
            points: experiment.points.map { point in
                PlannedPoint(
                    values: point.axes.map(\.value), configuration: Checksum.of(point.resolvedText.utf8))
            },
            policies: experiment.policies.map(Self.planned), baseline: experiment.baselineIndex,
            replications: replications ?? experiment.replications, tables: experiment.output.tables,
            analysis: analysis, metrics: MetricList(MetricCatalog.catalogue, ofApps: experiment.appMetrics),
            kept: experiment.output.kept, isCompressed: experiment.output.isCompressed,
            people: PlannedPeople(experiment), doubts: PlannedDoubt.all(of: experiment))
    }

    private static func planned(_ pair: PolicyPair) -> PlannedPolicy {
        var remarks: [String] = []
        if pair.isOracle { remarks.append(PlannedPolicy.oracleRemark) }
        if pair.replacesTrigger { remarks.append("replaces the phone's own trigger") }
        let isForeign = !pair.foreignCode.isEmpty
        let code = [pair.eviction, pair.scheduling].map { hexadecimal($0.checksum) }.joined(separator: "+")
        return PlannedPolicy(
            name: pair.name, eviction: pair.eviction.text, scheduling: pair.scheduling.text,
            memory: pair.memory.text, remarks: remarks,
            code: isForeign ? code : "")
    }
}

extension StoppingRule {
    /// The rule of an experiment.
    public init(_ experiment: Experiment) {
        let rule = experiment.replicationRule
        self.init(minimum: rule.minimum, maximum: rule.maximum, halfWidth: rule.halfWidth)
    }
}

extension ManifestContent {
    /// What the manifest says about an experiment.
    public init(_ experiment: Experiment, overrides: [String]) {
        let remarks = experiment.warnings.shown.map(\.message) + experiment.fillings + experiment.cautions
        self.init(
            path: experiment.path, written: experiment.writtenText, resolved: experiment.resolvedText,
            overrides: overrides,
            assumptions: experiment.assumptions.map { Assumption(file: $0.file, key: $0.key, reason: $0.reason) },
            remarks: remarks, targets: experiment.targets)
    }
}
