import Background
import EventKernel
import Power
import Processes
import Quantities
import Vocabulary

/// The way to suspension: grace, task assertions with one allowance, expiration handlers, the processor's limit.
extension PhoneCore {
    /// About five seconds without an assertion, or until the work under an assertion is done.
    package mutating func startGrace(_ app: AppID) {
        let index = Int(app.index)
        let model = apps[index]
        let rules = device.os.lifeCycle
        if !lives[index].holdsAwake {
            power.holdAwake(app: app, cause: .backgroundTask, at: now)
            lives[index].holdsAwake = true
        }
        lives[index].processorLimit = .distantFuture
        if lives[index].task == .hung {
            return engine.schedule(
                Slots.app(app, .lifeCycle), after: rules.updateLimit, class: EventClass.lifeCycle)
        }
        lives[index].task = .none
        var next = now + rules.backgroundGrace
        if model.finishesTask {
            let load = power.processor.workPower
            lives[index].load = power.startLoad(.processor, load, app: app, cause: .backgroundTask, at: now)
            lives[index].task = .working
            lives[index].taskEnds = now + device.background.assertionLimit
            let limit = lives[index].monitor.use(1, at: now, rules)
            lives[index].processorLimit = limit
            next = min(lives[index].taskEnds, limit, max(next, now + model.finishTime))
        }
        engine.schedule(Slots.app(app, .lifeCycle), at: next, class: EventClass.lifeCycle)
    }

    /// The next thing happens to an app in the background that has no work of its own.
    package mutating func graceTimer(_ app: AppID) {
        let index = Int(app.index)
        switch lives[index].task {
        case .none: endGrace(app)
        case .hung: crash(app, .watchdog)
        case .expired: crash(app, .taskTimeout)
        case .leaking: expireTask(app)
        case .working:
            if now >= lives[index].processorLimit {
                crash(app, .cpuLimit)
            } else if now >= lives[index].taskEnds {
                expireTask(app)
            } else if lives[index].leaksTask {
                power.stopLoad(lives[index].load, at: now)
                lives[index].load = .none
                lives[index].task = .leaking
                engine.schedule(
                    Slots.app(app, .lifeCycle), at: lives[index].taskEnds, class: EventClass.lifeCycle)
            } else {
                endGrace(app)
            }
        }
    }

    /// The time of an app's assertions is over: its handler ends them, or it has a second left to live.
    private mutating func expireTask(_ app: AppID) {
        let index = Int(app.index)
        processes.noteTaskExpiration(app, at: now)
        guard !apps[index].faults.handlesExpiration else { return endGrace(app) }
        lives[index].task = .expired
        engine.schedule(
            Slots.app(app, .lifeCycle), after: device.os.lifeCycle.expirationTime, class: EventClass.lifeCycle)
    }

    /// The grace is over: the app is suspended unless something else keeps it running.
    private mutating func endGrace(_ app: AppID) {
        let index = Int(app.index)
        if lives[index].task != .none { endTask(index) }
        leaveGrace(app)
        suspendIfIdle(app)
    }

    /// The app is within its grace no more: it works, is on screen again, or gone.
    package mutating func leaveGrace(_ app: AppID) {
        let index = Int(app.index)
        power.stopLoad(lives[index].load, at: now)
        lives[index].load = .none
        guard lives[index].holdsAwake else { return }
        lives[index].holdsAwake = false
        power.releaseAwake(at: now)
    }

    /// Suspends an app in the background that nothing holds and that is not within its grace.
    package mutating func suspendIfIdle(_ app: AppID) {
        guard processes.isAlive(app), processes.state(of: app) == .background else { return }
        guard !lives[Int(app.index)].holdsAwake, !assertions.holdsAny(app) else { return }
        suspend(app)
    }

    /// Stops a process in the background; one that holds a lock on a shared file dies of it (0xdead10cc).
    private mutating func suspend(_ app: AppID) {
        let index = Int(app.index)
        if lives[index].task != .none || lives[index].monitor.isBusy { endTask(index) }
        if lives[index].holdsLock {
            lives[index].holdsLock = false
            return crash(app, .lockedFile)
        }
        processes.suspend(app, at: now)
        record(.suspend, app, from: .background, to: .suspended)
    }

    /// Background work keeps so many processors busy from now on; returns when that is too much.
    @discardableResult
    package mutating func watchProcessor(of app: AppID, load: Double) -> SimTime {
        let limit = lives[Int(app.index)].monitor.use(load, at: now, device.os.lifeCycle)
        lives[Int(app.index)].processorLimit = limit
        return limit
    }

    /// The app needs no task assertion any more: it is suspended, on screen again, or gone.
    package mutating func endTask(_ index: Int) {
        lives[index].task = .none
        lives[index].processorLimit = .distantFuture
        _ = lives[index].monitor.use(0, at: now, device.os.lifeCycle)
    }
}
