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
import Workload

extension AppTimer {
    /// A VoIP push is sent.
    @inlinable public static var call: AppTimer { AppTimer(12) }
    /// A call moves its next piece.
    @inlinable public static var callPiece: AppTimer { AppTimer(13) }
    /// A call may end.
    @inlinable public static var callEnd: AppTimer { AppTimer(14) }
}

/// Calls over the network.
///
/// A VoIP push launches the app, which must report the call.
///
/// The call then keeps the app running without a time limit (Apple, App Programming Guide for iOS, "Background
/// Execution"; PushKit).
package struct Calls {
    /// Outcome of a call, drawn when the call comes.
    private struct Plan {
        var isReported = true
        var isAnswered = true
        var length = SimDuration.zero
    }

    /// A call in progress.
    private struct Call {
        var began: SimTime
        /// When the user ends the call.
        var until: SimTime
        var assertion: Assertion
    }

    /// Measures of calls.
    package struct Measures: Sendable {
        let missed: AppCount
        let held: AppCount
        let cut: AppCount

        package init(_ builder: inout MeasureBuilder) {
            missed = builder.perDayOfApp(
                "missed_calls_per_day", .lower,
                "VoIP pushes that led to no call: there was no network, the app reported no call or ended too early, "
                    + "or the system no longer launched the app after earlier unreported calls")
            held = builder.perDayOfApp(
                "held_s_per_day", unit: "s/d", .neutral,
                "time for which calls kept apps running; the whole call counts on the day on which it ends")
            cut = builder.perDayOfApp("calls_cut_per_day", .lower, "calls that ended because the app's process ended")
        }
    }

    private let measures: Measures
    private var plans: [Plan]
    private var calls: [Call?]
    /// Number of VoIP pushes in a row after which an app reported no call.
    private var misses: [Int]
    private var streams: [RandomStream]

    package init(_ core: borrowing PhoneCore, _ measures: Measures) {
        self.measures = measures
        plans = Array(repeating: Plan(), count: core.apps.count)
        calls = Array(repeating: nil, count: core.apps.count)
        misses = Array(repeating: 0, count: core.apps.count)
        streams = core.streams("calls")
    }

    /// Schedules the next call of an app.
    package mutating func start(_ app: AppID, _ core: inout PhoneCore) {
        let rate = core.apps[Int(app.index)].traits.callsPerDay
        guard rate > 0 else { return }
        let gap = SimDuration.days(streams[Int(app.index)].exponential(mean: 1 / rate))
        core.engine.schedule(Slots.app(app, .call), after: gap, class: EventClass.work)
    }

    /// Sends the next VoIP push of an app; without a network, push and call are lost.
    package mutating func callTimer(_ app: AppID, _ core: inout PhoneCore) {
        let index = Int(app.index)
        let rules = core.device.background.pushes
        let plan = Plan(
            isReported: streams[index].uniform() < core.apps[index].traits.reportsCalls,
            isAnswered: streams[index].uniform() < rules.answeredShare,
            length: .seconds(core.specification.persona.interruption.draw(&streams[index])))
        start(app, &core)
        core.arrivals.add(at: core.now, (1 << 41) + index)
        guard
            !core.power.isDead, core.power.interface != nil, misses[index] < rules.missesUntilBan,
            core.apps[index].declares.voip, core.hasApp(app)
        else {
            core.recordUnrun(EventPlan(.call, cause: .push, sent: core.now, limit: .zero), of: app, .never)
            return missed(app, &core)
        }
        core.receivePush(for: app)
        plans[index] = plan
        var event = EventPlan(.call, cause: .push, sent: core.now, limit: rules.callRuntime)
        event.reportsCall = true
        core.run(app, for: event)
    }

    /// Reports the call in an app that a VoIP push launched.
    ///
    /// An app off screen that does not report the call is ended. After several unreported pushes the app is no longer
    /// launched.
    package mutating func delivered(_ app: AppID, _ core: inout PhoneCore) {
        let index = Int(app.index)
        let plan = plans[index]
        guard core.processes.isAlive(app) else { return }
        guard plan.isReported else {
            core.endCallPush(of: app, .failed)
            misses[index] += 1
            // The system's code for this exit is 0xbaadca11 (Apple, "Understanding the exception types in a crash
            // report").
            if app != core.front.app { core.exit(app, .abnormal) }
            return
        }
        misses[index] = 0
        core.post(.callRings(app, plan.isAnswered ? plan.length : nil))
        begin(app, for: plan.isAnswered ? plan.length : core.device.background.pushes.ringTime, &core)
        core.endCallPush(of: app, .success)
    }

    /// Counts a VoIP push that led to no call.
    package func missed(_ app: AppID, _ core: inout PhoneCore) { core.measures.add(measures.missed, of: app) }

    /// Begins a call, or extends the call in progress.
    private mutating func begin(_ app: AppID, for length: SimDuration, _ core: inout PhoneCore) {
        let index = Int(app.index)
        let now = core.now
        let until = now + length
        if let call = calls[index] {
            calls[index]?.until = max(call.until, until)
            return
        }
        let state = core.processes.state(of: app)
        core.record(.modeBegin, app, from: state, to: state)
        let load = core.power.processor.workPower * core.device.modes.callLoad
        let assertion = core.acquire(
            app, .call, AssertionLoad(cause: .backgroundTask, processor: load, activity: .call))
        calls[index] = Call(began: now, until: until, assertion: assertion)
        core.engine.schedule(Slots.app(app, .callEnd), at: until, class: EventClass.work)
        core.engine.schedule(Slots.app(app, .callPiece), at: now, class: EventClass.work)
    }

    /// Moves the next piece of a call over the network.
    package func pieceTimer(_ app: AppID, _ core: inout PhoneCore) {
        guard let call = calls[Int(app.index)], core.now < call.until else { return }
        let figures = core.device.modes
        core.engine.schedule(Slots.app(app, .callPiece), after: figures.callPiece, class: EventClass.work)
        guard !core.power.isDead else { return }
        let bytes = ByteCount(Int64(figures.callRate.bitsPerSecond / 8 * figures.callPiece.seconds))
        core.transfer(down: bytes, up: bytes, app, .backgroundTask)
    }

    /// Ends a call unless it was extended.
    package mutating func endTimer(_ app: AppID, _ core: inout PhoneCore) {
        guard let call = calls[Int(app.index)] else { return }
        guard call.until <= core.now else {
            return core.engine.schedule(Slots.app(app, .callEnd), at: call.until, class: EventClass.work)
        }
        end(app, &core)
    }

    /// Ends a call; its app is suspended unless another assertion keeps it running.
    private mutating func end(_ app: AppID, _ core: inout PhoneCore) {
        let index = Int(app.index)
        guard let call = calls[index] else { return }
        calls[index] = nil
        core.engine.cancel(Slots.app(app, .callEnd))
        core.engine.cancel(Slots.app(app, .callPiece))
        let seconds = (core.now - call.began).seconds
        core.measures.add(measures.held, of: app, seconds)
        if core.now < call.until { core.measures.add(measures.cut, of: app) }
        core.book.day(app) { $0.heldSeconds += seconds }
        let state = core.processes.state(of: app)
        core.record(.modeEnd, app, from: state, to: state)
        core.release(call.assertion)
    }

    /// Resets the count of unreported pushes of an app that the user opened.
    package mutating func opened(_ app: AppID) { misses[Int(app.index)] = 0 }

    /// Ends the call of a process that ended.
    package mutating func processEnded(_ end: ProcessEnd, _ core: inout PhoneCore) {
        guard let call = calls[Int(end.app.index)], !core.isHeld(call.assertion) else { return }
        self.end(end.app, &core)
    }
}
