// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Measures
import PhoneCore
import Platform
import Quantities
import Statistics
import Workload

/// What an experiment says of itself, its phone, apps and user aside.
///
/// This one value is what its file, the settings of the command line, a manifest and a page give; the list of its keys
/// is in `DefinitionReader`.
public struct ExperimentDefinition: Sendable, Equatable {
    /// Version of the file's format.
    public var schema: Int
    /// Name; results go to `results/NAME`.
    public var name: String
    /// The question it answers; empty when the file asks none.
    public var question: String
    /// Seed of every random stream.
    public var seed: UInt64
    /// First day.
    public var start: CalendarDate
    /// Length of a run, warm-up included.
    public var duration: SimDuration
    /// Part of it that no metric counts.
    public var warmup: SimDuration
    /// How many replications the file states; nil where it leaves that to its population.
    public var statedReplications: ReplicationRule?
    /// What follows when a run fails.
    public var onError: FailureRule
    /// How results are judged.
    public var analysis: Analysis
    /// Tables to write besides `runs.csv`, and how.
    public var output: TableOutput
    /// Swept paths.
    public var axes: [String]
    /// The app that it is about, `app:`; nil when it is about a phone.
    public var app: String?
    /// Metrics that it asks of single apps: every one of the app that it is about, and those named among its primary,
    /// shown and target metrics.
    public var appMetrics: [MetricRequest]
    /// What results are held against.
    public var targets: [Target]

    /// Tables to write besides `runs.csv`.
    public var tables: TableSet { output.tables }

    /// An experiment of one day that states nothing else.
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
    /// Reads the definition of an experiment from the text that a manifest keeps of it.
    ///
    /// - Parameters:
    ///   - resolved: `resolvedText` of an experiment.
    ///   - path: Path of the experiment, for messages.
    ///   - policies: The names of its policies.
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

/// What a manifest keeps of an experiment, as a tree.
func resolvedTree(_ resolved: String, path: String) throws(Diagnostics) -> Node {
    guard let root = try JSONText.parse(SourceText(name: path, text: resolved)).get().first else {
        throw damagedText(path)
    }
    return root
}

func damagedText(_ path: String) -> Diagnostics {
    Diagnostics("the text that the manifest keeps of \(path) is damaged")
}

/// How many replications an experiment wants.
public struct ReplicationRule: Sendable, Equatable {
    /// Least number.
    public let minimum: Int
    /// Largest number; the same as the least when the file gives one number.
    public let maximum: Int
    /// Half-width of the primary difference, relative to the baseline, at which it stops; nil for a fixed number.
    public let halfWidth: Double?
}

/// What becomes of the rows that runs write.
public struct TableOutput: Sendable, Equatable {
    /// Tables to write besides `runs.csv`.
    public var tables: TableSet = []
    /// Tables whose rows are kept, so that they can be written later without running anything.
    public var kept: TableSet = []
    /// How the tables of rows are written.
    public var form = RowForm.csv

    /// The tables whose rows a run records: those that are written, and those that are kept.
    public var recorded: TableSet { tables.union(kept) }
}

/// How a table of rows is written.
public enum RowForm: String, Sendable, CaseIterable {
    case csv, gzip, parquet

    /// How the name of its file ends.
    public var ending: String {
        switch self {
        case .csv: ".csv"
        case .gzip: ".csv.gz"
        case .parquet: ".parquet"
        }
    }
}

/// How p-values of several comparisons are corrected together.
public enum Correction: String, Sendable, CaseIterable {
    /// Single-step maxT over changed signs of the pairs, with intervals of the same test.
    case maxT = "max-t"
    /// Holm's rule; the intervals are those of single comparisons.
    case holm
    /// Not at all.
    case none

    /// The heading of a column of p-values.
    public var heading: String {
        switch self {
        case .maxT: "p (maxT)"
        case .holm: "p (Holm)"
        case .none: "p"
        }
    }
}

/// How results are judged.
public struct Analysis: Sendable, Equatable {
    /// Confidence level of intervals, 0 to 1.
    public var level = 0.95
    /// Relative difference from the baseline that counts as none, 0 to 1.
    public var equivalence = 0.01
    /// The same of metrics that have one of their own, by name.
    public var equivalenceByMetric: [String: Double] = [:]
    /// Metric within which p-values are adjusted.
    public var primary = "relaunches_per_day"
    /// How p-values of several comparisons are corrected together.
    public var correction = Correction.maxT
    /// Metrics shown beside the primary one; empty shows the common ones.
    public var shown: [String] = []
    /// Values, by axis, of the sweep point that the others are compared with; empty for the first point.
    public var sweepBaseline: [String: String] = [:]
    /// The question about all axes at once that the sweep answers; nil for none.
    public var design: SweepDesign?
    /// Quantiles over replications that are told, each strictly between 0 and 1.
    public var quantiles: [Double] = []
    /// How the best policy is found; nil where all are run to the end.
    public var selection: SelectionRule?

    /// Creates the rules of an experiment that states none.
    public init() {}

    /// Fewest pairs that can decide anything: k pairs have 2^(k-1) ways of signs, and under maxT one way has to be as
    /// rare as the level asks.
    public var fewestPairs: Int {
        let least = PairedComparison.fewestDiffering
        return correction == .maxT ? max(least, Int((1 - log2(1 - level)).rounded(.up))) : least
    }

    /// Relative difference from the baseline that counts as none in a metric, 0 to 1.
    public func equivalence(of metric: String) -> Double { equivalenceByMetric[metric] ?? equivalence }

    /// Adds what the sweep says, and how the best policy is found.
    mutating func add(_ sweep: Sweep, _ selection: SelectionRule?) {
        sweepBaseline = Dictionary(
            sweep.baseline.map { ($0.path, $0.value) }, uniquingKeysWith: { first, _ in first })
        design = sweep.design
        self.selection = selection
    }
}
