// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import Behaviours
import EventKernel
import PhoneCore
import Power
import Processes
import Quantities
import Structures
import Vocabulary
import Workload

/// Routing of timers, of the user's intents and of signals to behaviours, each in a fixed order.
extension PhoneBehaviours {
    // MARK: Timers and intents

    mutating func handle(_ slot: Int, _ core: inout PhoneCore) {
        let entity = Slots.layout.entity(of: slot)
        let kind = Slots.layout.kind(of: slot)
        if entity == 0 {
            handle(DeviceTimer(kind), &core)
        } else if entity > core.apps.count + core.daemons.count {
            continued.stepTimer(slot, &core)
        } else {
            handle(AppTimer(kind), of: AppID(entity - 1), &core)
        }
    }

    private mutating func handle(_ timer: DeviceTimer, _ core: inout PhoneCore) {
        core.disarm(timer)
        switch timer {
        case .intent: carryOut(user.popDue(), &core)
        case .battery:
            guard core.power.isBatteryEventDue(at: core.now) else { break }
            charging.batteryReached(core.power.batteryEventReached(at: core.now), &core)
            if core.conditions.thermalLevel != core.power.thermalState.rawValue { core.thermalStateChanged() }
        case .aging: core.ageProcesses()
        case .hour: endHour(&core)
        case .stage: enterStage(&core)
        case .topUpEnds: charging.unplug(&core)
        case .chargeResumes: charging.resumeTimer(&core)
        case .movement:
            location.movementTimer(&core)
            tracking.moved(&core)
        case .pushHeartbeat: connections.pushTimer(&core)
        case .continued: continued.timer(&core)
        case .incident: incidents.timer(&core)
        case .services: services.timer(&core)
        case .disk: storage.timer(&core)
        case .interruption: interruptions.timer(&core)
        case .callAnswered: interruptions.answeredTimer(&core)
        case .callOver: interruptions.overTimer(&core)
        case .soundBack: interruptions.soundTimer(&core)
        case .prewarm: prewarming.timer(&core)
        case .upgrade: restarts.upgradeTimer(&core)
        case .installs: installs.timer(&core)
        case .systemCrash: restarts.crashTimer(&core)
        case .surroundings: surroundings.timer(&core)
        case .roam: roaming.timer(&core)
        case .coverage: coverage.timer(&core)
        case .autoLock: if !user.opens(before: autoLock.sessionEnd) { visits.wantLock(&core) }
        case .alarms: alarms.timer(&core)
        default: core.radioTimer(timer)
        }
    }

    private mutating func handle(_ timer: AppTimer, of app: AppID, _ core: inout PhoneCore) {
        switch timer {
        case .lifeCycle: visits.lifeCycleTimer(app, &core)
        case .work: requests.workTimer(app, &core)
        case .refresh: requests.consider(app, .refresh, &core)
        case .processing: requests.consider(app, .processing, &core)
        case .push: pushes.alertTimer(app, &core)
        case .wantProcessing: requests.wantProcessing(app, &core)
        case .stream: visits.streamTimer(app, &core)
        case .growth: visits.growthTimer(app, &core)
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
        case .tracking: tracking.timer(app, &core)
        case .helper: helpers.timer(app, &core)
        case .broadcast: broadcasts.timer(app, &core)
        case .broadcastDue: broadcasts.deliver(app, &core)
        case .helperNeeded: helpers.neededTimer(app, &core)
        default: fatalError("no behaviour has the timer \(timer.number)")
        }
    }

    private mutating func carryOut(_ intent: Intent, _ core: inout PhoneCore) {
        switch intent.kind {
        case .unlock:
            visits.unlock(&core)
            if core.conditions.screenOn { autoLock.unlocked(for: .seconds(intent.value), &core) }
        case .lock: visits.wantLock(&core)
        case .open: visits.wantOpen(intent, plannedEnd: user.plannedEnd(of: intent), &core)
        case .interrupt: visits.interrupt(for: .seconds(intent.value), &core)
        case .forceQuit: visits.wantForceQuit(intent.app, &core)
        case .plug: charging.plugIn(watts: intent.value, &core)
        case .unplug: charging.unplug(&core)
        case .topUp: charging.offerCharge(intent, &core)
        case .network: core.setNetwork(Network(rawValue: UInt8(intent.value)) ?? .none)
        case .lowPowerMode: if !core.power.isDead { charging.setLowPowerMode(intent.value == 1, &core) }
        case .push where intent.value == 1: pushes.showLocal(of: intent.app, &core)
        case .push: pushes.send(to: intent.app, &core)
        case .signal:
            core.power.setSignal(SignalLevel(number: Int(intent.value)), of: .cellular, at: core.now)
        case .location: services.arrive(at: Workload.Location(number: UInt8(intent.value)), &core)
        case .install: installs.want(intent.app, isVersion: intent.value == 1, &core)
        case .restart:
            visits.wantLock(&core)
            core.post(.restarting(.seconds(intent.value), .user))
        }
        user.schedule(&core)
    }

    /// Restarts all measures at the end of the warm-up.
    mutating func endWarmup(_ core: inout PhoneCore) {
        requests.readMeters(&core)
        requests.endWarmup()
        core.endWarmup()
    }

    private mutating func enterStage(_ core: inout PhoneCore) {
        if let change = stages.enter(&core) { changePolicies(change, &core) } else { endWarmup(&core) }
    }

    /// Changes the policies; work that waited under the old policies is decided again.
    private mutating func changePolicies(_ change: PolicyChange, _ core: inout PhoneCore) {
        core.catchUp()
        routeEnds(&core)
        if core.beginReadingFuture(for: change) {
            visits.readFuture(after: core.now, &core)
            daemons.readFuture(&core)
        }
        core.exchangePolicies(for: change)
        routeEnds(&core)
        prewarming.policiesChanged(to: change, &core)
        location.policiesChanged(&core)
        for (app, kind) in core.background.due(at: core.now) {
            requests.consider(app, kind, &core)
            routeEnds(&core)
        }
        pushes.reconsider(&core)
        alarms.reconsider(&core)
    }

    private mutating func endHour(_ core: inout PhoneCore) {
        core.checkConservation(at: core.now)
        requests.endHour(&core)
        core.endHour()
    }

    // MARK: Signals, ends of processes, changes of the device

    /// Routes the consequences of an event until no signal, process end or device change remains.
    mutating func propagate(_ core: inout PhoneCore) {
        if core.noticeChanges() {
            repeat {
                routeSignals(&core)
                core.noticeChanges()
                if core.signals.isEmpty, let change = core.nextChange() { route(change, &core) }
            } while core.hasNews
        }
        if !core.processes.warnings.isEmpty { core.recordWarnings() }
        if !core.processes.callbacks.isEmpty { core.recordCallbacks() }
        if !core.background.unrun.isEmpty { requests.recordUnrun(&core) }
        core.finishEvent()
    }

    private mutating func routeSignals(_ core: inout PhoneCore) {
        routeEnds(&core)
        while let signal = core.signals.popFirst() {
            route(signal, &core)
            routeEnds(&core)
        }
    }

    /// Routes process ends before any signal, because the assertions of ended processes are already gone.
    private mutating func routeEnds(_ core: inout PhoneCore) {
        core.applyDeaths()
        while let end = core.ends.popFirst() {
            if Int(end.app.index) < core.apps.count {
                requests.processEnded(end, &core)
                calls.processEnded(end, &core)
                interruptions.processEnded(end, &core)
                continued.processEnded(end, &core)
                pushes.processEnded(end, &core)
                playback.processEnded(end, &core)
                tracking.processEnded(end, &core)
                storage.processEnded(end, &core)
                broadcasts.processEnded(end, &core)
                visits.processEnded(end, &core)
                helpers.appEnded(end.app, &core)
            } else {
                daemons.processEnded(end, &core)
                helpers.processEnded(end, &core)
            }
            core.applyDeaths()
        }
    }

    private mutating func route(_ signal: Signal, _ core: inout PhoneCore) {
        switch signal {
        case .opening(let app):
            playback.drawVisit(app, &core)
            visits.drawVisit(app, &core)
            continued.drawVisit(app, &core)
            tracking.drawVisit(app, core)
            helpers.drawVisit()
        case .open(let app):
            prewarming.opened(app, at: core.now)
            visits.open(app, &core)
        case .leaving(let app):
            storage.leaving(app, &core)
            transfers.submit(app, &core)
            playback.leaving(app, &core)
            tracking.leaving(app, &core)
            visits.leave(app, &core)
            requests.appLeft(app, &core)
            helpers.left(app, &core)
        case .comingToFront(let app): comeToFront(app, &core)
        case .active(let app):
            playback.active(app, &core)
            broadcasts.leftCache(app, &core)
            continued.active(app, &core)
            storage.active(app, &core)
            helpers.active(app, &core)
        case .unlocked:
            requests.unlocked(&core)
            pushes.unlocked(&core)
            alarms.displayChanged(isOn: true, &core)
            alarms.reconsider(&core)
        case .locking(let app):
            visits.lock(left: app, &core)
            alarms.displayChanged(isOn: false, &core)
        case .forceQuit(let app):
            // On Android a swipe stops only what the user sees.
            if core.device.background.forceQuitStopsWork {
                stopWork(app, &core)
            } else {
                continued.forceQuit(app, &core)
            }
            visits.forceQuit(app, &core)
        case .offloaded(let app):
            stopWork(app, &core)
            core.exit(app, .normal)
            pushes.removed(app)
            installs.removed(app)
            storage.removed(app)
            helpers.removed(app, &core)
        case .executing(let app):
            requests.submitProcessing(app, &core)
            transfers.submit(app, &core)
            alarms.awake(&core)
            broadcasts.leftCache(app, &core)
        case .jobSetOff(let app): requests.setOff(app, &core)
        case .callDelivered(let app): calls.delivered(app, &core)
        case .callMissed(let app): calls.missed(app, &core)
        case .networkChanged(let fromNone):
            requests.networkChanged(&core)
            transfers.networkChanged(&core)
            connections.networkChanged(&core)
            services.follow(&core)
            if fromNone { pushes.showHeldAlerts(&core) }
        case .powerLost: losePower(.normal, &core)
        case .powerBack: regainPower(&core)
        case .restarting(let length, let cause): restart(for: length, cause, &core)
        case .shed: continued.shed(&core)
        case .lowPowerMode: services.follow(&core)
        case .processNeeded(let app, let kind): helpers.asked(app, kind, &core)
        case .diskLow: storage.makeRoom(&core)
        case .interrupting(let length): visits.interrupt(for: length, &core)
        case .soundInterrupted: playback.silence(&core)
        case .soundBack: playback.soundBack(&core)
        case .backFromCall(let app): visits.backFromCall(app, &core)
        case .callRings(let app, let length): interruptions.incoming(of: app, length, &core)
        }
    }

    /// Stops all work of an app until the user opens the app.
    private mutating func stopWork(_ app: AppID, _ core: inout PhoneCore) {
        requests.forceQuit(app, &core)
        pushes.forceQuit(app, &core)
        transfers.forceQuit(app, &core)
        continued.forceQuit(app, &core)
    }

    private mutating func comeToFront(_ app: AppID, _ core: inout PhoneCore) {
        core.catchUp()
        routeEnds(&core)
        let opening = core.holdForOpening(app)
        requests.endWork(app, .cancelled, &core)
        daemons.launching(app, &core)
        visits.comeToFront(app, &core)
        playback.end(app, &core)
        tracking.end(app, &core)
        core.release(opening)
        requests.opened(app, &core)
        pushes.opened(app, &core)
        calls.opened(app)
        transfers.opened(app, &core)
        alarms.reconsider(&core)
    }

    private mutating func losePower(_ category: ExitCategory, _ core: inout PhoneCore) {
        daemons.losePower(&core)
        helpers.losePower(&core)
        visits.losePower(&core)
        core.followSurroundings()
        transfers.networkChanged(&core)
        connections.networkChanged(&core)
        continued.losePower(&core)
        requests.losePower(&core)
        interruptions.losePower(&core)
        alarms.losePower(core)
        for index in core.apps.indices { core.exit(AppID(index), category) }
        core.emptyFileCache()
    }

    /// Restarts the phone.
    ///
    /// Apps end first, so that their saved state is kept. A crash of the system does not end apps in this way.
    private mutating func restart(for length: SimDuration, _ cause: RestartCause, _ core: inout PhoneCore) {
        guard !core.power.isDead else { return }
        core.catchUp()
        if cause != .crash { for index in core.apps.indices { core.exit(AppID(index), .normal) } }
        routeEnds(&core)
        restarts.count(cause, &core)
        charging.restart(for: length, cause, &core)
        losePower(cause == .crash ? .abnormal : .normal, &core)
    }

    private mutating func regainPower(_ core: inout PhoneCore) {
        daemons.start(&core)
        helpers.startStanding(&core)
        services.start(&core)
        core.power.setDisplay(on: false, brightness: 0, app: .system, at: core.now)
        connections.networkChanged(&core)
        requests.powerBack(&core)
        pushes.showHeldAlerts(&core)
        pushes.reconsider(&core)
        transfers.reconsider(&core)
        alarms.reconsider(&core)
    }

    /// Checks again the work that waited for a change of the device.
    ///
    /// Pushes, transfers and alarms are checked after any change that can end their wait. Requests are checked only
    /// after the changes that they named.
    private mutating func route(_ change: ConditionChanges, _ core: inout PhoneCore) {
        let helps: ConditionChanges = [
            .pluggedIn, .wifiJoined, .networkAppeared, .lowPowerModeEnded, .batteryRecovered, .cooled, .cameraStopped,
            .moved,
        ]
        if helps.contains(change) {
            pushes.reconsider(&core)
            transfers.reconsider(&core)
            alarms.reconsider(&core)
        }
        while requests.considerNext(change, &core) { routeEnds(&core) }
        if change == .launchEnded { requests.endRound(&core) }
    }
}
