import Diagnostics
import Phone
import Recording

/// What a session left behind.
public struct SessionOutcome: Sendable {
    /// Runs that are done, earlier sessions included.
    public let done: Int
    /// Runs that failed.
    public let failures: [FailedRun]
    /// Runs of the plan.
    public let total: Int
    /// Why the rest could not be done; nil when nothing stood in the way.
    public let problem: String?
    /// Whether the problem lies in the experiment or the program.
    public let isConfiguration: Bool
    /// Whether the user stopped it.
    public let interrupted: Bool

    /// The exit code of the contract.
    public var exitCode: Int32 {
        if interrupted { return 130 }
        if problem != nil { return isConfiguration ? 1 : 3 }
        return done == total ? 0 : 3
    }
}

/// One call of `run`: claims the directory, does the runs that are missing, writes the tables.
public struct RunSession {
    private let plan: Plan
    private let directory: ResultDirectory
    private let content: ManifestContent
    private let resumeCommand: String

    /// Prepares a session; nothing is touched yet.
    public init(plan: Plan, directory: ResultDirectory, content: ManifestContent, resumeCommand: String) {
        self.plan = plan
        self.directory = directory
        self.content = content
        self.resumeCommand = resumeCommand
    }

    /// Does the runs that are missing with so many workers at once, then writes every table.
    ///
    /// - Throws: `Diagnostics` when the directory is another experiment's, `OutputError` when something could not be
    ///   written, `NonDeterminism` when results contradict each other.
    public func carryOut(
        jobs: Int, worker: WorkerCommand, report: @escaping (Progress) -> Void
    ) throws -> SessionOutcome {
        Interruption.watch()
        try directory.claim(for: plan)
        let store = try RunStore(plan: plan, directory: directory)
        let missing = store.missing(in: plan)
        let earlierFailures = FailedRun.remembered(in: directory, plan: plan)
        try writeManifest(done: plan.runs.count - missing.count, failed: 0)
        try replaceFile(directory.file("plan.jsonl")) { file in try file.write(plan.lines) }
        var result = CoordinatorOutcome()
        if !missing.isEmpty {
            let coordinator = Coordinator(
                directory: directory, command: worker, total: plan.runs.count, pending: missing, report: report)
            result = try coordinator.carryOut(jobs: jobs)
        }
        return try conclude(result, earlierFailures)
    }

    private func conclude(_ result: CoordinatorOutcome, _ earlierFailures: [FailedRun]) throws -> SessionOutcome {
        let store = try RunStore(plan: plan, directory: directory)
        let fresh = Set(result.failures.map(\.run.number))
        let failures = (result.failures + earlierFailures.filter { !fresh.contains($0.run.number) })
            .filter { !store.isDone($0.run, in: plan) }
            .sorted { $0.run.number < $1.run.number }
        let done = plan.runs.count - store.missing(in: plan).count
        let outcome = SessionOutcome(
            done: done, failures: failures, total: plan.runs.count, problem: result.problem,
            isConfiguration: result.isConfiguration, interrupted: result.interrupted)
        guard result.problem == nil else { return outcome }
        try store.checkWorkloads(of: plan)
        try writeTables(store, failures)
        try writeManifest(done: done, failed: failures.count)
        return outcome
    }

    private func writeManifest(done: Int, failed: Int) throws {
        let status = JSONValue.object([
            "runs": .integer(plan.runs.count), "done": .integer(done), "failed": .integer(failed),
        ])
        let manifest = content.manifest(plan: plan, status: status, earlier: try directory.manifest())
        try replaceFile(directory.file("manifest.json"), with: manifest.pretty)
    }

    private func writeTables(_ store: RunStore, _ failures: [FailedRun]) throws {
        let export = TableExport(plan: plan, store: store, failures: failures)
        let judgement = Judgement(plan: plan, store: store)
        var files = FileSet()
        for table in TableCatalog.rowTables where plan.tables.contains(table) {
            try files.write(directory.file(TableCatalog.name(of: table) + ".csv")) { file in
                try export.copy(table, to: file)
            }
        }
        try files.write(directory.file("runs.csv"), export.runs)
        try files.write(directory.file("summary.csv"), judgement.summaryTable)
        try files.write(directory.file("comparisons.csv"), judgement.comparisonTable)
        try files.write(directory.file("columns.csv"), DataPackage.columnsCSV(export.schemas))
        let package = DataPackage.descriptor(name: packageName, tables: export.schemas)
        try files.write(directory.file("datapackage.json"), Array(package.pretty.utf8))
        let lines = failures.map { $0.line(plan: plan, command: resumeCommand) + "\n" }.joined()
        try files.write(directory.file("failures.jsonl"), Array(lines.utf8))
        try files.commit()
    }

    /// The name as a data package may carry it: lower-case letters, digits, `-`, `_` and `.`.
    private var packageName: String {
        String(
            plan.name.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) ? $0 : "-" })
    }
}
