// SPDX-License-Identifier: GPL-3.0-or-later
import EventKernel
import Measures
import PhoneCore
import Power
import Processes
import Quantities
import RandomStreams
import Vocabulary

extension AppTimer {
    /// An app stops following the location.
    @inlinable public static var tracking: AppTimer { AppTimer(24) }
}

extension AssertionReason {
    /// The app follows the location continuously.
    static var tracking: AssertionReason { AssertionReason(7) }
}

/// Apps that follow the location continuously.
///
/// Some apps begin when the user leaves them, for instance a fitness app in a workout. Others follow the location for
/// some time after each move of the user, for instance an app that shares locations in a family.
///
/// The location mode keeps the app running without a time limit while the app requests updates (Apple, "Handling
/// location updates in the background"). The mode ends when the user ends the session, returns to the app or
/// force-quits the app.
package struct Tracking {
    /// Measures of apps that follow the location.
    package struct Measures: Sendable {
        let tracked: AppCount

        package init(_ builder: inout MeasureBuilder) {
            tracked = builder.perDayOfApp(
                "tracked_s_per_day", unit: "s/d", .neutral,
                "time for which apps followed the location continuously after the user left the app or moved; the "
                    + "whole time counts on the day on which it ends")
        }
    }

    /// An app that follows the location.
    private struct Session {
        var began: SimTime
        var until: SimTime
        var assertion: Assertion
    }

    /// Longest session; assumption: the time to walk a marathon.
    private static let longest = SimDuration.hours(6)

    private let measures: Measures
    /// Random streams by app; empty on a phone where no app follows the location.
    private var streams: [RandomStream]
    private var lengths: [SimDuration]
    private var drawn: [SimTime]
    private var sessions: [Session?]
    /// Apps that follow every move.
    private var followers: [AppID] = []

    package init(_ core: borrowing PhoneCore, _ measures: Measures) {
        self.measures = measures
        var isUsed = false
        for index in core.apps.indices {
            let traits = core.apps[index].traits
            let followsMoves = traits.followsLocation && traits.trackingPerMove > .zero
            if followsMoves, core.apps[index].declares.location { followers.append(AppID(index)) }
            if followsMoves || traits.trackingPerDay > .zero { isUsed = true }
        }
        let count = isUsed ? core.apps.count : 0
        streams = isUsed ? core.streams("tracking") : []
        lengths = Array(repeating: .zero, count: count)
        drawn = Array(repeating: .zero, count: count)
        sessions = Array(repeating: nil, count: count)
    }

    /// Draws how long an app follows the location after the user leaves it.
    ///
    /// In the long run, the sum per day equals the app's time per day, whatever the number of opens.
    package mutating func drawVisit(_ app: AppID, _ core: borrowing PhoneCore) {
        guard !streams.isEmpty else { return }
        let index = Int(app.index)
        let perDay = core.apps[index].traits.trackingPerDay
        guard perDay > .zero else { return }
        let mean = perDay * ((core.now - drawn[index]) / .day)
        drawn[index] = core.now
        lengths[index] = min(mean * streams[index].exponential(mean: 1), Self.longest)
    }

    /// Keeps the process of an app that the user leaves running, and keeps the location receiver on.
    package mutating func leaving(_ app: AppID, _ core: inout PhoneCore) {
        guard !streams.isEmpty else { return }
        let index = Int(app.index)
        let length = lengths[index]
        lengths[index] = .zero
        guard length >= .minutes(1), !core.power.isDead, core.processes.isAlive(app), core.apps[index].declares.location
        else { return }
        begin(app, for: length, &core)
    }

    /// Extends the sessions of the apps that follow every move, after a move.
    ///
    /// Each of these sessions then lasts for the app's time per move, counted from now.
    package mutating func moved(_ core: inout PhoneCore) {
        for app in followers {
            let state = core.processes.state(of: app)
            guard !core.power.isDead, state.executes, !state.isForeground else { continue }
            let index = Int(app.index)
            let length = core.apps[index].traits.trackingPerMove
            guard let session = sessions[index] else {
                begin(app, for: length, &core)
                continue
            }
            sessions[index]?.until = max(session.until, core.now + length)
        }
    }

    private mutating func begin(_ app: AppID, for length: SimDuration, _ core: inout PhoneCore) {
        let load = AssertionLoad(
            cause: .playback, processor: core.power.processor.workPower * core.device.modes.trackingLoad,
            activity: .navigation, inBackground: true)
        sessions[Int(app.index)] = Session(
            began: core.now, until: core.now + length, assertion: core.acquire(app, .tracking, load))
        record(.trackingBegin, app, &core)
        core.engine.schedule(Slots.app(app, .tracking), after: length, class: EventClass.lifeCycle)
    }

    /// Ends a session at the end of its time, unless a move has extended it.
    ///
    /// An app that follows every move also sends the location.
    package mutating func timer(_ app: AppID, _ core: inout PhoneCore) {
        let index = Int(app.index)
        guard let session = sessions[index] else { return }
        guard core.now >= session.until else {
            return core.engine.schedule(Slots.app(app, .tracking), at: session.until, class: EventClass.lifeCycle)
        }
        if core.apps[index].traits.trackingPerMove > .zero {
            core.transfer(down: .zero, up: core.device.modes.eventBytes, app, .playback)
        }
        end(app, &core)
    }

    /// Ends a session: its time is over, the app is on screen again, or its process ended.
    package mutating func end(_ app: AppID, _ core: inout PhoneCore) {
        guard !streams.isEmpty, let session = sessions[Int(app.index)] else { return }
        sessions[Int(app.index)] = nil
        core.engine.cancel(Slots.app(app, .tracking))
        core.measures.add(measures.tracked, of: app, (core.now - session.began).seconds)
        record(.trackingEnd, app, &core)
        core.release(session.assertion)
    }

    /// Ends the session of a process that ended.
    package mutating func processEnded(_ end: ProcessEnd, _ core: inout PhoneCore) {
        guard !streams.isEmpty, let session = sessions[Int(end.app.index)], !core.isHeld(session.assertion) else {
            return
        }
        self.end(end.app, &core)
    }

    private func record(_ event: EventName, _ app: AppID, _ core: inout PhoneCore) {
        let state = core.processes.state(of: app)
        core.record(event, app, from: state, to: state)
    }
}
