import Background
import EventKernel
import LifeCycle
import Power
import Processes
import Quantities
import Vocabulary
import Workload

extension PhoneModel {
    /// Takes the next day's intents from the workload once the present ones are used up.
    mutating func loadIntents(in engine: inout PhoneEngine) {
        while nextIntent == intents.count {
            intents.removeAll(keepingCapacity: true)
            nextIntent = 0
            guard workload.nextDay(into: &intents) else { return }
        }
        let time = max(intents[nextIntent].time, engine.now)
        engine.schedule(Slots.device(.intent), at: time, class: EventClass.intent)
    }

    mutating func handleIntent(in engine: inout PhoneEngine) {
        let intent = intents[nextIntent]
        nextIntent += 1
        carryOut(intent, in: &engine)
        loadIntents(in: &engine)
    }

    private mutating func carryOut(_ intent: Intent, in engine: inout PhoneEngine) {
        switch intent.kind {
        case .unlock: unlock(in: &engine)
        case .lock: lock(in: &engine)
        case .open: open(intent, in: &engine)
        case .interrupt: interrupt(intent, in: &engine)
        case .forceQuit: forceQuit(intent.app, in: &engine)
        case .plug: plugIn(watts: intent.value, in: &engine)
        case .unplug: unplug(in: &engine)
        case .topUp: offerCharge(intent, in: &engine)
        case .network: networkChanged(to: intent, in: &engine)
        case .lowPowerMode: if !power.isDead { setLowPowerMode(intent.value == 1, in: &engine) }
        case .push: pushSent(to: intent.app, at: engine.now)
        case .content: contentAppeared(for: intent.app, at: engine.now)
        }
    }

    mutating func unlock(in engine: inout PhoneEngine) {
        guard !power.isDead, conditions.locked else { return }
        conditions.locked = false
        hourHeat.locked.set(0, at: engine.now)
        conditions.screenOn = true
        requests.noteScreen(on: true, at: engine.now)
        screenSince = engine.now
        holdHerd(since: conditions.lockedSince, at: engine.now)
        power.holdAwake(app: .system, cause: .foreground, at: engine.now)
        // Work that had woken the phone up pays for its wake-up, but not for the session.
        power.payForAwake(app: .system, cause: .foreground, at: engine.now)
        showDisplay(for: .system, at: engine.now)
        cutProcessing(in: &engine)
        raised.insert(.unlocked)
    }

    mutating func lock(in engine: inout PhoneEngine) {
        guard !conditions.locked else { return }
        let left = foreground
        leaveForeground(in: &engine)
        conditions.locked = true
        hourHeat.locked.set(1, at: engine.now)
        conditions.lockedSince = engine.now
        if conditions.screenOn { countScreen(until: engine.now) }
        conditions.screenOn = false
        requests.noteScreen(on: false, at: engine.now)
        if !power.isDead {
            power.setDisplay(on: false, brightness: 0, app: .system, at: engine.now)
            power.releaseAwake(at: engine.now)
            handOverAwake(to: left, at: engine.now)
        }
        raised.insert(.locked)
    }

    /// Whoever still works when a session ends pays for a phone that stays awake: the app just left, or else the work
    /// that began first.
    private mutating func handOverAwake(to left: AppID, at now: SimTime) {
        let isInGrace = left != .system && runtime[Int(left.index)].holdsAwake
        guard let payer = isInGrace ? left : running.first else { return }
        power.payForAwake(app: payer, cause: .backgroundTask, at: now)
    }

    /// A banner, a call or the control centre: inactive for a while, never in the background.
    private mutating func interrupt(_ intent: Intent, in engine: inout PhoneEngine) {
        let app = foreground
        guard app != .system, processes.state(of: app) == .active else { return }
        processes.resignActive(app, window: lives[Int(app.index)].window, at: engine.now)
        record(.resignActive, app, from: .active, to: .inactive, at: engine.now)
        let length = max(SimDuration.seconds(intent.value), .second)
        lives[Int(app.index)].clock.interrupt(for: length, at: engine.now, device.os.lifeCycle)
        armClock(app, in: &engine)
    }

    /// The user swipes the app away: its process ends and its background work is blocked until the next open.
    private mutating func forceQuit(_ app: AppID, in engine: inout PhoneEngine) {
        guard app.index >= 0, !power.isDead else { return }
        if foreground == app { leaveForeground(in: &engine) }
        requests.forceQuit(app, at: engine.now)
        engine.cancel(Slots.app(app, .refresh))
        engine.cancel(Slots.app(app, .processing))
        runtime[Int(app.index)].heldPush = .distantFuture
        dropHeldPush(of: app, at: engine.now)
        cancelTransfers(of: app, at: engine.now)
        cancelContinued(of: app, in: &engine)
        guard processes.isAlive(app) else { return }
        exitProcess(app, .normal, in: &engine)
        // What the system keeps to restore a window goes with its session.
        lives[Int(app.index)].state = .lost
    }
}
