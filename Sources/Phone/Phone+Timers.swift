// SPDX-License-Identifier: GPL-3.0-or-later
import Behaviours
import EventKernel
import PhoneCore
import Power
import Processes
import Quantities
import Vocabulary
import Workload

/// Dispatch of timers and of the user's intents to behaviours.
extension Phone {
    mutating func handle(_ slot: Int) {
        let entity = Slots.layout.entity(of: slot)
        let kind = Slots.layout.kind(of: slot)
        if entity == 0 {
            if let timer = DeviceTimer(rawValue: kind) { handle(timer) }
        } else if entity > core.apps.count + core.daemons.count {
            continued.stepTimer(slot, &core)
        } else if let timer = AppTimer(rawValue: kind) {
            handle(timer, of: AppID(entity - 1))
        }
    }

    private mutating func handle(_ timer: DeviceTimer) {
        core.disarm(timer)
        switch timer {
        case .intent: carryOut(user.popDue())
        case .battery:
            charging.batteryReached(core.power.batteryEventReached(at: core.now), &core)
            if core.conditions.thermalLevel != core.power.thermalState.rawValue { core.thermalStateChanged() }
        case .wifi: core.power.radioTimerFired(.wifi, at: core.now)
        case .cellular: core.power.radioTimerFired(.cellular, at: core.now)
        case .aging: core.processes.age(at: core.now)
        case .hour: endHour()
        case .warmup: endWarmup()
        case .topUpEnds: charging.unplug(&core)
        case .chargeResumes: charging.resumeTimer(&core)
        case .movement: location.movementTimer(&core)
        case .pushHeartbeat: connections.pushTimer(&core)
        case .continued: continued.timer(&core)
        }
    }

    private mutating func handle(_ timer: AppTimer, of app: AppID) {
        switch timer {
        case .lifeCycle: visits.lifeCycleTimer(app, &core)
        case .work: requests.workTimer(app, &core)
        case .refresh: requests.consider(app, .refresh, &core)
        case .processing: requests.consider(app, .processing, &core)
        case .push: pushes.alertTimer(app, &core)
        case .wantProcessing: requests.wantProcessing(app, &core)
        case .stream: visits.streamTimer(app, &core)
        case .home: visits.homeTimer(app, &core)
        case .daemon: daemons.timer(app, &core)
        case .silentPush: pushes.silentTimer(app, &core)
        case .event: core.eventTimer(app)
        case .heldPush: pushes.consider(app, &core)
        case .call: calls.callTimer(app, &core)
        case .callPiece: calls.pieceTimer(app, &core)
        case .callEnd: calls.endTimer(app, &core)
        case .playback: playback.end(app, &core)
        case .musicPiece: playback.musicTimer(app, &core)
        case .accessory: accessories.timer(app, &core)
        case .wantTransfer: transfers.wantTimer(app, &core)
        case .transferDue: transfers.consider(app, &core)
        case .transferPiece: transfers.pieceTimer(app, &core)
        case .widget: widgets.timer(app, &core)
        case .heartbeat: connections.timer(app, &core)
        }
    }

    private mutating func carryOut(_ intent: Intent) {
        switch intent.kind {
        case .unlock: visits.unlock(&core)
        case .lock: visits.wantLock(&core)
        case .open: visits.wantOpen(intent, plannedEnd: user.plannedEnd(of: intent), &core)
        case .interrupt: visits.interrupt(for: .seconds(intent.value), &core)
        case .forceQuit: visits.wantForceQuit(intent.app, &core)
        case .plug: charging.plugIn(watts: intent.value, &core)
        case .unplug: charging.unplug(&core)
        case .topUp: charging.offerCharge(intent, &core)
        case .network: core.setNetwork(Network(rawValue: UInt8(intent.value)) ?? .none)
        case .lowPowerMode: if !core.power.isDead { charging.setLowPowerMode(intent.value == 1, &core) }
        case .push: pushes.send(to: intent.app, &core)
        case .content: core.content.appeared(for: intent.app, at: core.now)
        }
        user.schedule(&core)
    }

    /// The warm-up is over: all measures restart.
    mutating func endWarmup() {
        requests.readMeters(&core)
        core.endWarmup()
    }

    private mutating func endHour() {
        core.checkConservation(at: core.now)
        requests.endHour(&core)
        core.endHour()
    }
}
