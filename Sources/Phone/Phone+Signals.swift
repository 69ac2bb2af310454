// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import Behaviours
import PhoneCore
import Power
import Processes
import Quantities
import Structures
import Vocabulary

/// Routing of signals to behaviours, in a fixed order.
extension Phone {
    /// Routes what an event caused, until no signal, end of a process or change of the device is left.
    mutating func propagate() {
        if core.noticeChanges() {
            repeat {
                routeSignals()
                core.noticeChanges()
                if core.signals.isEmpty, let change = core.nextChange() { route(change) }
            } while core.hasNews
        }
        if !core.processes.warnings.isEmpty { core.recordWarnings() }
        if !core.processes.callbacks.isEmpty { core.recordCallbacks() }
        if !core.background.unrun.isEmpty { requests.recordUnrun(&core) }
        core.finishEvent()
    }

    private mutating func routeSignals() {
        routeEnds()
        while let signal = core.signals.popFirst() {
            route(signal)
            routeEnds()
        }
    }

    /// Ends of processes are routed before any signal: their assertions are gone already.
    private mutating func routeEnds() {
        core.applyDeaths()
        while let end = core.ends.popFirst() {
            if Int(end.app.index) < core.apps.count {
                requests.processEnded(end, &core)
                calls.processEnded(end, &core)
                continued.processEnded(end, &core)
                pushes.processEnded(end, &core)
                playback.processEnded(end, &core)
                visits.processEnded(end, &core)
            } else {
                daemons.processEnded(end, &core)
            }
            core.applyDeaths()
        }
    }

    private mutating func route(_ signal: Signal) {
        switch signal {
        case .opening(let app):
            playback.drawVisit(app, &core)
            visits.drawVisit(app, &core)
            continued.drawVisit(app, &core)
        case .open(let app): visits.open(app, &core)
        case .leaving(let app):
            transfers.submit(app, &core)
            playback.leaving(app, &core)
            visits.leave(app, &core)
            requests.appLeft(app, &core)
        case .comingToFront(let app): comeToFront(app)
        case .active(let app):
            playback.active(app, &core)
            continued.active(app, &core)
        case .unlocked: requests.unlocked(&core)
        case .locking(let app): visits.lock(left: app, &core)
        case .forceQuit(let app):
            requests.forceQuit(app, &core)
            pushes.forceQuit(app, &core)
            transfers.forceQuit(app, &core)
            continued.forceQuit(app, &core)
            visits.forceQuit(app, &core)
        case .executing(let app):
            requests.submitProcessing(app, &core)
            transfers.submit(app, &core)
        case .callDelivered(let app): calls.delivered(app, &core)
        case .networkChanged(let fromNone):
            requests.networkChanged(&core)
            transfers.networkChanged(&core)
            if fromNone { pushes.showHeldAlerts(&core) }
        case .powerLost: losePower()
        case .powerBack: regainPower()
        case .shed: continued.shed(&core)
        }
    }

    private mutating func comeToFront(_ app: AppID) {
        core.catchUp()
        routeEnds()
        requests.endWork(app, .cancelled, &core)
        visits.comeToFront(app, &core)
        playback.end(app, &core)
        requests.opened(app, &core)
        pushes.opened(app, &core)
        calls.opened(app)
        transfers.opened(app, &core)
    }

    private mutating func losePower() {
        daemons.losePower(&core)
        visits.losePower(&core)
        transfers.networkChanged(&core)
        continued.losePower(&core)
        requests.losePower(&core)
        for index in core.apps.indices { core.exit(AppID(index), .normal) }
    }

    private mutating func regainPower() {
        daemons.start(&core)
        core.power.setDisplay(on: false, brightness: 0, app: .system, at: core.now)
        requests.powerBack(&core)
        pushes.showHeldAlerts(&core)
        pushes.reconsider(&core)
        transfers.reconsider(&core)
    }

    /// Work that waited for a change of the device is looked at again: pushes and transfers for some changes, requests
    /// for those they named.
    private mutating func route(_ change: ConditionChanges) {
        let helps: ConditionChanges = [
            .pluggedIn, .wifiJoined, .networkAppeared, .lowPowerModeEnded, .batteryRecovered, .cooled, .cameraStopped,
        ]
        if helps.contains(change) {
            pushes.reconsider(&core)
            transfers.reconsider(&core)
        }
        while requests.considerNext(change, &core) { routeEnds() }
    }
}
