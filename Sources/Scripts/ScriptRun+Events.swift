// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import Processes
import Quantities
import Vocabulary

/// Pushes and background transfers.
extension ScriptRun {
    mutating func actOnEvent(_ app: AppID, _ action: ScriptBackgroundAction) -> ScriptError? {
        let index = Int(app.index)
        switch action {
        case .push(let push): send(push, to: app)
        case .completePush: return complete(app, [.silentPush, .call])
        case .completeTransfer: return complete(app, [.transfer])
        case .completeAlarm: return complete(app, [.alarm])
        case .setAlarm(let due): background.alarms.set(app, due: now + due)
        case .reportCall:
            guard background.events[index].event == .call else { return .notFound }
            background.events[index].endsAt = .distantFuture
            background.events[index].missedCalls = 0
        case .beginTransfer(let size, let isDiscretionary):
            let state = table.state(of: app)
            guard state.executes else { return .invalid }
            background.transfers.add(
                app, down: size, up: .zero, isDiscretionary: isDiscretionary, inBackground: !state.isForeground,
                at: now)
        case .endTransfer: return endTransfer(app)
        case .write(let size, let folder): return write(size, to: folder, app)
        default: break
        }
        return nil
    }

    private mutating func complete(_ app: AppID, _ events: [ScriptEvent]) -> ScriptError? {
        let event = background.events[Int(app.index)].event
        guard event != .none, events.contains(event) else { return .notFound }
        background.events[Int(app.index)].event = .none
        background.events[Int(app.index)].endsAt = .distantFuture
        suspendAfterWork(app)
        return nil
    }

    /// Runs an app for an event; does nothing if the app executes already, unless the event is a call.
    private mutating func run(_ app: AppID, for event: ScriptEvent, _ limit: SimDuration) {
        guard !table.state(of: app).executes || event == .call else { return }
        background.events[Int(app.index)].event = event
        background.events[Int(app.index)].endsAt = now + limit
        run(app)
    }

    /// Ends the time for an event.
    ///
    /// An app that did not report its call is ended unless it is in the foreground (0xbaadca11; Apple, PushKit).
    mutating func endEvent(_ app: AppID) {
        let index = Int(app.index)
        let event = background.events[index].event
        background.events[index].event = .none
        background.events[index].endsAt = .distantFuture
        guard event == .call else { return suspendAfterWork(app) }
        background.events[index].missedCalls += 1
        if !table.state(of: app).isForeground { _ = end(app, .abnormal) }
    }

    /// Rings all alarms that may go off now, because the window of one alarm has ended.
    mutating func ringAlarms() {
        background.device.now = now
        let device = background.device
        let requests = background.requests
        let present = AlarmConditions(
            now: now, pluggedIn: device.pluggedIn, idleUntil: background.requests.idleUntil(device, at: now),
            saver: device.lowPowerMode)
        let rung = background.alarms.ring(present) { requests.standbyBucket(of: $0, at: present.now) }
        for (app, _) in rung {
            background.events[Int(app.index)].alarms += 1
            run(app, for: .alarm, background.requests.parameters.alarms.runtime)
        }
    }

    // MARK: Pushes

    private mutating func send(_ push: ScriptPush, to app: AppID) {
        let index = Int(app.index)
        background.events[index].pushRule = nil
        let pushes = background.requests.parameters.pushes
        let process = script.processes[index]
        let isShown = push == .alert || push == .local
        // A server does not send pushes that the user refuses; Apple's servers do not send without a valid token.
        if isShown && !process.showsNotifications || push != .local && !process.hasToken {
            background.events[index].push = .dropped
            return
        }
        switch push {
        case .local: background.events[index].push = .delivered
        case .alert: background.events[index].push = background.device.network == .none ? .dropped : .delivered
        case .voip:
            let isBanned = background.events[index].missedCalls >= pushes.missesUntilBan
            guard background.device.network != .none, !isBanned else {
                background.events[index].push = .dropped
                return
            }
            background.events[index].push = .delivered
            run(app, for: .call, pushes.callRuntime)
        case .urgent, .urgentShown:
            let bucket = background.requests.standbyBucket(of: app, at: now)
            let passes = pushes.hasUrgent && background.urgent.passes(app, bucket, at: now)
            guard passes, background.device.network != .none else { return send(.silent, to: app) }
            background.urgent.record(app, shown: push == .urgentShown, at: now)
            background.events[index].push = .delivered
            run(app, for: .silentPush, pushes.runtime)
        case .silent:
            if let rule = background.requests.rulingOutPushes(to: app) {
                background.events[index].push = .dropped
                background.events[index].pushRule = rule
                return
            }
            background.events[index].push = .held
            _ = background.gate.hold(app, sent: now)
            considerPush(app)
        }
    }

    /// Delivers the silent push of an app, or records the rule that holds the push.
    mutating func considerPush(_ app: AppID) {
        let index = Int(app.index)
        background.events[index].pushWakeAt = .distantFuture
        background.events[index].pushRule = nil
        guard background.gate.held(for: app) != nil else { return }
        let isForeground = table.state(of: app).isForeground
        if isForeground, background.device.network != .none { return deliver(app, isForeground) }
        let opens = background.gate.opens(for: app, from: now)
        background.device.now = now
        switch background.requests.admitPush(to: app, opens: opens, device: background.device, at: now) {
        case .launch: deliver(app, isForeground)
        case .waitForChange(let rule): background.events[index].pushRule = rule
        case .wait(let until), .waitForWindow(at: let until): background.events[index].pushWakeAt = until
        }
    }

    private mutating func deliver(_ app: AppID, _ isForeground: Bool) {
        _ = background.gate.release(app, inForeground: isForeground, at: now)
        background.events[Int(app.index)].push = .delivered
        if !isForeground { run(app, for: .silentPush, background.requests.parameters.pushes.runtime) }
    }

    /// Drops the waiting silent push after a force quit or a kill.
    mutating func dropHeldPush(of app: AppID) {
        guard background.gate.drop(app) != nil else { return }
        background.events[Int(app.index)].push = .dropped
        background.events[Int(app.index)].pushWakeAt = .distantFuture
    }

    // MARK: Transfers

    /// Ends a transfer: keeps its bytes if there is room, and launches the app for the transfer if the app does not
    /// execute.
    private mutating func endTransfer(_ app: AppID) -> ScriptError? {
        guard background.transfers.isActive(app) else { return .notFound }
        guard mayMove(app) else { return .invalid }
        let fetched = background.transfers.session(of: app).down
        background.transfers.remove(app)
        let answer: ScriptError? = keep(fetched, in: .caches, app) ? nil : .noSpace
        guard !background.requests.isForceQuit(app), !table.state(of: app).executes else { return answer }
        background.transfers.noteLaunch(of: app, at: now)
        run(app, for: .transfer, background.requests.parameters.pushes.runtime)
        return answer
    }

    /// Whether bytes of the app's transfers may move now.
    func mayMove(_ app: AppID) -> Bool {
        guard background.transfers.isActive(app) else { return false }
        let session = background.transfers.session(of: app)
        let rule = background.requests.ruleAgainstTransfer(
            of: app, isDiscretionary: session.isDiscretionary, device: background.device, at: now)
        return session.notBefore <= now && rule == nil
    }
}

extension ScriptRun {
    /// Records that the user opened the app: its background work is over, and the app is no longer restricted.
    mutating func noteOpened(_ app: AppID) {
        let index = Int(app.index)
        background.device.now = now
        background.events[index].event = .none
        background.events[index].endsAt = .distantFuture
        background.events[index].missedCalls = 0
        endWork(app, .refresh, .cancelled)
        endWork(app, .processing, .cancelled)
        background.requests.noteOpened(app, at: now)
        background.transfers.noteForeground(app, at: now)
        considerPush(app)
        background.alarms.reconsider()
        drainChanges()
    }

    /// Records a force quit: the app is not launched until the user opens it again.
    mutating func noteForceQuit(_ app: AppID) {
        background.requests.forceQuit(app, at: now)
        background.collectUnrun()
        for kind in RequestKind.allCases {
            background.work[background.lane(app, kind)].wakeAt = .distantFuture
        }
        background.transfers.remove(app)
        dropHeldPush(of: app)
    }

    /// Answers an expectation about background work.
    func answer(_ check: ScriptBackgroundCheck, _ app: AppID) -> Answer {
        func work(_ kind: RequestKind) -> ScriptWork { background.work[background.lane(app, kind)] }
        let index = Int(app.index)
        let session = background.transfers.session(of: app)
        switch check {
        case .pending(let kind, let count):
            return Answer("pending \(kind) requests", count, background.requests.pendingCount(app, kind), nil)
        case .isRunning(let kind, let wanted):
            return Answer("running state of \(kind)", wanted, background.requests.isRunning(app, kind), nil)
        case .decision(let kind, let wanted):
            let found = ScriptDecision(work(kind).answer.action)
            return Answer("decision on the \(kind) request", wanted.rawValue, found.rawValue)
        case .reason(let kind, let wanted):
            return Answer("reason of the \(kind) request", wanted, work(kind).answer.reason.text().name)
        case .ended(let kind, let wanted):
            let found = work(kind).ended?.name ?? "not ended"
            return Answer("end of the last \(kind) request", wanted.name, found)
        case .push(let wanted): return Answer("push", wanted.rawValue, background.events[index].push.rawValue)
        case .pushReason(let wanted):
            return Answer("reason of the push", wanted, background.events[index].pushRule?.facts.text.name ?? "none")
        case .against(let kind, let wanted):
            let found = rules(against: app, kind)
            return Answer(
                "rules that block the \(kind) request", wanted.joined(separator: " "), found.joined(separator: " "))
        case .pushesLeft(let count):
            return Answer("silent pushes left", count, background.gate.allowance(of: app, at: now), nil)
        case .alarms(let count): return Answer("alarms that went off", count, background.events[index].alarms, nil)
        case .transfers(let count): return Answer("transfers", count, Int(session.count), nil)
        case .isDiscretionary(let wanted):
            return Answer("discretionary state of the transfers", wanted, session.isDiscretionary, nil)
        case .beginsIn(let span):
            let found = max(.zero, session.notBefore - now)
            return Answer("wait of the transfers", "\(span.seconds) s", "\(found.seconds) s")
        case .mayMove(let wanted): return Answer("permission to transfer", wanted, mayMove(app), nil)
        }
    }

    /// Names of the system's rules that forbid starting an app's pending request now.
    private func rules(against app: AppID, _ kind: RequestKind) -> [String] {
        let explained = background.requests.explain(
            app, kind, device: background.device, openLikelihood: 1,
            isForeground: table.state(of: app).isForeground, at: now)
        let sentences = Set((explained?.responses ?? []).map(\.sentence))
        return SystemRule.allCases.map(\.facts.text).filter { sentences.contains($0.sentence) }.map(\.name)
    }
}
