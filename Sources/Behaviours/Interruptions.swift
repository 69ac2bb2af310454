// SPDX-License-Identifier: GPL-3.0-or-later
import EventKernel
import Measures
import PhoneCore
import Platform
import Power
import Processes
import Quantities
import RandomStreams
import Vocabulary

extension DeviceTimer {
    /// A telephone call, an alarm or an assistant comes.
    @inlinable public static var interruption: DeviceTimer { DeviceTimer(15) }
    /// The user answers a call.
    @inlinable public static var callAnswered: DeviceTimer { DeviceTimer(16) }
    /// An answered call ends.
    @inlinable public static var callOver: DeviceTimer { DeviceTimer(17) }
    /// An alarm or an unanswered call is over.
    @inlinable public static var soundBack: DeviceTimer { DeviceTimer(27) }
}

/// Calls, alarms and assistants, which take the focus from the app on screen.
///
/// A call answered in full screen sends the app to the background (UIKit, `applicationWillResignActive(_:)`: "an
/// incoming phone call").
///
/// Calls over the network interrupt in the same way as telephone calls. A phone without `interruptions` in its model
/// gets no calls.
package struct Interruptions {
    /// Measures of interruptions.
    package struct Measures: Sendable {
        let focusLosses: AppCount
        let displaced: AppCount

        package init(_ builder: inout MeasureBuilder) {
            focusLosses = builder.perDayOfApp(
                "interruptions_per_day", .neutral,
                "calls, alarms and assistants that took the focus from the app on screen, without those of the "
                    + "persona's interruptions_per_screen_hour")
            displaced = builder.perDayOfApp(
                "displaced_by_calls_per_day", .lower,
                "answered calls that took the screen and sent the app to the background")
        }
    }

    /// A call that rings or is in progress; there is at most one.
    private struct Call {
        let length: SimDuration
        let takesScreen: Bool
        /// The app of the call; `system` for the telephone.
        let app: AppID
        var load = LoadHandle.none
        var parts = ActivityLoads.none
    }

    private let measures: Measures
    private let parameters: InterruptionParameters?
    private var stream: RandomStream
    private var call: Call?
    /// The app that the call sent to the background; `system` if there is none.
    private var displaced = AppID.system

    package init(_ core: borrowing PhoneCore, _ measures: Measures) {
        self.measures = measures
        parameters = core.device.interruptions
        stream = core.stream("phone", "interruptions")
    }

    /// Schedules the next interruption, if there are any.
    package mutating func schedule(_ core: inout PhoneCore) {
        guard let parameters, parameters.callsPerDay + parameters.alertsPerDay > 0 else { return }
        let mean = 1 / (parameters.callsPerDay * callRateFactor(parameters) + parameters.alertsPerDay)
        core.engine.schedule(
            Slots.device(.interruption), after: .day * stream.exponential(mean: mean), class: EventClass.work)
    }

    /// Factor by which the rate of calls is higher in the hours of the day with calls than on average.
    private func callRateFactor(_ parameters: InterruptionParameters) -> Double {
        24 / Double(max(1, parameters.lastHour - parameters.firstHour))
    }

    /// Handles an interruption; its kind and length are drawn even if the phone is off or in use.
    package mutating func timer(_ core: inout PhoneCore) {
        guard let parameters else { return }
        let calls = parameters.callsPerDay * callRateFactor(parameters)
        let isCall = stream.uniform() * (calls + parameters.alertsPerDay) < calls
        let isAnswered = stream.uniform() < parameters.answeredShare
        let length = parameters.callLength * exp(parameters.callSigma * stream.normal())
        schedule(&core)
        guard !core.power.isDead else { return }
        guard isCall else {
            takeFocus(for: parameters.alertLength, from: .system, &core)
            return silence(for: parameters.alertLength, &core)
        }
        guard
            (parameters.firstHour..<max(parameters.lastHour, parameters.firstHour + 1))
                .contains(core.now.hour % 24)
        else { return }
        incoming(of: .system, isAnswered ? length : nil, &core)
    }

    /// Handles an incoming call of the telephone or of an app.
    ///
    /// - Parameter length: Length of the call; nil if it is not answered.
    package mutating func incoming(of app: AppID, _ length: SimDuration?, _ core: inout PhoneCore) {
        guard let parameters, call == nil else { return }
        let takesScreen = stream.uniform() < parameters.fullScreenShare
        takeFocus(for: length == nil ? parameters.givenUp : parameters.ringing, from: app, &core)
        guard let length else { return silence(for: parameters.givenUp, &core) }
        if parameters.pausesPlayback { core.post(.soundInterrupted) }
        call = Call(length: length, takesScreen: takesScreen, app: app)
        core.engine.schedule(Slots.device(.callAnswered), after: parameters.ringing, class: EventClass.work)
    }

    /// Silences playback for some time, unless a call is in progress.
    ///
    /// If an alarm and an unanswered call overlap, playback is silent until both are over.
    private func silence(for length: SimDuration, _ core: inout PhoneCore) {
        guard parameters?.pausesPlayback == true, call == nil else { return }
        core.post(.soundInterrupted)
        let timer = Slots.device(.soundBack)
        let end = max(core.now + length, core.engine.time(of: timer) ?? core.now)
        core.engine.schedule(timer, at: end, class: EventClass.work)
    }

    /// Resumes playback after an alarm or an unanswered call.
    package func soundTimer(_ core: inout PhoneCore) {
        if call == nil { core.post(.soundBack) }
    }

    /// Makes the app on screen inactive for some time, unless the interruption comes from that app.
    private func takeFocus(for length: SimDuration, from app: AppID, _ core: inout PhoneCore) {
        let front = core.front.app
        guard front != .system, front != app, core.processes.state(of: front) == .active else { return }
        core.measures.add(measures.focusLosses, of: front)
        core.record(.interrupted, front, from: .active, to: .active)
        core.post(.interrupting(length))
    }

    /// Answers the call, which takes the whole screen or continues next to the foreground app.
    package mutating func answeredTimer(_ core: inout PhoneCore) {
        guard let ringing = call, !core.power.isDead else { return }
        if ringing.app == .system {
            let load = core.power.processor.workPower * core.device.modes.callLoad
            core.power.holdAwake(app: .system, cause: .foreground, at: core.now)
            call?.load = core.power.startLoad(.processor, load, app: .system, cause: .foreground, at: core.now)
            call?.parts = core.power.startActivity(
                .call, inBackground: true, app: .system, cause: .foreground, at: core.now)
        }
        core.engine.schedule(Slots.device(.callOver), after: ringing.length, class: EventClass.work)
        let front = core.front.app
        guard ringing.takesScreen, front != .system, front != ringing.app else { return }
        displaced = front
        let state = core.processes.state(of: front)
        core.measures.add(measures.displaced, of: front)
        core.record(.displaced, front, from: state, to: state)
        core.post(.leaving(front))
    }

    /// Ends the call.
    ///
    /// The user returns to the displaced app if its visit has not reached its planned end.
    package mutating func overTimer(_ core: inout PhoneCore) {
        guard let ended = call else { return }
        call = nil
        // An alarm or an unanswered call from before the call may still ring.
        if !core.engine.isPending(Slots.device(.soundBack)) { core.post(.soundBack) }
        if ended.app == .system {
            core.power.stopLoad(ended.load, at: core.now)
            core.power.stopActivity(ended.parts, at: core.now)
            core.power.releaseAwake(at: core.now)
        }
        if displaced != .system { core.post(.backFromCall(displaced)) }
        displaced = .system
    }

    /// Ends the call of an app whose process ended, while it rings or later.
    package mutating func processEnded(_ end: ProcessEnd, _ core: inout PhoneCore) {
        guard let call, call.app == end.app else { return }
        core.engine.cancel(Slots.device(.callAnswered))
        core.engine.cancel(Slots.device(.callOver))
        overTimer(&core)
    }

    /// Ends the call when the phone goes off; the loads of the call have then ended already.
    package mutating func losePower(_ core: inout PhoneCore) {
        call = nil
        displaced = .system
        core.post(.soundBack)
        core.engine.cancel(Slots.device(.callAnswered))
        core.engine.cancel(Slots.device(.callOver))
        core.engine.cancel(Slots.device(.soundBack))
    }
}
