// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import EventKernel
import LifeCycle
import Measures
import PhoneCore
import Platform
import Power
import Processes
import Quantities
import RandomStreams
import Vocabulary
import Workload

extension AppTimer {
    /// The app on screen moves its next piece of data.
    @inlinable public static var stream: AppTimer { AppTimer(6) }
    /// The app on screen has grown or leaked memory.
    @inlinable public static var growth: AppTimer { AppTimer(23) }
    /// The visit of the app reaches its planned end, and the user goes to the home screen.
    @inlinable public static var home: AppTimer { AppTimer(7) }
}

/// The user's actions: unlocks, opens, leaving apps and swiping them away.
package struct Visits {
    /// Number of times that the user reopens an app that ends at once; assumption.
    private static let patience = 3
    /// Waiting time from which an open counts as slow (AppFlow, arXiv 2603.17259).
    private static let slowFrom = SimDuration.second
    let measures: Measures
    /// An open with the properties that behaviours draw for it.
    private struct Opening {
        var intent: Intent
        var size = 1.0
        var slowness = 1.0
        var rate = 1.0
        /// Whether the launch waits for a request that gets no answer.
        var stalls = false
    }
    private var opening: Opening?
    /// Whether the present launch waits for a request that gets no answer.
    var stallsLaunch: Bool { opening?.stalls ?? false }
    /// When the present visit began.
    private var began = SimTime.zero
    /// Number of times that the foreground app ended and was opened again within its visit.
    private var reopens = 0
    /// When the work of the previous app ends; this work delays the next screen.
    var resignsUntil = SimTime.zero
    private var forecast: OpenForecast?
    /// Random streams of users who give up an app after lost work; empty if users never give up.
    var patienceStreams: [RandomStream] = []
    /// Planned end of the visit, set by the caller of `wantOpen`; the distant future if another open ends the visit.
    var plannedEnd = SimTime.distantFuture

    package init(_ core: inout PhoneCore, _ measures: Measures) {
        self.measures = measures
        if core.specification.persona.givesUpAfterLoss > 0 { patienceStreams = core.streams("giving-up") }
        // An open at time zero is in the future.
        if core.readsFuture { readFuture(after: SimTime(nanoseconds: -1), &core) }
    }

    /// Passes each app's next open after an instant to processes and requests, now and at later opens.
    package mutating func readFuture(after time: SimTime, _ core: inout PhoneCore) {
        forecast = OpenForecast(of: core.specification.workload, apps: core.apps.count)
        for index in core.apps.indices { tellNextOpen(of: AppID(index), after: time, &core) }
    }

    /// Passes an app's next open after an instant to processes and requests, if the policy may know it.
    private mutating func tellNextOpen(of app: AppID, after time: SimTime, _ core: inout PhoneCore) {
        guard let next = forecast?.next(of: app, after: time) else { return }
        core.setNextOpen(of: app, to: next)
        core.background.setNextOpen(of: app, to: next)
    }

    // MARK: Opening

    /// Draws the properties of a visit before its open, so that the k-th open of an app is the same in every run.
    package mutating func wantOpen(_ intent: Intent, plannedEnd: SimTime, _ core: inout PhoneCore) {
        let index = Int(intent.app.index)
        var next = Opening(intent: intent)
        next.size = exp(core.apps[index].footprintSigma * core.visitStreams[index].normal())
        next.slowness = exp(core.apps[index].launchSigma * core.visitStreams[index].normal())
        next.rate = core.rateFactor(core.visitStreams[index].normal())
        if core.apps[index].launchRequest > .zero {
            next.stalls = core.visitStreams[index].uniform() < core.apps[index].launchRequestStalls
        }
        opening = next
        self.plannedEnd = plannedEnd
        core.post(.opening(intent.app))
        core.post(.open(intent.app))
    }

    /// Draws the window and the faults of a visit.
    package mutating func drawVisit(_ app: AppID, _ core: inout PhoneCore) {
        core.drawFaults(Int(app.index))
        drawWindow(app, &core)
    }

    /// Draws the window of a visit; all windows that the user keeps are equally probable (assumption).
    private func drawWindow(_ app: AppID, _ core: inout PhoneCore) {
        let index = Int(app.index)
        guard core.device.habits.hasWindows, core.apps[index].windows > 1 else { return }
        let window = Int(core.lifeStreams[index].uniform() * Double(core.apps[index].windows))
        guard core.front.app != app else { return }
        core.lives[index].window = min(window, core.apps[index].windows - 1)
    }

    /// Begins the visit; counts it as missed if the battery is dead, or the app is given up or removed.
    package mutating func open(_ app: AppID, _ core: inout PhoneCore) {
        guard let opening else { return }
        tellNextOpen(of: app, after: opening.intent.time, &core)
        guard !core.power.isDead else { return miss(app, &core) }
        // The phone was revived in the middle of a session, which its shutdown had locked.
        if core.conditions.locked { unlock(&core) }
        if core.front.app == app { return }
        guard !core.lives[Int(app.index)].isGivenUp, core.isInstalled(app) else { return miss(app, &core) }
        if core.front.app != .system { core.post(.leaving(core.front.app)) }
        core.post(.comingToFront(app))
    }

    /// Whether the visit to an interrupted app has not reached its planned end.
    func wantsBack(_ app: AppID, _ now: SimTime) -> Bool { opening?.intent.app == app && now < plannedEnd }

    /// Ends an app's background activity and brings the app to the front by a resume or a launch.
    package mutating func comeToFront(_ app: AppID, _ core: inout PhoneCore) {
        guard let opening else { return }
        core.catchUp()
        core.endEvent(app, .success)
        let contentAge = countOpen(app, &core)
        let reason = opening.intent.reason
        // After a call, the user opens the app without another reason.
        self.opening?.intent.reason = .icon
        core.front.app = app
        core.front.rate = opening.rate
        reopens = 0
        let footprint = min(
            core.apps[Int(app.index)].foregroundFootprint * opening.size, Self.largestFootprint(core.device))
        bringUp(app, footprint: footprint, slowness: opening.slowness, contentAge: contentAge, reason, &core)
        if plannedEnd != .distantFuture {
            core.engine.schedule(
                Slots.app(app, .home), at: max(plannedEnd, core.now), class: EventClass.lifeCycle)
        }
        core.background.noteOpened(app, at: core.now)
    }

    /// Counts how current an app's content is; returns the age of the newest missing content in seconds, or NaN.
    private func countOpen(_ app: AppID, _ core: inout PhoneCore) -> Double {
        let index = Int(app.index)
        let now = core.now
        let refreshed = core.content.lastRefresh(of: app)
        let age = core.content.opened(app, at: now)
        let wasKilledLately = now - core.lives[index].killed <= EventRow.regret
        if wasKilledLately, !core.processes.isAlive(app) {
            core.measures.add(measures.regrettedKills, of: app)
        }
        core.lives[index].killed = SimTime(nanoseconds: .min / 2)
        let hasContent = core.apps[index].contentPerDay > 0
        if hasContent {
            core.measures.record(measures.contentAge, of: app, age)
            countCopy(app, &core)
        }
        if core.apps[index].refreshes {
            let since = refreshed == .distantFuture ? .zero : refreshed
            core.measures.add(measures.sinceRefresh, of: app, (now - since).seconds)
            core.measures.add(measures.refreshableOpens, of: app)
        }
        core.book.day(app) { $0.freshnessSecondsSum += age }
        return hasContent ? age : .nan
    }

    /// Resumes or launches the foreground app; it becomes active when its launch time is over.
    private mutating func bringUp(
        _ app: AppID, footprint: ByteCount, slowness: Double, contentAge: Double, _ reason: OpenReason,
        _ core: inout PhoneCore
    ) {
        let index = Int(app.index)
        let now = core.now
        let window = core.lives[index].window
        let old = core.processes.state(of: app)
        let kind: LaunchKind
        let missing = core.processes.missingFiles(of: app)
        if old == .notRunning || old == .prewarmed {
            countRestored(app, &core)
            if old == .prewarmed { countPrewarmed(app, &core) }
            // The user sees the launch even if it kills the app; `processEnded` then opens it again.
            kind = core.launch(app, foreground: true, window: window, footprint: footprint).kind
        } else {
            kind = .resume
            if core.processes.isFrozen(app), old == .suspended { countThaw(app, &core) }
            if core.resume(app, foreground: true, window: window) {
                let kept = Self.furtherWindows(app, core) + core.lives[index].leaked
                // The user sees the app return even if this kills it; `processEnded` then opens it again.
                _ = core.setFootprint(of: app, to: footprint + kept)
            }
        }
        core.lives[index].state = .saved
        let done = old == .prewarmed ? core.apps[index].warmLaunchTime * core.device.prewarm.mainShare : .zero
        var time =
            (core.apps[index].launchTime(kind, missing: missing) - done)
            * (slowness * core.power.processor.launchFactor)
        time += kind == .resume ? core.resumeWait : core.rebuildTime(of: app)
        let busy = time
        if kind != .resume { time += core.front.daemonWait + launchRequestTime(app, &core) }
        core.front.daemonWait = .zero
        let wait = core.allowed(time + resigning(core.now), kind, app)
        count(app, kind, wait, &core)
        core.recordOpen(app, footprint: footprint, slowness: slowness)
        core.measures.add(measures.openedBy[Int(reason.rawValue)], of: app)
        core.record(
            .launch, app, from: old, to: .inactive, kind: kind, openedBy: reason, delay: wait, contentAge: contentAge)
        core.leaveGrace(app)
        began = now
        core.front.isComingUp = true
        core.lives[index].lastSave = now
        core.lives[index].save = .none
        let cause: Cause = kind == .resume ? .foreground : .relaunch
        core.stopFrontLoad()
        // The processor is idle while the launch waits for the network.
        let load = core.power.processor.launchPower * (busy < time ? busy / time : 1)
        core.front.load = core.power.startLoad(.processor, load, app: app, cause: cause, at: now)
        if kind != .resume, missing > 0 {
            let energy = core.device.power.storage.reading(core.apps[index].launchFiles * missing)
            core.power.addEnergy(.storage, energy, app: app, cause: .relaunch, at: now)
        }
        core.showDisplay(for: app)
        core.engine.schedule(Slots.app(app, .lifeCycle), after: wait, class: EventClass.lifeCycle)
    }

    private func count(_ app: AppID, _ kind: LaunchKind, _ wait: SimDuration, _ core: inout PhoneCore) {
        core.measures.record(measures.wait, of: app, wait.seconds)
        if wait > Self.slowFrom { core.measures.add(measures.slow, of: app) }
        switch kind {
        case .resume: core.measures.add(measures.resumes, of: app)
        case .warm: core.measures.add(measures.warm, of: app)
        case .cold: core.measures.add(measures.cold, of: app)
        }
        core.book.hour.opens += 1
        if kind != .resume { core.book.hour.relaunches += 1 }
        core.book.day(app) { row in
            row.opens += 1
            row.waitSeconds += wait.seconds
            switch kind {
            case .resume: row.resumes += 1
            case .warm: row.warm += 1
            case .cold: row.cold += 1
            }
        }
    }

    /// Handles a fault, or the end of a launch, an interruption or the grace time in the background.
    package mutating func lifeCycleTimer(_ app: AppID, _ core: inout PhoneCore) {
        core.catchUp()
        switch core.processes.state(of: app) {
        case .inactive where app == core.front.app:
            if case .exits(let category) = core.askClock(of: app) { return core.crash(app, category) }
            becomeActive(app, &core)
        case .active: core.faultTimer(app)
        case .background: core.graceTimer(app)
        default: break
        }
    }

    private mutating func becomeActive(_ app: AppID, _ core: inout PhoneCore) {
        let index = Int(app.index)
        core.becomeActive(app, window: core.lives[index].window)
        core.record(.becomeActive, app, from: .inactive, to: .active)
        core.armFault(app)
        // After an interruption, the visit continues unchanged.
        guard core.front.isComingUp else { return }
        core.front.isComingUp = false
        core.stopFrontLoad()
        core.front.load = core.power.startLoad(
            .processor, core.foregroundPower(of: app), app: app, cause: .foreground, at: core.now)
        core.startFrontParts(of: app)
        fetch(app, &core)
        core.post(.active(app))
        scheduleGrowth(of: app, &core)
        if core.apps[index].foregroundRate > .zero {
            core.engine.schedule(
                Slots.app(app, .stream), after: core.device.habits.streamPiece, class: EventClass.work)
        }
        if core.conditions.cameraOn { core.wireCamera() }
    }

    /// Fetches new content when an app is opened, if there is a network.
    private func fetch(_ app: AppID, _ core: inout PhoneCore) {
        let index = Int(app.index)
        if core.apps[index].returnRequests > 0 { fetchOnReturn(app, &core) }
        guard core.apps[index].contentPerDay > 0, core.power.interface != nil else { return }
        core.transfer(
            down: core.apps[index].refreshBytes, up: PhoneCore.requestBytes, rateFactor: core.front.rate, app,
            .foreground)
        core.content.fetched(app, at: core.now)
    }

    /// Moves the next piece of the stream of the app on screen.
    ///
    /// The function is mutating so that the call does not copy the visits.
    package mutating func streamTimer(_ app: AppID, _ core: inout PhoneCore) {
        guard app == core.front.app, !core.power.isDead else { return }
        let index = Int(app.index)
        let length = core.device.habits.streamPiece
        let seconds = length.seconds * core.effort(of: app)
        let activity = core.device.power.activities[core.apps[index].activity]
        let sent = activity.sendRate
        core.transfer(
            down: ByteCount(Int64(core.apps[index].foregroundRate.bitsPerSecond / 8 * seconds)),
            up: ByteCount(Int64(sent.bitsPerSecond / 8 * seconds)), rateFactor: core.front.rate,
            listening: length * (core.apps[index].foregroundListening ?? activity.listening), app, .foreground)
        core.engine.schedule(Slots.app(app, .stream), after: length, class: EventClass.work)
    }

    /// Ends a visit at its planned end, at which the user goes to the home screen.
    package func homeTimer(_ app: AppID, _ core: inout PhoneCore) {
        if app == core.front.app { core.post(.leaving(app)) }
    }

    /// Sends the foreground app to the background; the app saves its state if its model requires this.
    package mutating func leave(_ app: AppID, _ core: inout PhoneCore) {
        guard core.front.app == app else { return }
        let index = Int(app.index)
        core.front.app = .system
        core.catchUp()
        endVisit(app, &core)
        core.stopFrontLoad()
        core.stopFrontParts()
        if !core.power.isDead, core.conditions.screenOn { core.showDisplay(for: .system) }
        // The app may already have ended on screen, where there was no memory left, and may now work in the background.
        let state = core.processes.state(of: app)
        guard state == .active || state == .inactive else { return }
        let window = core.lives[index].window
        if state == .active {
            core.resignActive(app, window: window)
            if resign(app, &core) { return core.exit(app, .watchdog) }
        }
        let plays = core.assertions.holds(app, .playback)
        let lives = core.enterBackground(app, window: window, audio: core.assertions.isHeard(app))
        core.record(.enterBackground, app, from: .inactive, to: .background)
        guard lives, core.setFootprint(of: app, to: Self.trimmed(app, core)) else { return }
        if core.apps[index].savesOnBackground, !core.lives[index].saveFails { core.beginSave(of: app) }
        core.lives[index].clock.leaveScreen(at: core.now, core.device.os.lifeCycle)
        if !plays || core.lives[index].clock.isHung {
            core.startGrace(app)
        } else {
            core.engine.cancel(Slots.app(app, .lifeCycle))
        }
    }

    /// Ends a visit and counts its time on screen.
    private func endVisit(_ app: AppID, _ core: inout PhoneCore) {
        core.engine.cancel(Slots.app(app, .stream))
        core.engine.cancel(Slots.app(app, .growth))
        core.engine.cancel(Slots.app(app, .home))
        countVisit(app, &core)
    }

    private func countVisit(_ app: AppID, _ core: inout PhoneCore) {
        let seconds = (core.now - began).seconds
        core.book.day(app) { $0.foregroundSeconds += seconds }
        core.background.noteUse(of: app, from: began, to: core.now)
    }

    /// Reopens an app that ended on screen, which counts as another launch.
    package mutating func processEnded(_ end: ProcessEnd, _ core: inout PhoneCore) {
        let app = end.app
        // A push may have started the app again in the background at this instant.
        guard end.reopens, core.front.app == app, !core.processes.state(of: app).isForeground else { return }
        core.engine.cancel(Slots.app(app, .stream))
        core.engine.cancel(Slots.app(app, .growth))
        countVisit(app, &core)
        reopens += 1
        guard reopens <= Self.patience else {
            // The app does not fit into this phone, so the user gives up until the next visit.
            core.front.app = .system
            core.engine.cancel(Slots.app(app, .home))
            core.showDisplay(for: .system)
            return
        }
        let footprint = min(core.apps[Int(app.index)].foregroundFootprint, Self.largestFootprint(core.device))
        bringUp(app, footprint: footprint, slowness: 1, contentAge: .nan, .restart, &core)
    }

    /// Ends the present visit because the battery is empty.
    package mutating func losePower(_ core: inout PhoneCore) {
        let now = core.now
        if core.front.app != .system { endVisit(core.front.app, &core) }
        core.front.app = .system
        core.front.parts = .none
        core.front.load = .none
        core.conditions.cameraOn = false
        core.wireCamera()
        if core.conditions.screenOn { core.book.countScreen(until: now) }
        core.conditions.screenOn = false
        core.background.noteScreen(on: false, at: now)
        core.conditions.locked = true
        core.book.hourShares.locked.set(1, at: now)
        core.conditions.lockedSince = now
    }
}
