// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import EventKernel
import Measures
import Power
import Processes
import Quantities
import Vocabulary

/// Work that an app does when the system runs it for an event.
package struct EventPlan: BitwiseCopyable {
    /// Name of the work in the table of requests.
    package var work: BackgroundWork
    /// Cause to which the energy is charged.
    package var cause: Cause
    /// When the push or other trigger was sent.
    package var sent: SimTime
    /// Time limit of the run.
    package var limit: SimDuration
    /// Processor time, in seconds of the reference core.
    package var processorTime = SimDuration.zero
    /// Time for which the app waits for its server, in addition to processor time.
    package var wait = SimDuration.zero
    /// Bytes moved over the network.
    package var down = ByteCount.zero
    package var up = ByteCount.zero
    /// Whether the app has fetched all new content at the end of the run.
    package var fetches = false
    /// Whether the app only has to report a call when it runs.
    package var reportsCall = false

    package init(_ work: BackgroundWork, cause: Cause, sent: SimTime, limit: SimDuration) {
        self.work = work
        self.cause = cause
        self.sent = sent
        self.limit = limit
    }
}

/// A short run of an app for an event: the system launches or resumes the app, and suspends it at the end.
struct EventRun: BitwiseCopyable {
    enum Stage: UInt8, BitwiseCopyable {
        /// The process is being launched.
        case launching
        /// The app computes and waits for its server.
        case computing
        /// The app moves its bytes.
        case transferring
    }

    var stage = Stage.launching
    var plan: EventPlan
    var began: SimTime
    /// Latest time at which the system ends the run.
    var limit = SimTime.distantFuture
    var assertion = Assertion.none
    /// Radio over which the run moved its bytes.
    var interface: Interface?
    /// Bytes moved.
    var moved = ByteCount.zero
    /// State of the phone at the start of the run.
    var start: WorkStart
}

/// The present runs for events, by app.
package struct EventRuns {
    var runs: [EventRun?]

    init(apps: Int) { runs = Array(repeating: nil, count: apps) }
}

extension PhoneCore {
    /// Runs an app for an event; an app that executes handles the event at once, and other apps are launched or
    /// resumed.
    package mutating func run(_ app: AppID, for plan: EventPlan) {
        catchUp()
        var run = EventRun(plan: plan, began: now, start: workStart(of: app))
        bound.work(app)
        guard !processes.state(of: app).executes else { return handle(app, run) }
        let launch = bringUp(app)
        recordEventLaunch(app, launch)
        run.limit = now + plan.limit
        run.assertion = acquire(
            app, .event, AssertionLoad(cause: plan.cause, processor: launchLoad))
        eventRuns.runs[Int(app.index)] = run
        engine.schedule(Slots.app(app, .event), at: min(now + launch.delay, run.limit), class: EventClass.work)
    }

    /// Lets an app that already executes handle an event in addition to its other work.
    private mutating func handle(_ app: AppID, _ event: EventRun) {
        guard !event.plan.reportsCall else { return post(.callDelivered(app)) }
        var run = event
        let moved = move(&run, of: app)
        if moved != .distantFuture { finish(run, of: app) }
        writeRow(of: run, app, .success)
    }

    /// Moves a run to its next stage, or ends it at its limit.
    package mutating func eventTimer(_ app: AppID) {
        let index = Int(app.index)
        guard var run = eventRuns.runs[index] else { return }
        guard now < run.limit else { return endEvent(app, .expired) }
        let next: SimTime
        switch run.stage {
        case .launching where run.plan.reportsCall: return post(.callDelivered(app))
        case .launching:
            run.stage = .computing
            post(.executing(app))
            next = now + compute(run)
        case .computing:
            run.stage = .transferring
            stopLoad(of: run.assertion)
            next = move(&run, of: app)
        case .transferring:
            finish(run, of: app)
            return endEvent(app, .success)
        }
        eventRuns.runs[index] = run
        engine.schedule(Slots.app(app, .event), at: min(next, run.limit), class: EventClass.work)
    }

    /// Sets the mean processor load of handling an event; returns the time for computing and waiting.
    private mutating func compute(_ run: EventRun) -> SimDuration {
        let plan = power.processor
        let share = plan.share(of: .event, alongside: assertions.tasks.count)
        let busy = plan.duration(ofWork: run.plan.processorTime) * (plan.workSpeed / share.speed)
        let whole = busy + run.plan.wait
        // A single run without waiting keeps the load of its launch.
        if whole > busy || share.power != plan.workPower || plan.tellsTasksApart {
            setLoad(of: run.assertion, to: share.power * (whole > busy ? busy / whole : 1))
        }
        return whole
    }

    /// Moves the bytes of an event; returns the distant future without a network.
    private mutating func move(_ run: inout EventRun, of app: AppID) -> SimTime {
        let bytes = run.plan.down + run.plan.up
        // An app that is only notified of a completed transfer moves no bytes.
        guard bytes > .zero else { return now }
        run.interface = power.interface
        guard let interface = power.interface else { return .distantFuture }
        run.moved = bytes
        count(bytes, interface, of: app)
        return power.beginTransfer(
            interface, down: run.plan.down, up: run.plan.up, app: app, cause: run.plan.cause, at: now)
    }

    /// Records that an event has been handled and its content fetched.
    private mutating func finish(_ run: EventRun, of app: AppID) {
        guard run.plan.fetches else { return }
        countFetch()
        if content.fetchedByPush(app, isInFront: app == front.app, at: now) {
            measures.add(handles.wastedRefreshes, of: app)
        }
    }

    /// Counts a fetch of content outside a session, unless a radio has stayed on since the last fetch.
    package mutating func countFetch() {
        guard conditions.locked else { return }
        let promotions = Interface.allCases.reduce(0) { $0 + power.promotions($1) }
        let isFirst = lastFetch.time < conditions.lockedSince
        if isFirst || promotions != lastFetch.promotions { measures.add(handles.fetchOccasions) }
        lastFetch = (now, promotions)
    }

    /// Ends a run; the app is suspended at once unless another assertion keeps it running.
    package mutating func endEvent(_ app: AppID, _ outcome: RequestOutcome) {
        let index = Int(app.index)
        guard let run = eventRuns.runs[index] else { return }
        eventRuns.runs[index] = nil
        engine.cancel(Slots.app(app, .event))
        book.countEnd(of: app, outcome)
        writeRow(of: run, app, outcome)
        if run.plan.reportsCall, outcome != .success { post(.callMissed(app)) }
        release(run.assertion)
    }

    /// Ends the work of a VoIP push: its own run, or its work in an app that already executed for another reason.
    package mutating func endCallPush(of app: AppID, _ outcome: RequestOutcome) {
        if eventRuns.runs[Int(app.index)]?.plan.reportsCall == true { return endEvent(app, outcome) }
        let plan = EventPlan(.call, cause: .push, sent: now, limit: .zero)
        book.countEnd(of: app, outcome)
        writeRow(of: EventRun(plan: plan, began: now, start: workStart(of: app)), app, outcome)
        if outcome != .success { post(.callMissed(app)) }
    }

    /// Writes the row of an event for which the app never ran.
    package func recordUnrun(_ plan: EventPlan, of app: AppID, _ outcome: RequestOutcome) {
        writeRow(of: EventRun(plan: plan, began: .distantFuture, start: WorkStart()), app, outcome)
    }

    /// Counts and records a launch or resume of an app for work other than its requests.
    package mutating func recordEventLaunch(_ app: AppID, _ launch: BringUp) {
        record(.launch, app, from: launch.from, to: .background, kind: launch.kind)
        measures.add(handles.eventLaunches, of: app)
        book.hour.backgroundLaunches += 1
    }

    private func writeRow(of run: EventRun, _ app: AppID, _ outcome: RequestOutcome) {
        guard book.recordsRequests else { return }
        var row = RequestRow()
        row.app = app
        row.work = run.plan.work
        row.submitted = run.plan.sent
        row.earliestBegin = run.plan.sent
        row.started = run.began
        row.ended = now
        row.outcome = outcome.name
        fill(&row, from: run.start)
        row.network = run.interface?.network ?? .none
        row.granted = run.limit == .distantFuture ? .zero : run.limit - run.began
        if let interface = run.interface { row.bytes[interface] = run.moved.bytes }
        book.sink?.write(row)
    }
}
