import Background
import EventKernel
import LifeCycle
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
        keepAwake(app, at: engine.now)
        let works = model.finishesTask && !lives[index].clock.isHung
        if works {
            let load = power.processor.workPower
            runtime[index].load = power.startLoad(.processor, load, app: app, cause: .backgroundTask, at: engine.now)
        }
        lives[index].clock.startGrace(
            allowance: device.background.assertionLimit, work: works ? model.finishTime : nil,
            leaks: lives[index].leaksTask, at: engine.now, device.os.lifeCycle)
        armClock(app, in: &engine)
    }

    /// The next thing happens to an app in the background that has no work of its own.
    mutating func graceTimer(_ app: AppID, in engine: inout PhoneEngine) {
        let index = Int(app.index)
        switch askClock(index, at: engine.now) {
        case .exits(let category): crash(app, category, in: &engine)
        case .workEnds:
            stopLoad(of: app, at: engine.now)
            armClock(app, in: &engine)
        case .taskExpires(let isHandled):
            processes.noteTaskExpiration(app, at: engine.now)
            if isHandled { endGrace(app, in: &engine) } else { armClock(app, in: &engine) }
        // What the app did besides is over when the timer was not the clock's.
        case .suspends, .becomesActive, .nothing: endGrace(app, in: &engine)
        }
    }

    /// The grace is over: the app is suspended unless something else keeps it running.
    private mutating func endGrace(_ app: AppID, in engine: inout PhoneEngine) {
        lives[Int(app.index)].clock.endGrace(at: engine.now, device.os.lifeCycle)
        endContinuing(app, at: engine.now)
        stopLoad(of: app, at: engine.now)
        releaseAwake(app, at: engine.now)
        suspendIfIdle(app, in: &engine)
    }

    /// Stops a process in the background; one that holds a lock on a shared file dies of it (0xdead10cc).
    mutating func suspend(_ app: AppID, in engine: inout PhoneEngine) {
        endContinuing(app, at: engine.now)
        stopLoad(of: app, at: engine.now)
        releaseAwake(app, at: engine.now)
        let verdict = lives[Int(app.index)].clock.suspend(at: engine.now, device.os.lifeCycle)
        if case .exits(let category) = verdict { return crash(app, category, in: &engine) }
        processes.suspend(app, at: engine.now)
        record(.suspend, app, from: .background, to: .suspended, at: engine.now)
    }

    /// Background work keeps so many processors busy from now on; the monitor is off while a task that asked for external
    /// power runs (BGTaskRequest.h, `requiresExternalPower`).
    mutating func watchProcessor(_ index: Int, load: Double, at now: SimTime) {
        let isOff = runtime[index].work == .processing && apps[index].processingNeedsPower
        lives[index].clock.use(isOff ? 0 : load, at: now, device.os.lifeCycle)
    }

    /// A processing task computes at the pace its app has chosen.
    mutating func beginProcessing(_ index: Int, at now: SimTime) {
        let load = apps[index].processingLoad
        watchProcessor(index, load: load, at: now)
        if load != 1 { power.setLoad(runtime[index].load, to: power.processor.workPower * load, at: now) }
    }

    /// The app needs no grace and no assertion of its own any more: other work holds it.
    mutating func endTask(_ index: Int, at now: SimTime) {
        lives[index].clock.endGrace(at: now, device.os.lifeCycle)
    }
}
