import Background
import EventKernel
import Power
import Processes
import Quantities
import Vocabulary
import Workload

// Alert pushes are shown at once and launch nothing. Silent pushes run their app, within an allowance and only while the
// phone is in a state for it; the newest waits (Apple, "Pushing background updates to your App"; WWDC20 session 10063).
extension PhoneModel {
    // MARK: Alert pushes

    /// The next alert push of an app is sent.
    mutating func pushArrived(_ app: AppID, in engine: inout PhoneEngine) {
        let index = Int(app.index)
        let now = engine.now
        arrivals.add(at: now, index)
        engine.schedule(Slots.app(app, .push), at: pushes[index].next(), class: EventClass.push)
        pushSent(to: app, at: now)
    }

    /// An alert push was sent; only the newest of an app waits for a network.
    mutating func pushSent(to app: AppID, at now: SimTime) {
        let index = Int(app.index)
        countSent(app)
        guard !power.isDead, power.interface != nil else {
            if runtime[index].heldPush == .distantFuture { held.append(app) }
            runtime[index].heldPush = now
            return
        }
        deliverPush(app, sent: now, at: now)
    }

    /// Hands over the alerts that waited for a network.
    mutating func deliverHeldPushes(at now: SimTime) {
        guard !power.isDead, power.interface != nil else { return }
        for app in held {
            let sent = runtime[Int(app.index)].heldPush
            guard sent != .distantFuture else { continue }
            runtime[Int(app.index)].heldPush = .distantFuture
            deliverPush(app, sent: sent, at: now)
        }
        held.removeAll(keepingCapacity: true)
    }

    /// Shows an alert: it wakes the phone for a moment, and launches nothing.
    private mutating func deliverPush(_ app: AppID, sent: SimTime, at now: SimTime) {
        receive(app, at: now)
        countDelivered(app, delay: now - sent)
        alerts[Int(app.index)] = now
        if apps[Int(app.index)].traits.hasNotificationService { extendAlert(app, at: now) }
    }

    /// A Notification Service extension lives for a moment, and fetches what the alert will show.
    private mutating func extendAlert(_ app: AppID, at now: SimTime) {
        let figures = device.background.pushes
        let plan = power.processor
        let energy = plan.workPower * plan.duration(ofWork: figures.extensionTime)
        power.addEnergy(.processor, energy, app: app, cause: .push, at: now)
        guard let interface = power.interface else { return }
        _ = power.beginTransfer(
            interface, down: figures.extensionBytes, up: Self.requestBytes, app: app, cause: .push, at: now)
        countBytes(figures.extensionBytes + Self.requestBytes, interface)
    }

    /// An open soon after the app's newest alert answers it.
    mutating func countAnswer(_ app: AppID, at now: SimTime) {
        let index = Int(app.index)
        if now - alerts[index] <= device.background.pushes.answerWindow { counts.answeredAlerts += 1 }
        alerts[index] = SimTime(nanoseconds: .min / 2)
    }

    /// What a push costs whatever becomes of it.
    mutating func receive(_ app: AppID, at now: SimTime) {
        guard let interface = power.interface else { return }
        lastPushTraffic = now
        power.wakeBriefly(app: app, cause: .push, at: now)
        _ = power.beginTransfer(
            interface, down: device.habits.pushBytes, up: .zero, app: app, cause: .push, at: now)
        countBytes(device.habits.pushBytes, interface)
    }

    private mutating func countSent(_ app: AppID) {
        counts.pushesSent += 1
        if tables.contains(.appDays) { dayRows[Int(app.index)].pushesSent += 1 }
    }

    private mutating func countDelivered(_ app: AppID, delay: SimDuration) {
        counts.pushesDelivered += 1
        counts.pushDelay.add(delay.seconds)
        guard tables.contains(.appDays) else { return }
        dayRows[Int(app.index)].pushesDelivered += 1
        dayRows[Int(app.index)].pushDelaySeconds += delay.seconds
    }

    // MARK: Silent pushes

    /// The next silent push of an app is sent.
    mutating func silentPushArrived(_ app: AppID, in engine: inout PhoneEngine) {
        let index = Int(app.index)
        let now = engine.now
        arrivals.add(at: now, ~index)
        engine.schedule(Slots.app(app, .silentPush), at: silentPushes[index].next(), class: EventClass.push)
        countSent(app)
        counts.silentSent += 1
        // Nothing is kept for an app that was force-quit or whose switch is off.
        guard requests.rulingOutPushes(to: app) == nil else {
            drop(app, sent: now, outcome: .cancelled, at: now)
            return
        }
        if !power.isDead { receive(app, at: now) }
        if let older = gate.held(for: app) { drop(app, sent: older, outcome: .replaced, at: now) }
        let replaced = gate.hold(app, sent: now)
        // Whatever holds the older one back holds this one back as well.
        if !replaced { considerPush(app, in: &engine) }
    }

    /// Lets the silent push of an app through, or finds out what it waits for.
    mutating func considerPush(_ app: AppID, in engine: inout PhoneEngine) {
        let now = engine.now
        guard gate.held(for: app) != nil else { return }
        if app == foreground, power.interface != nil {
            release(app, in: &engine)
            return
        }
        refreshConditions(at: now)
        guard !power.isDead else {
            waitingPushes.append(app)
            return
        }
        let opens = gate.opens(for: app, from: now)
        switch requests.admitPush(to: app, opens: opens, device: conditions, at: now) {
        case .launch: release(app, in: &engine)
        case .waitForChange: waitingPushes.append(app)
        case .wait(let until): agenda.add(.heldPush, app, at: until)
        }
    }

    /// A change of the phone may let waiting pushes and transfers go.
    mutating func mayGo(_ change: ConditionChanges, in engine: inout PhoneEngine) {
        let helps: ConditionChanges = [
            .pluggedIn, .wifiJoined, .networkAppeared, .lowPowerModeEnded, .batteryRecovered, .cooled, .cameraStopped,
        ]
        guard helps.contains(change) else { return }
        if !waitingPushes.isEmpty { reconsiderPushes(in: &engine) }
        if !waitingTransfers.isEmpty { reconsiderTransfers(in: &engine) }
    }

    mutating func reconsiderPushes(in engine: inout PhoneEngine) {
        swap(&waitingPushes, &wokenApps)
        for app in wokenApps { considerPush(app, in: &engine) }
        wokenApps.removeAll(keepingCapacity: true)
    }

    private mutating func release(_ app: AppID, in engine: inout PhoneEngine) {
        let now = engine.now
        guard let sent = gate.release(app, inForeground: app == foreground, at: now) else { return }
        countDelivered(app, delay: now - sent)
        counts.silentDelivered += 1
        counts.silentDelay.add((now - sent).seconds)
        wakeApp(app, for: .silentPush, sent: sent, limit: device.background.pushes.runtime, in: &engine)
    }

    /// A force quit or a kill drops the push that waits.
    mutating func dropHeldPush(of app: AppID, at now: SimTime) {
        guard let sent = gate.drop(app) else { return }
        drop(app, sent: sent, outcome: .cancelled, at: now)
    }

    private mutating func drop(_ app: AppID, sent: SimTime, outcome: RequestOutcome, at now: SimTime) {
        countDrop(app)
        guard tables.contains(.requests) else { return }
        var run = WakeRun()
        run.sent = sent
        run.began = .distantFuture
        writeRow(run, of: app, outcome, at: now)
    }

    // MARK: What an app does for an event

    /// Moves the bytes of an event; the distant future without a network.
    mutating func moveEventBytes(_ app: AppID, _ reason: WakeReason, in engine: inout PhoneEngine) -> SimTime {
        let index = Int(app.index)
        // An app that is told of a finished transfer has nothing to move.
        guard reason != .transferDone else { return engine.now }
        wakes[index].interface = power.interface
        guard let interface = power.interface else { return .distantFuture }
        let isPush = reason == .silentPush
        let down = isPush ? apps[index].refreshBytes : .zero
        let up = isPush ? Self.requestBytes : device.modes.eventBytes
        countBytes(down + up, interface)
        return power.beginTransfer(interface, down: down, up: up, app: app, cause: reason.cause, at: engine.now)
    }

    /// An event is handled: what it told of is on the phone.
    mutating func finishEvent(_ app: AppID, _ reason: WakeReason, in engine: inout PhoneEngine) {
        let index = Int(app.index)
        guard reason == .silentPush else { return }
        // What the last refresh brought was not seen before this fetch.
        if runtime[index].unseenRefresh, app != foreground {
            counts.wastedRefreshes += 1
            runtime[index].unseenRefresh = false
        }
        noteFetched(app, at: engine.now)
    }

    /// Writes the row of a run for an event, among those of the requests.
    mutating func writeRow(_ run: WakeRun, of app: AppID, _ outcome: RequestOutcome, at now: SimTime) {
        guard tables.contains(.requests), let sink else { return }
        var row = RequestRow()
        row.app = app
        row.work = run.reason.work
        row.submitted = run.sent
        row.earliestBegin = run.sent
        row.started = run.began
        row.ended = now
        row.outcome = outcome.name
        row.pluggedIn = run.onPower
        row.network = run.interface.map { $0 == .wifi ? .wifi : .cellular } ?? .none
        if run.began != .distantFuture { row.joules = backgroundEnergy(of: app, at: now) - run.joules }
        sink.write(row)
    }
}
