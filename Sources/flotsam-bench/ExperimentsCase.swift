// SPDX-License-Identifier: GPL-3.0-or-later
import Experiments
import Files
import Measures
import Phone
import PhoneCore
import Platform
import Recording
import Scenario

/// Time to resume, compare and merge a large experiment with artificial runs, and MB of CSV written per second.
enum ExperimentsCase {
    private static let policies = 10
    private static let sizes = [10_000, 100_000, 1_000_000]
    /// Number of runs with rows, and number of rows of each run; together they give some 100 MB of CSV.
    private static let rowRuns = 100
    private static let rowsOfRun = 10_000

    static func run(into report: Report, mostRuns: Int) {
        do {
            for size in sizes where size <= mostRuns { try measureStore(runs: size, report) }
            try measureRows(report)
        } catch {
            report.remark("the experiments are skipped: \(error)")
        }
    }

    private static func measureStore(runs: Int, _ report: Report) throws {
        let folder = try ScratchFolder()
        let (plan, directory) = try layOut(runs: runs, in: folder, tables: [])
        let before = peakMebibytes
        let resume = seconds {
            keep(UInt64((try? RunStore(plan: plan, directory: directory))?.missing(in: plan).count ?? 0))
        }
        let compare = try compare(plan, directory)
        var failed = false
        let merge = seconds { failed = (try? session(plan, directory).collect().exitCode) != 0 }
        if failed { report.remark("the merge of \(runs) artificial runs failed") }
        report.add("experiments", "resume", runs, resume, "s")
        report.add("experiments", "compare", runs, compare, "s")
        report.add("experiments", "merge-and-compare", runs, merge, "s")
        report.add("experiments", "laid-out-memory", runs, before, "MiB")
        report.add("experiments", "peak-memory", runs, peakMebibytes, "MiB")
        try remove(directory)
    }

    /// Times a comparison with only one store in memory, as in `flotsam compare` and `flotsam cluster merge`.
    private static func compare(_ plan: Plan, _ directory: ResultDirectory) throws -> Double {
        let store = try RunStore(plan: plan, directory: directory)
        return seconds { keep(UInt64(Judgement(plan: plan, store: store).comparisons.count)) }
    }

    private static func measureRows(_ report: Report) throws {
        let folder = try ScratchFolder()
        let (plan, directory) = try layOut(runs: rowRuns, in: folder, tables: .deviceHours)
        let whole = seconds { _ = try? session(plan, directory).collect() }
        let bytes = try InputFile(directory.file("device_hours.csv")).length()
        report.add("experiments", "csv", rowRuns, Double(bytes) / 1e6 / whole, "MB/s")
        try remove(directory)
    }

    /// Creates a directory of finished runs; the figures of a run are derived from the run's identity.
    private static func layOut(
        runs: Int, in folder: ScratchFolder, tables: TableSet
    ) throws -> (Plan, ResultDirectory) {
        var definition = ExperimentDefinition(name: "bench", seed: 1)
        definition.output.tables = tables
        let pairs = (0..<policies).map { PlannedPolicy(name: "p\($0)", eviction: "lru", scheduling: "immediate") }
        let plan = Plan(
            definition,
            PlanLayout(
                points: [PlannedPoint(values: [], configuration: 1)], policies: pairs, replications: runs / policies))
        let directory = ResultDirectory(folder.path + "/results")
        try createDirectory(directory.segments)
        for half in 0..<2 {
            let segment = try SegmentWriter(path: "\(directory.segments)/exec-\(half).seg", build: Build.current)
            for run in plan.runs where run.number % 2 == half {
                let recorder = try RunRecorder(run: run.identity, names: RowNames(apps: ["mail"]), segment: segment)
                if !tables.isEmpty { for hour in 0..<rowsOfRun { write(hour, of: run, to: recorder) } }
                try recorder.finish(outcome(of: run, plan), tables: tables, seconds: 0.1)
            }
        }
        return (plan, directory)
    }

    private static func write(_ hour: Int, of run: PlannedRun, to recorder: RunRecorder) {
        var row = DeviceHourRow()
        row.hour = hour
        row.kills = run.number
        recorder.write(row, to: DeviceHourRow.table)
    }

    private static func outcome(of run: PlannedRun, _ plan: Plan) -> RunOutcome {
        let chance = Double(run.identity % 1000) / 1000
        return RunOutcome(
            metrics: plan.metrics.entries.indices.map { Double($0 + run.policy) + chance }, events: 1000,
            userActions: 10, fingerprint: run.identity, workloadFingerprint: UInt64(run.replication))
    }

    private static func session(_ plan: Plan, _ directory: ResultDirectory) -> RunSession {
        RunSession(
            plan: plan, directory: ResultDirectory(directory.path),
            content: ManifestContent(path: "bench.yaml", written: "", resolved: ""))
    }

    private static func remove(_ directory: ResultDirectory) throws {
        for folder in [directory.segments, directory.path] {
            for name in directoryEntries(folder) { unlink(folder + "/" + name) }
            rmdir(folder)
        }
    }

    /// Processor time of a body, in seconds; the work does not wait for the disk.
    private static func seconds(_ body: () -> Void) -> Double {
        Measurement.nanoseconds(operations: 1, body) / 1e9
    }

    private static var peakMebibytes: Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return Double(usage.ru_maxrss) / 1024
    }
}
