// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary
import Workload

/// A persona with the figures of `average` (models/recordings.md, section 6), for tests only; the product
/// reads files.
public func averagePersona() -> Persona {
    var persona = Persona(name: "average")
    persona.installedApps = 80
    persona.pickups.perDay = 95
    persona.pickups.daySigma = 0.35
    persona.pickups.dayCorrelation = 0.2
    persona.pickups.freeDayFactor = 0.93
    persona.pickups.gapShape = 0.56
    persona.pickups.glanceShare = 0.2
    persona.pickups.extraAppsMean = 1.6
    persona.pickups.extraAppsShape = 0.25
    persona.apps.active = 40
    persona.apps.zipf = 1.6
    persona.apps.repeatLast = 0.45
    persona.apps.goBack = 0.35
    persona.apps.newPerDay = 0.15
    persona.visit = LogNormal(mu: 2.55, sigma: 1.8, cap: 7200)
    persona.glance = LogNormal(mu: 1.9, sigma: 0.8)
    persona.notificationsPerDay = 130
    persona.workdayHours = [
        0.0325, 0.021, 0.0123, 0.0085, 0.0055, 0.0038, 0.009, 0.0245, 0.041, 0.047, 0.0473, 0.0495, 0.0568, 0.0648,
        0.0666, 0.0621, 0.0593, 0.0651, 0.0688, 0.0608, 0.0508, 0.0495, 0.0501, 0.0433,
    ]
    persona.freeDayHours = [
        0.0511, 0.0349, 0.017, 0.008, 0.0042, 0.0017, 0.0022, 0.0065, 0.0117, 0.0187, 0.0274, 0.0377, 0.0504, 0.0554,
        0.0636, 0.0724, 0.0626, 0.0599, 0.0654, 0.0626, 0.0771, 0.0891, 0.0671, 0.0531,
    ]
    persona.interruptionsPerScreenHour = 0.3
    persona.interruption = LogNormal(mu: 4.1, sigma: 1, cap: 3600)
    persona.forceQuitsPerDay = 0.5
    addSurroundings(to: &persona)
    return persona
}

private func addSurroundings(to persona: inout Persona) {
    persona.charging.nightProbability = 0.75
    persona.charging.nightPlug = ClockHour(mean: 23.3, deviation: 0.8)
    persona.charging.workdayUnplug = ClockHour(mean: 7, deviation: 0.5)
    persona.charging.freeDayUnplug = ClockHour(mean: 8.7, deviation: 0.9)
    persona.charging.topUpsPerHour = 0.45
    persona.charging.topUpLevelScale = 0.25
    persona.charging.topUpLength = LogNormal(median: .minutes(36.6), sigma: 0.9)
    persona.charging.chargerPower = .watts(18)
    persona.places.work = [9...17]
    persona.places.commute = [8.2...8.8, 17.2...17.9]
    persona.places.workdayOuting.probability = 0.3
    persona.places.workdayOuting.start = ClockHour(mean: 19, deviation: 1)
    persona.places.workdayOuting.length = LogNormal(median: .hours(2), sigma: 0.5, cap: .hours(8))
    persona.places.freeDayOuting.probability = 0.7
    persona.places.freeDayOuting.start = ClockHour(mean: 14, deviation: 2)
    persona.places.freeDayOuting.length = LogNormal(median: .hours(2), sigma: 0.5, cap: .hours(8))
    persona.wifi.home = 0.92
    persona.wifi.work = 0.88
    persona.wifi.transit = 0.12
    persona.wifi.other = 0.45
    persona.wifi.onSpell = LogNormal(median: .minutes(13.5), sigma: 1.95)
    persona.wifi.offSpell = LogNormal(median: .minutes(4.1), sigma: 1.65)
}

/// Apps of one category, each as attractive as the others.
public func someApps(_ count: Int, category: String = "utility") -> [AppModel] {
    (0..<count).map { number in
        var app = AppModel(name: "app-\(number)", category: category)
        app.popularity = 1
        app.contentPerDay = 24
        app.pushesPerDay = 6
        return app
    }
}

/// The whole workload of a persona, day by day.
public func allDays(
    _ persona: Persona, apps: [AppModel] = someApps(80), seed: UInt64 = 7, replication: Int = 0, days: Int = 28
) -> (days: [[Intent]], fingerprint: UInt64) {
    var workload = PersonaWorkload(
        persona: persona, apps: apps, seed: seed, replication: replication, startWeekday: 0, days: days)
    var result: [[Intent]] = []
    var intents: [Intent] = []
    while workload.nextDay(into: &intents) { result.append(intents) }
    return (result, workload.fingerprint)
}

/// What a persona fills into a recording of ten days that holds one session: the parts, and how many intents of a kind.
public func filledIn(
    _ kind: IntentKind, _ change: (inout Persona) -> Void
) throws -> (parts: [String], count: Int) {
    let text = "# covered_s: 0 to 864000\nt_s,event,app,value\n10,unlock,,\n20,lock,,\n"
    let apps = someApps(80)
    let recording = try TraceRecording(
        file: try WorkloadFile(bytes: Array(text.utf8), name: "w.csv"), apps: apps, chargerWatts: 18)
    var persona = averagePersona()
    change(&persona)
    var replay = try TraceWorkload(
        recording: recording, apps: apps, filledBy: persona, seed: 1, replication: 0, startWeekday: 0, days: 10)
    var (intents, count): ([Intent], Int) = ([], 0)
    while replay.nextDay(into: &intents) { count += intents.count { $0.kind == kind } }
    return (replay.filled, count)
}
