import Background
import EventKernel
import Power
import Processes
import Quantities
import Vocabulary

extension PhoneModel {
    /// Jetsam killed a process: its work and loads end, what was not saved is lost, and an app that the user was
    /// looking at is opened again at once.
    mutating func processDied(
        _ kill: KillRecord, _ candidates: [KillCandidate] = [], in engine: inout PhoneEngine
    ) {
        let app = kill.app
        let index = Int(app.index)
        let now = engine.now
        guard index < apps.count else { return systemProcessDied(kill, candidates, in: &engine) }
        counts.kills += 1
        hourRow.kills += 1
        if tables.contains(.appDays) { dayRows[index].kills += 1 }
        countExit(app, kill.category, inForeground: kill.state.isForeground)
        loseWork(app, wasVisible: kill.state.isForeground, at: now)
        recordKill(kill, candidates, at: now)
        runtime[index].killed = now
        lives[index].end()
        engine.cancel(Slots.app(app, .lifeCycle))
        if runtime[index].phase != .none { endWork(app, .failed, in: &engine) }
        dropRuns(of: app, in: &engine)
        dropHeldPush(of: app, at: now)
        stopLoad(of: app, at: now)
        endContinuing(app, at: now)
        if foreground == app { stopActivity(at: now) }
        releaseAwake(app, at: now)
        if foreground == app, !processes.isAlive(app) { reopen(app, in: &engine) }
    }

    /// A process ends without jetsam: force quit, crash, watchdog, or the phone goes off.
    mutating func exitProcess(_ app: AppID, _ category: ExitCategory, in engine: inout PhoneEngine) {
        let index = Int(app.index)
        let now = engine.now
        guard processes.isAlive(app) else { return }
        let state = processes.state(of: app)
        countExit(app, category, inForeground: state.isForeground)
        loseWork(app, wasVisible: state.isForeground, at: now)
        record(.exit, app, from: state, to: .notRunning, exit: category, at: now)
        processes.terminate(app, category, at: now)
        lives[index].end()
        engine.cancel(Slots.app(app, .lifeCycle))
        if runtime[index].phase != .none { endWork(app, category == .normal ? .cancelled : .failed, in: &engine) }
        dropRuns(of: app, in: &engine)
        stopLoad(of: app, at: now)
        endContinuing(app, at: now)
        if foreground == app { stopActivity(at: now) }
        releaseAwake(app, at: now)
    }

    /// How often the user opens an app again that dies at once; assumption.
    private static var patience: Int { 3 }

    /// An app that died under the user's eyes is opened again; the interruption shows as one more launch.
    mutating func reopen(_ app: AppID, in engine: inout PhoneEngine) {
        let index = Int(app.index)
        engine.cancel(Slots.app(app, .stream))
        endVisit(app, at: engine.now)
        runtime[index].reopens += 1
        guard runtime[index].reopens <= Self.patience else {
            // It does not fit into this phone: the user gives up until the next visit.
            foreground = .system
            engine.cancel(Slots.app(app, .home))
            showDisplay(for: .system, at: engine.now)
            return
        }
        let footprint = min(apps[index].foregroundFootprint, largestFootprint)
        bringUp(app, footprint: footprint, slowness: 1, in: &engine)
    }

    private mutating func countExit(_ app: AppID, _ category: ExitCategory, inForeground: Bool) {
        let inForeground = inForeground && category.existsInForeground
        countDayExit(app, category, inForeground: inForeground)
        if inForeground {
            counts.exitsForeground[Int(category.rawValue)] += 1
        } else {
            counts.exitsBackground[Int(category.rawValue)] += 1
        }
    }

    /// Time in the app since its last save is lost when its process ends before the next one.
    mutating func loseWork(_ app: AppID, wasVisible: Bool, at now: SimTime) {
        let index = Int(app.index)
        let model = apps[index]
        let leftAt = wasVisible ? now : processes.lastForeground(of: app)
        let sinceSave = max(0, (leftAt - runtime[index].lastSave).seconds)
        let period = model.savePeriod.seconds
        let lost = period > 0 ? sinceSave.truncatingRemainder(dividingBy: period) : sinceSave
        runtime[index].lastSave = now
        counts.lostWork += lost
        if tables.contains(.appDays) { dayRows[index].lostSeconds += lost }
        lives[index].state = lost > 0 ? .lost : .saved
    }

    mutating func deliverWarnings() {
        counts.warnings += processes.warnings.count
        for warning in processes.warnings {
            let state = processes.state(of: warning.app)
            if tables.contains(.appDays), Int(warning.app.index) < apps.count {
                dayRows[Int(warning.app.index)].warnings += 1
            }
            record(.memoryWarning, warning.app, from: state, to: state, at: warning.time)
        }
        processes.clearWarnings()
    }
}
