// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import LifeCycle
import Processes
import Quantities
import Vocabulary

/// Refreshes and processing tasks: the table makes the decisions, and the script determines what the app does.
extension ScriptRun {
    /// Carries out an action that concerns an app's background work; returns the error, if any.
    mutating func act(_ app: AppID, _ action: ScriptBackgroundAction) -> ScriptError? {
        defer { drainChanges() }
        background.device.now = now
        switch action {
        case .submit(let kind, let request): return submit(app, kind, request)
        case .cancel(let kind, let identifier):
            guard table.state(of: app).executes else { return .invalid }
            background.requests.cancel(app, kind, identifier: identifier.map { UInt8($0) }, at: now)
            background.collectUnrun()
            if !background.requests.isPending(app, kind) {
                background.work[background.lane(app, kind)].wakeAt = .distantFuture
            }
            return nil
        case .simulateLaunch(let kind):
            guard background.requests.simulateLaunch(app, kind, device: background.device) else { return .notFound }
            startWork(app, kind)
            return nil
        case .simulateExpiration(let kind):
            guard background.requests.isRunning(app, kind) else { return .notFound }
            expireWork(app, kind)
            return nil
        case .complete(let kind, let isSuccess):
            guard background.requests.isRunning(app, kind) else { return .notFound }
            endWork(app, kind, isSuccess ? .success : .failed)
            return nil
        default: return actOnEvent(app, action)
        }
    }

    private mutating func submit(_ app: AppID, _ kind: RequestKind, _ request: ScriptRequest) -> ScriptError? {
        guard table.state(of: app).executes else { return .invalid }
        var options = RequestOptions()
        options.isHealthResearch = request.isHealthResearch
        options.needsUnlockedFiles = request.needsUnlockedFiles
        let answer = background.requests.submit(
            app, kind, identifier: UInt8(request.identifier), earliestBegin: now + request.floor,
            requiresPower: request.requiresPower, requiresNetwork: request.requiresNetwork, options: options, at: now)
        follow(answer, app, kind)
        return answer.reason.error.flatMap { ScriptError(rawValue: "\($0)") }
    }

    private mutating func follow(_ answer: RequestAnswer, _ app: AppID, _ kind: RequestKind) {
        let lane = background.lane(app, kind)
        background.work[lane].answer = answer
        switch answer.action {
        case .wait: background.work[lane].wakeAt = max(now, answer.wakeAt)
        case .nothing, .expired: background.work[lane].wakeAt = .distantFuture
        case .refused: break
        case .start:
            background.work[lane].wakeAt = .distantFuture
            startWork(app, kind)
        }
        background.collectUnrun()
    }

    private mutating func consider(_ app: AppID, _ kind: RequestKind) {
        background.work[background.lane(app, kind)].wakeAt = .distantFuture
        background.device.now = now
        background.device.pressure = table.pressure
        let answer = background.requests.decide(
            app, kind, device: background.device, openLikelihood: 1,
            isForeground: table.state(of: app).isForeground, at: now)
        follow(answer, app, kind)
    }

    /// Launches or resumes the app for its request, as the system does.
    private mutating func startWork(_ app: AppID, _ kind: RequestKind) {
        let lane = background.lane(app, kind)
        background.work[lane].ended = nil
        background.device.runningLaunches += 1
        background.work[lane].endsAt = now + background.requests.runtimeLimit(of: kind)
        run(app)
        watchProcessor(Int(app.index))
        background.raised.insert(.workStarted)
    }

    /// Makes the process run in the background, unless it executes already; new work ends its grace period.
    mutating func run(_ app: AppID) {
        let index = Int(app.index)
        switch table.state(of: app) {
        case .notRunning, .prewarmed:
            table.launch(app, foreground: false, footprint: script.processes[index].footprint, at: now)
            applyLimits(index)
        case .suspended:
            table.resume(app, foreground: false, at: now)
            lives[index].clock.resumeInBackground(at: now, rules)
        case .background, .inactive, .active: break
        }
        collect()
        if table.state(of: app) == .background { lives[index].clock.endGrace(at: now, rules) }
    }

    /// Lets work reach its time limit, and calls the app's expiration handler if there is one.
    ///
    /// A task of an app without a handler counts as complete, without success. A task that its handler does not
    /// complete stays open (Apple, `BGTask.expirationHandler`, `setTaskCompleted(success:)`).
    private mutating func expireWork(_ app: AppID, _ kind: RequestKind) {
        let process = script.processes[Int(app.index)]
        if process.handlesExpiration { table.recordTaskExpiration(app, at: now) }
        endWork(app, kind, .expired, leftOpen: process.handlesExpiration && !process.completesWork)
    }

    /// Ends work, so that it no longer keeps the app running.
    mutating func endWork(_ app: AppID, _ kind: RequestKind, _ outcome: RequestOutcome, leftOpen: Bool = false) {
        guard background.requests.isRunning(app, kind) else { return }
        let lane = background.lane(app, kind)
        background.requests.finish(
            app, kind, outcome, pluggedIn: background.device.pluggedIn, leftOpen: leftOpen, at: now)
        background.work[lane].endsAt = .distantFuture
        background.work[lane].ended = outcome
        background.device.runningLaunches -= 1
        background.raised.insert(.launchEnded)
        watchProcessor(Int(app.index))
        suspendAfterWork(app)
    }

    /// Switches the processor limit off while a task with external power runs (Apple, BGTaskRequest.h).
    mutating func watchProcessor(_ index: Int) {
        let isOff = background.requests.running(AppID(index), .processing)?.requiresPower == true
        lives[index].clock.use(isOff ? 0 : lives[index].load, at: now, rules)
    }

    /// Suspends an app after the end of its work or event, unless other work or another event keeps it running.
    ///
    /// The suspension comes after the grace period. An app with task assertions keeps them for their allowance.
    mutating func suspendAfterWork(_ app: AppID) {
        guard isIdle(app) else { return }
        let goesOn = lives[Int(app.index)].clock.release(
            allowance: script.profile.assertionLength, at: now, rules)
        if !goesOn { suspend(app) }
    }

    /// Whether an app is in the background, and neither work nor an event keeps it running.
    func isIdle(_ app: AppID) -> Bool { table.state(of: app) == .background && !background.holds(app) }

    /// Ends all work and events of a process that is gone.
    mutating func endBackground(_ app: AppID, _ outcome: RequestOutcome) {
        let index = Int(app.index)
        background.events[index].event = .none
        background.events[index].endsAt = .distantFuture
        endWork(app, .refresh, outcome)
        endWork(app, .processing, outcome)
        dropHeldPush(of: app)
    }
}

/// Work that is due by the clock or after a change.
extension ScriptRun {
    /// Handles a due request, work or push of an app.
    mutating func passBackground(of app: AppID) {
        let index = Int(app.index)
        for kind in RequestKind.allCases {
            let lane = background.lane(app, kind)
            if background.work[lane].endsAt <= now { expireWork(app, kind) }
            if background.work[lane].wakeAt <= now { consider(app, kind) }
        }
        if background.events[index].endsAt <= now { endEvent(app) }
        if background.events[index].pushWakeAt <= now { considerPush(app) }
        drainChanges()
    }

    /// Changes the device; requests that waited for the change are considered again.
    mutating func change(_ changes: [ScriptDeviceChange]) {
        background.device.now = now
        for change in changes { apply(change) }
        background.alarms.reconsider()
        drainChanges()
    }

    private mutating func apply(_ change: ScriptDeviceChange) {
        let old = background.device
        switch change {
        case .network(let network):
            background.device.network = network
            if old.network == .none, network != .none { background.raised.insert(.networkAppeared) }
            if old.network != .wifi, network == .wifi { background.raised.insert(.wifiJoined) }
        case .power(let isOn):
            background.device.pluggedIn = isOn
            if isOn { background.raised.insert(.pluggedIn) } else { background.device.unpluggedSince = now }
        case .locked(let isLocked):
            background.device.locked = isLocked
            if isLocked { background.device.lockedSince = now }
            background.raised.insert(isLocked ? .locked : .unlocked)
            turnScreen(on: !isLocked)
        case .screen(let isOn): turnScreen(on: isOn)
        case .battery(let level):
            background.device.batteryLevel = level
            let critical = background.requests.parameters.criticalLevel
            if old.batteryLevel < critical, level >= critical { background.raised.insert(.batteryRecovered) }
        case .lowPowerMode(let isOn):
            background.device.lowPowerMode = isOn
            if old.lowPowerMode, !isOn { background.raised.insert(.lowPowerModeEnded) }
        case .thermal(let level):
            background.device.thermalLevel = UInt8(level)
            if level < old.thermalLevel { background.raised.insert(.cooled) }
        case .camera(let isOn):
            background.device.cameraOn = isOn
            if old.cameraOn, !isOn { background.raised.insert(.cameraStopped) }
        case .restart(let isCrash): startAgain(isCrash: isCrash)
        }
    }

    /// Restarts the phone, which is then locked; requests wait for the first unlock.
    private mutating func startAgain(isCrash: Bool) {
        restart(isCrash: isCrash)
        for change in [ScriptDeviceChange.locked(true), .camera(false)] { apply(change) }
        background.device.herdUntil = now + background.requests.parameters.herdWindow
        for index in script.processes.indices {
            for kind in RequestKind.allCases {
                follow(background.requests.answerAfterBoot(AppID(index), kind, at: now), AppID(index), kind)
            }
        }
    }

    /// Switches the screen on or off; switching it on ends processing (Apple, `BGProcessingTask`).
    private mutating func turnScreen(on isOn: Bool) {
        guard isOn != background.device.screenOn else { return }
        background.device.screenOn = isOn
        background.requests.noteScreen(on: isOn, at: now)
        guard isOn else { return }
        for index in script.processes.indices where background.requests.isRunning(AppID(index), .processing) {
            expireWork(AppID(index), .processing)
        }
    }

    /// Considers all requests that wait for a change that has happened, until no change is left.
    mutating func drainChanges() {
        while let change = background.popRaised() {
            while let (app, kind) = background.requests.popWaiter(change) { consider(app, kind) }
            for index in script.processes.indices { considerPush(AppID(index)) }
        }
        collect()
    }
}
