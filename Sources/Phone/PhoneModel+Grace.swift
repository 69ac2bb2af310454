import Background
import EventKernel
import Power
import Processes
import Quantities
import Vocabulary

/// The way to suspension: grace, task assertions with one allowance, expiration handlers, the processor's limit.
extension PhoneModel {
    /// About five seconds without an assertion, or until the work under an assertion is done.
    mutating func startGrace(_ app: AppID, in engine: inout PhoneEngine) {
        let index = Int(app.index)
        let model = apps[index]
        let now = engine.now
        let rules = device.os.lifeCycle
        keepAwake(app, at: now)
        lives[index].processorLimit = .distantFuture
        if lives[index].task == .hung {
            return engine.schedule(
                Slots.app(app, .lifeCycle), after: rules.updateLimit, class: EventClass.lifeCycle)
        }
        lives[index].task = .none
        var next = now + rules.backgroundGrace
        if model.finishesTask {
            let load = power.processor.workPower
            runtime[index].load = power.startLoad(.processor, load, app: app, cause: .backgroundTask, at: now)
            lives[index].task = .working
            lives[index].taskEnds = now + device.background.assertionLimit
            let limit = lives[index].monitor.use(1, at: now, rules)
            lives[index].processorLimit = limit
            next = min(lives[index].taskEnds, limit, max(next, now + model.finishTime))
        }
        engine.schedule(Slots.app(app, .lifeCycle), at: next, class: EventClass.lifeCycle)
    }

    /// The next thing happens to an app in the background that has no work of its own.
    mutating func graceTimer(_ app: AppID, in engine: inout PhoneEngine) {
        let index = Int(app.index)
        switch lives[index].task {
        case .none: endGrace(app, in: &engine)
        case .hung: crash(app, .watchdog, in: &engine)
        case .expired: crash(app, .taskTimeout, in: &engine)
        case .leaking: expireTask(app, in: &engine)
        case .working:
            if engine.now >= lives[index].processorLimit {
                crash(app, .cpuLimit, in: &engine)
            } else if engine.now >= lives[index].taskEnds {
                expireTask(app, in: &engine)
            } else if lives[index].leaksTask {
                stopLoad(of: app, at: engine.now)
                lives[index].task = .leaking
                engine.schedule(
                    Slots.app(app, .lifeCycle), at: lives[index].taskEnds, class: EventClass.lifeCycle)
            } else {
                endGrace(app, in: &engine)
            }
        }
    }

    /// The time of an app's assertions is over: its handler ends them, or it has a second left to live.
    private mutating func expireTask(_ app: AppID, in engine: inout PhoneEngine) {
        let index = Int(app.index)
        processes.noteTaskExpiration(app, at: engine.now)
        guard !apps[index].faults.handlesExpiration else { return endGrace(app, in: &engine) }
        lives[index].task = .expired
        engine.schedule(
            Slots.app(app, .lifeCycle), after: device.os.lifeCycle.expirationTime, class: EventClass.lifeCycle)
    }

    /// The grace is over: the app is suspended unless something else keeps it running.
    private mutating func endGrace(_ app: AppID, in engine: inout PhoneEngine) {
        let index = Int(app.index)
        if lives[index].task != .none { endTask(index, at: engine.now) }
        endContinuing(app, at: engine.now)
        stopLoad(of: app, at: engine.now)
        releaseAwake(app, at: engine.now)
        suspendIfIdle(app, in: &engine)
    }

    /// Stops a process in the background; one that holds a lock on a shared file dies of it (0xdead10cc).
    mutating func suspend(_ app: AppID, in engine: inout PhoneEngine) {
        let index = Int(app.index)
        endContinuing(app, at: engine.now)
        stopLoad(of: app, at: engine.now)
        releaseAwake(app, at: engine.now)
        if lives[index].task != .none || lives[index].monitor.isBusy { endTask(index, at: engine.now) }
        if lives[index].holdsLock {
            lives[index].holdsLock = false
            return crash(app, .lockedFile, in: &engine)
        }
        processes.suspend(app, at: engine.now)
        record(.suspend, app, from: .background, to: .suspended, at: engine.now)
    }

    /// Background work keeps so many processors busy from now on; the monitor is off while a task that asked for external
    /// power runs (BGTaskRequest.h, `requiresExternalPower`).
    mutating func watchProcessor(_ index: Int, load: Double, at now: SimTime) {
        let isOff = runtime[index].work == .processing && apps[index].processingNeedsPower
        let limit = lives[index].monitor.use(isOff ? 0 : load, at: now, device.os.lifeCycle)
        lives[index].processorLimit = limit
    }

    /// A processing task computes at the pace its app has chosen.
    mutating func beginProcessing(_ index: Int, at now: SimTime) {
        let load = apps[index].processingLoad
        watchProcessor(index, load: load, at: now)
        if load != 1 { power.setLoad(runtime[index].load, to: power.processor.workPower * load, at: now) }
    }

    /// The app needs no assertion any more: it is suspended, on screen again, or gone.
    mutating func endTask(_ index: Int, at now: SimTime) {
        lives[index].task = .none
        lives[index].processorLimit = .distantFuture
        _ = lives[index].monitor.use(0, at: now, device.os.lifeCycle)
    }
}
