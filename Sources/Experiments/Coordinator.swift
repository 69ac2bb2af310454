// SPDX-License-Identifier: GPL-3.0-or-later
import Files
import Platform
import Recording
import Scenario

/// Outcome of the runs that a coordinator gave to workers.
public struct CoordinatorOutcome: Sendable {
    /// Runs that did not finish.
    public var failures: [FailedRun] = []
    /// Reason why some runs could not be given to workers; nil when all could.
    public var problem: String?
    /// Whether the problem is due to the experiment or the program, rather than to a lack of space for results.
    public var isConfiguration = false
    /// Whether the user stopped the runs.
    public var interrupted = false
    /// Whether a failed run stopped the others, as the experiment demands.
    public var stoppedByFailure = false
}

/// Callbacks for events of a session.
struct SessionReports {
    let progress: (Progress) -> Void
    let notice: (String) -> Void
}

/// Gives runs to worker processes, reads their answers, ends stalled workers and replaces dead ones.
final class Coordinator {
    /// Time that current runs have to finish after Ctrl-C, in seconds.
    private static let patience = 2.0
    /// Largest number of consecutive workers that may be lost before they are ready.
    private static let mostLostStarts = 3
    /// Longest time between two checks during which workers count as busy, in seconds.
    ///
    /// A longer time means that this program itself was stopped.
    private static let longestPause = 1.0
    /// Longest time until the program notices an interruption or a stalled worker, in seconds.
    private static let longestWait = 0.25

    private let plan: Plan
    private let newSegment: () throws -> String
    private let command: WorkerCommand
    private let supervision: Supervision
    private let reports: SessionReports
    private var pending: ArraySlice<PlannedRun>
    /// Failed runs that are tried again after all others.
    private var again: ArraySlice<PlannedRun> = []
    /// Number of failed attempts at a run, by the run's number.
    private var failedAttempts: [Int: Int] = [:]
    private var times: RunTimes
    private var workers: [WorkerProcess] = []
    private var lostStarts = 0
    private var outcome = CoordinatorOutcome()
    private var progress: Progress
    private var alreadyDone: Int
    /// Numbers of the runs that finished since the last call of `takeFinished`.
    private var finished: [Int] = []
    private var began = Clock.now()
    /// Whether workers without a run wait for further runs, until `dismissWorkers`.
    private let keepsWorkers: Bool
    private var lastLook = Clock.now()
    private var deadline: Double?

    /// Prepares to carry out the pending runs of a plan; `newSegment` returns the path of a worker's segment.
    init(
        plan: Plan, total: Int, pending: [PlannedRun], command: WorkerCommand, supervision: Supervision,
        times: RunTimes, reports: SessionReports, keepsWorkers: Bool = false,
        newSegment: @escaping () throws -> String
    ) {
        self.plan = plan
        self.newSegment = newSegment
        self.command = command
        self.supervision = supervision
        self.times = times
        self.reports = reports
        self.keepsWorkers = keepsWorkers
        self.pending = pending[...]
        alreadyDone = total - pending.count
        progress = Progress(total: total, done: alreadyDone, failed: 0, secondsLeft: nil)
    }

    /// Carries out all runs, or as many as possible.
    func carryOut(jobs: Int) throws -> CoordinatorOutcome {
        // Workers that were lost while they waited are removed before runs are assigned.
        if !workers.isEmpty { listen(for: 0) }
        for worker in workers where worker.isResting { assign(worker) }
        for _ in 0..<max(0, min(max(1, jobs) - workers.count, pending.count)) { try startWorker() }
        reports.progress(progress)
        workUntilIdle()
        return outcome
    }

    /// Carries out further runs with the workers that are waiting.
    func carryOut(_ runs: [PlannedRun], jobs: Int) throws -> CoordinatorOutcome {
        pending = runs[...]
        (outcome, deadline, began, lastLook) = (CoordinatorOutcome(), nil, Clock.now(), Clock.now())
        alreadyDone = 0
        progress = Progress(done: 0, of: runs.count)
        return try carryOut(jobs: jobs)
    }

    /// Numbers of the runs that finished since the last call.
    func takeFinished() -> [Int] {
        defer { finished = [] }
        return finished
    }

    /// Dismisses the workers that are waiting.
    func dismissWorkers() {
        for worker in workers where worker.isResting { worker.dismiss() }
        workUntilIdle()
    }

    private func workUntilIdle() {
        while workers.contains(where: { !$0.isResting }) {
            listen(for: milliseconds)
            endStalled()
            if Interruption.came { stopForUser() }
            reports.progress(progress)
        }
    }

    private var isStopping: Bool { outcome.interrupted || outcome.problem != nil || outcome.stoppedByFailure }

    private func startWorker() throws {
        workers.append(try WorkerProcess(command, segment: newSegment()))
    }

    /// Longest time that a worker may take for its run, in seconds.
    ///
    /// Nil if the worker has no run, or if the usual time of a run is unknown.
    private func limit(_ worker: WorkerProcess) -> Double? {
        worker.run.flatMap { supervision.patience.limit(median: times.median(point: $0.point)) }
    }

    /// Timeout of a wait for answers, in milliseconds.
    ///
    /// The wait ends when a run exceeds its limit, and after a quarter of a second at the latest.
    private var milliseconds: Int32 {
        let left = workers.compactMap { worker in limit(worker).map { $0 - worker.busy } }.min() ?? Self.longestWait
        return Int32((1000 * min(max(left, 0.001), Self.longestWait)).rounded(.up))
    }

    /// Waits for answers, for at most the given number of milliseconds.
    private func listen(for milliseconds: Int32) {
        var watched = workers.flatMap { worker in
            [worker.answers, worker.complainsNoMore ? -1 : worker.complaints, worker.end].map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
        }
        guard poll(&watched, nfds_t(watched.count), milliseconds) > 0 else { return }
        for (index, worker) in workers.enumerated() {
            if watched[3 * index + 1].revents != 0 { worker.readComplaints() }
            // This check precedes the reading of answers: a worker that has ended wrote all its answers before.
            let hasEnded = watched[3 * index + 2].revents != 0
            guard hasEnded || watched[3 * index].revents != 0 else { continue }
            for answer in worker.takeAnswers() { handle(answer, from: worker) }
            if hasEnded || worker.hasClosed { reap(worker, hasEnded: hasEnded) }
        }
        workers.removeAll(where: \.isGone)
    }

    private func handle(_ answer: String, from worker: WorkerProcess) {
        let words = answer.split(separator: " ", maxSplits: 2).map(String.init)
        let message = words.count > 2 ? words[2] : ""
        switch words.first {
        case "ready":
            worker.isReady = true
            lostStarts = 0
        case "done":
            if let run = worker.takeRun() {
                progress.done += 1
                finished.append(run.number)
                times.add(Clock.now() - worker.began, point: run.point)
            }
        case "failed":
            if let run = worker.takeRun() { fail(run, signal: nil, message, worker) }
        case "unwritable":
            _ = worker.takeRun()
            outcome.problem = message
        default: return worker.hear(answer)
        }
        estimate()
        assign(worker)
    }

    private func assign(_ worker: WorkerProcess) {
        if !isStopping, let run = pending.popFirst() ?? again.popFirst() {
            worker.start(run)
        } else if keepsWorkers, !isStopping {
            worker.isResting = true
        } else {
            worker.dismiss()
        }
    }

    /// Ends workers that exceed the time limit of their current step.
    private func endStalled() {
        let now = Clock.now()
        let last = lastLook
        lastLook = now
        for worker in workers where !worker.isResting {
            worker.busy += min(now - max(last, worker.began), Self.longestPause)
            if worker.run != nil {
                if let limit = limit(worker), worker.busy > limit {
                    worker.destroy(because: supervision.patience.reason(limit: limit))
                }
                continue
            }
            let limit = worker.isReady ? Patience.aroundRuns : Patience.start(plan)
            if worker.busy > limit {
                worker.destroy(because: "the worker did not answer for \(Progress.duration(limit))")
            }
        }
    }

    /// Records the end of a worker, and replaces the worker if runs are left.
    private func reap(_ worker: WorkerProcess, hasEnded: Bool) {
        if !hasEnded { worker.endAfterClosing() }
        let end = worker.wait()
        worker.isGone = true
        // A policy's library writes to the same standard error, so the last lines may be the library's.
        let isForeign = worker.run.map { !plan.policies[$0.policy].code.isEmpty } ?? false
        let reason = worker.verdict ?? worker.ownReason ?? Self.describe(end, isForeign ? "" : worker.stderrTail)
        if let run = worker.takeRun() {
            if isStopping { return }
            fail(run, signal: end.signal, reason, worker)
        } else if !worker.isReady, !isStopping {
            loseStart(worker, reason, isSignal: end.signal != 0)
        }
        guard !isStopping, !pending.isEmpty || !again.isEmpty else { return }
        do {
            try startWorker()
        } catch {
            outcome.problem = "\(error)"
        }
    }

    /// Handles the loss of a worker before it was ready.
    ///
    /// If the worker ended by itself, no further runs are carried out. If it was killed by a signal, it is replaced, up
    /// to `mostLostStarts` times in a row.
    private func loseStart(_ worker: WorkerProcess, _ reason: String, isSignal: Bool) {
        lostStarts += 1
        if isSignal, lostStarts <= Self.mostLostStarts {
            reports.notice("a worker was lost before it was ready (\(reason)) and is replaced")
            return
        }
        let words = worker.stderrTail
        let times = lostStarts > 1 ? ", \(lostStarts) times in a row" : ""
        outcome.problem = words.isEmpty ? "a worker did not start: \(reason)\(times)" : words
        outcome.isConfiguration = true
    }

    private func fail(_ run: PlannedRun, signal: Int32?, _ message: String, _ worker: WorkerProcess) {
        let attempts = failedAttempts[run.number, default: 0] + 1
        failedAttempts[run.number] = attempts
        let failure = FailedRun(
            run: run, signal: signal == 0 ? nil : signal, message: message, stderrTail: worker.stderrTail,
            policyWords: worker.policyWords, attempts: attempts, last: worker.lastEvent)
        if case .retry(let most) = supervision.onError, attempts <= most {
            again.append(run)
            reports.notice(failure.text(plan: plan) + "\n  the run is tried again (\(attempts) of \(most))")
            return
        }
        progress.failed += 1
        outcome.failures.append(failure)
        reports.notice(failure.text(plan: plan))
        if supervision.onError == .stop { outcome.stoppedByFailure = true }
        estimate()
    }

    private func stopForUser() {
        outcome.interrupted = true
        let now = Clock.now()
        if let deadline {
            if now > deadline { for worker in workers { worker.destroy(because: "interrupted") } }
        } else {
            deadline = now + Self.patience
        }
    }

    private func estimate() {
        let finished = progress.done + progress.failed - alreadyDone
        guard finished > 0 else { return }
        let left = progress.total - progress.done - progress.failed
        progress.secondsLeft = (Clock.now() - began) / Double(finished) * Double(left)
    }

    private static func describe(_ end: (signal: Int32, code: Int32), _ complaints: String) -> String {
        if end.signal == 0 { return "the worker ended with exit code \(end.code)" }
        let trap = TrapText(complaints).text.map { ": " + $0 } ?? ""
        return "the worker died of signal \(end.signal) (\(String(cString: strsignal(end.signal))))" + trap
    }
}
