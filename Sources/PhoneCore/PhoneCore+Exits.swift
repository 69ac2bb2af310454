// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import EventKernel
import Measures
import Power
import Processes
import Quantities
import Structures
import Vocabulary

/// The ends of processes: assertions are released, unsaved work is lost, and behaviours are notified.
extension PhoneCore {
    /// Advances the process table to the present before a process changes, and applies the resulting kills.
    ///
    /// Without this call, a process that ends and starts again in one event would count as ended.
    package mutating func catchUp() {
        processes.age(at: now)
        applyDeaths()
    }

    /// Applies the kills of jetsam that have not been applied yet.
    package mutating func applyDeaths() {
        if !processes.kills.isEmpty, !isApplyingDeaths { applyKills() }
    }

    @inline(never)
    private mutating func applyKills() {
        isApplyingDeaths = true
        var next = 0
        while next < processes.kills.count {
            let kill = processes.kills[next]
            let candidates = processes.killCandidates.isEmpty ? [] : processes.killCandidates[next]
            next += 1
            if Int(kill.app.index) < apps.count { cutSave(of: kill.app) }
            record(kill, candidates)
            measures.add(handles.reasons[Int(kill.reason.rawValue)], of: kill.app)
            if kill.isChosenByPolicy { measures.add(handles.chosen, of: kill.app) }
            if Int(kill.app.index) < apps.count {
                appDied(kill)
            } else {
                measures.add(handles.systemKills)
                liveDaemons -= 1
                ends.append(ProcessEnd(app: kill.app, outcome: .failed, reopens: false, wasKilled: true))
            }
        }
        processes.clearKills()
        isApplyingDeaths = false
    }

    /// Handles a kill of an app by jetsam; if the app was on screen, the user opens it again at once.
    private mutating func appDied(_ kill: KillRecord) {
        measures.add(handles.kills, of: kill.app)
        book.hour.kills += 1
        book.day(kill.app) { $0.kills += 1 }
        countExit(kill.app, kill.category, inForeground: kill.state.isForeground)
        loseWork(kill.app, kill.category, wasVisible: kill.state.isForeground)
        lives[Int(kill.app.index)].killed = now
        tearDown(kill.app, outcome: .failed, wasKilled: true, reopens: front.app == kill.app)
    }

    /// Ends a process without jetsam: after a force quit, a crash or a watchdog, or when the phone goes off.
    package mutating func exit(_ app: AppID, _ category: ExitCategory, reopens: Bool = false) {
        guard processes.isAlive(app) else { return }
        let state = processes.state(of: app)
        countExit(app, category, inForeground: state.isForeground)
        let lost = loseWork(app, category, wasVisible: state.isForeground)
        record(.exit, app, from: state, to: .notRunning, exit: category, lost: lost)
        processes.terminate(app, category, at: now)
        let outcome = category == .normal ? RequestOutcome.cancelled : .failed
        tearDown(app, outcome: outcome, wasKilled: false, reopens: reopens)
    }

    /// Ends a process by a crash or a watchdog; if it was in the foreground, the user opens the app again.
    package mutating func crash(_ app: AppID, _ category: ExitCategory) {
        exit(app, category, reopens: front.app == app)
    }

    /// Removes timers, assertions and loads of a process that ended, and notifies the behaviours.
    private mutating func tearDown(_ app: AppID, outcome: RequestOutcome, wasKilled: Bool, reopens: Bool) {
        let index = Int(app.index)
        lives[index].end()
        engine.cancel(Slots.app(app, .lifeCycle))
        ends.append(ProcessEnd(app: app, outcome: outcome, reopens: reopens, wasKilled: wasKilled))
        endEvent(app, .failed)
        releaseAll(of: app)
        leaveGrace(app)
        if front.app == app {
            stopFrontLoad()
            stopFrontParts()
        }
    }

    private mutating func countExit(_ app: AppID, _ category: ExitCategory, inForeground: Bool) {
        let inForeground = inForeground && category.existsInForeground
        book.countDayExit(app, category, inForeground: inForeground)
        let index = Int(category.rawValue)
        let inFront = inForeground ? handles.exitsForeground[index] : nil
        measures.add(inFront ?? handles.exitsBackground[index], of: app)
    }

    /// Time in the app since its last save, in seconds.
    func unsavedSeconds(of app: AppID, wasVisible: Bool) -> Double {
        let index = Int(app.index)
        let leftAt = wasVisible ? now : processes.lastForeground(of: app)
        let sinceSave = max(0, (leftAt - lives[index].lastSave).seconds)
        let period = apps[index].savePeriod.seconds
        return period > 0 && !lives[index].saveFails ? sinceSave.truncatingRemainder(dividingBy: period) : sinceSave
    }

    /// Records that the time in the app since its last save is lost, because the process ends.
    @discardableResult
    private mutating func loseWork(_ app: AppID, _ category: ExitCategory, wasVisible: Bool) -> Double {
        let index = Int(app.index)
        cutSave(of: app)
        let lost = unsavedSeconds(of: app, wasVisible: wasVisible)
        lives[index].lastSave = now
        measures.add(handles.lostWork, of: app, lost)
        if lost > 0 {
            let cause = LossCause(category, isDead: power.isDead)
            measures.add(handles.lostTo[cause.rawValue], of: app, lost)
        }
        book.day(app) { $0.lostSeconds += lost }
        if lost > 0 { lives[index].state = .lost }
        return lost
    }

    /// Records the memory warnings that apps received.
    package mutating func recordWarnings() {
        for warning in processes.warnings { recordWarning(to: warning.app, trim: warning.trim, at: warning.time) }
        processes.clearWarnings()
    }

    /// Records that a process was notified of memory pressure or of its own limit.
    package mutating func recordWarning(to app: AppID, trim: TrimLevel = .none, at time: SimTime) {
        let state = processes.state(of: app)
        if Int(app.index) < apps.count {
            measures.add(handles.warnings, of: app)
            book.day(app) { $0.warnings += 1 }
        }
        record(.memoryWarning, app, from: state, to: state, trim: trim, at: time)
    }
}
