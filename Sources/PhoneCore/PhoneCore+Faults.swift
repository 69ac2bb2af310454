// SPDX-License-Identifier: GPL-3.0-or-later
import EventKernel
import LifeCycle
import Processes
import Quantities
import RandomStreams
import Vocabulary

/// Faults of apps, and the watchdogs that end faulty apps.
///
/// Source: Apple, "Understanding the exception types in a crash report" and "Addressing watchdog terminations".
extension PhoneCore {
    /// Draws the faults of a visit; every open of an app draws the same numbers under every policy.
    package mutating func drawFaults(_ index: Int) {
        let faults = apps[index].faults
        guard faults.arise else { return }
        let crash = lifeStreams[index].exponential(mean: 3600)
        let hang = lifeStreams[index].exponential(mean: 3600)
        let kind = lifeStreams[index].uniform()
        lives[index].leaksTask = lifeStreams[index].uniform() < faults.leaksTask
        lives[index].locksFile = lifeStreams[index].uniform() < faults.holdsLock
        if processes.isAlive(AppID(index)) { lives[index].clock.holdsLock = lives[index].locksFile }
        lives[index].crash = faults.crash(at: kind)
        // Time on screen until each fault, in hours; infinite if its rate is zero. The earlier fault occurs.
        let toCrash = crash / faults.crashesPerHour
        let toHang = hang / faults.hangsPerHour
        let first = min(toCrash, toHang)
        lives[index].fault = first.isFinite ? (toCrash <= toHang ? .crash : .hang) : .none
        lives[index].faultAt = .distantFuture
        lives[index].faultDelay = first.isFinite ? .seconds(first) : .zero
    }

    /// Arms the drawn fault when the app becomes active.
    package mutating func armFault(_ app: AppID) {
        let index = Int(app.index)
        lives[index].clock.becameActive(at: now, device.os.lifeCycle)
        if lives[index].clock.isHung { return armClock(of: app) }
        if apps[index].declares.registersLate {
            (lives[index].fault, lives[index].crash, lives[index].faultAt) = (.crash, .abnormal, now)
        }
        guard lives[index].fault != .none else { return }
        if lives[index].faultAt == .distantFuture {
            lives[index].faultAt = now + lives[index].faultDelay
        }
        let time = max(now, lives[index].faultAt)
        engine.schedule(Slots.app(app, .lifeCycle), at: time, class: EventClass.lifeCycle)
    }

    /// Crashes an app on screen, makes it stop answering, or ends it by the watchdog.
    package mutating func faultTimer(_ app: AppID) {
        let index = Int(app.index)
        let fault = lives[index].fault
        lives[index].fault = .none
        if case .exits(let category) = askClock(of: app) {
            crash(app, category)
        } else if fault == .crash {
            crash(app, lives[index].crash)
        } else if fault == .hang {
            lives[index].clock.hang(at: now, device.os.lifeCycle)
            armClock(of: app)
        }
    }

    /// Time of a launch or a resume, limited by the watchdog.
    package mutating func allowed(_ wait: SimDuration, _ kind: LaunchKind, _ app: AppID) -> SimDuration {
        let index = Int(app.index)
        lives[index].clock.holdsLock = lives[index].locksFile
        return lives[index].clock.comeToForeground(
            after: wait, isLaunch: kind != .resume, at: now, device.os.lifeCycle)
    }
}
