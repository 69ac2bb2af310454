// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import RandomStreams
import Vocabulary

/// Draws from a persona the parts that a recording lacks: apps within recorded sessions, incidents, charging, network.
struct TraceFiller: Sendable {
    /// The parts that are filled in.
    let parts: [WorkloadPart]
    /// Beginnings of today's sessions in which the screen stayed locked.
    var lockedSessions: [SimTime] = []

    private let persona: Persona
    private let knowsLocked: Bool
    private let visits: VisitLengths
    private var chooser: AppChooser
    private var incidents: Incidents
    private var sessionStream: RandomStream
    private var sessions: SessionGenerator?
    private var locations: LocationTimeline
    private var network: NetworkGenerator
    private var charging: ChargingGenerator
    private var restarts: RestartGenerator
    private var installs: InstallGenerator
    /// The generated pushes of each app and the time of the next one, if a recording has the pushes of only some days.
    private var pushes: [(app: AppID, next: SimTime, stream: PushStream)] = []

    init(persona: Persona, apps: [AppModel], recording: TraceRecording, startWeekday: Int, keys: StreamKeys) {
        // Next to a recording, pushes come from `PushStream` or are recorded.
        var persona = persona
        persona.notifications = nil
        self.persona = persona
        let habits = persona
        var parts = WorkloadPart.allCases.filter { !recording.holds($0) && habits.has($0) }
        // If sessions are missing, the persona draws sessions with all their contents.
        if parts.contains(.sessions) {
            parts = parts.filter { $0 != .forceQuits && $0 != .interruptions } + [.interruptions, .forceQuits]
        }
        parts += recording.coverage.parts
        self.parts = parts
        if parts.contains(.pushes), recording.holds(.pushes) {
            let profile = ArrivalProfile(persona: persona, startWeekday: startWeekday)
            pushes = apps.indices.map { index in
                var stream = PushStream(
                    app: apps[index], persona: persona, profile: profile, seed: keys.seed,
                    replication: keys.replication)
                return (AppID(index), stream.next(), stream)
            }
        }
        knowsLocked = recording.intents.contains { $0.isLocked }
        let active = ActiveApps(apps: apps, active: persona.apps.active, seed: keys.seed, replication: keys.replication)
        visits = VisitLengths(persona: persona, apps: apps, active: active)
        let isGame = visits.isGame
        chooser = AppChooser(
            persona: persona, active: active, isGame: { isGame[Int($0.index)] },
            stream: keys.stream("app-choice"), newAppStream: keys.stream("new-apps"))
        incidents = Incidents(persona: persona, keys: keys)
        sessionStream = keys.stream("visits")
        if parts.contains(.sessions) {
            sessions = SessionGenerator(persona: persona, apps: apps, startWeekday: startWeekday, keys: keys)
        }
        locations = LocationTimeline(persona: persona, startWeekday: startWeekday, keys: keys)
        network = NetworkGenerator(persona: persona, keys: keys)
        charging = ChargingGenerator(persona: persona, startWeekday: startWeekday, keys: keys)
        restarts = RestartGenerator(persona: persona, startWeekday: startWeekday, keys: keys)
        installs = InstallGenerator(persona: persona, apps: apps, startWeekday: startWeekday, keys: keys)
    }

    /// Appends the parts that a day lacks; some intents may lie after the day.
    mutating func fill(day: Int, recorded: [Intent], into intents: inout [Intent]) {
        if sessions != nil {
            sessions?.generate(until: .zero + .days(Double(day + 1)), into: &intents)
        } else {
            fillSessions(recorded, into: &intents)
        }
        let stays = locations.stays(day: day)
        if parts.contains(.network) { network.generate(stays, into: &intents) }
        if parts.contains(.charging) { charging.generate(day: day, stays: stays, into: &intents) }
        if parts.contains(.restarts) {
            let both = (recorded + intents).sorted(by: Intent.precedes)
            if let restart = restarts.draw(day: day, among: both) { intents.append(restart) }
        }
        if parts.contains(.installs) {
            var both = (recorded + intents).sorted(by: Intent.precedes)
            let before = both.count
            installs.draw(day: day, into: &both)
            intents += both[before...]
        }
        let end = SimTime.zero + .days(Double(day + 1))
        for index in pushes.indices {
            while pushes[index].next < end {
                intents.append(Intent(.push, at: pushes[index].next, app: pushes[index].app))
                pushes[index].next = pushes[index].stream.next()
            }
        }
    }

    private mutating func fillSessions(_ recorded: [Intent], into intents: inout [Intent]) {
        chooser.beginDay()
        var lastApp: AppID?
        for intent in recorded {
            switch intent.kind {
            case .unlock where parts.contains(.apps):
                fillSession(intent, into: &intents)
            case .open:
                lastApp = intent.app
                if parts.contains(.interruptions) {
                    incidents.appendInterruption(
                        during: intent.value, of: intent.app, from: intent.time, to: &intents)
                }
            case .lock where parts.contains(.forceQuits):
                let app = parts.contains(.apps) ? chooser.last : lastApp
                incidents.appendForceQuit(of: app, at: intent.time, to: &intents)
            default: break
            }
        }
    }

    /// Fills a session of known length with visits; the end of the session cuts the last visit short.
    private mutating func fillSession(_ session: Intent, into intents: inout [Intent]) {
        if knowsLocked {
            if lockedSessions.contains(session.time) { return }
        } else if sessionStream.uniform() < persona.pickups.glanceShare {
            return
        }
        var left = session.value
        var now = session.time
        var isFirst = true
        // A rest of less than a millisecond is due to rounding.
        while left > 0.001, let app = chooser.next(isFirstOfSession: isFirst) {
            let seconds = min(visits.draw(app, &sessionStream), left)
            intents.append(Intent(.open, at: now, app: app, value: seconds))
            if parts.contains(.interruptions) {
                incidents.appendInterruption(during: seconds, of: app, from: now, to: &intents)
            }
            left -= seconds
            now += .seconds(seconds)
            isFirst = false
        }
    }
}
