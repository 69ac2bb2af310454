// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Files
import Measures
import Phone
import PhoneCore
import Platform
import Recording
import Scenario
import Vocabulary

/// Stored runs that are repeated and compared bit for bit with the directory, including their rows.
public struct Verification {
    private let directory: ResultDirectory
    private let plan: Plan
    private let store: RunStore
    private let executor: ExperimentExecutor
    /// Runs of the sample in the order of the plan.
    public let sample: [PlannedRun]

    /// Draws a sample of a directory's finished runs.
    ///
    /// - Parameters:
    ///   - share: share of the finished runs, 0 to 1; at least one run is drawn.
    ///   - seed: seed of the sample; other seeds draw other runs.
    /// - Throws: `Diagnostics` when the directory has no runs of this build, or when its experiment cannot be loaded.
    public init(
        _ directory: ResultDirectory, share: Double, seed: UInt64, policies: PolicyCatalog, experimentPath: String?
    ) throws {
        self.directory = directory
        let plan = try directory.plan()
        self.plan = plan
        let experiment = try directory.experiment(policies: policies, path: experimentPath) { experiment in
            Plan(experiment, replications: plan.replications).hash == plan.hash
        }
        executor = ExperimentExecutor(experiment)
        store = try RunStore(plan: plan, directory: directory)
        let store = store
        let done = plan.runs.filter { store.holds($0.number) }
        guard let first = done.first else {
            throw Diagnostics(
                "\(directory.path) contains no finished runs of this build of flotsam",
                hint: "run the experiment again with flotsam run")
        }
        let again = Plan(experiment, replications: plan.replications)
        guard again.runs.indices.contains(first.number), again.runs[first.number].identity == first.identity else {
            throw Diagnostics("the experiment, or a model it names, no longer describes the runs of \(directory.path)")
        }
        let size = max(1, Int((share * Double(done.count)).rounded(.up)))
        let drawn = done.sorted { Self.lot($0, seed) < Self.lot($1, seed) }.prefix(size)
        sample = drawn.sorted { $0.number < $1.number }
    }

    /// Pseudorandom number of a run.
    ///
    /// The sample consists of the runs with the lowest pseudorandom numbers.
    private static func lot(_ run: PlannedRun, _ seed: UInt64) -> UInt64 {
        var checksum = Checksum()
        checksum.add(part: hexadecimal(run.identity))
        checksum.add(part: String(seed))
        return checksum.value
    }

    /// Repeats a run of the sample and writes it to a temporary segment.
    ///
    /// - Returns: differences from the stored run, in words; empty when there are none.
    public func differences(of run: PlannedRun) throws -> [String] {
        guard let stored = store[run.number] else { return [] }
        let folder = try ScratchFolder()
        let segment = try SegmentWriter(path: folder.path + "/again.seg", build: Build.current)
        let recorder = try RunRecorder(
            run: run.identity, names: RowNames(apps: executor.appNames(in: run)), segment: segment)
        let outcome = executor.execute(run, sink: recorder, watch: nil)
        try recorder.finish(outcome, tables: executor.plan.recorded, seconds: 0)
        guard let again = try SegmentContent(path: segment.path).runs.first else {
            return ["the record could not be read back"]
        }
        if stored.agrees(with: again) { return [] }
        let found = RunReplay.differences(between: stored.outcome, and: again.outcome, metrics: plan.metrics)
        return found.isEmpty ? ["the rows of its tables"] : found
    }
}
