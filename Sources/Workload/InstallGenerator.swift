// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import RandomStreams
import Vocabulary

/// Installs on the phone: new apps at the end of a session, new versions mostly at night.
struct InstallGenerator: Sendable {
    private let persona: Persona
    private var calendar: DayCalendar
    private var stream: RandomStream
    /// The streams of new versions, one per app, so that the draws of an app do not depend on other apps.
    private var versions: [RandomStream] = []
    /// Apps that the user has not used yet, in the order in which they would be tried.
    private var untried: ArraySlice<AppID> = []

    init(persona: Persona, apps: [AppModel], startWeekday: Int, keys: StreamKeys) {
        self.persona = persona
        calendar = DayCalendar(persona: persona, startWeekday: startWeekday, keys: keys)
        stream = keys.stream("installs")
        if persona.installs.updatesPerMonth > 0 {
            versions = apps.map { keys.stream("versions", entity: $0.name) }
        }
        if persona.installs.perMonth > 0 {
            untried =
                ActiveApps(
                    apps: apps, active: persona.apps.active, seed: keys.seed, replication: keys.replication
                ).untried[...]
        }
    }

    /// Appends the installs of a day; `intents` contains the day's intents, in order.
    mutating func draw(day: Int, into intents: inout [Intent]) {
        let start = SimTime.zero + .days(Double(day))
        let isWorkday = calendar.day(day).isWorkday
        if persona.installs.perMonth > 0 {
            let happens = stream.uniform() < persona.installs.perMonth / 30
            let after = start + .hours(persona.hour(at: stream.uniform(), isWorkday: isWorkday))
            let end = intents.first { $0.kind == .lock && $0.time >= after && $0.time < start + .day }?.time
            if happens, let end, let app = untried.popFirst() {
                intents.append(Intent(.install, at: end, app: app))
            }
        }
        for index in versions.indices {
            let happens = versions[index].uniform() < persona.installs.updatesPerMonth / 30
            let isAtNight = versions[index].uniform() < persona.installs.nightShare
            let part = versions[index].uniform()
            guard happens else { continue }
            let night = RestartGenerator.night
            let clock =
                isAtNight
                ? night.lowerBound + part * (night.upperBound - night.lowerBound)
                : persona.hour(at: part, isWorkday: isWorkday)
            intents.append(Intent(.install, at: start + .hours(clock), app: AppID(index), value: 1))
        }
    }
}
