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
/// The experiment file, the settings of the command line, a manifest and a page are all read into this type. Its keys
/// are listed in `DefinitionReader`.
public struct ExperimentDefinition: Sendable, Equatable {
    /// Version of the file's format.
    public var schema: Int
    /// Name of the experiment; results go to `results/NAME`.
    public var name: String
    /// Question that the experiment answers; empty when the file states none.
    public var question: String
    /// Seed of every random stream.
    public var seed: UInt64
    /// First day of a run.
    public var start: CalendarDate
    /// Length of a run, warm-up included.
    public var duration: SimDuration
    /// Part of the run that no metric counts.
    public var warmup: SimDuration
    /// Time at which the pairs of policies take over the decisions; nil if they decide from the start of the run.
    ///
    /// Until then the baseline decides in every run, and metrics do not count that time.
    public var policiesFrom: SimDuration?
    /// Number of replications that the file states; nil where its population determines the number.
    public var statedReplications: ReplicationRule?
    /// Consequence of a failed run.
    public var onError: FailureRule
    /// Rules for judging the results.
    public var analysis: Analysis
    /// Tables to write besides `runs.csv`, with their format.
    public var output: TableOutput
    /// Swept paths.
    public var axes: [String]
    /// App that the experiment is about, `app:`; nil when it is about a phone.
    public var app: String?
    /// Metrics of single apps that the experiment needs.
    ///
    /// These are all metrics of the app that the experiment is about, and the metrics of single apps among its
    /// primary, shown and target metrics.
    public var appMetrics: [MetricRequest]
    /// Targets of the results.
    public var targets: [Target]

    /// Tables to write besides `runs.csv`.
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
    ///   - path: path of the experiment, for messages.
    ///   - policies: names of its policies.
    /// - Throws: `Diagnostics` when the text is damaged.
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

/// Tree of the experiment in a manifest.
func resolvedTree(_ resolved: String, path: String) throws(Diagnostics) -> Node {
    guard let root = try JSONText.parse(SourceText(name: path, text: resolved)).get().first else {
        throw damagedText(path)
    }
    return root
}

func damagedText(_ path: String) -> Diagnostics {
    Diagnostics("the copy of \(path) in the manifest is damaged")
}

/// Number of replications of an experiment.
public struct ReplicationRule: Sendable, Equatable {
    /// Least number.
    public let minimum: Int
    /// Largest number; equal to the least when the file gives one number.
    public let maximum: Int
    /// Half-width of the primary difference, relative to the baseline, at which the experiment stops; nil for a fixed
    /// number.
    public let halfWidth: Double?
}

/// Output of the rows that runs write.
public struct TableOutput: Sendable, Equatable {
    /// Tables to write besides `runs.csv`.
    public var tables: TableSet = []
    /// Tables whose rows are stored, so that they can be written later without repeating runs.
    public var kept: TableSet = []
    /// Format of the tables of rows.
    public var form = RowForm.csv

    /// Tables whose rows a run records: those that are written and those that are stored.
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

/// Method for correcting the p-values of several comparisons together.
public enum Correction: String, Sendable, CaseIterable {
    /// Single-step maxT over random sign flips of the pairs; the intervals follow from the same test.
    case maxT = "max-t"
    /// Holm's rule; the intervals are those of single comparisons.
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

/// Rules for judging results.
public struct Analysis: Sendable, Equatable {
    /// Confidence level of intervals, 0 to 1.
    public var level = 0.95
    /// Relative difference from the baseline that counts as equivalent, 0 to 1.
    public var equivalence = 0.01
    /// Relative difference that counts as equivalent, by the name of the metric; overrides `equivalence`.
    public var equivalenceByMetric: [String: Double] = [:]
    /// Metric within which p-values are corrected.
    public var primary = "relaunches_per_day"
    /// Correction of p-values of several comparisons.
    public var correction = Correction.maxT
    /// Other metrics that are shown; empty for the default list.
    public var shown: [String] = []
    /// Values, by axis, of the sweep point that is the baseline; empty for the first point.
    public var sweepBaseline: [String: String] = [:]
    /// Design of the sweep, for a question about all axes at once; nil for none.
    public var design: SweepDesign?
    /// Quantiles over replications that are reported, each strictly between 0 and 1.
    public var quantiles: [Double] = []
    /// Rule for selecting the best policy; nil where all are run to the end.
    public var selection: SelectionRule?

    /// Creates the default rules.
    public init() {}

    /// Fewest pairs that can give a significant result.
    ///
    /// With k pairs there are 2^(k-1) combinations of signs. Under maxT, the probability of one combination must be
    /// at most
    /// the significance level.
    public var fewestPairs: Int {
        let least = PairedComparison.fewestDiffering
        return correction == .maxT ? max(least, Int((1 - log2(1 - level)).rounded(.up))) : least
    }

    /// Relative difference from the baseline that counts as equivalent in a metric, 0 to 1.
    public func equivalence(of metric: String) -> Double { equivalenceByMetric[metric] ?? equivalence }

    /// Adds the rules of the sweep and of the selection.
    mutating func add(_ sweep: Sweep, _ selection: SelectionRule?) {
        sweepBaseline = Dictionary(
            sweep.baseline.map { ($0.path, $0.value) }, uniquingKeysWith: { first, _ in first })
        design = sweep.design
        self.selection = selection
    }
}
