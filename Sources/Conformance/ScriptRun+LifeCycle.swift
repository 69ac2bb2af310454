import Processes
import Quantities
import Scenario
import Vocabulary

/// Apps with windows: the life cycle, its clocks and its watchdogs, by the same rules as in a run of a phone.
extension ScriptRun {
    private var rules: LifeCycleRules { script.profile.lifeCycle }

    /// The app that must be looked at next.
    var nextLife: (app: AppID, time: SimTime)? {
        var result: (app: AppID, time: SimTime)?
        for (index, life) in lives.enumerated() where life.next < (result?.time ?? .distantFuture) {
            result = (AppID(index), life.next)
        }
        return result
    }

    /// What an app with windows does; an illegal move is turned down.
    mutating func act(_ app: AppID, _ action: ScriptLifeAction) -> RequestError? {
        switch action {
        case .open(let window, let takes): return open(app, window, takes)
        case .prewarm, .launchInBackground: return start(app, action)
        case .interrupt(let window):
            guard table.state(ofWindow: window, of: app) == .foregroundActive else { return .invalid }
            table.resignActive(app, window: window, at: now)
        case .endInterruption(let window):
            guard table.state(ofWindow: window, of: app) == .foregroundInactive else { return .invalid }
            table.becomeActive(app, window: window, at: now)
        case .background(let window): return leave(app, window)
        case .close(let window):
            guard isConnected(app, window) else { return .invalid }
            let wasVisible = table.state(of: app).isForeground
            table.close(app, window: window, at: now)
            if wasVisible { wentToBackground(app) }
        case .crash(let category): return end(app, category)
        case .forceQuit: return end(app, .normal)
        case .suspend, .resume: return stop(app, action)
        default: return work(app, action)
        }
        return nil
    }

    private func isConnected(_ app: AppID, _ window: Int) -> Bool {
        switch table.state(ofWindow: window, of: app) {
        case .unattached, .disconnected: false
        case .foregroundActive, .foregroundInactive, .background: true
        }
    }

    private mutating func open(_ app: AppID, _ window: Int, _ takes: SimDuration) -> RequestError? {
        let index = Int(app.index)
        let state = table.state(of: app)
        let isTooLong = !table.isAlive(app) && takes >= rules.launchLimit
        switch state {
        case .notRunning, .prewarmed:
            let footprint = script.processes[index].footprint
            table.launch(app, foreground: true, window: window, footprint: footprint, at: now)
        case .background, .suspended: table.resume(app, foreground: true, window: window, at: now)
        case .inactive, .active:
            switch table.state(ofWindow: window, of: app) {
            case .foregroundActive, .foregroundInactive: return .invalid
            case .unattached, .background, .disconnected: table.show(app, window: window, at: now)
            }
        }
        guard table.isAlive(app) else { return nil }
        cameToForeground(index)
        guard takes > .zero else {
            table.becomeActive(app, window: window, at: now)
            if lives[index].isHung { schedule(index, .watchdog, after: rules.updateLimit) }
            return nil
        }
        schedule(index, .launch(window: window, isTooLong: isTooLong), after: min(takes, rules.launchLimit))
        return nil
    }

    private mutating func start(_ app: AppID, _ action: ScriptLifeAction) -> RequestError? {
        let index = Int(app.index)
        let footprint = script.processes[index].footprint
        if action == .prewarm {
            guard table.state(of: app) == .notRunning else { return .invalid }
            table.prewarm(app, footprint: footprint * 0.3, at: now)
        } else {
            guard table.state(of: app) == .notRunning || table.state(of: app) == .prewarmed else { return .invalid }
            table.launch(app, foreground: false, footprint: footprint, at: now)
        }
        return nil
    }

    private mutating func leave(_ app: AppID, _ window: Int) -> RequestError? {
        switch table.state(ofWindow: window, of: app) {
        case .unattached, .background, .disconnected: return .invalid
        case .foregroundActive: table.resignActive(app, window: window, at: now)
        case .foregroundInactive: break
        }
        table.enterBackground(app, window: window, at: now)
        wentToBackground(app)
        return nil
    }

    private mutating func stop(_ app: AppID, _ action: ScriptLifeAction) -> RequestError? {
        if action == .suspend {
            guard table.state(of: app) == .background else { return .invalid }
            suspend(app)
        } else {
            guard table.state(of: app) == .suspended else { return .invalid }
            table.resume(app, foreground: false, at: now)
        }
        return nil
    }

    private mutating func end(_ app: AppID, _ category: ExitCategory) -> RequestError? {
        guard table.isAlive(app) else { return .notFound }
        table.terminate(app, category, at: now)
        lives[Int(app.index)].end(category)
        return nil
    }

    private mutating func work(_ app: AppID, _ action: ScriptLifeAction) -> RequestError? {
        let index = Int(app.index)
        guard table.state(of: app).executes else { return .invalid }
        switch action {
        case .beginTask: lives[index].tasks += 1
        case .endTask:
            guard lives[index].tasks > 0 else { return .invalid }
            lives[index].tasks -= 1
        case .processor(let load): lives[index].load = load
        case .hang: lives[index].isHung = true
        case .lockFile: lives[index].holdsLock = true
        default: break
        }
        if table.state(of: app) == .background {
            settleBackground(index)
        } else if lives[index].isHung {
            schedule(index, .watchdog, after: rules.updateLimit)
        }
        return nil
    }
}

/// The clocks of the background.
extension ScriptRun {
    private mutating func schedule(_ index: Int, _ wait: ScriptLife.Wait, after span: SimDuration) {
        lives[index].wait = wait
        lives[index].deadline = now + span
    }

    private mutating func cameToForeground(_ index: Int) {
        lives[index].wait = .nothing
        lives[index].deadline = .distantFuture
        lives[index].tasksEnd = .distantFuture
        lives[index].processorLimit = .distantFuture
        _ = lives[index].monitor.use(0, at: now, rules)
    }

    /// Nothing of the app is on screen any more: the clock of its assertions starts.
    private mutating func wentToBackground(_ app: AppID) {
        let index = Int(app.index)
        guard table.state(of: app) == .background else { return }
        lives[index].leftAt = now
        lives[index].tasksEnd = now + script.profile.assertionLength
        settleBackground(index)
    }

    /// What an app in the background waits for.
    private mutating func settleBackground(_ index: Int) {
        lives[index].processorLimit = lives[index].monitor.use(lives[index].load, at: now, rules)
        if lives[index].isHung { return schedule(index, .watchdog, after: rules.updateLimit) }
        if lives[index].tasks > 0 {
            lives[index].wait = .expiration
            lives[index].deadline = max(now, lives[index].tasksEnd)
        } else if lives[index].tasksEnd != .distantFuture {
            lives[index].wait = .suspension
            lives[index].deadline = max(now, lives[index].leftAt + rules.backgroundGrace)
        }
    }

    private mutating func suspend(_ app: AppID) {
        let index = Int(app.index)
        if lives[index].holdsLock {
            _ = end(app, .lockedFile)
            return
        }
        cameToForeground(index)
        lives[index].tasks = 0
        table.suspend(app, at: now)
    }

    /// What an app has waited for happens.
    mutating func passDeadline(of app: AppID) {
        let index = Int(app.index)
        if lives[index].processorLimit <= now {
            _ = end(app, .cpuLimit)
            return
        }
        let wait = lives[index].wait
        lives[index].wait = .nothing
        lives[index].deadline = .distantFuture
        switch wait {
        case .nothing: break
        case .launch(let window, let isTooLong):
            if isTooLong { _ = end(app, .watchdog) } else { table.becomeActive(app, window: window, at: now) }
        case .suspension: suspend(app)
        case .expiration:
            table.noteTaskExpiration(app, at: now)
            if script.processes[index].handlesExpiration {
                suspend(app)
            } else {
                schedule(index, .timeout, after: rules.expirationTime)
            }
        case .timeout: _ = end(app, .taskTimeout)
        case .watchdog: _ = end(app, .watchdog)
        }
    }
}

extension ScriptRun {
    /// Looks at what an expectation says about calls, windows and ends.
    mutating func lifeAnswer(_ check: ScriptCheck, _ app: AppID) -> Answer? {
        let index = Int(app.index)
        switch check {
        case .callbacks(let wanted):
            let found = calls.filter { $0.app == app }.map(\.callback)
            calls.removeAll { $0.app == app }
            return Answer("callbacks", text(wanted), text(found))
        case .calledInOrder(let wanted):
            let found = allCalls.filter { $0.app == app }.map(\.callback)
            var rest = wanted[...]
            for call in found where call == rest.first { rest.removeFirst() }
            return Answer("callbacks so far", text(wanted), text(found), rest.isEmpty)
        case .scenes(let wanted):
            let found = wanted.indices.map { table.state(ofWindow: $0, of: app) }
            return Answer(
                "windows", wanted.map(LifeCycleWords.name).joined(separator: " "),
                found.map(LifeCycleWords.name).joined(separator: " "))
        case .exit(let wanted):
            return Answer("exit", wanted.name, table.isAlive(app) ? "alive" : lives[index].exit?.name ?? "never ran")
        default: return nil
        }
    }

    private func text(_ calls: [AppCallback]) -> String { calls.map(\.rawValue).joined(separator: " ") }
}
