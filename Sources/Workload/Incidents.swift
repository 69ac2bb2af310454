// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import RandomStreams
import Vocabulary

/// Occasional incidents while the user is at the phone: calls, and apps swiped away.
struct Incidents: Sendable {
    private let perScreenHour: Double
    private let length: LogNormal
    private let forceQuitsPerSession: Double
    private var interruptions: RandomStream
    private var forceQuits: RandomStream

    init(persona: Persona, keys: StreamKeys) {
        perScreenHour = persona.interruptionsPerScreenHour
        length = persona.interruption
        forceQuitsPerSession = persona.pickups.perDay > 0 ? persona.forceQuitsPerDay / persona.pickups.perDay : 0
        interruptions = keys.stream("interruptions")
        forceQuits = keys.stream("force-quits")
    }

    /// Appends at most one interruption of a visit of the given length in seconds.
    mutating func appendInterruption(
        during seconds: Double, of app: AppID, from start: SimTime, to intents: inout [Intent]
    ) {
        guard perScreenHour > 0 else { return }
        let at = interruptions.exponential(mean: 3600 / perScreenHour)
        guard at < seconds else { return }
        let lasts = min(length.draw(&interruptions), seconds - at)
        intents.append(Intent(.interrupt, at: start + .seconds(at), app: app, value: lasts))
    }

    /// Decides once a session whether the user swipes an app away.
    mutating func appendForceQuit(of app: AppID?, at time: SimTime, to intents: inout [Intent]) {
        guard let app, forceQuits.uniform() < forceQuitsPerSession else { return }
        intents.append(Intent(.forceQuit, at: time, app: app))
    }
}
