// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import Disk
import LifeCycle
import Processes
import Quantities
import Vocabulary

/// Life cycle of apps with windows, with its clocks and watchdogs, by the same rules as on a phone.
extension ScriptRun {
    var rules: LifeCycleRules { script.profile.lifeCycle }

    /// The app whose life-cycle clock is due next, with the due time.
    var nextLife: (app: AppID, time: SimTime)? {
        var result: (app: AppID, time: SimTime)?
        for (index, life) in lives.enumerated() where life.clock.deadline < (result?.time ?? .distantFuture) {
            result = (AppID(index), life.clock.deadline)
        }
        return result
    }

    /// Carries out an action of an app with windows, and refuses an illegal one.
    mutating func act(_ app: AppID, _ action: ScriptLifeAction) -> KernelError? {
        switch action {
        case .open(let window, let takes): return open(app, window, takes)
        case .prewarm, .launchInBackground: return start(app, action)
        case .interrupt(let window):
            guard table.state(ofWindow: window, of: app) == .foregroundActive else { return .invalid }
            table.resignActive(app, window: window, at: now)
            lives[Int(app.index)].clock.interrupt(at: now, rules)
        case .endInterruption(let window):
            guard table.state(ofWindow: window, of: app) == .foregroundInactive else { return .invalid }
            becomeActive(app, window)
        case .background(let window): return leave(app, window)
        case .close(let window):
            guard isConnected(app, window) else { return .invalid }
            let wasVisible = table.state(of: app).isForeground
            table.close(app, window: window, at: now)
            if wasVisible { wentToBackground(app) }
        case .crash(let category): return end(app, category)
        case .forceQuit:
            guard table.isAlive(app) else { return .notFound }
            noteForceQuit(app)
            return end(app, .normal)
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

    private mutating func open(_ app: AppID, _ window: Int, _ takes: SimDuration) -> KernelError? {
        let state = table.state(of: app)
        guard disk?.isOffloaded(app) != true else { return .notFound }
        let isLaunch = state == .notRunning || state == .prewarmed
        switch state {
        case .notRunning, .prewarmed:
            let footprint = script.processes[Int(app.index)].footprint
            table.launch(app, foreground: true, window: window, footprint: footprint, at: now)
            applyLimits(Int(app.index))
        case .background, .suspended: table.resume(app, foreground: true, window: window, at: now)
        case .inactive, .active:
            switch table.state(ofWindow: window, of: app) {
            case .foregroundActive, .foregroundInactive: return .invalid
            case .unattached, .background, .disconnected: table.show(app, window: window, at: now)
            }
        }
        guard table.isAlive(app) else { return nil }
        lives[Int(app.index)].window = window
        lives[Int(app.index)].save = .none
        _ = lives[Int(app.index)].clock.comeToForeground(after: takes, isLaunch: isLaunch, at: now, rules)
        if takes == .zero { becomeActive(app, window) }
        noteOpened(app)
        return nil
    }

    private mutating func becomeActive(_ app: AppID, _ window: Int) {
        table.becomeActive(app, window: window, at: now)
        lives[Int(app.index)].clock.becameActive(at: now, rules)
    }

    private mutating func start(_ app: AppID, _ action: ScriptLifeAction) -> KernelError? {
        let index = Int(app.index)
        guard disk?.isOffloaded(app) != true else { return .notFound }
        let footprint = script.processes[index].footprint
        if action == .prewarm {
            guard table.state(of: app) == .notRunning else { return .invalid }
            table.prewarm(app, footprint: footprint * 0.3, at: now)
            applyLimits(index)
        } else {
            guard table.state(of: app) == .notRunning || table.state(of: app) == .prewarmed else { return .invalid }
            table.launch(app, foreground: false, footprint: footprint, at: now)
            applyLimits(index)
        }
        return nil
    }

    private mutating func leave(_ app: AppID, _ window: Int) -> KernelError? {
        switch table.state(ofWindow: window, of: app) {
        case .unattached, .background, .disconnected: return .invalid
        case .foregroundActive: table.resignActive(app, window: window, at: now)
        case .foregroundInactive: break
        }
        table.enterBackground(app, window: window, at: now)
        wentToBackground(app)
        return nil
    }

    private mutating func stop(_ app: AppID, _ action: ScriptLifeAction) -> KernelError? {
        if action == .suspend {
            guard table.state(of: app) == .background else { return .invalid }
            suspend(app)
        } else {
            guard table.state(of: app) == .suspended else { return .invalid }
            table.resume(app, foreground: false, at: now)
            lives[Int(app.index)].clock.resumeInBackground(at: now, rules)
        }
        return nil
    }

    mutating func end(_ app: AppID, _ category: ExitCategory) -> KernelError? {
        guard table.isAlive(app) else { return .notFound }
        table.terminate(app, category, at: now)
        lives[Int(app.index)].end(category, at: now)
        endBackground(app, category == .normal ? .cancelled : .failed)
        return nil
    }

    /// Applies the limits that the script sets for an app, from its launch on.
    mutating func applyLimits(_ index: Int) {
        guard script.processes[index].hasLimits, table.isAlive(AppID(index)) else { return }
        let traits = script.processes[index].traits
        _ = table.setLimits(
            active: traits.activeLimit, inactive: traits.inactiveLimit, of: AppID(index), at: now)
    }

    private mutating func work(_ app: AppID, _ action: ScriptLifeAction) -> KernelError? {
        let index = Int(app.index)
        guard table.state(of: app).executes else { return .invalid }
        switch action {
        case .beginTask: lives[index].clock.beginTask()
        case .endTask:
            guard lives[index].clock.endTask(at: now) else { return .invalid }
            becomeCached(app)
        case .processor(let load):
            lives[index].load = load
            watchProcessor(index)
        case .hang: lives[index].clock.hang(at: now, rules)
        case .lockFile: lives[index].clock.holdsLock = true
        default: break
        }
        return nil
    }
}

/// Moves to the background, suspensions, restarts and deadlines.
extension ScriptRun {
    /// Starts the clock of an app's assertions when none of its windows is on screen any more.
    private mutating func wentToBackground(_ app: AppID) {
        guard table.state(of: app) == .background else { return }
        if rules.previousTime > .zero, let last = previousApp, last != app {
            lives[Int(last.index)].clock.isNotPreviousNow(at: now, rules)
        }
        previousApp = app
        let saves = script.processes[Int(app.index)].saves
        if saves > .zero { lives[Int(app.index)].save = LongSave(began: now, length: saves) }
        lives[Int(app.index)].clock.startGrace(allowance: script.profile.assertionLength, at: now, rules)
        becomeCached(app)
    }

    /// Turns an idle Android app into a cached app, which dies before working apps.
    private mutating func becomeCached(_ app: AppID) {
        guard script.profile.family == .android, isIdle(app), !lives[Int(app.index)].clock.holdsTask else { return }
        table.setBand(of: app, to: script.profile.justLeftBand, at: now)
    }

    mutating func suspend(_ app: AppID) {
        if case .exits(let category) = lives[Int(app.index)].clock.suspend(at: now, rules) {
            _ = end(app, category)
        } else {
            lives[Int(app.index)].cutSave(at: now)
            table.suspend(app, at: now)
        }
    }

    /// Restarts the device.
    ///
    /// An orderly restart first leaves the app on screen and notifies all apps; a crash of the system does neither.
    mutating func restart(isCrash: Bool) {
        for index in script.processes.indices where table.isAlive(AppID(index)) {
            let app = AppID(index)
            for window in 0..<(script.processes[index].windows ?? 0) where !isCrash { _ = leave(app, window) }
            if script.processes[index].windows == nil {
                table.terminate(app, .normal, at: now)
            } else {
                _ = end(app, isCrash ? .abnormal : .normal)
            }
        }
        collect()
    }

    /// Carries out the actions whose time has come for an app.
    mutating func passDeadline(of app: AppID) {
        let index = Int(app.index)
        let handles = script.processes[index].handlesExpiration
        switch lives[index].clock.advance(at: now, handlesExpiration: handles, rules) {
        case .nothing, .workEnds: break
        case .becomesActive: table.becomeActive(app, window: lives[index].window, at: now)
        case .taskExpires(let isHandled):
            table.recordTaskExpiration(app, at: now)
            if isHandled, isIdle(app) { suspend(app) }
        case .suspends: if isIdle(app) { suspend(app) }
        case .exits(let category): _ = end(app, category)
        }
    }
}

extension ScriptRun {
    /// Answers an expectation about calls, windows and ends.
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
            let windows = script.processes[index].windows ?? 0
            let found = (0..<windows).map { table.state(ofWindow: $0, of: app) }
            return Answer(
                "windows", wanted.map(LifeCycleWords.name).joined(separator: " "),
                found.map(LifeCycleWords.name).joined(separator: " "))
        case .saved(let low, let high):
            let life = lives[index]
            return Answer("saved share", low, high, life.save.goesOn ? life.save.doneShare(at: now) : life.saved)
        case .exit(let wanted):
            return Answer("exit", wanted.name, table.isAlive(app) ? "alive" : lives[index].exit?.name ?? "never ran")
        case .background(let check): return answer(check, app)
        case .disk(let check): return answer(check, app)
        default: return nil
        }
    }

    private func text(_ calls: [AppCallback]) -> String { calls.map(\.rawValue).joined(separator: " ") }
}
