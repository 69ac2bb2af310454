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
import Workload

extension AppTimer {
    /// Playback in the background ends.
    @inlinable public static var playback: AppTimer { AppTimer(15) }
    /// Music fetches its next piece.
    @inlinable public static var musicPiece: AppTimer { AppTimer(16) }
}

/// Music and navigation that continue after the user left the app.
package struct Playback {
    /// Share of a core that navigation in the background keeps busy; assumption.
    private static let navigationShare = 0.1

    /// An app whose playback continues in the background.
    private struct Session {
        var app: AppID
        var activity: ActivityClass
        var until: SimTime
        var assertion: Assertion
        /// When a call or an alarm silenced the session; the distant future while it is not silenced.
        var pausedAt = SimTime.distantFuture
    }

    /// Measures of playback.
    package struct Measures: Sendable {
        let paused: AppCount

        package init(_ builder: inout MeasureBuilder) {
            paused = builder.perDayOfApp(
                "playback_paused_per_day", .neutral, "times that a call or an alarm silenced an app in the background")
        }
    }

    private let measures: Measures
    private var sessions: [Session] = []
    /// Whether a call or an alarm silences playback.
    private var isSilenced = false
    /// For each app, how long its playback continues after the user leaves it, drawn at its open.
    private var lengths: [SimDuration]
    /// When music was last begun, and when navigation was last begun.
    private var lastMusic = SimTime.zero
    private var lastNavigation = SimTime.zero

    package init(_ core: borrowing PhoneCore, _ measures: Measures) {
        self.measures = measures
        lengths = Array(repeating: .zero, count: core.apps.count)
    }

    /// Draws how long an app's playback continues after the user leaves the app.
    ///
    /// In the long run, the sum per day equals the persona's time per day, whatever the number of opens.
    package mutating func drawVisit(_ app: AppID, _ core: inout PhoneCore) {
        let index = Int(app.index)
        let activity = core.apps[index].activity
        guard core.device.power.activities[activity].continues else { return }
        let persona = core.specification.persona.background
        let isMusic = activity == .music
        let perDay = isMusic ? persona.audioPerDay : persona.navigationPerDay
        let mean = perDay.seconds * ((core.now - (isMusic ? lastMusic : lastNavigation)) / .day)
        let draw = core.visitStreams[index].exponential(mean: 1)
        if isMusic { lastMusic = core.now } else { lastNavigation = core.now }
        // If the persona has 24 h of playback per day, the playback does not end.
        lengths[index] = perDay >= .day ? .days(30) : min(.seconds(mean * draw), .hours(4))
    }

    /// Keeps the process of an app that the user leaves running while its playback continues.
    package mutating func leaving(_ app: AppID, _ core: inout PhoneCore) {
        let index = Int(app.index)
        let length = lengths[index]
        guard length >= .minutes(1), !core.power.isDead, core.processes.isAlive(app) else { return }
        lengths[index] = .zero
        let activity = core.apps[index].activity
        let declares = core.apps[index].declares
        guard activity == .music ? declares.audio : declares.location else { return }
        let assertion = core.acquire(app, .playback, Self.load(of: activity, core))
        sessions.append(Session(app: app, activity: activity, until: core.now + length, assertion: assertion))
        if activity == .music {
            core.engine.schedule(Slots.app(app, .musicPiece), at: core.now, class: EventClass.work)
        }
        core.engine.schedule(Slots.app(app, .playback), after: length, class: EventClass.lifeCycle)
        if isSilenced { silence(&core) }
    }

    /// Load of an activity in the background.
    ///
    /// A map app computes its position on an efficiency core for part of the time, while the phone is awake.
    private static func load(of activity: ActivityClass, _ core: borrowing PhoneCore) -> AssertionLoad {
        let sleeps = core.device.power.activities[activity].sleepsInBackground
        let load = sleeps ? nil : core.power.processor.workPower * navigationShare
        return AssertionLoad(
            cause: .playback, processor: load, activity: activity, inBackground: true, keepsAwake: !sleeps)
    }

    /// Silences music for a call or an alarm; navigation continues.
    ///
    /// The silenced app continues to execute. Assumption: the system does not suspend an app that waits for the end of
    /// an interruption.
    package mutating func silence(_ core: inout PhoneCore) {
        isSilenced = true
        for index in sessions.indices where sessions[index].activity == .music {
            guard sessions[index].pausedAt == .distantFuture else { continue }
            let app = sessions[index].app
            sessions[index].pausedAt = core.now
            hold(index, .nothing, &core)
            core.engine.cancel(Slots.app(app, .playback))
            core.engine.cancel(Slots.app(app, .musicPiece))
            core.measures.add(measures.paused, of: app)
            let state = core.processes.state(of: app)
            core.record(.playbackPaused, app, from: state, to: state)
        }
    }

    /// Resumes music at the point where it stopped, after the call or the alarm.
    package mutating func soundBack(_ core: inout PhoneCore) {
        isSilenced = false
        for index in sessions.indices where sessions[index].pausedAt != .distantFuture {
            let app = sessions[index].app
            sessions[index].until += core.now - sessions[index].pausedAt
            sessions[index].pausedAt = .distantFuture
            hold(index, Self.load(of: .music, core), &core)
            core.engine.schedule(Slots.app(app, .musicPiece), at: core.now, class: EventClass.work)
            core.engine.schedule(Slots.app(app, .playback), at: sessions[index].until, class: EventClass.lifeCycle)
        }
    }

    /// Changes the load of a session's assertion.
    private mutating func hold(_ index: Int, _ load: AssertionLoad, _ core: inout PhoneCore) {
        let old = sessions[index].assertion
        sessions[index].assertion = core.acquire(sessions[index].app, .playback, load)
        core.release(old)
    }

    /// Ends music in the background if an active app in front plays its own sound.
    package func active(_ app: AppID, _ core: inout PhoneCore) {
        guard !sessions.isEmpty else { return }
        let activity = core.apps[Int(app.index)].activity
        guard core.device.power.activities[activity].takesAudio else { return }
        for session in sessions where session.app != app && session.activity == .music {
            core.engine.schedule(Slots.app(session.app, .playback), at: core.now, class: EventClass.lifeCycle)
        }
    }

    /// Fetches the next piece of streamed music.
    package func musicTimer(_ app: AppID, _ core: inout PhoneCore) {
        let figures = core.device.modes
        guard figures.musicStreamedShare > 0, let session = sessions.first(where: { $0.app == app }),
            session.until > core.now
        else { return }
        core.engine.schedule(Slots.app(app, .musicPiece), after: figures.musicPiece, class: EventClass.work)
        core.power.wakeBriefly(app: app, cause: .playback, at: core.now)
        guard !core.power.isDead else { return }
        let seconds = (figures.musicPiece * figures.musicStreamedShare).seconds
        let bytes = ByteCount(Int64(figures.musicRate.bitsPerSecond / 8 * seconds))
        core.transfer(down: bytes, up: .zero, app, .playback)
    }

    /// Ends the playback of an app: its time is over, the app comes to the front, or its process ended.
    package mutating func end(_ app: AppID, _ core: inout PhoneCore) {
        guard let index = sessions.firstIndex(where: { $0.app == app }) else { return }
        let session = sessions.remove(at: index)
        core.engine.cancel(Slots.app(app, .playback))
        core.engine.cancel(Slots.app(app, .musicPiece))
        core.release(session.assertion)
    }

    /// Ends the playback of a process that ended.
    package mutating func processEnded(_ end: ProcessEnd, _ core: inout PhoneCore) {
        guard let session = sessions.first(where: { $0.app == end.app }), !core.isHeld(session.assertion) else {
            return
        }
        self.end(end.app, &core)
    }
}
