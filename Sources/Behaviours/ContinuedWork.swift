// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import EventKernel
import Measures
import PhoneCore
import Platform
import Power
import Processes
import Quantities
import RandomStreams
import Vocabulary

extension DeviceTimer {
    /// A waiting continued task may start, or a running task has not reported progress for too long.
    @inlinable public static var continued: DeviceTimer { DeviceTimer(11) }
}

/// Work that the user begins in an app and that continues in the background.
///
/// An app on screen submits a continued task after an action of the user; the earliest begin is ignored. The task
/// continues in the background with processor and network, and reports its progress. Under pressure, the task with the
/// least progress ends first. The load of the graphics processor and cancelling on the Live Activity are not modelled.
/// Source: Apple, BGContinuedProcessingTask and BGTaskRequest.h.
package struct ContinuedWork {
    /// Time between two reports of progress; shorter in short tasks, which make at least twenty reports; assumption.
    private static let reportSpacing = SimDuration.seconds(10)

    /// Continued work of a visit, drawn at its open.
    private struct Plan {
        var wanted = false
        var reports = true
        var spread = 1.0
        /// Number of tasks begun, which is also the identifier of the next task.
        var begun: UInt8 = 0
        /// Time for which the app's tasks ran off screen since its last visit, in the 24 h from `servedSince`.
        var served = SimDuration.zero
        var servedSince = SimTime.zero
    }

    private var tasks: Background.ContinuedTasks
    /// Runs by number; nil for a free number.
    private var runs: [ContinuedRun?]
    private var plans: [Plan]
    private let firstSlot: Int

    package init(_ core: borrowing PhoneCore) {
        tasks = Background.ContinuedTasks(core.device.background.continued)
        runs = Array(repeating: nil, count: core.device.background.continued.limit)
        plans = Array(repeating: Plan(), count: core.apps.count)
        firstSlot = Slots.continued(processes: core.apps.count + core.daemons.count)
    }

    /// Draws whether the user begins a task in a visit; there is no draw for apps without continued tasks.
    package mutating func drawVisit(_ app: AppID, _ core: inout PhoneCore) {
        let index = Int(app.index)
        let traits = core.apps[index].traits
        guard traits.continuedShare > 0 else { return }
        plans[index].wanted = core.visitStreams[index].uniform() < traits.continuedShare
        plans[index].reports = core.visitStreams[index].uniform() < traits.continuedReports
        plans[index].spread = exp(core.device.habits.workSigma * core.visitStreams[index].normal())
    }

    /// Submits the task that the user begins in the foreground app: the task starts, waits or is refused.
    package mutating func active(_ app: AppID, _ core: inout PhoneCore) {
        let index = Int(app.index)
        (plans[index].served, plans[index].servedSince) = (.zero, core.now)
        guard plans[index].wanted else { return }
        plans[index].wanted = false
        let identifier = plans[index].begun
        plans[index].begun &+= 1
        core.book.day(app) { $0.submissions += 1 }
        let task = ContinuedTask(app: app, identifier: identifier, submitted: core.now)
        if let error = Self.refusal(of: core.apps[index], core.device) {
            return record(task, "refused", &core, error: error.rawValue)
        }
        let answer = tasks.submit(
            app, identifier: identifier, strategy: core.apps[index].traits.continuedStrategy,
            spread: plans[index].spread, reports: plans[index].reports, isForeground: app == core.front.app,
            at: core.now)
        switch answer {
        case .started: if let started = tasks.running.last { begin(started, &core) }
        case .queued: break
        case .refused(let error): record(task, "refused", &core, error: error.rawValue)
        }
    }

    /// Why a task of the app is always refused; the entitlement is checked before the hardware (assumption).
    private static func refusal(of app: AppModel, _ device: DeviceModel) -> Background.RequestError? {
        let system = device.os
        guard system.hasContinuedProcessing else { return .unavailable }
        if app.traits.continuedType == .userJob, system.userJobTime <= .zero { return .unavailable }
        // Services of Android need no permission for the graphics processor.
        guard app.traits.continuedNeedsGPU, system.family != .android else { return nil }
        if !app.declares.backgroundGPU { return .notPermitted }
        return device.background.continued.hasGPU ? nil : .unavailable
    }

    /// Ends tasks that stall, and starts those that have waited longest while there are free places.
    package mutating func timer(_ core: inout PhoneCore) {
        guard !core.power.isDead else { return }
        core.catchUp()
        endStalled(&core)
        while let task = tasks.startNext(at: core.now) { begin(task, &core) }
        for task in tasks.running { look(at: task.reported + tasks.patience + SimDuration(nanoseconds: 1), &core) }
    }

    /// Schedules the next check of the tasks at this instant or earlier.
    private func look(at time: SimTime, _ core: inout PhoneCore) {
        let timer = Slots.device(.continued)
        if let pending = core.engine.time(of: timer), pending <= time { return }
        core.engine.schedule(timer, at: max(time, core.now), class: EventClass.work)
    }

    /// Starts a task.
    ///
    /// If the task had to wait, its app may have to be launched or resumed.
    private mutating func begin(_ task: ContinuedTask, _ core: inout PhoneCore) {
        let (app, now) = (task.app, core.now)
        let traits = core.apps[Int(app.index)].traits
        let plan = core.power.processor
        let length = plan.duration(ofProcessing: traits.continuedTime * task.spread) * plan.pace(of: .processing)
        guard let number = runs.firstIndex(where: { $0 == nil }) else {
            fatalError("more continued tasks run at once than are allowed")
        }
        let start = core.workStart(of: app)
        let launch = core.bringUp(app)
        if launch.kind != nil { core.recordEventLaunch(app, launch) }
        let assertion = core.acquire(
            app, .continued, AssertionLoad(cause: .backgroundTask, processor: core.load(of: .processing)))
        let steps = max(20, Int((length / Self.reportSpacing).rounded(.up)))
        var run = ContinuedRun(task: task, assertion: assertion, steps: steps)
        run.step = length * (1 / Double(steps))
        run.bytes = traits.continuedBytes * (1 / Double(steps))
        run.start = start
        run.lastInstant = Self.lastInstant(of: traits.continuedType, from: now, core.device.os)
        runs[number] = run
        core.engine.schedule(
            firstSlot + number, at: min(now + launch.delay + run.step, run.lastInstant), class: EventClass.work)
    }

    /// Reports the progress of a task, sends the bytes of the step, and continues.
    package mutating func stepTimer(_ slot: Int, _ core: inout PhoneCore) {
        core.catchUp()
        let number = slot - firstSlot
        guard let run = runs[number], core.isHeld(run.assertion) else { return }
        let task = run.task
        guard core.now < run.lastInstant else { return end(task, .expired, &core) }
        var next = core.now + Self.reportSpacing
        // Without a network, the task tries again until the system ends it for lack of progress.
        if core.power.interface != nil || run.bytes == .zero {
            next = advance(number, &core)
            if task.reports, let run = runs[number] {
                let progress = Double(run.done) / Double(run.steps)
                tasks.report(progress, of: task.app, identifier: task.identifier, at: core.now)
            }
        }
        if let run = runs[number], run.done == run.steps {
            end(task, .success, &core)
        } else if isOutOfTime(run, core) {
            end(task, .expired, &core)
        } else {
            core.engine.schedule(slot, at: min(next, run.lastInstant), class: EventClass.work)
            let stalls = core.now + tasks.patience + SimDuration(nanoseconds: 1)
            if next > stalls { look(at: stalls, &core) }
        }
        endStalled(&core)
    }

    /// When the system ends work that began at `start`, whatever its progress; the distant future without a time limit.
    private static func lastInstant(of type: ServiceType, from start: SimTime, _ system: OSProfile) -> SimTime {
        let limit: SimDuration =
            switch type {
            case .shortService: system.shortServiceTime
            case .userJob: system.userJobTime
            default: .day
            }
        return limit < .day ? start + limit : .distantFuture
    }

    /// Counts a step of a task off screen; returns whether its app has used up the time that the system allows in 24 h.
    private mutating func isOutOfTime(_ run: ContinuedRun, _ core: borrowing PhoneCore) -> Bool {
        let limit = core.device.os.serviceTime
        let index = Int(run.task.app.index)
        let type = core.apps[index].traits.continuedType
        guard limit < .day, run.task.app != core.front.app, type.sharesDay else { return false }
        if core.now - plans[index].servedSince >= .day {
            (plans[index].served, plans[index].servedSince) = (.zero, core.now)
        }
        plans[index].served += run.step
        return plans[index].served >= limit
    }

    /// Ends tasks that have not reported for too long.
    private mutating func endStalled(_ core: inout PhoneCore) {
        while let stalled = tasks.endStalled(at: core.now) { conclude(stalled, .expired, &core) }
    }

    /// Begins the next step of a task; returns the end of the step.
    private mutating func advance(_ number: Int, _ core: inout PhoneCore) -> SimTime {
        guard var run = runs[number] else { return core.now }
        defer { runs[number] = run }
        run.done += 1
        guard run.bytes > .zero, let interface = core.power.interface else { return core.now + run.step }
        let sent = core.transfer(down: .zero, up: run.bytes, run.task.app, .backgroundTask)
        run.sent[interface] += run.bytes.bytes
        return max(core.now + run.step, sent)
    }

    private mutating func end(_ task: ContinuedTask, _ outcome: RequestOutcome, _ core: inout PhoneCore) {
        guard let ended = tasks.finish(task.app, identifier: task.identifier) else { return }
        conclude(ended, outcome, &core)
    }

    /// Removes a task: its load ends, and its app is suspended unless another assertion keeps it running.
    private mutating func conclude(_ task: ContinuedTask, _ outcome: RequestOutcome, _ core: inout PhoneCore) {
        let number = runs.firstIndex { $0?.task.app == task.app && $0?.task.identifier == task.identifier }
        guard task.started != .distantFuture, let number, let run = runs[number] else {
            return record(task, outcome.name, &core)
        }
        runs[number] = nil
        core.engine.cancel(firstSlot + number)
        core.book.countEnd(of: task.app, outcome)
        record(task, outcome.name, &core, run: run)
        core.release(run.assertion)
        if !tasks.queued.isEmpty { look(at: core.now, &core) }
    }

    /// Ends the task with the least progress when the system is under pressure.
    package mutating func shed(_ core: inout PhoneCore) {
        guard !tasks.running.isEmpty, let task = tasks.shed() else { return }
        conclude(task, .expired, &core)
    }

    /// Cancels the queued tasks and ends the running tasks of an app that the user removed from the app switcher.
    package mutating func forceQuit(_ app: AppID, _ core: inout PhoneCore) { cancel(app, .cancelled, &core) }

    private mutating func cancel(_ app: AppID, _ outcome: RequestOutcome, _ core: inout PhoneCore) {
        guard !tasks.running.isEmpty || !tasks.queued.isEmpty else { return }
        let mine = tasks.remove(app)
        for task in mine.cancelled + mine.ended { conclude(task, outcome, &core) }
    }

    /// Ends all tasks when the phone goes off.
    package mutating func losePower(_ core: inout PhoneCore) {
        for index in core.apps.indices { cancel(AppID(index), .failed, &core) }
    }

    /// Ends the tasks of a process that ended.
    package mutating func processEnded(_ end: ProcessEnd, _ core: inout PhoneCore) {
        for number in runs.indices {
            guard let run = runs[number], run.task.app == end.app, !core.isHeld(run.assertion) else { continue }
            self.end(run.task, .failed, &core)
        }
    }

    private func record(
        _ task: ContinuedTask, _ outcome: String, _ core: inout PhoneCore, run: ContinuedRun? = nil,
        error: String = ""
    ) {
        guard core.book.recordsRequests else { return }
        var row = RequestRow()
        row.app = task.app
        row.work = .continued
        row.identifier = task.identifier
        row.submitted = task.submitted
        row.earliestBegin = task.submitted
        row.started = task.started
        row.ended = core.now
        row.outcome = outcome
        row.error = error
        row.progress = task.progress
        if let run {
            core.fill(&row, from: run.start)
            row.bytes = run.sent
            row.network = Interface.allCases.first { run.sent[$0] > 0 }?.network ?? .none
        }
        core.book.sink?.write(row)
    }
}
