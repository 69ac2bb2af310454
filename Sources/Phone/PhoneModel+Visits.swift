import Background
import EventKernel
import Glibc
import LifeCycle
import Power
import Processes
import Quantities
import RandomStreams
import Vocabulary
import Workload

extension PhoneModel {
    /// The user opens an app: it resumes or launches, and what was in the foreground goes to the background.
    mutating func open(_ intent: Intent, in engine: inout PhoneEngine) {
        let app = intent.app
        let index = Int(app.index)
        let now = engine.now
        // Every open draws alike, whatever the policies did, so that the k-th open of an app is the same in every run.
        let size = exp(apps[index].footprintSigma * visitStreams[index].normal())
        let slowness = exp(apps[index].launchSigma * visitStreams[index].normal())
        let rate = rateFactor(visitStreams[index].normal())
        drawPlayback(index, at: now)
        drawFaults(index)
        drawWindow(index)
        drawContinued(index)
        tellNextOpen(of: app, after: intent.time)
        guard !power.isDead else {
            counts.missed += 1
            record(.missed, app, from: .notRunning, to: .notRunning, at: now)
            return
        }
        // The phone revived in the middle of a session, which its death had locked.
        if conditions.locked { unlock(in: &engine) }
        if foreground == app { return }
        leaveForeground(in: &engine)
        catchUp(in: &engine)
        if runtime[index].phase != .none { endWork(app, .cancelled, in: &engine) }
        endWake(app, .success, in: &engine)
        countOpen(app, at: now)
        foreground = app
        runtime[index].reopens = 0
        runtime[index].rate = rate
        let footprint = min(apps[index].foregroundFootprint * size, largestFootprint)
        bringUp(app, footprint: footprint, slowness: slowness, in: &engine)
        scheduleHome(intent, in: &engine)
        requests.noteOpened(app, at: now)
        predictor.noteOpen(app, at: now)
        calibration.noteOpen(app, at: now)
        considerPush(app, in: &engine)
        callMisses[index] = 0
        transfers.noteForeground(app, at: now)
        considerTransfer(app, in: &engine)
    }

    /// The visit ends when it was planned to end, unless another open or the lock ends it anyway.
    private mutating func scheduleHome(_ intent: Intent, in engine: inout PhoneEngine) {
        guard intent.value > 0 else { return }
        let planned = intent.time + .seconds(intent.value)
        var next = nextIntent
        while next < intents.count, intents[next].time <= planned {
            if intents[next].kind == .open || intents[next].kind == .lock { return }
            next += 1
        }
        engine.schedule(Slots.app(intent.app, .home), at: max(planned, engine.now), class: EventClass.lifeCycle)
    }

    /// Apps that watch what is left to them (`os_proc_available_memory`) stop short of their limit.
    var largestFootprint: ByteCount { device.memory.perProcessLimit * device.habits.limitShare }

    /// Resumes or launches the app in front; it becomes active when its launch time is over.
    mutating func bringUp(
        _ app: AppID, footprint: ByteCount, slowness: Double, in engine: inout PhoneEngine
    ) {
        let index = Int(app.index)
        let now = engine.now
        let old = processes.state(of: app)
        let kind: LaunchKind
        if old == .notRunning || old == .prewarmed {
            countRestored(index)
            kind = processes.launch(
                app, foreground: true, window: lives[index].window, footprint: footprint, at: now)
        } else {
            kind = .resume
            processes.resume(app, foreground: true, window: lives[index].window, at: now)
            if processes.isAlive(app) {
                processes.setFootprint(of: app, to: footprint + furtherWindows(app), at: now)
            }
        }
        let wait = allowed(
            launchTime(of: app, kind) * (slowness * power.processor.launchFactor), kind, index, at: now)
        counts.countOpen(kind, seconds: wait.seconds)
        countDay(app, kind, wait: wait)
        record(.launch, app, from: old, to: .inactive, kind: kind, at: now)
        stopLoad(of: app, at: now)
        endContinuing(app, at: now)
        releaseAwake(app, at: now)
        runtime[index].visitStart = now
        runtime[index].isComingUp = true
        runtime[index].lastSave = now
        let cause: Cause = kind == .resume ? .foreground : .relaunch
        runtime[index].load = power.startLoad(
            .processor, power.processor.launchPower, app: app, cause: cause, at: now)
        if kind == .cold {
            let energy = device.power.storage.reading(apps[index].launchFiles)
            power.addEnergy(.storage, energy, app: app, cause: .relaunch, at: now)
        }
        showDisplay(for: app, at: now)
        engine.schedule(Slots.app(app, .lifeCycle), after: wait, class: EventClass.lifeCycle)
    }

    private func launchTime(of app: AppID, _ kind: LaunchKind) -> SimDuration {
        let model = apps[Int(app.index)]
        switch kind {
        case .resume: return model.resumeTime
        case .warm: return model.warmLaunchTime + model.sdkLaunchTime
        case .cold: return model.coldLaunchTime + model.sdkLaunchTime
        }
    }

    /// A launch is complete, an interruption is over, something goes wrong, or the grace in the background ran out.
    mutating func lifeCycleTimer(_ app: AppID, in engine: inout PhoneEngine) {
        catchUp(in: &engine)
        switch processes.state(of: app) {
        case .inactive where app == foreground:
            let verdict = askClock(Int(app.index), at: engine.now)
            if case .exits(let category) = verdict { return crash(app, category, in: &engine) }
            becomeActive(app, in: &engine)
        case .active: faultTimer(app, in: &engine)
        case .background where runtime[Int(app.index)].phase == .none: graceTimer(app, in: &engine)
        default: break
        }
    }

    private mutating func becomeActive(_ app: AppID, in engine: inout PhoneEngine) {
        let index = Int(app.index)
        let now = engine.now
        processes.becomeActive(app, window: lives[index].window, at: now)
        record(.becomeActive, app, from: .inactive, to: .active, at: now)
        armFault(app, in: &engine)
        // After an interruption everything goes on as before.
        guard runtime[index].isComingUp else { return }
        runtime[index].isComingUp = false
        stopLoad(of: app, at: now)
        let load = foregroundPower(of: app)
        runtime[index].load = power.startLoad(.processor, load, app: app, cause: .foreground, at: now)
        startActivity(app, in: &engine)
        fetchInForeground(app, in: &engine)
        if runtime[index].wantsContinued { submitContinued(app, in: &engine) }
        if apps[index].foregroundRate > .zero {
            engine.schedule(Slots.app(app, .stream), after: device.habits.streamPiece, class: EventClass.work)
        }
    }

    /// Opening an app fetches what is new, if there is a network.
    private mutating func fetchInForeground(_ app: AppID, in engine: inout PhoneEngine) {
        let index = Int(app.index)
        guard apps[index].contentPerDay > 0, let interface = power.interface else { return }
        _ = power.beginTransfer(
            interface, down: apps[index].refreshBytes, up: Self.requestBytes, rateFactor: runtime[index].rate,
            app: app, cause: .foreground, at: engine.now)
        countBytes(apps[index].refreshBytes + Self.requestBytes, interface)
        noteFetched(app, at: engine.now)
    }

    /// The next piece of what the app on screen streams.
    mutating func streamNext(_ app: AppID, in engine: inout PhoneEngine) {
        guard app == foreground, !power.isDead else { return }
        let model = apps[Int(app.index)]
        if let interface = power.interface {
            let piece = ByteCount(Int64(model.foregroundRate.bitsPerSecond / 8 * device.habits.streamPiece.seconds))
            let sent = device.power.activities[model.activity].sendRate
            let up = ByteCount(Int64(sent.bitsPerSecond / 8 * device.habits.streamPiece.seconds))
            _ = power.beginTransfer(
                interface, down: piece, up: up, rateFactor: runtime[Int(app.index)].rate, app: app,
                cause: .foreground, at: engine.now)
            countBytes(piece + up, interface)
        }
        engine.schedule(Slots.app(app, .stream), after: device.habits.streamPiece, class: EventClass.work)
    }

    /// The app in front goes to the background, saves if it does so, and asks for its next refresh.
    mutating func leaveForeground(in engine: inout PhoneEngine) {
        let app = foreground
        guard app != .system else { return }
        let index = Int(app.index)
        let now = engine.now
        if processes.isAlive(app) { submitTransfers(app, in: &engine) }
        foreground = .system
        catchUp(in: &engine)
        endVisit(app, at: now)
        engine.cancel(Slots.app(app, .stream))
        engine.cancel(Slots.app(app, .home))
        stopLoad(of: app, at: now)
        stopActivity(at: now)
        if !power.isDead, conditions.screenOn { showDisplay(for: .system, at: now) }
        guard processes.isAlive(app) else { return }
        if processes.state(of: app) == .active {
            processes.resignActive(app, window: lives[index].window, at: now)
            record(.resignActive, app, from: .active, to: .inactive, at: now)
        }
        let continues = continueInBackground(app, in: &engine)
        processes.enterBackground(
            app, window: lives[index].window, audio: continues || modes[index].mode == .call, at: now)
        record(.enterBackground, app, from: .inactive, to: .background, at: now)
        guard processes.isAlive(app) else { return }
        processes.setFootprint(of: app, to: trimmed(app), at: now)
        guard processes.isAlive(app) else { return }
        if apps[index].savesOnBackground { runtime[index].lastSave = now }
        lives[index].clock.leaveScreen(at: now, device.os.lifeCycle)
        if !continues { startGrace(app, in: &engine) }
        submitProcessing(app, in: &engine)
        submitPeriodicProcessing(app, in: &engine)
        if refreshes(index) { submitRefresh(app, in: &engine) }
    }

    /// The footprint an app keeps in the background: as much smaller as its model says.
    private func trimmed(_ app: AppID) -> ByteCount {
        let model = apps[Int(app.index)]
        let further = furtherWindows(app)
        let own = max(.zero, processes.footprint(of: app) - further)
        return own * (model.backgroundFootprint / model.foregroundFootprint) + further
    }

    mutating func stopLoad(of app: AppID, at now: SimTime) {
        let index = Int(app.index)
        power.stopLoad(runtime[index].load, at: now)
        runtime[index].load = .none
    }

    mutating func releaseAwake(_ app: AppID, at now: SimTime) {
        guard runtime[Int(app.index)].holdsAwake else { return }
        runtime[Int(app.index)].holdsAwake = false
        power.releaseAwake(at: now)
    }
}
