// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Measures
import Phone
import PhoneCore
import Quantities
import Statistics
import Workload

/// Start, length and warm-up of a run.
struct TimeFrame {
    let start: CalendarDate
    let duration: SimDuration
    let warmup: SimDuration
    /// Time at which the pairs of policies begin to decide; nil if they decide from the start of the run.
    var policiesFrom: SimDuration?
    /// Location of the length, for messages.
    let durationCursor: Cursor
    /// Whether the times are from the file.
    ///
    /// If not, they are defaults that allow the rest of the file to be read.
    var isStated = true
}

/// Reads the definition of an experiment: all keys except those of its phone, apps and user.
///
/// The keys are listed only here. The list applies to the experiment file and to the text in a manifest.
final class DefinitionReader {
    let report: ConfigReport
    let metrics = MetricReader()
    /// Start, length and warm-up; nil if they are invalid.
    private(set) var time: TimeFrame?
    /// Swept points; nil if they are invalid.
    private(set) var sweep: Sweep?
    /// Number of replications in the file; nil if it is missing or invalid.
    private(set) var replications: ReplicationRule?
    /// Seed; 0 if it is invalid.
    private(set) var seed: UInt64 = 0

    init(report: ConfigReport) { self.report = report }

    /// Reads the definition; nil if it has errors, which are reported.
    ///
    /// - Parameters:
    ///   - policies: Names of the policies; nil if they are invalid.
    ///   - app: Name of the app that the experiment is about.
    func read(_ map: MapReader, policies: [String]?, app: String?) -> ExperimentDefinition? {
        let schema = map.required("schema", .schema)
        let name = map.required("name", .name)
        let question = map.value("question", .text, default: "")
        let seed = map.required("seed", .seed)
        replications = map.optional("replications", Self.replicationRule)
        let onError = map.value("on_error", FailureRule.reader, default: .proceed)
        self.seed = seed ?? 0
        time = readTime(map)
        var analysis = readAnalysis(map)
        let output = readOutput(map)
        let selection = SelectionRule.read(
            map, replications: replications, primary: analysis?.primary ?? "", policies: policies?.count ?? 2)
        sweep = Sweep(map.cursor("sweep"), seed: self.seed)
        let targets = readTargets(map, policies: policies ?? [], points: sweep?.points ?? [[]], time: time)
        if let app { metrics.add(app: app) }
        guard let schema, let name, let seed, let time, analysis != nil, var output, let sweep, let targets else {
            return nil
        }
        analysis?.add(sweep, selection)
        for target in targets { output.tables.formUnion(target.tables) }
        var definition = ExperimentDefinition(name: name, seed: seed)
        definition.schema = schema
        definition.question = question
        definition.start = time.start
        definition.duration = time.duration
        definition.warmup = time.warmup
        definition.policiesFrom = time.policiesFrom
        definition.statedReplications = replications
        definition.onError = onError
        definition.analysis = analysis ?? definition.analysis
        definition.output = output
        definition.axes = sweep.points.first?.map(\.path) ?? []
        definition.app = app
        definition.appMetrics = metrics.requests
        definition.targets = targets
        return definition
    }
}

/// Reads single keys.
extension DefinitionReader {
    /// Relative differences that count as equivalent: for all metrics, and by metric.
    private typealias Equivalence = (usual: Double, byMetric: [String: Double])

    /// Fewest replications before a stopping rule is first checked.
    ///
    /// Repeated checks with fewer replications would reduce the coverage of the interval.
    private static let fewestBeforeStopping = 10

    /// Reads `10` or `{min: 10, max: 200, until: half-width < 1 %}`.
    static var replicationRule: ValueReader<ReplicationRule> {
        ValueReader(example: "10") { cursor in
            let number = ValueReader<Int>.integer(1...RunLimit.replications, example: "10")
            if cursor.node.entries == nil {
                return number.read(cursor).map { ReplicationRule(minimum: $0, maximum: $0, halfWidth: nil) }
            }
            let map = MapReader(cursor)
            let least = map.required(
                "min", .integer(Self.fewestBeforeStopping...RunLimit.replications, example: "10"))
            let most = map.required("max", number)
            let goal = ValueReader<Double>.scalar("a goal such as \"half-width < 1 %\"", example: "half-width < 1 %") {
                text, cursor in
                let words = text.split(separator: "<", maxSplits: 1).map {
                    $0.split(separator: " ").joined(separator: " ")
                }
                guard words.count == 2, words[0] == "half-width",
                    let share = try? UnitText.parse(words[1], as: .fraction),
                    share > 0
                else {
                    cursor.expected("a goal such as \"half-width < 1 %\"")
                    return nil
                }
                return share
            }
            let width = map.required("until", goal)
            map.finish()
            guard let least, let most, let width else { return nil }
            if least > most { map.cursor("max")?.expected("at least \(least), the value of min") }
            return least > most ? nil : ReplicationRule(minimum: least, maximum: most, halfWidth: width)
        }
    }

    private func readTime(_ map: MapReader) -> TimeFrame? {
        let start = map.required("start", midnight)
        let duration = map.required("duration", .duration(1...315_576_000, example: "8 d"))
        let warmup = map.value("warmup", .duration(example: "1 d"), default: .zero)
        let from = map.optional("policies_from", .duration(1...315_576_000, example: "7 d"))
        guard let duration, let cursor = map.cursor("duration") else { return nil }
        if warmup >= duration {
            let length = UnitText.format(duration.seconds, as: .time)
            let found = map.cursor("warmup")?.node.found ?? ""
            map.cursor("warmup")?.fail(
                "expected a warm-up shorter than the duration (\(length)), found \(found)",
                hint: "the duration includes the warm-up")
            return nil
        }
        if let from, from >= duration {
            map.cursor("policies_from")?.fail(
                "expected an instant before the end of the run (\(UnitText.format(duration.seconds, as: .time)))",
                hint: "all runs use the baseline until this instant, and are measured from then on")
            return nil
        }
        return start.map {
            // All runs have the time before `policies_from` in common, so it belongs to the warm-up and is not
            // measured.
            TimeFrame(
                start: $0, duration: duration, warmup: max(warmup, from ?? .zero), policiesFrom: from,
                durationCursor: cursor)
        }
    }

    /// Reads a date, optionally followed by the time of midnight.
    private var midnight: ValueReader<CalendarDate> {
        .scalar("a date such as \"2026-03-02 00:00\"", example: "2026-03-02 00:00") { text, cursor in
            let words = text.split(separator: " ").map(String.init)
            guard let day = words.first.flatMap({ CalendarDate($0) }), words.count <= 2 else {
                if let hint = words.first.flatMap(CalendarDate.lastDay(ofMonthIn:)) {
                    cursor.fail("there is no day \(words[0])", hint: hint)
                    return nil
                }
                cursor.expected("a date such as \"2026-03-02 00:00\"", hint: "write the date as year-month-day")
                return nil
            }
            if words.count == 2, !["00:00", "0:00", "00:00:00"].contains(words[1]) {
                cursor.fail(
                    "a run must begin at midnight, found \"\(words[1])\"", hint: "write \"start: \(words[0]) 00:00\"")
                return nil
            }
            return day
        }
    }

    private func readAnalysis(_ map: MapReader) -> Analysis? {
        var analysis = Analysis()
        let before = report.problems.errorCount
        map.section("metrics") { metrics in
            metrics.set(&analysis.primary, "primary", self.metrics.name)
            metrics.set(&analysis.shown, "shown", .list(of: self.metrics.name))
        }
        map.section("analysis") { keys in
            keys.set(&analysis.level, "level", .quantity(.fraction, 0.5...0.9999))
            var bands: Equivalence = (analysis.equivalence, [:])
            keys.set(&bands, "equivalence", equivalence)
            (analysis.equivalence, analysis.equivalenceByMetric) = bands
            keys.set(&analysis.quantiles, "quantiles", .list(of: .quantity(.fraction, 0.0001...0.9999)))
            keys.set(&analysis.correction, "correction", .choice("correction"))
        }
        return report.problems.errorCount == before ? analysis : nil
    }

    /// Reads `1 %` or `{default: 1 %, kills_per_day: 5 %}`.
    private var equivalence: ValueReader<Equivalence> {
        let share = ValueReader<Double>.quantity(.fraction, 0...1)
        return ValueReader(example: "1 %", shape: share.shape) { cursor in
            guard let entries = cursor.node.entries, cursor.node["value"] == nil else {
                return share.read(cursor).map { ($0, [:]) }
            }
            var bands: Equivalence = (Analysis().equivalence, [:])
            for entry in entries where entry.key != "source" {
                guard let band = share.read(cursor.child(entry.value, key: entry.key)) else { return nil }
                if entry.key == "default" {
                    bands.usual = band
                    continue
                }
                let key = Cursor(Node(.scalar(entry.key, quoted: false), at: entry.location), report: cursor.report)
                guard let name = self.metrics.name.read(key) else { return nil }
                bands.byMetric[name] = band
            }
            return bands
        }
    }

    private func readOutput(_ map: MapReader) -> TableOutput? {
        var found = TableOutput()
        let before = report.problems.errorCount
        map.section("output") { output in
            func tables(_ key: String) -> TableSet {
                let word = ValueReader<String>.word(of: ["runs"] + PhoneTables.list.names, what: "table")
                // The table with one row per run is always written.
                return TableSet(
                    output.value(key, .list(of: word), default: []).compactMap { PhoneTables.list[$0]?.set })
            }
            found.tables = tables("tables")
            found.kept = tables("keep")
            let ways = ValueReader<String>.word(of: ["no", "gzip"], what: "compression")
            let form = ValueReader<String>.word(of: ["csv", "parquet"], what: "format")
            found.form = output.value("compress", ways, default: "no") == "gzip" ? .gzip : .csv
            // Parquet files are always compressed, so `compress` has no effect.
            if output.value("format", form, default: "csv") == "parquet" { found.form = .parquet }
        }
        return report.problems.errorCount == before ? found : nil
    }
}
