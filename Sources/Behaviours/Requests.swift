// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import EventKernel
import Measures
import PhoneCore
import Power
import Processes
import Quantities
import RandomStreams
import Vocabulary

extension AppTimer {
    /// Background work reaches its next phase or its limit.
    @inlinable public static var work: AppTimer { AppTimer(1) }
    /// The system checks a pending refresh request again.
    @inlinable public static var refresh: AppTimer { AppTimer(2) }
    /// The system checks a pending processing request again.
    @inlinable public static var processing: AppTimer { AppTimer(3) }
    /// The app has work for its next processing task.
    @inlinable public static var wantProcessing: AppTimer { AppTimer(5) }
}

extension AssertionReason {
    /// One piece of the app's work has ended, and another piece that waited may start.
    static var successor: AssertionReason { AssertionReason(6) }
}

/// Refresh and processing tasks.
///
/// Apps request them, the system decides when each may start, and then they run.
package struct Requests {
    let measures: RequestMeasures
    /// The running work of each app.
    var runs: [WorkRun?]
    /// The parts of the phone that running work uses.
    var parts = PartsInUse()
    /// When the last repeating refresh of each app was due; the distant future before its first.
    private var due: [SimTime]
    /// Assertions that keep apps from being suspended between two pieces of their work.
    var successors: [Assertion] = []
    /// Whether an app has work for a processing task that it has not requested yet.
    private var wantsTask: [Bool]
    /// Identifier of an app's next processing request, as a number.
    private var nextIdentifier: [Int]
    /// Factor that multiplies the time until the next refresh of apps that use the older fetch interface.
    var fetchStretch: [Double]
    /// The longest time without a refresh in each app's last night.
    var nights: [AppNight]
    private var calibration: CalibrationMeter
    var workStreams: [RandomStream]
    private var taskStreams: [RandomStream]
    /// Random streams for the time from a request's earliest begin to its first check.
    private var notices: [RandomStream]

    package init(_ core: borrowing PhoneCore, _ measures: RequestMeasures) {
        self.measures = measures
        let count = core.apps.count
        runs = Array(repeating: nil, count: count)
        due = Array(repeating: .distantFuture, count: count)
        wantsTask = Array(repeating: false, count: count)
        nextIdentifier = Array(repeating: 0, count: count)
        fetchStretch = Array(repeating: 1, count: count)
        nights = Array(repeating: AppNight(), count: count)
        var samples = core.stream("device", "predictions looked at")
        calibration = CalibrationMeter(apps: count, seed: samples.nextBits())
        workStreams = core.streams("background work")
        taskStreams = core.streams("processing requests")
        notices = core.streams("notice")
    }

    /// Submits the first requests of an app.
    ///
    /// An app that crashes at every launch has no requests from earlier days.
    package mutating func start(_ app: AppID, _ core: inout PhoneCore) {
        scheduleProcessing(app, &core)
        let model = core.apps[Int(app.index)]
        if model.refreshes, !model.declares.registersLate { submitRefresh(app, &core) }
    }

    // MARK: Submissions

    /// Requests the app's next refresh, one period from now at the earliest.
    mutating func submitRefresh(_ app: AppID, _ core: inout PhoneCore) {
        // Reads single fields, because a copy of the app would be too expensive.
        let index = Int(app.index)
        let repeats = core.apps[index].refreshRepeats
        let keeps = core.apps[index].refreshKeepsPending || core.device.background.keepsPending
        if keeps || repeats, core.background.isPending(app, .refresh) {
            return
        }
        let period = max(core.apps[index].refreshPeriod * fetchStretch[index], core.device.background.leastPeriod)
        core.book.day(app) { $0.submissions += 1 }
        let begin = repeats ? nextDue(app, period, core) : core.now + period
        let answer = core.background.submit(
            app, .refresh, earliestBegin: begin, requiresPower: false,
            requiresNetwork: core.apps[index].refreshHardware.usesNetwork, at: core.now)
        apply(answer, app, .refresh, &core)
    }

    /// When a repeating refresh is next due.
    ///
    /// This is the first instant after now that is a whole number of periods after the last due time. AOSP's
    /// AlarmManagerService sets a repeating alarm in the same way.
    private mutating func nextDue(_ app: AppID, _ period: SimDuration, _ core: borrowing PhoneCore) -> SimTime {
        let index = Int(app.index)
        if due[index] == .distantFuture {
            var phases = core.stream(core.apps[index].name, "first of repeated refreshes")
            due[index] = core.now + period * phases.uniform()
        } else if due[index] <= core.now {
            let missed = (core.now - due[index]).nanoseconds / period.nanoseconds
            due[index] += SimDuration(nanoseconds: (missed + 1) * period.nanoseconds)
        }
        return due[index]
    }

    /// Records work for a processing task, and draws the time of the next such work.
    ///
    /// The app can request the task only while it runs.
    package mutating func wantProcessing(_ app: AppID, _ core: inout PhoneCore) {
        scheduleProcessing(app, &core)
        wantsTask[Int(app.index)] = true
        if core.processes.state(of: app).executes { submitProcessing(app, &core) }
    }

    /// Records work for a processing task from a push; the app requests the task when it runs.
    package mutating func setOff(_ app: AppID, _ core: inout PhoneCore) {
        wantsTask[Int(app.index)] = true
        if core.processes.state(of: app).executes { submitProcessing(app, &core) }
    }

    /// Requests a processing task for a running app that has work for it.
    package mutating func submitProcessing(_ app: AppID, _ core: inout PhoneCore) {
        guard wantsTask[Int(app.index)] else { return }
        wantsTask[Int(app.index)] = false
        submitTask(app, earliestBegin: core.now, &core)
    }

    /// Requests the next periodic processing task, unless a request is pending.
    mutating func submitPeriodicProcessing(_ app: AppID, _ core: inout PhoneCore) {
        let period = core.apps[Int(app.index)].processingPeriod
        guard period > .zero, !core.background.isPending(app, .processing) else { return }
        submitTask(app, earliestBegin: core.now + period, &core)
    }

    private mutating func submitTask(_ app: AppID, earliestBegin: SimTime, _ core: inout PhoneCore) {
        let index = Int(app.index)
        let earliestBegin = nextHour(of: app, after: earliestBegin, core)
        core.book.day(app) { $0.submissions += 1 }
        let identifier = UInt8(nextIdentifier[index])
        nextIdentifier[index] = (nextIdentifier[index] + 1) % max(1, core.apps[index].declares.processingIdentifiers)
        let answer = core.background.submit(
            app, .processing, identifier: identifier, earliestBegin: earliestBegin,
            requiresPower: core.apps[index].processingNeedsPower,
            requiresNetwork: core.apps[index].processingNeedsNetwork, at: core.now)
        apply(answer, app, .processing, &core)
    }

    /// The next instant of the app's preferred hour of day; the given instant if the app has no preference.
    private func nextHour(of app: AppID, after time: SimTime, _ core: borrowing PhoneCore) -> SimTime {
        let hour = core.apps[Int(app.index)].processingHour
        guard hour >= 0 else { return time }
        let today = SimTime.zero + .days(Double(time.day)) + .hours(hour)
        return today >= time ? today : today + .day
    }

    private mutating func scheduleProcessing(_ app: AppID, _ core: inout PhoneCore) {
        let index = Int(app.index)
        guard core.apps[index].processingPerDay > 0 else { return }
        let gap = SimDuration.days(taskStreams[index].exponential(mean: 1 / core.apps[index].processingPerDay))
        core.engine.schedule(Slots.app(app, .wantProcessing), after: gap, class: EventClass.request)
    }

    /// Submits the next requests of an app that the user left.
    package mutating func appLeft(_ app: AppID, _ core: inout PhoneCore) {
        guard core.processes.isAlive(app), core.processes.state(of: app) == .background else { return }
        submitProcessing(app, &core)
        submitPeriodicProcessing(app, &core)
        if core.apps[Int(app.index)].refreshes { submitRefresh(app, &core) }
    }

    // MARK: Decisions

    /// Checks a pending request: it starts, or waits for an instant or for a change.
    package mutating func consider(_ app: AppID, _ kind: RequestKind, _ core: inout PhoneCore) {
        guard !core.power.isDead else { return }
        core.refreshConditions()
        let now = core.engine.now
        let likelihood = core.predictor.openLikelihood(app, at: now)
        let isInFront = app == core.front.app
        let explained =
            core.book.recordsDecisions
            ? core.background.explain(
                app, kind, device: core.conditions, openLikelihood: likelihood, isForeground: isInFront, at: now)
            : nil
        let answer = core.background.decide(
            app, kind, device: core.conditions, openLikelihood: likelihood, isForeground: isInFront, at: now)
        if let explained {
            core.book.sink?.write(
                DecisionRow(answer, app, kind, explained, likelihood, of: core.background, at: now))
        }
        apply(answer, app, kind, &core)
    }

    /// Applies an answer: starts the work, sets a timer, or does nothing.
    package mutating func apply(
        _ answer: RequestAnswer, _ app: AppID, _ kind: RequestKind, _ core: inout PhoneCore
    ) {
        let timer = Slots.app(app, kind == .refresh ? .refresh : .processing)
        switch answer.action {
        case .start:
            core.engine.cancel(timer)
            startWork(app, kind, runtime: answer.runtime, &core)
        case .wait:
            // Only alarms are checked exactly at the earliest begin.
            var wake = answer.wakeAt
            if case .system(.earliestBegin) = answer.reason { wake += notice(of: app, core) }
            core.engine.schedule(timer, at: max(wake, core.engine.now), class: EventClass.request)
        case .expired:
            // The chain of refreshes ends here; the app requests the next one when the user opens it.
            core.engine.cancel(timer)
        case .nothing:
            core.engine.cancel(timer)
        case .refused:
            guard core.book.recordsRequests else { return }
            core.book.sink?.write(RequestRow(refused: answer.reason, app, kind, at: core.now))
        }
    }

    /// Starts the app's pending request despite rules and policy; returns false if there is none.
    package mutating func grant(_ app: AppID, _ kind: RequestKind, _ core: inout PhoneCore) -> Bool {
        core.refreshConditions()
        guard !core.power.isDead, core.background.grant(app, kind, device: core.conditions) else { return false }
        core.engine.cancel(Slots.app(app, kind == .refresh ? .refresh : .processing))
        startWork(app, kind, runtime: nil, &core)
        return true
    }

    private mutating func notice(of app: AppID, _ core: borrowing PhoneCore) -> SimDuration {
        let mean = core.device.background.notice
        guard mean > .zero, !core.background.ringsAtFloor else { return .zero }
        return .seconds(notices[Int(app.index)].exponential(mean: mean.seconds))
    }

    /// Checks the next request that waits for this change.
    ///
    /// - Returns: Whether a request waited. Call this until it returns false, and handle the consequences after each
    ///   call.
    package mutating func considerNext(_ change: ConditionChanges, _ core: inout PhoneCore) -> Bool {
        guard !core.power.isDead, let (app, kind) = core.background.popWaiter(change) else { return false }
        consider(app, kind, &core)
        return true
    }

    // MARK: Signals of others

    /// Passes an open to the predictor, and to the check of its predictions.
    package mutating func opened(_ app: AppID, _ core: inout PhoneCore) {
        core.predictor.noteOpen(app, at: core.now)
        calibration.noteOpen(app, at: core.now)
    }

    /// Compares predictions with outcomes at the end of an hour.
    package mutating func endHour(_ core: inout PhoneCore) {
        calibration.nextHour(&core.predictor, into: &core.measures, measures.calibration, at: core.now)
    }

    /// Drops the requests of an app that the user swiped away or that the system removed.
    package mutating func forceQuit(_ app: AppID, _ core: inout PhoneCore) {
        core.background.forceQuit(app, at: core.now)
        core.engine.cancel(Slots.app(app, .refresh))
        core.engine.cancel(Slots.app(app, .processing))
    }

    /// Holds launches back for some time after a start of the phone, and schedules the checks of pending requests.
    package mutating func powerBack(_ core: inout PhoneCore) {
        core.conditions.herdUntil = core.now + core.device.background.herdWindow
        for index in core.apps.indices {
            let app = AppID(index)
            apply(core.background.answerAfterBoot(app, .refresh, at: core.now), app, .refresh, &core)
            apply(core.background.answerAfterBoot(app, .processing, at: core.now), app, .processing, &core)
        }
    }

    /// Writes the rows of requests that ended without running.
    package func recordUnrun(_ core: inout PhoneCore) {
        if core.book.recordsRequests {
            for request in core.background.unrun {
                core.book.sink?.write(
                    RequestRow(request.record, request.app, request.kind, request.outcome, ended: request.ended))
            }
        }
        core.background.clearUnrun()
    }
}
