import Background
import EventKernel
import Power
import Processes
import Quantities
import Vocabulary

extension PhoneModel {
    /// Whether something besides requests and the grace after a visit keeps the app running in the background.
    func isHeldRunning(_ app: AppID) -> Bool {
        wakes[Int(app.index)].stage != .none || modes[Int(app.index)].mode != .none || continuesUntil(app) != nil
            || continuedRuns.contains { $0.task.app == app }
    }

    /// Runs an app for an event: one that executes handles it on the spot, any other is launched or resumed.
    mutating func wakeApp(
        _ app: AppID, for reason: WakeReason, sent: SimTime, limit: SimDuration, in engine: inout PhoneEngine
    ) {
        let index = Int(app.index)
        let now = engine.now
        catchUp(in: &engine)
        let old = processes.state(of: app)
        guard !old.executes else {
            handleEvent(app, reason, sent: sent, in: &engine)
            return
        }
        var delay = SimDuration.zero
        var kind = LaunchKind.resume
        if old == .notRunning {
            kind = processes.launch(app, foreground: false, footprint: apps[index].backgroundFootprint, at: now)
            delay = kind == .cold ? apps[index].coldLaunchTime : apps[index].warmLaunchTime
            delay = (delay + apps[index].sdkLaunchTime) * power.processor.workLaunchFactor
        } else {
            processes.resume(app, foreground: false, at: now)
        }
        record(.launch, app, from: old, to: .background, kind: kind, at: now)
        counts.eventLaunches += 1
        hourRow.backgroundLaunches += 1
        var run = WakeRun()
        run.stage = .launching
        run.reason = reason
        run.began = now
        run.limit = now + limit
        run.sent = sent
        run.onPower = conditions.pluggedIn
        run.joules = backgroundEnergy(of: app, at: now)
        power.holdAwake(app: app, cause: reason.cause, at: now)
        run.holdsAwake = true
        run.load = power.startLoad(.processor, power.processor.workPower, app: app, cause: reason.cause, at: now)
        wakes[index] = run
        engine.schedule(Slots.app(app, .wake), at: min(now + delay, run.limit), class: EventClass.work)
    }

    /// A run reaches its next stage, or its limit.
    mutating func wakeTimer(_ app: AppID, in engine: inout PhoneEngine) {
        let index = Int(app.index)
        let now = engine.now
        let next: SimTime
        switch wakes[index].stage {
        case .none: return
        case _ where now >= wakes[index].limit:
            endWake(app, .expired, in: &engine)
            return
        case .launching:
            guard wakes[index].reason != .call else {
                answerPush(app, in: &engine)
                return
            }
            wakes[index].stage = .computing
            submitProcessing(app, in: &engine)
            submitTransfers(app, in: &engine)
            next = now + startHandling(index, at: now)
        case .computing:
            wakes[index].stage = .transferring
            power.stopLoad(wakes[index].load, at: now)
            wakes[index].load = .none
            next = moveEventBytes(app, wakes[index].reason, in: &engine)
        case .transferring:
            finishEvent(app, wakes[index].reason, in: &engine)
            endWake(app, .success, in: &engine)
            return
        }
        engine.schedule(Slots.app(app, .wake), at: min(next, wakes[index].limit), class: EventClass.work)
    }

    /// Puts the mean load of handling an event on the processor; returns how long computing and waiting take.
    private mutating func startHandling(_ index: Int, at now: SimTime) -> SimDuration {
        let plan = power.processor
        let isPush = wakes[index].reason == .silentPush
        let busy = plan.duration(ofWork: isPush ? apps[index].refreshProcessorTime : device.modes.eventProcessorTime)
        let whole = busy + (isPush ? apps[index].refreshWait : .zero)
        if whole > busy { power.setLoad(wakes[index].load, to: plan.workPower * (busy / whole), at: now) }
        return whole
    }

    /// An app that executes already handles an event besides what it does.
    private mutating func handleEvent(
        _ app: AppID, _ reason: WakeReason, sent: SimTime, in engine: inout PhoneEngine
    ) {
        guard reason != .call else {
            answerPush(app, in: &engine)
            return
        }
        let joules = backgroundEnergy(of: app, at: engine.now)
        if moveEventBytes(app, reason, in: &engine) != .distantFuture { finishEvent(app, reason, in: &engine) }
        var run = WakeRun()
        run.reason = reason
        run.began = engine.now
        run.sent = sent
        run.onPower = conditions.pluggedIn
        run.interface = power.interface
        run.joules = joules
        writeRow(run, of: app, .success, at: engine.now)
    }

    /// Ends a run; the app is suspended at once unless something else keeps it running.
    mutating func endWake(_ app: AppID, _ outcome: RequestOutcome, in engine: inout PhoneEngine) {
        let index = Int(app.index)
        let now = engine.now
        guard wakes[index].stage != .none else { return }
        let run = wakes[index]
        wakes[index].stage = .none
        engine.cancel(Slots.app(app, .wake))
        power.stopLoad(run.load, at: now)
        if run.holdsAwake { power.releaseAwake(at: now) }
        if outcome == .expired { counts.eventLaunchesExpired += 1 }
        countEnd(of: app, outcome)
        writeRow(run, of: app, outcome, at: now)
        suspendIfIdle(app, in: &engine)
    }

    /// Suspends an app in the background that neither works nor is within its grace nor is held running.
    mutating func suspendIfIdle(_ app: AppID, in engine: inout PhoneEngine) {
        let index = Int(app.index)
        guard processes.isAlive(app), processes.state(of: app) == .background else { return }
        guard runtime[index].phase == .none, !runtime[index].holdsAwake, !isHeldRunning(app) else { return }
        suspend(app, in: &engine)
    }

    /// Everything an app did for events is over: its process ended, or the phone went off.
    mutating func dropRuns(of app: AppID, in engine: inout PhoneEngine) {
        endWake(app, .failed, in: &engine)
        endMode(app, in: &engine)
        if !continuedRuns.isEmpty { failContinued(of: app, in: &engine) }
    }
}
