import Background
import EventKernel
import Glibc
import Power
import Processes
import Quantities
import RandomStreams
import Vocabulary

// Apple, BGContinuedProcessingTask and BGTaskRequest.h: submitted by an app on screen upon an action of the user, whatever
// its earliest begin; runs on in the background with processor and network, reports its progress, and under pressure the
// one with the least progress ends first. Not modelled: the graphics processor, the user's cancelling on the Live Activity.
extension PhoneModel {
    /// Time between two reports of progress, in tasks longer than twenty of them; assumption.
    private static var reportSpacing: SimDuration { .seconds(10) }

    /// Draws whether the user begins something in a visit; only apps that offer it draw.
    mutating func drawContinued(_ index: Int) {
        let traits = apps[index].traits
        guard traits.continuedShare > 0 else { return }
        runtime[index].wantsContinued = visitStreams[index].uniform() < traits.continuedShare
        runtime[index].continuedReports = visitStreams[index].uniform() < traits.continuedReports
        runtime[index].continuedSpread = exp(device.habits.workSigma * visitStreams[index].normal())
    }

    /// The user begins it: it starts, waits for a place, or is refused.
    mutating func submitContinued(_ app: AppID, in engine: inout PhoneEngine) {
        let index = Int(app.index)
        let now = engine.now
        runtime[index].wantsContinued = false
        let identifier = runtime[index].continuedBegun
        runtime[index].continuedBegun &+= 1
        countSubmission(of: app)
        guard device.os.hasContinuedProcessing else {
            let task = ContinuedTask(app: app, identifier: identifier, submitted: now)
            return writeRow(of: task, "refused", error: Background.RequestError.unavailable.rawValue, at: now)
        }
        let answer = continued.submit(
            app, identifier: identifier, strategy: apps[index].traits.continuedStrategy,
            spread: runtime[index].continuedSpread, reports: runtime[index].continuedReports,
            isForeground: app == foreground, at: now)
        switch answer {
        case .started: if let started = continued.running.last { begin(started, in: &engine) }
        case .queued: break
        case .refused(let error):
            let task = ContinuedTask(app: app, identifier: identifier, submitted: now)
            writeRow(of: task, "refused", error: error.rawValue, at: now)
        }
    }

    /// Whoever stalls loses its place, and whoever waited longest takes a free one.
    mutating func startContinued(in engine: inout PhoneEngine) {
        guard !power.isDead else { return }
        catchUp(in: &engine)
        endStalled(in: &engine)
        while let task = continued.startNext(at: engine.now) { begin(task, in: &engine) }
    }

    /// Starts a task; an app that waited for its place may have to be launched or resumed.
    private mutating func begin(_ task: ContinuedTask, in engine: inout PhoneEngine) {
        let (app, now) = (task.app, engine.now)
        let index = Int(app.index)
        let plan = power.processor
        let length = plan.duration(ofProcessing: apps[index].traits.continuedTime * task.spread)
        continuedCount &+= 1
        var run = ContinuedRun(task: task, token: continuedCount)
        run.steps = max(20, Int((length / Self.reportSpacing).rounded(.up)))
        run.step = length * (1 / Double(run.steps))
        run.bytes = apps[index].traits.continuedBytes * (1 / Double(run.steps))
        run.onPower = conditions.pluggedIn
        run.joules = backgroundEnergy(of: app, at: now)
        power.holdAwake(app: app, cause: .backgroundTask, at: now)
        run.load = power.startLoad(.processor, plan.workPower, app: app, cause: .backgroundTask, at: now)
        continuedRuns.append(run)
        let delay = bringToBackground(app, in: &engine)
        agenda.add(.continuedStep, app, at: now + delay + run.step, token: run.token)
    }

    /// Launches or resumes an app that does not execute; returns how long that takes.
    private mutating func bringToBackground(_ app: AppID, in engine: inout PhoneEngine) -> SimDuration {
        let index = Int(app.index)
        let old = processes.state(of: app)
        guard !old.executes else { return .zero }
        var (kind, delay) = (LaunchKind.resume, SimDuration.zero)
        if old == .suspended {
            processes.resume(app, foreground: false, at: engine.now)
        } else {
            kind = processes.launch(
                app, foreground: false, footprint: apps[index].backgroundFootprint, at: engine.now)
            delay = kind == .cold ? apps[index].coldLaunchTime : apps[index].warmLaunchTime
            delay = (delay + apps[index].sdkLaunchTime) * power.processor.workLaunchFactor
        }
        record(.launch, app, from: old, to: .background, kind: kind, at: engine.now)
        counts.eventLaunches += 1
        hourRow.backgroundLaunches += 1
        return delay
    }

    /// A task has come as far as its next report: it says so, sends what is ready, and goes on.
    mutating func continuedStep(_ token: UInt32, in engine: inout PhoneEngine) {
        catchUp(in: &engine)
        guard let place = continuedRuns.firstIndex(where: { $0.token == token }) else { return }
        let now = engine.now
        let task = continuedRuns[place].task
        var next = now + Self.reportSpacing
        // Without a network it tries again, for as long as the system has patience.
        if power.interface != nil || continuedRuns[place].bytes == .zero {
            next = advance(place, at: now)
            let run = continuedRuns[place]
            if task.reports {
                let progress = Double(run.done) / Double(run.steps)
                continued.report(progress, of: task.app, identifier: task.identifier, at: now)
            }
        }
        if continuedRuns[place].done == continuedRuns[place].steps {
            end(task, .success, in: &engine)
        } else {
            agenda.add(.continuedStep, task.app, at: next, token: token)
            let stalls = now + continued.patience + SimDuration(nanoseconds: 1)
            if next > stalls { agenda.add(.continuedPlace, task.app, at: stalls) }
        }
        endStalled(in: &engine)
    }

    /// Ends whoever has not reported for too long.
    private mutating func endStalled(in engine: inout PhoneEngine) {
        while let stalled = continued.endStalled(at: engine.now) { settle(stalled, .expired, in: &engine) }
    }

    /// One step more; returns when the next is done.
    private mutating func advance(_ place: Int, at now: SimTime) -> SimTime {
        let run = continuedRuns[place]
        continuedRuns[place].done += 1
        guard run.bytes > .zero, let interface = power.interface else { return now + run.step }
        let sent = power.beginTransfer(
            interface, down: .zero, up: run.bytes, app: run.task.app, cause: .backgroundTask, at: now)
        countBytes(run.bytes, interface)
        if interface == .wifi {
            continuedRuns[place].wifiBytes += run.bytes.bytes
        } else {
            continuedRuns[place].cellularBytes += run.bytes.bytes
        }
        return max(now + run.step, sent)
    }

    private mutating func end(_ task: ContinuedTask, _ outcome: RequestOutcome, in engine: inout PhoneEngine) {
        guard let ended = continued.finish(task.app, identifier: task.identifier) else { return }
        settle(ended, outcome, in: &engine)
    }

    /// A task is out of the table: its load ends, and its app is suspended unless something else keeps it running.
    private mutating func settle(_ task: ContinuedTask, _ outcome: RequestOutcome, in engine: inout PhoneEngine) {
        let now = engine.now
        let place = continuedRuns.firstIndex { $0.task.app == task.app && $0.task.identifier == task.identifier }
        guard task.started != .distantFuture, let place else { return writeRow(of: task, outcome.name, at: now) }
        let run = continuedRuns.remove(at: place)
        power.stopLoad(run.load, at: now)
        power.releaseAwake(at: now)
        countEnd(of: task.app, outcome)
        writeRow(of: task, outcome.name, run, at: now)
        suspendIfIdle(task.app, in: &engine)
        if !continued.queued.isEmpty { agenda.add(.continuedPlace, task.app, at: now) }
    }

    /// Under pressure the task with the least progress ends.
    mutating func shedContinued(in engine: inout PhoneEngine) {
        guard !continuedRuns.isEmpty, let task = continued.shed() else { return }
        settle(task, .expired, in: &engine)
    }

    /// The app was taken off the app switcher, or the phone went off: what it has queued and running ends.
    mutating func cancelContinued(
        of app: AppID, outcome: RequestOutcome = .cancelled, in engine: inout PhoneEngine
    ) {
        guard !continuedRuns.isEmpty || !continued.queued.isEmpty else { return }
        let mine = continued.remove(app)
        for task in mine.cancelled + mine.ended { settle(task, outcome, in: &engine) }
    }

    /// The process of an app is gone, and with it what it had running.
    mutating func failContinued(of app: AppID, in engine: inout PhoneEngine) {
        for run in continuedRuns where run.task.app == app { end(run.task, .failed, in: &engine) }
    }

    private func writeRow(
        of task: ContinuedTask, _ outcome: String, _ run: ContinuedRun? = nil, error: String = "",
        at now: SimTime
    ) {
        guard tables.contains(.requests), let sink else { return }
        var row = RequestRow()
        row.app = task.app
        row.work = .continued
        row.identifier = task.identifier
        row.submitted = task.submitted
        row.earliestBegin = task.submitted
        row.started = task.started
        row.ended = now
        row.outcome = outcome
        row.error = error
        row.progress = task.progress
        if let run {
            row.pluggedIn = run.onPower
            row.cellularBytes = run.cellularBytes
            row.wifiBytes = run.wifiBytes
            row.network = run.wifiBytes > 0 ? .wifi : run.cellularBytes > 0 ? .cellular : .none
            row.joules = backgroundEnergy(of: task.app, at: now) - run.joules
        }
        sink.write(row)
    }
}
