// SPDX-License-Identifier: GPL-3.0-or-later
import Files
import Glibc
import Recording

/// What became of the runs that were given out.
public struct CoordinatorOutcome: Sendable {
    /// Runs that did not finish.
    public var failures: [FailedRun] = []
    /// Why no more runs could be given out; nil when all were.
    public var problem: String?
    /// Whether the problem lies in the experiment or the program, not in the room for results.
    public var isConfiguration = false
    /// Whether the user stopped it.
    public var interrupted = false
}

/// Hands runs to worker processes, listens to them, and replaces those that die.
final class Coordinator {
    /// After Ctrl-C runs under way have this long to finish.
    private static let patience = 2.0

    private let directory: ResultDirectory
    private let command: WorkerCommand
    private let report: (Progress) -> Void
    private var pending: ArraySlice<PlannedRun>
    private var workers: [WorkerProcess] = []
    private var outcome = CoordinatorOutcome()
    private var progress: Progress
    private let alreadyDone: Int
    private let began = Clock.now()
    private var deadline: Double?

    init(
        directory: ResultDirectory, command: WorkerCommand, total: Int, pending: [PlannedRun],
        report: @escaping (Progress) -> Void
    ) {
        self.directory = directory
        self.command = command
        self.report = report
        self.pending = pending[...]
        alreadyDone = total - pending.count
        progress = Progress(total: total, done: alreadyDone, failed: 0, secondsLeft: nil)
    }

    /// Carries out all runs, or as many as can be.
    func carryOut(jobs: Int) throws(FileError) -> CoordinatorOutcome {
        for _ in 0..<min(max(1, jobs), pending.count) { try startWorker() }
        report(progress)
        while !workers.isEmpty {
            listen()
            if Interruption.came { stopForUser() }
            report(progress)
        }
        return outcome
    }

    private var isStopping: Bool { outcome.interrupted || outcome.problem != nil }

    private func startWorker() throws(FileError) {
        workers.append(try WorkerProcess(command, segment: directory.newSegment()))
    }

    /// Waits for the next answers, a quarter of a second at most.
    private func listen() {
        var watched = workers.flatMap { worker in
            [worker.answers, worker.complaints].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        }
        guard poll(&watched, nfds_t(watched.count), 250) > 0 else { return }
        for (index, worker) in workers.enumerated() {
            if watched[2 * index + 1].revents != 0 { worker.readComplaints() }
            guard watched[2 * index].revents != 0 else { continue }
            if let answers = worker.readAnswers() {
                for answer in answers { handle(answer, from: worker) }
            } else {
                reap(worker)
            }
        }
        workers.removeAll(where: \.isGone)
    }

    private func handle(_ answer: String, from worker: WorkerProcess) {
        let words = answer.split(separator: " ", maxSplits: 2).map(String.init)
        let message = words.count > 2 ? words[2] : ""
        switch words.first {
        case "ready": worker.isReady = true
        case "done":
            if worker.takeRun() != nil { progress.done += 1 }
        case "failed":
            if let run = worker.takeRun() { fail(run, signal: nil, message, worker.stderrTail) }
        case "unwritable":
            _ = worker.takeRun()
            outcome.problem = message
        default: return
        }
        estimate()
        assign(worker)
    }

    private func assign(_ worker: WorkerProcess) {
        if !isStopping, let run = pending.popFirst() {
            worker.start(run)
        } else {
            worker.dismiss()
        }
    }

    /// Takes note of a worker's end and replaces it if there is work left.
    private func reap(_ worker: WorkerProcess) {
        while worker.readComplaints() {}
        let end = worker.wait()
        worker.isGone = true
        if let run = worker.takeRun() {
            if isStopping { return }
            fail(run, signal: end.signal, Self.describe(end), worker.stderrTail)
        } else if !worker.isReady, !isStopping {
            let words = worker.stderrTail
            outcome.problem = words.isEmpty ? "a worker did not start: " + Self.describe(end) : words
            outcome.isConfiguration = true
        }
        guard !isStopping, !pending.isEmpty else { return }
        do {
            try startWorker()
        } catch {
            outcome.problem = error.description
        }
    }

    private func fail(_ run: PlannedRun, signal: Int32?, _ message: String, _ stderrTail: String) {
        progress.failed += 1
        outcome.failures.append(
            FailedRun(run: run, signal: signal == 0 ? nil : signal, message: message, stderrTail: stderrTail))
        estimate()
    }

    private func stopForUser() {
        outcome.interrupted = true
        let now = Clock.now()
        if let deadline {
            if now > deadline { for worker in workers { worker.destroy() } }
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

    private static func describe(_ end: (signal: Int32, code: Int32)) -> String {
        if end.signal == 0 { return "the worker ended with exit code \(end.code)" }
        return "the worker died of signal \(end.signal) (\(String(cString: strsignal(end.signal))))"
    }
}
