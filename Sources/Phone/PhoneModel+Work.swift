import Background
import EventKernel
import Glibc
import LifeCycle
import Power
import Processes
import Quantities
import RandomStreams
import Vocabulary

extension PhoneModel {
    /// Starts background work: wakes the phone, brings up the process, then computes and fetches.
    mutating func startWork(_ app: AppID, _ kind: RequestKind, in engine: inout PhoneEngine) {
        let index = Int(app.index)
        let now = engine.now
        catchUp(in: &engine)
        let old = processes.state(of: app)
        var delay = SimDuration.zero
        var launched = LaunchKind.resume
        if old == .notRunning || old == .prewarmed {
            launched = processes.launch(
                app, foreground: false, footprint: apps[index].backgroundFootprint, at: now)
            delay = launched == .cold ? apps[index].coldLaunchTime : apps[index].warmLaunchTime
            delay = (delay + apps[index].sdkLaunchTime) * power.processor.workLaunchFactor
        } else if old == .suspended {
            processes.resume(app, foreground: false, at: now)
        } else {
            engine.cancel(Slots.app(app, .lifeCycle))
            endTask(index, at: now)
        }
        changeFootprint(app, by: apps[index].traits.workFootprint.bytes, at: now)
        record(.launch, app, from: old, to: .background, kind: old == .background ? nil : launched, at: now)
        runtime[index].phase = .launching
        runtime[index].work = kind
        runtime[index].workOnPower = conditions.pluggedIn
        runtime[index].workInLowPower = conditions.lowPowerMode
        runtime[index].workIdle = conditions.locked ? now - conditions.lockedSince : .seconds(-1)
        runtime[index].workJoules = backgroundEnergy(of: app, at: now)
        drawWork(index)
        let full = requests.runtimeLimit(of: kind)
        runtime[index].workLimit = now + (kind == .refresh ? min(full, runtime[index].shortGrant) : full)
        watchProcessor(index, load: 1, at: now)
        running.append(app)
        conditions.runningLaunches = Int32(running.count)
        hourRow.backgroundLaunches += 1
        hourRow.concurrentLaunches = max(hourRow.concurrentLaunches, conditions.runningLaunches)
        keepAwake(app, at: now)
        stopLoad(of: app, at: now)
        runtime[index].load = power.startLoad(
            .processor, power.processor.share(alongside: running.count - 1).power, app: app, cause: .backgroundTask,
            at: now)
        engine.schedule(Slots.app(app, .work), after: delay, class: EventClass.work)
        raised.insert(.workStarted)
        // The launch may have pushed others out, or even this one: `settle` ends the work then.
    }

    /// Draws what a run of work will be like; every run draws alike, so that the k-th run of an app is the same however
    /// the ones before it went.
    private mutating func drawWork(_ index: Int) {
        runtime[index].completes = workStreams[index].uniform() < apps[index].completionProbability
        runtime[index].resubmits = workStreams[index].uniform() < apps[index].resubmitProbability
        runtime[index].workSpread = exp(device.habits.workSigma * workStreams[index].normal())
        runtime[index].rate = rateFactor(workStreams[index].normal())
        runtime[index].fails = workStreams[index].uniform() < apps[index].traits.refreshFails
        if runtime[index].work == .processing { runtime[index].fails = false }
        runtime[index].workInterface = nil
        // Most get all the time there is, some two to five seconds.
        let isShort = workStreams[index].uniform() < device.background.shortGrantShare
        let length = SimDuration.seconds(2 + 3 * workStreams[index].uniform())
        runtime[index].shortGrant = isShort ? length : .max
        runtime[index].dies = workStreams[index].uniform() < device.background.uncompletedKillShare
        guard apps[index].faults.workCrashes > 0 else { return }
        lives[index].crashesInWork = lifeStreams[index].uniform() < apps[index].faults.workCrashes
        lives[index].crash = apps[index].faults.crash(at: lifeStreams[index].uniform())
    }

    /// Work takes memory besides what the app keeps in the background, and gives it back.
    private mutating func changeFootprint(_ app: AppID, by bytes: Int64, at now: SimTime) {
        guard bytes != 0, processes.isAlive(app) else { return }
        let footprint = processes.footprint(of: app).bytes + bytes
        processes.setFootprint(of: app, to: ByteCount(max(0, footprint)), at: now)
    }

    /// The older fetch interface learns from its results.
    private mutating func learn(_ index: Int, _ outcome: RequestOutcome, foundNew: Bool) {
        guard apps[index].traits.usesFetch else { return }
        let rules = device.background.fetch
        fetchStretch[index] = rules.stretch(fetchStretch[index], foundNew: foundNew, failed: outcome != .success)
    }

    mutating func keepAwake(_ app: AppID, at now: SimTime) {
        guard !runtime[Int(app.index)].holdsAwake else { return }
        power.holdAwake(app: app, cause: .backgroundTask, at: now)
        runtime[Int(app.index)].holdsAwake = true
    }

    /// Work reaches its next phase, or its limit.
    mutating func workTimer(_ app: AppID, in engine: inout PhoneEngine) {
        let index = Int(app.index)
        let now = engine.now
        guard runtime[index].phase != .none else { return }
        if now >= lives[index].clock.processorLimit { return crash(app, .cpuLimit, in: &engine) }
        if now >= runtime[index].workLimit {
            expireWork(app, in: &engine)
            return
        }
        let done: SimTime
        switch runtime[index].phase {
        case .none: return
        case .launching:
            runtime[index].phase = .computing
            // As in Apple's sample code, a refresh first asks for the next one.
            submitProcessing(app, in: &engine)
            submitTransfers(app, in: &engine)
            submitPeriodicProcessing(app, in: &engine)
            if runtime[index].work == .refresh, runtime[index].resubmits { submitRefresh(app, in: &engine) }
            done = now + startComputing(index, at: now)
        case .computing where runtime[index].fails:
            endWork(app, .failed, in: &engine)
            return
        case .computing:
            if lives[index].crashesInWork { return crash(app, lives[index].crash, in: &engine) }
            watchProcessor(index, load: 0, at: now)
            runtime[index].phase = .transferring
            done = transfer(app, in: &engine)
        case .transferring:
            endWork(app, .success, in: &engine)
            return
        }
        scheduleWork(app, at: done, in: &engine)
    }

    /// The next look at the work: when the phase is done, or at the limit, which is all that work without completion sees.
    private func scheduleWork(_ app: AppID, at done: SimTime, in engine: inout PhoneEngine) {
        let index = Int(app.index)
        let never = runtime[index].phase == .transferring && !runtime[index].completes
        let limit = min(runtime[index].workLimit, lives[index].clock.processorLimit)
        let next = never ? limit : min(done, limit)
        engine.schedule(Slots.app(app, .work), at: next, class: EventClass.work)
    }

    /// Puts the mean load of the computing phase on the processor and returns how long the phase takes.
    private mutating func startComputing(_ index: Int, at now: SimTime) -> SimDuration {
        let plan = power.processor
        let spread = runtime[index].workSpread
        let share = plan.share(alongside: running.count - 1)
        let stretch = plan.workSpeed / share.speed
        switch runtime[index].work {
        case .refresh:
            let busy = plan.duration(ofWork: apps[index].refreshProcessorTime * spread) * stretch
            let whole = busy + apps[index].refreshWait
            power.setLoad(runtime[index].load, to: share.power * (whole > busy ? busy / whole : 1), at: now)
            return whole
        case .processing:
            beginProcessing(index, at: now)
            power.setLoad(runtime[index].load, to: share.power, at: now)
            return plan.duration(ofProcessing: apps[index].processingTime * spread) * stretch
        }
    }

    private mutating func transfer(_ app: AppID, in engine: inout PhoneEngine) -> SimTime {
        let index = Int(app.index)
        stopLoad(of: app, at: engine.now)
        guard runtime[index].work == .refresh else { return engine.now }
        runtime[index].workInterface = power.interface
        guard let interface = power.interface else { return .distantFuture }
        let up = Self.requestBytes
        countBytes(apps[index].refreshBytes + up, interface)
        return power.beginTransfer(
            interface, down: apps[index].refreshBytes, up: up, rateFactor: runtime[index].rate, app: app,
            cause: .backgroundTask, at: engine.now)
    }

    /// A radio that goes away drops what it was moving: transfers under way begin again on the one in use, or wait for
    /// their limit.
    mutating func moveTransfers(in engine: inout PhoneEngine) {
        for app in running {
            let index = Int(app.index)
            guard runtime[index].phase == .transferring, runtime[index].workInterface != power.interface else {
                continue
            }
            scheduleWork(app, at: transfer(app, in: &engine), in: &engine)
        }
    }

    /// Work ends: the request is settled, the next one asked for, and the app suspended at once.
    mutating func endWork(_ app: AppID, _ outcome: RequestOutcome, in engine: inout PhoneEngine) {
        let index = Int(app.index)
        let now = engine.now
        guard runtime[index].phase != .none else { return }
        let kind = runtime[index].work
        runtime[index].phase = .none
        running.removeAll { $0 == app }
        conditions.runningLaunches = Int32(running.count)
        engine.cancel(Slots.app(app, .work))
        if lives[index].clock.isWatched { watchProcessor(index, load: 0, at: now) }
        stopLoad(of: app, at: now)
        let until = continuesUntil(app)
        if until == nil || device.power.activities[apps[index].activity].sleepsInBackground {
            releaseAwake(app, at: now)
        }
        let foundNew = kind == .refresh && outcome == .success && noteRefreshed(app, at: now)
        if kind == .refresh { learn(index, outcome, foundNew: foundNew) }
        changeFootprint(app, by: -apps[index].traits.workFootprint.bytes, at: now)
        finishRequest(app, kind, outcome, foundNew: foundNew, at: now)
        if let until, processes.isAlive(app), processes.state(of: app) == .background {
            engine.schedule(Slots.app(app, .lifeCycle), at: max(until, now), class: EventClass.lifeCycle)
        } else {
            suspendIfIdle(app, in: &engine)
        }
        raised.insert(.launchEnded)
    }

    /// The time of work is up; an app that does not report its completion then may be killed.
    private mutating func expireWork(_ app: AppID, in engine: inout PhoneEngine) {
        let index = Int(app.index)
        let dies = leavesOpen(index, at: engine.now) && runtime[index].dies
        endWork(app, .expired, in: &engine)
        guard dies, processes.isAlive(app), !processes.state(of: app).isForeground else { return }
        exitProcess(app, .taskTimeout, in: &engine)
    }

    /// Processing ends when the user picks the phone up.
    mutating func cutProcessing(in engine: inout PhoneEngine) {
        for app in running where runtime[Int(app.index)].work == .processing {
            endWork(app, .expired, in: &engine)
        }
    }
}
