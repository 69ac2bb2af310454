// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import EventKernel
import LifeCycle
import Measures
import PhoneCore
import Power
import Processes
import Quantities
import Vocabulary
import Workload

/// The session around the visits: unlocking, locking, interruptions, the app switcher.
extension Visits {
    /// Unlocks the phone that the user picks up.
    package func unlock(_ core: inout PhoneCore) {
        guard !core.power.isDead, core.conditions.locked else { return }
        let now = core.now
        core.conditions.locked = false
        core.unlockedSince = now
        core.book.hourShares.locked.set(0, at: now)
        core.conditions.screenOn = true
        core.background.noteScreen(on: true, at: now)
        core.book.screenSince = now
        core.holdHerd(since: core.conditions.lockedSince)
        core.power.holdAwake(app: .system, cause: .foreground, at: now)
        // Work that woke the phone is charged for the wake-up but not for the session.
        core.power.payForAwake(app: .system, cause: .foreground, at: now)
        core.showDisplay(for: .system)
        core.followSurroundings()
        core.post(.unlocked)
        core.raise(.unlocked)
    }

    /// Locks the phone on the user's request; the user thus leaves the foreground app.
    package func wantLock(_ core: inout PhoneCore) {
        guard !core.conditions.locked else { return }
        let app = core.front.app
        if app != .system { core.post(.leaving(app)) }
        core.post(.locking(left: app))
    }

    /// Switches the screen off when no app is in the foreground; this also ends the visit to an app behind a call.
    package mutating func lock(left: AppID, _ core: inout PhoneCore) {
        let now = core.now
        plannedEnd = now
        core.conditions.locked = true
        core.book.hourShares.locked.set(1, at: now)
        core.conditions.lockedSince = now
        if core.conditions.screenOn { core.book.countScreen(until: now) }
        core.conditions.screenOn = false
        core.background.noteScreen(on: false, at: now)
        if !core.power.isDead {
            core.power.setDisplay(on: false, brightness: 0, app: .system, at: now)
            core.power.releaseAwake(at: now)
            core.payForAwake(left: left)
        }
        core.followSurroundings()
        core.raise(.locked)
    }

    /// Makes the foreground app inactive for some time because of a banner, a call or the control centre.
    ///
    /// The app never goes to the background.
    package func interrupt(for length: SimDuration, _ core: inout PhoneCore) {
        let app = core.front.app
        guard app != .system, core.processes.state(of: app) == .active else { return }
        core.resignActive(app, window: core.lives[Int(app.index)].window)
        core.record(.resignActive, app, from: .active, to: .inactive)
        core.lives[Int(app.index)].clock.interrupt(
            for: max(length, .second), at: core.now, core.device.os.lifeCycle)
        core.armClock(of: app)
    }

    /// Returns to the app that a call sent to the background, if its visit has not reached its planned end.
    package func backFromCall(_ app: AppID, _ core: inout PhoneCore) {
        guard !core.power.isDead, !core.conditions.locked, core.front.app == .system, wantsBack(app, core.now) else {
            return
        }
        core.post(.comingToFront(app))
    }

    /// Force-quits an app that the user swipes away, after the user has left it.
    package mutating func wantForceQuit(_ app: AppID, _ core: inout PhoneCore) {
        guard app.index >= 0, !core.power.isDead else { return }
        // The user does not return to the app after a call.
        if wantsBack(app, core.now) { plannedEnd = core.now }
        core.bound.forceQuit(app)
        if core.front.app == app { core.post(.leaving(app)) }
        core.post(.forceQuit(app))
    }

    /// Ends the process of an app.
    ///
    /// The saved state of its windows is lost, unless the system restores state after a force quit.
    package func forceQuit(_ app: AppID, _ core: inout PhoneCore) {
        guard core.processes.isAlive(app) else { return }
        core.exit(app, .normal)
        if !core.device.os.lifeCycle.restoresAfterForceQuit { core.lives[Int(app.index)].state = .lost }
    }
}
