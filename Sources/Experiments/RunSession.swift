// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Files
import Measures
import Phone
import PhoneCore
import Recording
import Scenario

/// Outcome of a session.
public struct SessionOutcome: Sendable {
    /// Plan that was carried out, with the final number of replications.
    public let plan: Plan
    /// Number of finished runs, including those of earlier sessions.
    public let done: Int
    /// Failed runs that are not finished.
    public let failures: [FailedRun]
    /// Reason why some runs could not be carried out; nil when there is none.
    public let problem: String?
    /// Whether the problem is due to the experiment or the program.
    public let isConfiguration: Bool
    /// Whether the user stopped the session.
    public let interrupted: Bool
    /// Whether a failed run stopped the session, as the experiment demands.
    public let stoppedByFailure: Bool
    /// Numbers of unfinished runs, in ascending order.
    public let missing: [Int]
    /// Finished runs.
    public let store: RunStore
    /// Judgement that the tables contain; nil if no tables were written.
    public let judgement: Judgement?
    /// Number of selected runs, if only some runs were selected and all of these are finished.
    public let selected: Int?

    /// Number of runs that are to be carried out.
    public var total: Int { plan.wantedRuns }

    /// Exit code of the command.
    public var exitCode: Int32 {
        if interrupted { return 130 }
        if problem != nil { return isConfiguration ? 1 : 3 }
        return done == plan.wantedRuns ? 0 : 3
    }
}

/// One session of `run`: it locks the directory, carries out the missing runs and writes the tables.
public struct RunSession {
    private let plan: Plan
    private let rule: StoppingRule
    private let directory: ResultDirectory
    private let content: ManifestContent
    private let supervision: Supervision
    private let selection: RunSelection

    /// Prepares a session; the directory is not changed yet.
    ///
    /// Without a stopping rule, all replications of the plan are carried out.
    public init(
        plan: Plan, rule: StoppingRule? = nil, directory: ResultDirectory, content: ManifestContent,
        supervision: Supervision = Supervision(), selection: RunSelection = .all
    ) {
        self.selection = selection
        let rule = rule ?? StoppingRule(minimum: plan.replications, maximum: plan.replications, halfWidth: nil)
        self.rule = rule
        self.plan = plan.with(replications: rule.minimum)
        self.directory = directory
        self.content = content
        self.supervision = supervision
    }

    /// Carries out the missing runs with several workers, then writes every table.
    ///
    /// Notices report repeated runs with the reason, failures and moved files, as soon as they occur.
    ///
    /// - Throws: `Diagnostics` when the directory belongs to another experiment, `FileError` when a file cannot be
    ///   written, `NonDeterminism` when results contradict each other.
    public func carryOut(
        jobs: Int, worker: WorkerCommand, report: @escaping (Progress) -> Void,
        notice: @escaping (String) -> Void = { _ in }
    ) throws -> SessionOutcome {
        Interruption.watch()
        let reports = SessionReports(progress: report, notice: notice)
        return try session(build: worker.build, notice: notice, repeats: true) { plan, store in
            let missing =
                try wanted(of: plan).map { runs in runs.filter { !store.isDone($0, in: plan) } }
                ?? store.missing(in: plan)
            guard !missing.isEmpty else { return CoordinatorOutcome() }
            let coordinator = Coordinator(
                plan: plan, total: plan.wantedRuns, pending: missing, command: worker, supervision: supervision,
                times: RunTimes(plan, store), reports: reports, newSegment: directory.newSegment)
            return try coordinator.carryOut(jobs: jobs)
        }
    }

    /// The selected runs; nil if all runs are selected.
    private func wanted(of plan: Plan) throws(Diagnostics) -> [PlannedRun]? {
        selection == .all ? nil : try selection.runs(of: plan).filter(plan.wants)
    }

    /// Writes every table from the finished runs of one build, without new runs.
    ///
    /// - Throws: the errors of `carryOut`.
    public func collect(
        build: UInt64 = Build.current, notice: @escaping (String) -> Void = { _ in }
    ) throws -> SessionOutcome {
        try session(build: build, notice: notice, repeats: false) { _, _ in CoordinatorOutcome() }
    }

    /// Carries out the steps of a session; `work` carries out the missing runs of a plan.
    private func session(
        build: UInt64, notice: @escaping (String) -> Void, repeats: Bool,
        _ work: (Plan, RunStore) throws -> CoordinatorOutcome
    ) throws -> SessionOutcome {
        try Build.require(build)
        let whole = plan.with(replications: rule.maximum)
        try directory.claim(for: whole).forEach(notice)
        let remembered = try RememberedFailures(in: directory, plan: whole)
        if let damage = remembered.damage { notice(damage) }
        var failures = remembered.runs
        var stage = firstStage(of: whole)
        var store = try RunStore(plan: whole, directory: directory, build: build)
        let notices = try SessionNotices(
            plan: stage, store: store, directory: directory, build: build, failures: failures, repeats: repeats)
        // These tables are copied, because the new manifest will no longer describe them.
        if notices.dropsRuns { _ = try EarlierFiles(of: directory.folder()).keep(ResultLayout.tableNames.sorted()) }
        notices.texts.forEach(notice)
        while true {
            try layOut(stage, store, failures: failures.count)
            let result = try work(stage, store)
            if repeats { try store.update(from: directory) }
            let fresh = Set(result.failures.map(\.run.number))
            failures = result.failures + failures.filter { !fresh.contains($0.run.number) }
            failures = failures.filter { $0.run.number >= stage.runs.count || !store.isDone($0.run, in: stage) }
            failures.sort { $0.run.number < $1.run.number }
            var judgement: Judgement?
            if store.missing(in: stage).isEmpty, let next = next(after: stage, of: whole, store, &judgement, notice) {
                stage = next
                continue
            }
            return try conclude(
                stage, store, judgement, result, failures.filter { $0.run.number < stage.runs.count }, notice: notice)
        }
    }

    /// Plan of the first stage.
    private func firstStage(of whole: Plan) -> Plan {
        let first = plan.analysis.selection.map { min($0.first, rule.maximum) }
        return whole.with(replications: first ?? plan.replications)
    }

    /// Plan of the next stage after a complete stage; nil when the results are precise enough, or no more runs are
    /// allowed.
    ///
    /// - Parameter judgement: receives the judgement of the stage, if the stopping rule needs one.
    private func next(
        after stage: Plan, of whole: Plan, _ store: RunStore, _ judgement: inout Judgement?, _ notice: (String) -> Void
    ) -> Plan? {
        if let selection = stage.analysis.selection {
            let selected = PolicySelection(stage, ReplicationValues(plan: stage, store: store), selection)
            if let next = selected.next(atMost: rule.maximum) { return next }
            if let text = selected.missed { notice(text) }
        }
        guard rule.halfWidth != nil else { return nil }
        let judged = Judgement(plan: stage, store: store)
        judgement = judged
        if let more = rule.next(after: judged) { return whole.with(replications: more) }
        if let text = rule.missed(after: judged) { notice(text) }
        return nil
    }

    /// Writes the manifest and the list of the planned runs.
    private func layOut(_ plan: Plan, _ store: RunStore, failures: Int) throws {
        let missing = store.missing(in: plan)
        try writeManifest(plan, store, done: plan.wantedRuns - missing.count, failed: failures)
        try directory.folder().replace(ResultLayout.plan) { file in
            try pieces(of: plan) { runs in try file.write(plan.lines(of: runs)) }
        }
    }

    /// Processes the runs of a plan in pieces, because the data of all runs would not fit into memory.
    private func pieces(of plan: Plan, _ body: (Range<Int>) throws -> Void) rethrows {
        for start in stride(from: 0, to: plan.runs.count, by: 1024) {
            try body(start..<min(start + 1024, plan.runs.count))
        }
    }

    private func conclude(
        _ plan: Plan, _ store: RunStore, _ judgement: Judgement?, _ result: CoordinatorOutcome, _ failures: [FailedRun],
        notice: (String) -> Void
    ) throws -> SessionOutcome {
        let missing = store.missing(in: plan).map(\.number)
        let done = plan.wantedRuns - missing.count
        let wanted = try wanted(of: plan)
        let isWhole = wanted?.allSatisfy { store.isDone($0, in: plan) } ?? false
        var written: Judgement?
        if result.problem == nil {
            try store.checkWorkloads(of: plan)
            if let text = store.repeatedWorkloads(of: plan) { notice(text) }
            let judgement = judgement ?? Judgement(plan: plan, store: store)
            try writeTables(plan, store, judgement, failures, notice: notice)
            try writeManifest(plan, store, done: done, failed: failures.count)
            written = judgement
        }
        return SessionOutcome(
            plan: plan, done: done, failures: failures, problem: result.problem,
            isConfiguration: result.isConfiguration, interrupted: result.interrupted,
            stoppedByFailure: result.stoppedByFailure, missing: missing, store: store, judgement: written,
            selected: isWhole ? wanted?.count : nil)
    }

    private func writeManifest(_ plan: Plan, _ store: RunStore, done: Int, failed: Int) throws {
        let status = JSONValue.object([
            "runs": .integer(plan.wantedRuns), "done": .integer(done), "failed": .integer(failed),
        ])
        var content = content
        let others = store.runsOfOtherBuilds(in: plan)
        if others > 0 { content.remarks.append(SessionNotices.otherBuilds(others, "do not count")) }
        let manifest = content.manifest(plan: plan, status: status, earlier: try directory.manifest())
        let text = ManifestSeal.sealed(manifest)
        guard text.count <= ResultLayout.largestDocument else {
            throw Diagnostics(
                "the manifest of \(plan.name) would have \(text.count) bytes, but flotsam reads at most "
                    + "\(ResultLayout.largestDocument)",
                hint: "use fewer people or sweep points")
        }
        try directory.folder().replace(ResultLayout.manifest) { file in try file.write(text) }
    }

    private func writeTables(
        _ plan: Plan, _ store: RunStore, _ judgement: Judgement, _ failures: [FailedRun], notice: (String) -> Void
    ) throws {
        let export = TableExport(plan: plan, store: store, failures: failures)
        var files = try FileSet(in: directory.folder())
        for table in PhoneTables.list.tables {
            let isWritten = plan.tables.contains(table.set)
            for form in RowForm.allCases where !isWritten || form != plan.output.form {
                files.moveAside(table.name + form.ending)
            }
        }
        for table in PhoneTables.list.tables(in: plan.tables) {
            try files.write(export.fileName(table)) { file in try export.write(table, to: file) }
        }
        try files.write("runs.csv") { file in
            try file.write(export.header)
            try pieces(of: plan) { runs in try file.write(export.rows(of: runs)) }
        }
        try files.write("summary.csv", judgement.summaryTable)
        try files.write("comparisons.csv", judgement.comparisonTable)
        for (table, bytes) in judgement.optionalTables {
            if let bytes {
                try files.write(table.name + ".csv", bytes)
            } else {
                files.moveAside(table.name + ".csv")
            }
        }
        try files.write("columns.csv", DataPackage.columnsCSV(export.schemas))
        let package = DataPackage.descriptor(
            name: packageName, plan: hexadecimal(plan.hash), tables: export.schemas,
            endings: Dictionary(
                uniqueKeysWithValues: PhoneTables.list.tables(in: plan.tables).map {
                    ($0.name, plan.output.form.ending)
                }))
        try files.write("datapackage.json", Array(package.pretty.utf8))
        let lines = failures.map { $0.line(plan: plan, command: replayCommand($0.run)) + "\n" }.joined()
        try files.write("failures.jsonl", Array(lines.utf8))
        try store.check()
        SessionNotices.texts(of: try files.commit(), in: directory).forEach(notice)
    }

    /// Command that repeats a run.
    private func replayCommand(_ run: PlannedRun) -> String {
        ["flotsam", "repeat", "\(directory.path)#\(run.number)"].map(shellWord).joined(separator: " ")
    }

    /// Name in the form that a data package allows: lower-case letters, digits, `-`, `_` and `.`.
    private var packageName: String {
        String(
            plan.name.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) ? $0 : "-" })
    }
}
