// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import EventKernel
import LifeCycle
import Power
import Processes
import Quantities
import Vocabulary

/// Steps before suspension: grace, task assertions with a shared allowance, expiration handlers, limit of processor
/// time.
extension PhoneCore {
    /// Starts the grace, which lasts about five seconds, or until the work under an assertion ends.
    package mutating func startGrace(_ app: AppID) {
        let index = Int(app.index)
        if device.os.lifeCycle.previousTime > .zero { becomePrevious(app) }
        let works = apps[index].finishesTask && !lives[index].clock.isHung
        stayAwake(for: app, working: works)
        // The assertion is held for the save as well.
        let work = lives[index].save.goesOn ? max(apps[index].finishTime, apps[index].saveTime) : apps[index].finishTime
        if works {
            let load = power.processor.workPower
            lives[index].load = power.startLoad(.processor, load, app: app, cause: .backgroundTask, at: now)
        }
        lives[index].clock.startGrace(
            allowance: device.background.assertionLimit, work: works ? work : nil,
            leaks: lives[index].leaksTask, at: now, device.os.lifeCycle)
        armClock(of: app)
        if !works { becomeCached(app) }
    }

    /// Makes another app the previous app; the grace of the earlier previous app begins.
    private mutating func becomePrevious(_ app: AppID) {
        let last = previousApp
        previousApp = app
        guard last != .system, last != app, lives[Int(last.index)].isInGrace else { return }
        lives[Int(last.index)].clock.isNotPreviousNow(at: now, device.os.lifeCycle)
        armClock(of: last)
    }

    /// Starts a grace; the phone stays awake if the app works or if the system's rules require this.
    private mutating func stayAwake(for app: AppID, working: Bool) {
        let index = Int(app.index)
        lives[index].isInGrace = true
        guard working || device.os.lifeCycle.graceKeepsAwake, !lives[index].holdsAwake else { return }
        power.holdAwake(app: app, cause: .backgroundTask, at: now)
        lives[index].holdsAwake = true
    }

    /// Moves an Android app without work to the cached apps, so that it is killed before working apps.
    private mutating func becomeCached(_ app: AppID) {
        guard device.os.family == .android, !assertions.holdsAny(app) else { return }
        // If this kills the process, its end cancels the app's clocks.
        _ = setBand(of: app, to: device.os.justLeftBand)
    }

    /// Schedules the next check of an app's clocks.
    package mutating func armClock(of app: AppID) {
        engine.schedule(
            Slots.app(app, .lifeCycle), at: lives[Int(app.index)].clock.deadline, class: EventClass.lifeCycle)
    }

    /// Advances an app's clocks to the present, and returns the event that is due, if any.
    package mutating func askClock(of app: AppID) -> LifeCycleVerdict {
        lives[Int(app.index)].clock.advance(
            at: now, handlesExpiration: apps[Int(app.index)].faults.handlesExpiration, device.os.lifeCycle)
    }

    /// Handles the next clock event of an app in the background.
    package mutating func graceTimer(_ app: AppID) {
        switch askClock(of: app) {
        case .exits(let category): crash(app, category)
        case .workEnds:
            stopGraceLoad(of: app)
            if !device.os.lifeCycle.graceKeepsAwake { letSleep(app) }
            becomeCached(app)
            armClock(of: app)
        case .taskExpires(let isHandled):
            processes.recordTaskExpiration(app, at: now)
            if isHandled { endGrace(app) } else { armClock(of: app) }
        case .suspends: endGrace(app)
        case .becomesActive, .nothing: armClock(of: app)
        }
    }

    /// Ends a grace: the app is suspended unless an assertion keeps it running.
    private mutating func endGrace(_ app: AppID) {
        lives[Int(app.index)].clock.endGrace(at: now, device.os.lifeCycle)
        leaveGrace(app)
        if isIdle(app) { suspend(app) }
    }

    /// Handles the release of an app's last assertion: the app is suspended after the system's grace after work.
    mutating func suspendAfterWork(_ app: AppID) {
        guard isIdle(app) else { return }
        let goesOn = lives[Int(app.index)].clock.release(
            allowance: device.background.assertionLimit, at: now, device.os.lifeCycle)
        guard goesOn else { return suspend(app) }
        stayAwake(for: app, working: false)
        becomeCached(app)
        armClock(of: app)
    }

    private mutating func stopGraceLoad(of app: AppID) {
        power.stopLoad(lives[Int(app.index)].load, at: now)
        lives[Int(app.index)].load = .none
    }

    /// Ends an app's grace because the app has another reason to run, is on screen again, or has ended.
    package mutating func leaveGrace(_ app: AppID) {
        stopGraceLoad(of: app)
        lives[Int(app.index)].isInGrace = false
        letSleep(app)
    }

    private mutating func letSleep(_ app: AppID) {
        guard lives[Int(app.index)].holdsAwake else { return }
        lives[Int(app.index)].holdsAwake = false
        power.releaseAwake(at: now)
    }

    /// Whether an app in the background has neither an assertion nor a grace.
    @inline(__always)
    private func isIdle(_ app: AppID) -> Bool {
        processes.isAlive(app) && processes.state(of: app) == .background && !lives[Int(app.index)].isInGrace
            && !assertions.holdsAny(app)
    }

    /// Suspends an app without assertions.
    @inline(never)
    private mutating func suspend(_ app: AppID) {
        // An app that holds a lock on a shared file is killed when it is suspended (0xdead10cc).
        let verdict = lives[Int(app.index)].clock.suspend(at: now, device.os.lifeCycle)
        if case .exits(let category) = verdict { return crash(app, category) }
        cutSave(of: app)
        processes.suspend(app, at: now)
        record(.suspend, app, from: .background, to: .suspended)
    }

    /// Sets the number of processors that an app's background work keeps busy from now on.
    package mutating func watchProcessor(of app: AppID, load: Double) {
        lives[Int(app.index)].clock.use(load, at: now, device.os.lifeCycle)
    }
}
