// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// A stretch of time with the screen on.
public struct ScreenSession: Sendable, Equatable, BitwiseCopyable {
    /// When the screen went on.
    public var start: SimTime
    /// When the screen went off.
    public var end: SimTime

    /// Seconds with the screen on.
    public var seconds: Double { (end - start).seconds }
}

extension WorkloadFile {
    /// The screen sessions, each between two stretches with the screen off.
    ///
    /// A stretch of at most one second with the screen on does not count as a session (models/recordings.md, section
    /// 2.0). A session that includes the beginning or the end of the recording does not count either.
    public var screenSessions: [ScreenSession] {
        var sessions: [ScreenSession] = []
        var on: SimTime?
        for event in events {
            if event.kind == .unlock, on == nil { on = event.time }
            guard event.kind == .lock, let start = on else { continue }
            on = nil
            if event.time - start > .second { sessions.append(ScreenSession(start: start, end: event.time)) }
        }
        return sessions
    }
}

/// An app coming to the screen.
package struct Launch: Sendable, Equatable, BitwiseCopyable {
    package var time: SimTime
    /// The app's index in the file's table of names.
    package var app: Int
    /// Seconds on screen; not a number when unknown.
    package var seconds: Double
    /// The index of the session to which the launch belongs; -1 before the first session.
    package var session: Int
}

extension WorkloadFile {
    /// The launches (models/recordings.md, section 2.0): rows that open an app, except for reopens in the same
    /// session.
    ///
    /// A launch belongs to the last session that starts before it or less than a second after it.
    package func launches(in sessions: [ScreenSession]) -> [Launch] {
        var launches: [Launch] = []
        var session = 0
        var previous: (app: Int, session: Int)?
        for event in events where event.kind == .open || event.kind == .switch {
            while session < sessions.count, sessions[session].start - event.time < .second { session += 1 }
            let app = Int(event.app)
            defer { previous = (app, session) }
            if let previous, previous.app == app, previous.session == session { continue }
            launches.append(Launch(time: event.time, app: app, seconds: event.seconds, session: session - 1))
        }
        return launches
    }
}
