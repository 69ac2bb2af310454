// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Files
import Phone
import Platform
import Recording

/// Service that carries out shards (parts of a plan's runs) one after another, as they are requested.
///
/// The workers keep running between shards.
///
/// Apart from its runs, a shard only costs one line to read and one line to write.
///
/// A request is a line of run numbers in the form of `--runs`. The answer is a JSON object with `runs` as requested,
/// `code` for the exit code of `exec`, `done`, `missing`, `seconds`, and the notices in `said`. Runs of other attempts
/// are not read, because the caller has the list of missing runs and `merge` compares runs that were carried out twice.
public final class ShareService {
    private let plan: Plan
    private let directory: ResultDirectory
    private let jobs: Int
    private let attempt: ShareName
    private let coordinator: Coordinator
    private let said: Notices
    /// Numbers of the runs that this attempt finished, and the runs that failed in it.
    private var done: Set<Int> = []
    private var failures: [Int: FailedRun] = [:]
    /// Whether no further shard can be carried out.
    private var isLost = false

    /// Notices that occur during a shard.
    private final class Notices {
        var lines: [String] = []
    }

    /// Prepares an attempt and creates the folder of segments.
    ///
    /// - Throws: `FileError` when that folder cannot be created, `Diagnostics` when the build of the workers is
    ///   unknown.
    public init(
        plan: Plan, directory: ResultDirectory, supervision: Supervision, jobs: Int, worker: WorkerCommand
    ) throws {
        try Build.require(worker.build)
        _ = try directory.folder().makeFolder(ResultLayout.segments)
        self.plan = plan
        self.directory = directory
        self.jobs = jobs
        let attempt = ShareName(attempt: RunSelection.ranges([]).label, of: plan)
        self.attempt = attempt
        let said = Notices()
        self.said = said
        var begun = 0
        coordinator = Coordinator(
            plan: plan, total: 0, pending: [], command: worker, supervision: supervision,
            times: RunTimes(points: plan.points.count),
            reports: SessionReports(progress: { _ in }, notice: { said.lines.append($0) }), keepsWorkers: true,
            newSegment: {
                begun += 1
                return "\(directory.segments)/\(attempt.text)-\(begun).seg"
            })
    }

    /// Carries out the shards that `next` returns, until it returns nil or a shard stops the service.
    ///
    /// - Returns: the exit code.
    /// - Throws: `FileError` when failures cannot be written, and the errors of `next`.
    public func serve(next: () throws -> String?, answer: (String) -> Void) throws -> Int32 {
        Interruption.watch()
        defer { coordinator.dismissWorkers() }
        var worst: Int32 = 0
        while let line = try next() {
            let began = Clock.now()
            said.lines = []
            let (code, missing, asked) = try carryOut(line)
            worst = max(worst, code)
            answer(
                JSONValue.object([
                    "runs": .string(line), "code": .integer(Int(code)), "done": .integer(asked - missing.count),
                    "missing": .string(RunSelection.text(missing)),
                    "seconds": .number(((Clock.now() - began) * 1e6).rounded() / 1e6),
                    "said": .string(said.lines.joined(separator: "\n")),
                ]).compact)
            if isLost { return worst }
        }
        return Interruption.came ? 130 : worst
    }

    private func carryOut(_ line: String) throws -> (code: Int32, missing: [Int], asked: Int) {
        let wanted: [PlannedRun]
        do {
            wanted = try RunSelection(numbers: line).runs(of: plan).filter(plan.wants)
        } catch {
            said.lines.append("\(error)")
            return (1, [], 0)
        }
        let pending = wanted.filter { !done.contains($0.number) }
        let outcome = pending.isEmpty ? CoordinatorOutcome() : try coordinator.carryOut(pending, jobs: jobs)
        for run in coordinator.takeFinished() {
            done.insert(run)
            failures[run] = nil
        }
        if !outcome.failures.isEmpty {
            for failure in outcome.failures { failures[failure.run.number] = failure }
            let all = failures.values.sorted { $0.run.number < $1.run.number }
            try RememberedFailures.leave(all, of: attempt, plan: plan, in: directory)
        }
        if let problem = outcome.problem { said.lines.append(problem) }
        isLost = outcome.problem != nil || outcome.interrupted || outcome.stoppedByFailure
        let missing = wanted.map(\.number).filter { !done.contains($0) }
        let result = ShardOutcome(
            total: wanted.count, doneBefore: wanted.count - pending.count, coordinator: outcome, missing: missing)
        return (result.exitCode, missing, wanted.count)
    }
}

/// Lines of a pipe or of a slowly growing file.
///
/// A signal ends the wait for a line.
public struct SlowLines {
    /// Length of the longest line in bytes; a file of run numbers has the same limit.
    private static let longest = 16 << 20
    private let descriptor: Int32
    private var bytes: [UInt8] = []
    /// Number of bytes at the start that contain no line end.
    private var searched = 0

    /// Reads from a descriptor.
    public init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Next line without its line end; nil at the end of the input and after a signal.
    ///
    /// - Throws: `Diagnostics` when a line is too long.
    public mutating func next() throws(Diagnostics) -> String? {
        var block = [UInt8](repeating: 0, count: 1 << 16)
        while !Interruption.came {
            if let end = bytes[searched...].firstIndex(of: 10) { return removed(end, and: 1) }
            searched = bytes.count
            guard bytes.count <= Self.longest else {
                throw Diagnostics("a line of standard input has more than \(Self.longest >> 20) MiB")
            }
            // A signal does not end a read, but it ends a poll.
            var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            if poll(&watched, 1, 1000) <= 0 { continue }
            let count = read(descriptor, &block, block.count)
            if count > 0 {
                bytes += block[..<count]
            } else if count == 0 || errno != EINTR {
                return bytes.isEmpty ? nil : removed(bytes.count, and: 0)
            }
        }
        return nil
    }

    private mutating func removed(_ count: Int, and end: Int) -> String {
        defer {
            bytes.removeFirst(count + end)
            searched = 0
        }
        return String(decoding: bytes[..<count], as: UTF8.self)
    }
}
