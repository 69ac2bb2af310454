// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Files
import Phone
import Recording

/// Outcome of an attempt at a shard, which is a part of a plan's runs.
public struct ShardOutcome: Sendable {
    /// Number of selected runs.
    public let total: Int
    /// Number of selected runs that the directory already contained.
    public let doneBefore: Int
    /// Outcome of the selected runs that were carried out.
    public let coordinator: CoordinatorOutcome
    /// Numbers of the selected runs that are not finished, in ascending order.
    public let missing: [Int]

    /// Exit code of the command.
    public var exitCode: Int32 {
        if coordinator.interrupted { return 130 }
        if coordinator.problem != nil { return coordinator.isConfiguration ? 1 : 3 }
        return missing.isEmpty ? 0 : 3
    }
}

/// One session of `exec`: it carries out some runs of a prepared directory, into its own segments.
///
/// A shard locks nothing and only writes new files in `segments`. Any number of shards can work at the same time, on
/// one machine or many. `merge` compares runs that were carried out twice.
public struct ShardSession {
    private let plan: Plan
    private let directory: ResultDirectory
    private let selection: RunSelection
    private let supervision: Supervision
    /// Beginning of the names of all files that this attempt writes.
    private let attempt: ShareName

    /// Prepares an attempt; the directory is not changed yet.
    public init(
        plan: Plan, directory: ResultDirectory, selection: RunSelection, supervision: Supervision = Supervision()
    ) {
        self.plan = plan
        self.directory = directory
        self.selection = selection
        self.supervision = supervision
        attempt = ShareName(attempt: selection.label, of: plan)
    }

    /// Carries out the selected runs that are missing, with several workers.
    ///
    /// - Throws: `Diagnostics` when the plan lacks the selected runs, `FileError`, or `NonDeterminism` when results
    ///   contradict each other.
    public func carryOut(
        jobs: Int, worker: WorkerCommand, report: @escaping (Progress) -> Void, notice: @escaping (String) -> Void
    ) throws -> ShardOutcome {
        Interruption.watch()
        try Build.require(worker.build)
        let wanted = try selection.runs(of: plan).filter(plan.wants)
        _ = try directory.folder().makeFolder(ResultLayout.segments)
        // Runs of other shards are not read, because this shard does not need them and a large plan has many.
        let (shown, total) = (selection, plan.runs.count)
        let some = wanted.count < total / 8 ? wanted.map(\.number) : nil
        var store = try RunStore(plan: plan, directory: directory, build: worker.build, some: some) { name in
            ShareName(name).mayHold(shown, of: total)
        }
        let pending = wanted.filter { !store.isDone($0, in: plan) }
        var begun = 0
        let coordinator = Coordinator(
            plan: plan, total: wanted.count, pending: pending, command: worker, supervision: supervision,
            times: RunTimes(plan, store), reports: SessionReports(progress: report, notice: notice),
            newSegment: {
                begun += 1
                return "\(directory.segments)/\(attempt.text)-\(begun).seg"
            })
        let outcome = pending.isEmpty ? CoordinatorOutcome() : try coordinator.carryOut(jobs: jobs)
        try RememberedFailures.leave(outcome.failures, of: attempt, plan: plan, in: directory)
        if !pending.isEmpty { try store.update(from: directory) }
        return ShardOutcome(
            total: wanted.count, doneBefore: wanted.count - pending.count, coordinator: outcome,
            missing: pending.filter { !store.isDone($0, in: plan) }.map(\.number))
    }
}
