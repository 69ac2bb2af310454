// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import RandomStreams
import Vocabulary

/// The intents of a persona, drawn a day at a time so that memory use stays constant.
///
///     var workload = PersonaWorkload(persona: persona, apps: apps, seed: 1, replication: 0, startWeekday: 0, days: 8)
///     var intents: [Intent] = []
///     while workload.nextDay(into: &intents) { … }
public struct PersonaWorkload: Sendable {
    /// The user.
    public let persona: Persona
    /// Number of days.
    public let days: Int

    private let appHashes: [UInt64]
    private var sessions: SessionGenerator
    private var locations: LocationTimeline
    private var network: NetworkGenerator
    private var charging: ChargingGenerator
    private var restarts: RestartGenerator
    private var installs: InstallGenerator
    private var pending: [Intent] = []
    private var day = 0
    private var hashes = WorkloadFingerprint()

    /// Creates the workload of one replication.
    ///
    /// - Parameters:
    ///   - apps: The run's apps; the `AppID` of an intent is an index into this array.
    ///   - startWeekday: 0 when the first day is a Monday.
    ///   - lostAlerts: Share of alerts that never arrive; lost alerts are never answered.
    public init(
        persona: Persona, apps: [AppModel], seed: UInt64, replication: Int, startWeekday: Int, days: Int,
        lostAlerts: Double = 0
    ) {
        guard startWeekday >= 0 else { fatalError("a weekday must not be negative; Monday is 0") }
        let keys = StreamKeys(seed: seed, replication: replication)
        self.persona = persona
        self.days = days
        appHashes = apps.map { WorkloadFingerprint.hash($0.name) }
        sessions = SessionGenerator(
            persona: persona, apps: apps, startWeekday: startWeekday, lostAlerts: lostAlerts, keys: keys)
        locations = LocationTimeline(persona: persona, startWeekday: startWeekday, keys: keys)
        network = NetworkGenerator(persona: persona, keys: keys)
        charging = ChargingGenerator(persona: persona, startWeekday: startWeekday, keys: keys)
        restarts = RestartGenerator(persona: persona, startWeekday: startWeekday, keys: keys)
        installs = InstallGenerator(persona: persona, apps: apps, startWeekday: startWeekday, keys: keys)
        for (app, hash) in zip(apps, appHashes) {
            // Pushes that are intents count as intents and not by their rate, as in a recording that has pushes.
            hashes.add(
                appHash: hash, contentPerDay: app.contentPerDay,
                pushesPerDay: persona.notifications == nil ? app.pushesPerDay : 0)
        }
    }

    /// A number that is equal for two workloads with the same intents so far, in whatever order they were added.
    public var fingerprint: UInt64 { hashes.value }

    /// Replaces the contents of the array by the next day's sorted intents; after the last day, empties it and returns
    /// false.
    public mutating func nextDay(into intents: inout [Intent]) -> Bool {
        intents.removeAll(keepingCapacity: true)
        guard day < days else { return false }
        let end = SimTime.zero + .days(Double(day + 1))
        sessions.generate(until: end, into: &pending)
        let stays = locations.stays(day: day)
        network.generate(stays, into: &pending)
        charging.generate(day: day, stays: stays, into: &pending)
        pending.sort(by: Intent.precedes)
        if let restart = restarts.draw(day: day, among: pending) {
            pending.append(restart)
            pending.sort(by: Intent.precedes)
        }
        if persona.has(.installs) {
            installs.draw(day: day, into: &pending)
            pending.sort(by: Intent.precedes)
        }
        let split = pending.firstIndex { $0.time >= end } ?? pending.count
        for intent in pending[..<split] {
            intents.append(intent)
            hashes.add(intent, appHash: intent.app.index < 0 ? 0 : appHashes[Int(intent.app.index)])
        }
        pending.removeSubrange(..<split)
        day += 1
        return true
    }
}
