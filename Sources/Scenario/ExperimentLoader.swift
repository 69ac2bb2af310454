// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Files
import Phone
import PhoneCore
import Power
import Quantities
import Statistics
import Vocabulary
import Workload

/// Reads an experiment file with all models that it names.
///
/// - Parameters:
///   - path: Path of the file, as the user entered it.
///   - overrides: `key=value` texts of the command line, which are applied in order before the file is decoded.
///   - catalog: Policies that the experiment may name.
///   - library: Library of the models; by default, the library found for the path of the experiment.
///   - recordsValues: Whether to keep every value of the first point for a manifest, including defaults.
/// - Throws: All problems of the file and its models, in the order of their locations.
public func loadExperiment(
    path: String, overrides: [String] = [], catalog: PolicyCatalog = .builtIn, library: ModelLibrary? = nil,
    recordsValues: Bool = false
) throws(Diagnostics) -> Experiment {
    let source = try SourceText.read(path: path).get()
    return try loadExperiment(
        source, overrides: overrides, catalog: catalog, library: library ?? .located(experiment: path),
        recordsValues: recordsValues)
}

/// Reads an experiment from a text, whose `name` is used as the path of the experiment's file.
public func loadExperiment(
    _ source: SourceText, overrides: [String] = [], catalog: PolicyCatalog = .builtIn, library: ModelLibrary,
    recordsValues: Bool = false
) throws(Diagnostics) -> Experiment {
    try read(source, overrides: overrides, catalog: catalog, library: library, recordsValues: recordsValues).experiment
}

/// Reads an experiment.
///
/// Returns the experiment with the loader, which contains the trees of the models.
func read(
    _ source: SourceText, overrides: [String], catalog: PolicyCatalog, library: ModelLibrary,
    recordsValues: Bool = false
) throws(Diagnostics) -> (experiment: Experiment, loader: ExperimentLoader) {
    var root = try YAML.parse(source).get()
    if root.isNull {
        throw Diagnostics("\(source.name) is empty", hint: "flotsam new FILE.yaml writes an experiment to start from")
    }
    try FileKind.require(.experiment, root)
    var problems = Diagnostics()
    for override in overrides {
        let parts = override.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let value = parts.count == 2 ? String(parts[1]) : ""
        let paths = ["sweep.axes", "sweep.ranges", "sweep.baseline"]
        switch root.setting(key: String(parts[0]), value: value, paths: paths) {
        case .success(let changed) where parts.count == 2: root = changed
        case .success:
            problems.append(Diagnostic("--set expects key=value, found \"\(override)\"", hint: "for instance seed=7"))
        case .failure(let failure): problems.append(contentsOf: failure)
        }
    }
    let report = ConfigReport()
    report.add(problems)
    let loader = ExperimentLoader(root, source: source, catalog: catalog, library: library, report: report)
    loader.recordsValues = recordsValues
    return (try loader.loaded(), loader)
}

/// Loads one experiment.
///
/// The keys of the experiment are read once, and the models once for each sweep point.
final class ExperimentLoader {
    let root: Node
    let source: SourceText
    let catalog: PolicyCatalog
    let report: ConfigReport
    let trees: ModelTrees
    var devices: [String: DeviceModel] = [:]
    var catalogues: [String: AppCatalogueReader.Selection] = [:]
    var personas: [String: Persona] = [:]
    var chargers: [String: Charger] = [:]
    var recordings: [String: (file: WorkloadFile, checksum: String)] = [:]
    var appLists: [String: [AppModel]] = [:]
    var prepared: [String: TraceRecording] = [:]
    var brokenRecordings: Set<String> = []
    var foreignEvictions: [ForeignCode: ForeignPolicy<EvictionPolicyEntry>] = [:]
    var foreignSchedulings: [ForeignCode: ForeignPolicy<SchedulingPolicyEntry>] = [:]
    /// Names of policies in results.
    var policyNames: PolicyNames
    /// Seed that determines the people of populations.
    var peopleSeed: UInt64 = 0
    /// Pair of policies that decides in the common past of all runs; nil if there is no common past.
    var past: PolicyPair?
    /// Number of phones with drawn constants that each sweep point needs.
    var samples = 0
    /// Values from a manifest for each sweep point; nil if the experiment is read from its file.
    var kept: (doubts: [[ModelDoubt]]?, settings: [[Node]])?
    /// Whether the values of the first point are recorded.
    var recordsValues = false

    init(_ root: Node, source: SourceText, catalog: PolicyCatalog, library: ModelLibrary, report: ConfigReport) {
        self.root = root
        self.source = source
        self.catalog = catalog
        policyNames = PolicyNames(catalog)
        self.report = report
        trees = ModelTrees(library: library, report: report, folder: FilePath.folder(of: source.name))
    }

    /// Loads the experiment, and throws its problems if it has errors.
    func loaded() throws(Diagnostics) -> Experiment {
        guard let experiment = load(), !report.problems.hasErrors else { throw report.problems.ordered }
        return experiment
    }

    /// Loads the experiment; nil if it has errors, which are in the report.
    func load() -> Experiment? {
        let map = MapReader(Cursor(root, report: report), expected: "an experiment (a map of keys)")
        guard map.isMap else { return nil }
        samples = readSamples(map) ?? 0
        let policies = readPolicies(map)
        let own = map.cursor("app").flatMap(readOwnName)
        let keys = DefinitionReader(report: report)
        let definition = keys.read(map, policies: policies?.pairs.map(\.name), app: own)
        peopleSeed = keys.seed
        if keys.time?.policiesFrom != nil { past = policies.map { $0.pairs[$0.baseline] } }
        for key in Sweep.roots where !map.has(key) { reportMissing(key, map) }
        checkAssumptions(map)
        map.finish()
        // The models are read even if the times or the sweep are invalid, so that all errors are reported together.
        let frame =
            keys.time
            ?? TimeFrame(start: epoch, duration: .day, warmup: .zero, durationCursor: map.cursor, isStated: false)
        let points = readPoints(keys.sweep?.points ?? [[]], time: frame, policies: policies?.pairs ?? [])
        keys.metrics.check(apps: points.map { $0.fewestApps.map(\.name) })
        let replications = replications(keys.replications, points, map)
        if let replications, let definition, (policies?.pairs.count ?? 0) > 1 {
            warnOfFewReplications(replications, fewest: definition.analysis.fewestPairs, map)
        }
        if let replications, let policies,
            let excess = RunLimit.excess(
                points: points.count, policies: policies.pairs.count, replications: replications.maximum)
        {
            (map.cursor("replications") ?? map.cursor).fail("the experiment " + excess)
        }
        guard let definition, let replications, let policies, !points.isEmpty, !report.problems.hasErrors, let whole
        else { return nil }
        return Experiment(
            definition: definition, path: source.name, replicationRule: replications, policies: policies.pairs,
            baselineIndex: policies.baseline, points: points,
            inputs: trees.paths + recordings.keys.sorted() + foreignFiles, assumptions: assumptions(),
            warnings: report.problems, writtenText: source.text, whole: whole, written: root,
            values: report.values)
    }

    /// Number of replications in the file, or else the number of people in the population.
    func replications(_ stated: ReplicationRule?, _ points: [SweepPoint], _ map: MapReader) -> ReplicationRule? {
        guard let fewest = points.compactMap({ $0.people?.people.count }).min() else {
            // Without a population, the key is required. Reading it as a required key reports that it is missing.
            let isLeftOut = !map.has("replications") && root.at(["user", "population"]) == nil
            return stated ?? (isLeftOut ? map.required("replications", DefinitionReader.replicationRule) : nil)
        }
        guard let stated else {
            return map.has("replications")
                ? nil : ReplicationRule(minimum: fewest, maximum: fewest, halfWidth: nil)
        }
        guard stated.maximum <= fewest else {
            map.cursor("replications")?.fail(
                "\(stated.maximum) replications need \(stated.maximum) people, but the population has only \(fewest)",
                hint: "raise user.size, or leave out \"replications\"")
            return nil
        }
        return stated
    }

    /// Warns if there are too few replications for a significant result.
    func warnOfFewReplications(_ rule: ReplicationRule, fewest: Int, _ map: MapReader) {
        guard rule.maximum < fewest else { return }
        map.cursor("replications")?.warn(
            rule.maximum == 1
                ? "1 replication cannot give a verdict"
                : "\(rule.maximum) replications cannot give a verdict",
            hint: "a verdict needs \(fewest) replications that differ; start with 10")
    }

    private let epoch = CalendarDate(daysSince1970: 0)

    private func reportMissing(_ key: String, _ map: MapReader) {
        let examples = [
            "device": "iphone-13", "apps": "{catalog: everyday, count: 120}", "user": "{persona: average}",
        ]
        map.reportMissing(key, example: examples[key])
    }

    /// Tree of the file with its models expanded, which can be read as an experiment.
    private var whole: Node? { laidOut(repeatedSection) }

    /// Tree of the file with its models expanded.
    ///
    /// Each value is at the path that sets it in a file.
    var settable: Node? { laidOut(wholeSection) }

    private func laidOut(_ section: (String, Cursor) -> Node) -> Node? {
        guard let entries = root.entries else { return nil }
        let whole = entries.map { entry -> Node.Entry in
            var entry = entry
            entry.value = section(entry.key, Cursor(entry.value, path: entry.key, report: report))
            return entry
        }
        return Node(.map(whole), at: root.location)
    }

    /// Assumptions in all files that are used, except assumptions about overridden values.
    func assumptions() -> [Assumption] {
        var found: [Assumption] = []
        let wholes = trees.wholes.map { ($0, $0.files) }
        for path in trees.paths {
            guard let node = trees.load(path) else { continue }
            let stated = Assumption.all(in: node, file: trees.library.label(path))
            for (whole, files) in wholes where files.contains(path) {
                for assumption in Assumption.resting(whole, on: stated, from: path) where !found.contains(assumption) {
                    found.append(assumption)
                }
            }
        }
        return found
    }
}

extension Node {
    /// Adds the names of the files that provide values of the tree.
    func addFiles(to names: inout Set<String>, _ last: inout SourceText?) {
        // Neighbouring nodes are mostly from the same file.
        if location.source !== last {
            last = location.source
            names.insert(location.source.name)
        }
        for entry in entries ?? [] { entry.value.addFiles(to: &names, &last) }
        for item in items ?? [] { item.addFiles(to: &names, &last) }
    }

    /// Names of the files that provide values of the tree.
    var files: Set<String> {
        var names: Set<String> = []
        var last: SourceText?
        addFiles(to: &names, &last)
        return names
    }
}
