// SPDX-License-Identifier: GPL-3.0-or-later
import Files
import ForeignPolicies
import Measures
import Phone
import PhoneCore
import Platform
import Recording

/// Loop of a worker: it reads one run number per line from standard input and answers each with one line.
///
/// Answers are `ready`, `done N`, `failed N MESSAGE` and `unwritable N MESSAGE`. If a policy fails, the worker answers
/// `wrote WORDS` and `ended REASON`, and ends. The line `end` dismisses the worker. A worker whose coordinator has
/// ended also ends at once; its unfinished run has no footer and is ignored.
public final class WorkerLoop {
    /// Longest time between two synchronisations, in seconds.
    ///
    /// A power failure loses at most the runs of this time. If the worker is killed, no run is lost.
    private static let synchronizationInterval = 1.0
    static let end = "end"

    private let executor: any RunExecutor
    private let segment: SegmentWriter
    private let answers: Int32
    /// Page for the position of a run, read by the coordinator; nil without a coordinator.
    private let page = SharedPosition(inherited: SharedPosition.descriptor)
    private var lastSynchronization = Clock.now()

    /// Carries out runs in a new segment until no more are requested; returns the exit code.
    public static func serve(
        executor: any RunExecutor, segmentPath: String, build: UInt64 = Build.current
    ) -> Int32 {
        signal(SIGINT, SIG_IGN)
        Interruption.ignoreWriteSignals()
        endWithCoordinator()
        // Output of a policy is redirected to standard error, so answers need their own descriptor.
        let answers = fcntl(1, F_DUPFD_CLOEXEC, 3)
        dup2(2, 1)
        PolicyFailure.report(to: answers)
        do {
            let loop = WorkerLoop(executor, try SegmentWriter(path: segmentPath, build: build), answers)
            try synchronizeDirectory(FilePath.folder(of: segmentPath))
            loop.serve()
            try loop.segment.synchronize()
            return 0
        } catch {
            say("unwritable -1 \(error)", to: answers)
            return 3
        }
    }

    private init(_ executor: any RunExecutor, _ segment: SegmentWriter, _ answers: Int32) {
        self.executor = executor
        self.segment = segment
        self.answers = answers
    }

    private func serve() {
        Self.say("ready", to: answers)
        let runs = executor.plan.runs
        while let line = readLine(), line != Self.end {
            guard let number = Int(line), runs.indices.contains(number) else { continue }
            carryOut(runs[number])
        }
    }

    private func carryOut(_ run: PlannedRun) {
        do {
            page?.watch.mark(RunPosition())
            let began = Clock.now()
            let names = RowNames(apps: executor.appNames(in: run))
            let recorder = try RunRecorder(run: run.identity, names: names, segment: segment)
            let outcome = try executor.execute(run, sink: recorder, watch: page?.watch)
            try recorder.finish(outcome, tables: executor.plan.recorded, seconds: Clock.now() - began)
            if Clock.now() - lastSynchronization > Self.synchronizationInterval {
                try segment.synchronize()
                lastSynchronization = Clock.now()
            }
            Self.say("done \(run.number)", to: answers)
        } catch let error as FileError {
            Self.say("unwritable \(run.number) \(error)", to: answers)
        } catch {
            Self.say("failed \(run.number) \(error)", to: answers)
        }
    }

    private static func say(_ line: String, to descriptor: Int32) {
        let bytes = Array((line.replacing("\n", with: " ") + "\n").utf8)
        _ = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    }

    /// Starts a thread that ends the process as soon as the other end of standard input is closed.
    private static func endWithCoordinator() {
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { _ in
                var watched = pollfd(fd: 0, events: 0, revents: 0)
                while true {
                    if poll(&watched, 1, -1) > 0 && watched.revents & Int16(POLLHUP | POLLERR | POLLNVAL) != 0 {
                        Offspring.endAll()
                        _exit(0)
                    }
                }
            }, nil)
        pthread_detach(thread)
    }
}
