// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import EventKernel
import LifeCycle
import Measures
import PhoneCore
import Platform
import Power
import Processes
import Quantities
import RandomStreams
import Vocabulary

/// A running refresh or processing task.
struct WorkRun {
    enum Stage: UInt8 {
        /// The process is being launched or resumed.
        case launching
        /// The work computes and waits for its server.
        case computing
        /// The work moves its bytes.
        case transferring
    }

    var stage = Stage.launching
    let kind: RequestKind
    var assertion = Assertion.none
    /// State of the phone when the work started.
    var start = WorkStart()
    /// When the work must end.
    var limit = SimTime.distantFuture
    /// The radio over which the work moved its bytes.
    var interface: Interface?
    /// Whether the work reports its completion before its limit.
    var completes = true
    /// Whether the server fails to answer.
    var fails = false
    /// Whether the work requests the next refresh.
    var resubmits = true
    /// Whether the app is killed if it leaves the work open at its expiration.
    var dies = false
    /// The time limit of the work, if it is shorter than usual.
    var shortGrant = SimDuration.max
    /// Factor that multiplies the processor time of the work.
    var spread = 1.0
    /// Data rate of the network, relative to its usual rate.
    var rate = 1.0
    /// The parts of the phone that the work uses.
    let hardware: WakeHardware

    /// Draws the properties of a run of work.
    ///
    /// Every run makes an equal number of draws, so the k-th run of an app does not depend on earlier runs.
    init(_ kind: RequestKind, of app: AppID, _ stream: inout RandomStream, _ core: borrowing PhoneCore) {
        self.kind = kind
        let index = Int(app.index)
        hardware = kind == .refresh ? core.apps[index].refreshHardware : .network
        completes = stream.uniform() < core.apps[index].completionProbability
        resubmits = stream.uniform() < core.apps[index].resubmitProbability
        spread = exp(core.device.habits.workSigma * stream.normal())
        rate = core.rateFactor(stream.normal())
        fails = stream.uniform() < core.apps[index].traits.refreshFails && kind == .refresh
        // Most refreshes get the full time; some get only two to five seconds.
        let isShort = stream.uniform() < core.device.background.shortGrantShare
        let length = SimDuration.seconds(2 + 3 * stream.uniform())
        shortGrant = isShort ? length : .max
        dies = stream.uniform() < core.device.background.uncompletedKillShare
    }

    /// Whether expired work is left open: the app has a handler, but the handler does not report completion.
    func isLeftOpen(by app: AppModel, at now: SimTime) -> Bool {
        now >= limit && !completes && app.handlesExpiration
    }
}

extension Requests {
    /// Starts background work: wakes the phone and launches or resumes the app, which then computes and fetches.
    mutating func startWork(
        _ app: AppID, _ kind: RequestKind, runtime: SimDuration?, _ core: inout PhoneCore
    ) {
        let index = Int(app.index)
        core.catchUp()
        let launch = core.bringUp(app)
        if launch.kind == nil {
            core.lives[index].clock.endGrace(at: core.now, core.device.os.lifeCycle)
            // The only remaining limit is the watchdog of an app that does not answer.
            core.armClock(of: app)
        }
        core.changeFootprint(of: app, by: core.apps[index].traits.workFootprint.bytes)
        core.record(.launch, app, from: launch.from, to: .background, kind: launch.kind)
        var run = WorkRun(kind, of: app, &workStreams[index], core)
        run.start = core.workStart(of: app)
        let faults = core.apps[index].faults
        if faults.workCrashes > 0 {
            core.lives[index].crashesInWork = core.lifeStreams[index].uniform() < faults.workCrashes
            core.lives[index].crash = faults.crash(at: core.lifeStreams[index].uniform())
        }
        let full = runtime ?? core.background.runtimeLimit(of: kind)
        run.limit = core.now + (kind == .refresh ? min(full, run.shortGrant) : full)
        run.assertion = core.acquire(
            app, .task, AssertionLoad(cause: .backgroundTask, processor: core.launchLoad))
        core.leaveGrace(app)
        runs[index] = run
        parts.begin(run.hardware, app, &core)
        watchProcessor(app, load: 1, &core)
        core.book.hour.backgroundLaunches += 1
        core.book.hour.concurrentLaunches = max(
            core.book.hour.concurrentLaunches, core.conditions.runningLaunches)
        core.engine.schedule(Slots.app(app, .work), after: launch.delay, class: EventClass.work)
        core.raise(.workStarted)
        // The launch can make jetsam kill other processes or this app; the work then ends with its process.
    }

    /// Sets the number of processors that background work keeps busy from now on.
    ///
    /// The system's processor monitor is off while a task that needs external power runs (BGTaskRequest.h,
    /// `requiresExternalPower`).
    private func watchProcessor(_ app: AppID, load: Double, _ core: inout PhoneCore) {
        let isOff = runs[Int(app.index)]?.kind == .processing && core.apps[Int(app.index)].processingNeedsPower
        core.watchProcessor(of: app, load: isOff ? 0 : load)
    }

    /// Moves work to its next stage, or ends it at its limit.
    package mutating func workTimer(_ app: AppID, _ core: inout PhoneCore) {
        let index = Int(app.index)
        guard let run = runs[index] else { return }
        if core.now >= core.lives[index].clock.processorLimit { return core.crash(app, .cpuLimit) }
        if core.now >= run.limit { return expireWork(app, run, &core) }
        let done: SimTime
        switch run.stage {
        case .launching:
            runs[index]?.stage = .computing
            // As in Apple's sample code, a refresh first requests the next one.
            submitProcessing(app, &core)
            core.post(.executing(app))
            submitPeriodicProcessing(app, &core)
            if run.kind == .refresh, run.resubmits { submitRefresh(app, &core) }
            done = core.now + startComputing(app, run, &core)
        case .computing where run.fails:
            return endWork(app, .failed, &core)
        case .computing:
            if core.lives[index].crashesInWork { return core.crash(app, core.lives[index].crash) }
            watchProcessor(app, load: 0, &core)
            runs[index]?.stage = .transferring
            done = transfer(app, &core)
        case .transferring:
            let brought = run.kind == .refresh ? core.apps[index].refreshBytes : .zero
            return endWork(app, core.keepWork(brought, of: app) ? .success : .failed, &core)
        }
        schedule(app, at: done, &core)
    }

    /// Schedules the next check of the work: at the end of the stage, or at the limit if it never reports completion.
    private func schedule(_ app: AppID, at done: SimTime, _ core: inout PhoneCore) {
        guard let run = runs[Int(app.index)] else { return }
        let never = run.stage == .transferring && !run.completes
        let limit = min(run.limit, core.lives[Int(app.index)].clock.processorLimit)
        core.engine.schedule(Slots.app(app, .work), at: never ? limit : min(done, limit), class: EventClass.work)
    }

    /// Sets the mean processor load of the computing stage; returns the length of the stage.
    private func startComputing(_ app: AppID, _ run: WorkRun, _ core: inout PhoneCore) -> SimDuration {
        let index = Int(app.index)
        let share = core.processorShare(of: run.kind)
        let stretch = core.power.processor.workSpeed / share.speed
        switch run.kind {
        case .refresh:
            let work = core.apps[index].refreshProcessorTime * run.spread
            let busy = core.power.processor.duration(ofWork: work) * stretch
            let whole = busy + core.apps[index].refreshWait
            core.setLoad(of: run.assertion, to: share.power * (whole > busy ? busy / whole : 1))
            return whole
        case .processing:
            // A processing task computes at the load that its app has chosen.
            watchProcessor(app, load: core.apps[index].processingLoad, &core)
            core.setLoad(of: run.assertion, to: share.power)
            let work = core.apps[index].processingTime * (run.spread * core.device.background.processingShare)
            return core.power.processor.duration(ofProcessing: work) * stretch
        }
    }

    private mutating func transfer(_ app: AppID, _ core: inout PhoneCore) -> SimTime {
        let index = Int(app.index)
        guard let run = runs[index] else { return core.now }
        core.stopLoad(of: run.assertion)
        guard run.kind == .refresh, run.hardware.usesNetwork else { return core.now }
        runs[index]?.interface = core.power.interface
        return core.transfer(
            down: core.apps[index].refreshBytes, up: PhoneCore.requestBytes, rateFactor: run.rate, app,
            .backgroundTask)
    }

    /// Restarts transfers of a lost radio on the radio now in use; without a radio, they wait until their limit.
    package mutating func networkChanged(_ core: inout PhoneCore) {
        for app in core.assertions.tasks {
            guard let run = runs[Int(app.index)], run.stage == .transferring, run.interface != core.power.interface
            else { continue }
            schedule(app, at: transfer(app, &core), &core)
        }
    }

    /// Ends work: finishes the request, and suspends the app unless other work keeps it running.
    package mutating func endWork(_ app: AppID, _ outcome: RequestOutcome, _ core: inout PhoneCore) {
        let index = Int(app.index)
        guard let run = runs[index] else { return }
        core.engine.cancel(Slots.app(app, .work))
        if core.lives[index].clock.isWatched { watchProcessor(app, load: 0, &core) }
        runs[index] = nil
        parts.end(run.hardware)
        let foundNew = run.kind == .refresh && outcome == .success && refreshed(app, &core)
        if run.kind == .refresh, core.apps[index].traits.usesFetch {
            // The older fetch interface adapts to its results.
            fetchStretch[index] = core.device.background.fetch.stretch(
                fetchStretch[index], foundNew: foundNew, failed: outcome != .success)
        }
        if core.isHeld(run.assertion) {
            core.changeFootprint(of: app, by: -core.apps[index].traits.workFootprint.bytes)
        }
        finish(run, app, outcome, foundNew: foundNew, &core)
        // Other requests of the app may start at this instant, so the app is suspended only after their decision.
        if core.isHeld(run.assertion), core.background.waitsForWork(app) {
            successors.append(core.acquire(app, .successor, .nothing))
        }
        core.release(run.assertion)
        core.raise(.launchEnded)
    }

    /// Ends the round in which requests that waited for the end of work were checked again.
    package mutating func endRound(_ core: inout PhoneCore) {
        while let successor = successors.popLast() { core.release(successor) }
    }

    /// Ends work at its limit; an app that does not then report completion may be killed.
    private mutating func expireWork(_ app: AppID, _ run: WorkRun, _ core: inout PhoneCore) {
        let dies = run.isLeftOpen(by: core.apps[Int(app.index)], at: core.now) && run.dies
        endWork(app, .expired, &core)
        guard dies, core.processes.isAlive(app), !core.processes.state(of: app).isForeground else { return }
        core.exit(app, .taskTimeout)
    }

    /// Ends processing that needs an idle phone, because the user picks up the phone.
    package mutating func unlocked(_ core: inout PhoneCore) {
        guard core.device.background.processingNeedsIdleDevice else { return }
        for app in core.assertions.tasks where runs[Int(app.index)]?.kind == .processing {
            endWork(app, .expired, &core)
        }
    }

    /// Counts a background refresh that succeeded, and returns whether it brought new content.
    private mutating func refreshed(_ app: AppID, _ core: inout PhoneCore) -> Bool {
        let now = core.now
        let (foundNew, wastedLast, last) = core.content.refreshed(app, at: now)
        core.countFetch()
        core.measures.add(core.handles.refreshes, of: app)
        // The content of the last refresh was never seen. The next open or fetch decides whether this refresh's content
        // is.
        if wastedLast { core.measures.add(core.handles.wastedRefreshes, of: app) }
        if !foundNew { core.measures.add(core.handles.wastedRefreshes, of: app) }
        if last > core.warmupEnd, last != .distantFuture {
            core.measures.record(measures.gaps, of: app, (now - last).seconds)
            if last - core.processes.lastForeground(of: app) < .day {
                countNight(of: app, from: last, to: now, &core)
            }
        }
        core.book.day(app) { $0.refreshes += 1 }
        return foundNew
    }

    /// Counts a gap between refreshes of an app as the longest of its night, if it is longer than earlier gaps.
    ///
    /// A gap belongs to a night if its middle is between 21:00 and 6:00.
    private mutating func countNight(of app: AppID, from: SimTime, to: SimTime, _ core: inout PhoneCore) {
        let gap = to - from
        let middle = from + gap * 0.5 + .hours(3)
        guard gap < .day, middle.hourOfDay < 9 else { return }
        var night = nights[Int(app.index)]
        if night.day != middle.day {
            night = AppNight(day: middle.day)
            core.measures.add(measures.nights, of: app)
        } else if night.isLong {
            core.measures.add(measures.longNights, of: app, -1)
        }
        night.longest = max(night.longest, gap)
        if night.isLong { core.measures.add(measures.longNights, of: app) }
        nights[Int(app.index)] = night
    }

    /// Reports the end of work to the request table, and counts it.
    private func finish(
        _ run: WorkRun, _ app: AppID, _ outcome: RequestOutcome, foundNew: Bool, _ core: inout PhoneCore
    ) {
        let index = Int(app.index)
        let moved = core.apps[index].refreshBytes + PhoneCore.requestBytes
        let cellular = run.interface == .cellular ? moved : .zero
        let request = core.background.finish(
            app, run.kind, outcome, foundNewContent: foundNew, cellularBytes: cellular, pluggedIn: run.start.onPower,
            leftOpen: outcome == .expired && run.isLeftOpen(by: core.apps[index], at: core.now), at: core.now)
        core.book.countEnd(of: app, outcome)
        core.measures.add(measures.ended, of: app)
        if outcome == .expired { core.measures.add(measures.expired, of: app) }
        if run.kind == .processing {
            core.measures.add(measures.processingEnded, of: app)
            if outcome == .success {
                core.measures.add(measures.processingCompleted, of: app)
                core.book.day(app) { $0.processings += 1 }
            }
        }
        guard core.book.recordsRequests else { return }
        var row = RequestRow(request, app, run.kind, outcome, ended: core.now)
        core.fill(&row, from: run.start)
        row.network = run.interface?.network ?? .none
        row.foundNew = foundNew
        row.granted = run.limit - request.started
        if let interface = run.interface { row.bytes[interface] = moved.bytes }
        row.resubmitted = run.kind == .refresh && run.resubmits
        core.book.sink?.write(row)
    }

    /// Ends the work of a process that ended.
    package mutating func processEnded(_ end: ProcessEnd, _ core: inout PhoneCore) {
        guard let run = runs[Int(end.app.index)], !core.isHeld(run.assertion) else { return }
        endWork(end.app, end.outcome, &core)
    }

    /// Ends all running work when the phone goes off.
    package mutating func losePower(_ core: inout PhoneCore) {
        for app in core.assertions.tasks { endWork(app, .failed, &core) }
    }
}
