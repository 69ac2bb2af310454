// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Measures
import PhoneCore
import Platform
import Quantities
import Statistics
import Workload

/// Definition of an experiment: everything except its phone, apps and user.
///
/// Experiment files, `--set` options, manifests and pages are all read into this type. `DefinitionReader` lists the
/// keys.
public struct ExperimentDefinition: Sendable, Equatable {
    /// Version of the file's format.
    public var schema: Int
    /// Name of the experiment.
    ///
    /// Results are written to `results/NAME`.
    public var name: String
    /// Question that the experiment answers; empty if the file contains none.
    public var question: String
    /// Seed of every random stream.
    public var seed: UInt64
    /// First day of a run.
    public var start: CalendarDate
    /// Length of a run, including the warm-up.
    public var duration: SimDuration
    /// Time at the start of a run that metrics do not count.
    public var warmup: SimDuration
    /// Time at which the pairs of policies begin to decide; nil if they decide from the start of the run.
    ///
    /// Before this time, the baseline decides in every run, and metrics do not count.
    public var policiesFrom: SimDuration?
    /// Number of replications in the file; nil if the population determines the number.
    public var statedReplications: ReplicationRule?
    /// Reaction to a failed run.
    public var onError: FailureRule
    /// Rules for judging the results.
    public var analysis: Analysis
    /// Tables that are written besides `runs.csv`, and their format.
    public var output: TableOutput
    /// Swept paths.
    public var axes: [String]
    /// App that the experiment is about (key `app`); nil if the experiment is about a phone.
    public var app: String?
    /// Metrics of single apps that the experiment needs.
    ///
    /// The list includes all metrics of the app that the experiment is about. The list also includes metrics of single
    /// apps among the primary, shown and target metrics.
    public var appMetrics: [MetricRequest]
    /// Targets of the results.
    public var targets: [Target]

    /// Tables that are written besides `runs.csv`.
    public var tables: TableSet { output.tables }

    /// Creates the definition of a one-day experiment with defaults.
    public init(name: String, seed: UInt64) {
        schema = 1
        self.name = name
        question = ""
        self.seed = seed
        start = CalendarDate(daysSince1970: 0)
        duration = .day
        warmup = .zero
        onError = .proceed
        analysis = Analysis()
        output = TableOutput()
        axes = []
        appMetrics = []
        targets = []
    }
}

extension ExperimentDefinition {
    /// Reads the definition of an experiment from the text in a manifest.
    ///
    /// - Parameters:
    ///   - resolved: `resolvedText` of an experiment.
    ///   - path: Path of the experiment, for messages.
    ///   - policies: Names of the experiment's policies.
    /// - Throws: `Diagnostics` if the text is damaged.
    public init(resolved: String, path: String, policies: [String]) throws(Diagnostics) {
        let report = ConfigReport()
        guard let whole = try resolvedTree(resolved, path: path)["experiment"] else { throw damagedText(path) }
        let map = MapReader(Cursor(whole, report: report))
        let app = map.cursor("app")?.node["name"]?.scalar
        guard let read = DefinitionReader(report: report).read(map, policies: policies, app: app),
            !report.problems.hasErrors
        else { throw report.problems.ordered }
        self = read
    }
}

/// Reads the tree in the text of a manifest.
func resolvedTree(_ resolved: String, path: String) throws(Diagnostics) -> Node {
    guard let root = try JSONText.parse(SourceText(name: path, text: resolved)).get().first else {
        throw damagedText(path)
    }
    return root
}

func damagedText(_ path: String) -> Diagnostics {
    Diagnostics("the copy of \(path) in the manifest is damaged")
}

/// Rule for the number of replications of an experiment.
public struct ReplicationRule: Sendable, Equatable {
    /// Smallest number of replications.
    public let minimum: Int
    /// Largest number of replications.
    ///
    /// Equal to `minimum` if the file contains a single number.
    public let maximum: Int
    /// The experiment stops when the primary difference has this half-width, relative to the baseline; nil if the
    /// number is fixed.
    public let halfWidth: Double?
}

/// Which tables of rows are written and stored, and in which format.
public struct TableOutput: Sendable, Equatable {
    /// Tables that are written besides `runs.csv`.
    public var tables: TableSet = []
    /// Tables whose rows are stored, so that they can be written later without new runs.
    public var kept: TableSet = []
    /// Format of the tables of rows.
    public var form = RowForm.csv

    /// Tables whose rows a run records: the written ones and the stored ones.
    public var recorded: TableSet { tables.union(kept) }
}

/// Format of a table of rows.
public enum RowForm: String, Sendable, CaseIterable {
    case csv, gzip, parquet

    /// File name extension.
    public var ending: String {
        switch self {
        case .csv: ".csv"
        case .gzip: ".csv.gz"
        case .parquet: ".parquet"
        }
    }
}

/// Method that corrects the p-values of several comparisons.
public enum Correction: String, Sendable, CaseIterable {
    /// Single-step maxT over random sign flips of the pairs. The intervals are from the same test.
    case maxT = "max-t"
    /// Holm's rule. The intervals are those of single comparisons.
    case holm
    /// No correction.
    case none

    /// Heading of a column of p-values.
    public var heading: String {
        switch self {
        case .maxT: "p (maxT)"
        case .holm: "p (Holm)"
        case .none: "p"
        }
    }
}

/// Rules for the evaluation of results.
public struct Analysis: Sendable, Equatable {
    /// Confidence level of intervals, 0 to 1.
    public var level = 0.95
    /// Relative difference from the baseline that counts as equivalent, 0 to 1.
    public var equivalence = 0.01
    /// Relative difference that counts as equivalent, by the name of the metric; overrides `equivalence`.
    public var equivalenceByMetric: [String: Double] = [:]
    /// Metric whose p-values are corrected.
    public var primary = "relaunches_per_day"
    /// Correction of the p-values of several comparisons.
    public var correction = Correction.maxT
    /// Other metrics in the results; empty for the default list.
    public var shown: [String] = []
    /// Value of each axis at the baseline point of the sweep; empty if the baseline is the first point.
    public var sweepBaseline: [String: String] = [:]
    /// Design of the sweep, for analyses of all axes together; nil if there is none.
    public var design: SweepDesign?
    /// Quantiles over replications in the results, each between 0 and 1, exclusive.
    public var quantiles: [Double] = []
    /// Rule that selects the best policy; nil if all policies run to the end.
    public var selection: SelectionRule?

    /// Creates the default rules.
    public init() {}

    /// Smallest number of pairs that allows a significant result.
    ///
    /// With k pairs, there are 2^(k-1) combinations of signs. For maxT, the probability of one combination must be at
    /// most the significance level.
    public var fewestPairs: Int {
        let least = PairedComparison.fewestDiffering
        return correction == .maxT ? max(least, Int((1 - log2(1 - level)).rounded(.up))) : least
    }

    /// Relative difference from the baseline that counts as equivalent for a metric, 0 to 1.
    public func equivalence(of metric: String) -> Double { equivalenceByMetric[metric] ?? equivalence }

    /// Adds the rules of the sweep and of the selection.
    mutating func add(_ sweep: Sweep, _ selection: SelectionRule?) {
        sweepBaseline = Dictionary(
            sweep.baseline.map { ($0.path, $0.value) }, uniquingKeysWith: { first, _ in first })
        design = sweep.design
        self.selection = selection
    }
}
