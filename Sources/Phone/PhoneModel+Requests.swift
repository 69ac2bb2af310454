import Background
import EventKernel
import Power
import Processes
import Quantities
import RandomStreams
import Vocabulary

extension PhoneModel {
    /// The app asks for its next refresh, a period from now at the earliest.
    mutating func submitRefresh(_ app: AppID, in engine: inout PhoneEngine) {
        let period = apps[Int(app.index)].refreshPeriod * fetchStretch[Int(app.index)]
        countSubmission(of: app)
        let answer = requests.submit(
            app, .refresh, earliestBegin: engine.now + period, requiresPower: false, requiresNetwork: true,
            at: engine.now)
        follow(answer, app, .refresh, in: &engine)
    }

    /// The app has work for a processing task, and draws when it will have the next; it can ask only while it runs.
    mutating func wantProcessing(_ app: AppID, in engine: inout PhoneEngine) {
        scheduleProcessing(app, in: &engine)
        runtime[Int(app.index)].wantsTask = true
        if processes.state(of: app).executes { submitProcessing(app, in: &engine) }
    }

    /// An app that runs asks for the processing task it has work for.
    mutating func submitProcessing(_ app: AppID, in engine: inout PhoneEngine) {
        let index = Int(app.index)
        guard runtime[index].wantsTask else { return }
        runtime[index].wantsTask = false
        submitTask(app, earliestBegin: engine.now, in: &engine)
    }

    /// An app whose processing tasks follow one another asks for the next, unless something is pending.
    mutating func submitPeriodicProcessing(_ app: AppID, in engine: inout PhoneEngine) {
        let index = Int(app.index)
        guard apps[index].processingPeriod > .zero, !requests.isPending(app, .processing) else { return }
        submitTask(app, earliestBegin: engine.now + apps[index].processingPeriod, in: &engine)
    }

    private mutating func submitTask(_ app: AppID, earliestBegin: SimTime, in engine: inout PhoneEngine) {
        let index = Int(app.index)
        var options = RequestOptions()
        options.isHealthResearch = apps[index].healthResearch
        countSubmission(of: app)
        let answer = requests.submit(
            app, .processing, earliestBegin: earliestBegin, requiresPower: apps[index].processingNeedsPower,
            requiresNetwork: apps[index].processingNeedsNetwork, options: options, at: engine.now)
        follow(answer, app, .processing, in: &engine)
    }

    mutating func scheduleProcessing(_ app: AppID, in engine: inout PhoneEngine) {
        let index = Int(app.index)
        guard apps[index].processingPerDay > 0 else { return }
        let gap = SimDuration.days(taskStreams[index].exponential(mean: 1 / apps[index].processingPerDay))
        engine.schedule(Slots.app(app, .wantProcessing), after: gap, class: EventClass.request)
    }

    /// Looks at a pending request: it starts, or waits for an instant or for a change.
    mutating func consider(_ app: AppID, _ kind: RequestKind, in engine: inout PhoneEngine) {
        guard !power.isDead else { return }
        refreshConditions(at: engine.now)
        let likelihood = predictor.openLikelihood(app, at: engine.now)
        let explained = tables.contains(.decisions) ? explain(app, kind, likelihood, at: engine.now) : nil
        let answer = requests.decide(
            app, kind, device: conditions, openLikelihood: likelihood, isForeground: app == foreground, at: engine.now)
        if let explained { recordDecision(answer, app, kind, explained, likelihood, at: engine.now) }
        follow(answer, app, kind, in: &engine)
    }

    /// Does what the answer says: start, keep a timer, or nothing.
    mutating func follow(
        _ answer: RequestAnswer, _ app: AppID, _ kind: RequestKind, in engine: inout PhoneEngine
    ) {
        let timer = Slots.app(app, kind == .refresh ? .refresh : .processing)
        switch answer.action {
        case .start:
            engine.cancel(timer)
            startWork(app, kind, in: &engine)
        case .wait:
            // Only alarms ring at the very instant of the floor.
            let wake = answer.reason == .system(.earliestBegin) ? answer.wakeAt + notice(of: app) : answer.wakeAt
            engine.schedule(timer, at: max(wake, engine.now), class: EventClass.request)
        case .expired:
            engine.cancel(timer)
            // A chain of refreshes ends here: the app asks again when the user opens it next.
            if kind == .processing { counts.processingEnded += 1 }
        case .nothing:
            engine.cancel(timer)
        case .refused:
            recordRefusal(answer.reason, app, kind, at: engine.now)
        }
    }

    /// A submission was refused: a row of its own, since no request came of it.
    private func recordRefusal(_ reason: RequestReason, _ app: AppID, _ kind: RequestKind, at now: SimTime) {
        guard tables.contains(.requests), let sink else { return }
        var row = RequestRow()
        row.app = app
        row.work = BackgroundWork(kind)
        row.submitted = now
        row.earliestBegin = now
        row.ended = now
        row.outcome = "refused"
        row.error = reason.error?.rawValue ?? ""
        sink.write(row)
    }

    /// Counts a submission, for the app's day.
    mutating func countSubmission(of app: AppID) {
        if tables.contains(.appDays) { dayRows[Int(app.index)].submissions += 1 }
    }

    /// Counts how a run of background work ended, for the app's day.
    mutating func countEnd(of app: AppID, _ outcome: RequestOutcome) {
        guard tables.contains(.appDays) else { return }
        if outcome == .expired { dayRows[Int(app.index)].expirations += 1 }
        if outcome == .failed { dayRows[Int(app.index)].failures += 1 }
    }

    private mutating func notice(of app: AppID) -> SimDuration {
        guard device.background.notice > .zero, !requests.ringsAtFloor else { return .zero }
        return .seconds(notices[Int(app.index)].exponential(mean: device.background.notice.seconds))
    }

    /// Considers again every request that waits for this change.
    mutating func wake(_ change: ConditionChanges, in engine: inout PhoneEngine) {
        guard !power.isDead else { return }
        while let (app, kind) = requests.popWaiter(change) { consider(app, kind, in: &engine) }
    }

    /// Settles the request of work that ended, and counts it.
    mutating func finishRequest(
        _ app: AppID, _ kind: RequestKind, _ outcome: RequestOutcome, foundNew: Bool, at now: SimTime
    ) {
        let index = Int(app.index)
        let interface = runtime[index].workInterface
        let bytes = interface == .cellular ? apps[index].refreshBytes + Self.requestBytes : .zero
        let request = requests.finish(
            app, kind, outcome, foundNewContent: foundNew, cellularBytes: bytes,
            pluggedIn: runtime[index].workOnPower,
            leftOpen: outcome == .expired && leavesOpen(index, at: now), at: now)
        countEnd(of: app, outcome)
        if tables.contains(.appDays), kind == .processing, outcome == .success { dayRows[index].processings += 1 }
        counts.launchesEnded += 1
        if outcome == .expired { counts.launchesExpired += 1 }
        if kind == .processing {
            counts.processingEnded += 1
            if outcome == .success { counts.processingCompleted += 1 }
        }
        guard tables.contains(.requests) else { return }
        var row = RequestRow(request, app, kind, outcome, ended: now)
        row.pluggedIn = runtime[index].workOnPower
        row.network = interface.map { $0 == .wifi ? .wifi : .cellular } ?? .none
        row.foundNew = foundNew
        row.granted = runtime[index].workLimit - request.started
        row.idle = runtime[index].workIdle
        row.lowPower = runtime[index].workInLowPower
        row.cellularBytes = bytes.bytes
        row.wifiBytes = interface == .wifi ? (apps[index].refreshBytes + Self.requestBytes).bytes : 0
        row.resubmitted = kind == .refresh && runtime[index].resubmits
        row.joules = backgroundEnergy(of: app, at: now) - runtime[index].workJoules
        sink?.write(row)
    }

    /// Whether work that expires at its limit is left open: the app has a handler and does not report completion in it.
    func leavesOpen(_ index: Int, at now: SimTime) -> Bool {
        now >= runtime[index].workLimit && !runtime[index].completes && apps[index].handlesExpiration
    }
}

extension PhoneModel {
    /// Writes the rows of requests that ended without running.
    mutating func settleUnrun() {
        if tables.contains(.requests) {
            for request in requests.unrun {
                sink?.write(
                    RequestRow(request.record, request.app, request.kind, request.outcome, ended: request.ended))
            }
        }
        requests.clearUnrun()
    }

    private func explain(
        _ app: AppID, _ kind: RequestKind, _ likelihood: Double, at now: SimTime
    ) -> RequestExplanation? {
        requests.explain(
            app, kind, device: conditions, openLikelihood: likelihood, isForeground: app == foreground, at: now)
    }

    private func recordDecision(
        _ answer: RequestAnswer, _ app: AppID, _ kind: RequestKind, _ explained: RequestExplanation,
        _ likelihood: Double, at now: SimTime
    ) {
        guard let sink else { return }
        var row = DecisionRow()
        row.time = now
        row.app = app
        row.kind = kind
        row.proceed = answer.action == .start
        row.rule = requests.name(of: answer.reason)
        row.score = answer.score
        row.threshold = answer.threshold
        row.reconsider = answer.wakeAt
        row.identifier = explained.record.identifier
        row.submitted = explained.record.submitted
        row.earliestBegin = explained.record.earliestBegin
        row.deadline = explained.record.deadline
        row.openLikelihood = likelihood
        row.responses = explained.responses
        row.wakeOn = requests.waitsFor(app, kind)
        sink.write(row)
    }
}

extension RequestRow {
    /// The row of a request as it ended; what only a run can tell is left out.
    fileprivate init(
        _ request: RequestRecord, _ app: AppID, _ kind: RequestKind, _ outcome: RequestOutcome, ended: SimTime
    ) {
        self.init()
        self.app = app
        work = BackgroundWork(kind)
        self.outcome = outcome.name
        self.ended = ended
        identifier = request.identifier
        submitted = request.submitted
        earliestBegin = request.earliestBegin
        started = request.started
        requiresPower = request.requiresPower
        requiresNetwork = request.requiresNetwork
    }
}
