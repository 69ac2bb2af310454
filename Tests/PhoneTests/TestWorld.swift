// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import EvictionPolicies
import Measures
import Power
import Processes
import Quantities
import SchedulingPolicies
import Vocabulary
import Workload

@testable import Phone
@testable import PhoneCore

/// A small world to run in: a dozen apps, a lively user, a 4 GiB phone.
enum TestWorld {
    static func app(_ name: String, popularity: Double = 1, change: (inout AppModel) -> Void = { _ in }) -> AppModel {
        var app = AppModel(name: name, category: "test")
        app.popularity = popularity
        app.foregroundFootprint = .mebibytes(220)
        app.backgroundFootprint = .mebibytes(110)
        app.refreshPeriod = .hours(1)
        app.contentPerDay = 24
        app.pushesPerDay = 6
        change(&app)
        return app
    }

    static func apps(_ count: Int, change: (inout AppModel) -> Void = { _ in }) -> [AppModel] {
        (0..<count).map { rank in app("app-\(rank)", popularity: 1 / Double(rank + 1), change: change) }
    }

    static var persona: Persona {
        var persona = Persona(name: "test")
        persona.installedApps = 30
        persona.pickups.perDay = 60
        persona.pickups.glanceShare = 0.2
        persona.pickups.extraAppsMean = 1
        persona.pickups.extraAppsShape = 1
        persona.apps.active = 30
        persona.apps.zipf = 1.1
        persona.apps.repeatLast = 0.2
        persona.visit = LogNormal(mu: 3.4, sigma: 1, cap: 1800)
        persona.glance = LogNormal(mu: 2, sigma: 0.7, cap: 120)
        persona.notificationsPerDay = 130
        persona.charging.nightProbability = 0.95
        persona.charging.workdayUnplug = ClockHour(mean: 7, deviation: 0.5)
        persona.charging.freeDayUnplug = ClockHour(mean: 9, deviation: 0.5)
        persona.charging.chargerPower = .watts(12)
        persona.wifi.home = 0.9
        persona.wifi.onSpell = LogNormal(median: .minutes(148), sigma: 1)
        persona.wifi.offSpell = LogNormal(median: .minutes(20), sigma: 1)
        persona.background.refreshEnabledShare = 1
        persona.interruptionsPerScreenHour = 1
        persona.interruption = LogNormal(mu: 2, sigma: 0.5)
        persona.forceQuitsPerDay = 1
        return persona
    }

    static func device(ram: ByteCount = .gibibytes(4)) -> DeviceModel {
        var background = BackgroundParameters()
        // Forty lively apps would use up the budget of an ordinary phone in the morning.
        background.energyBudget = 200
        return DeviceModel(
            name: "test phone", memory: MemoryParameters(ram: ram), os: .ios18(ram: ram), power: .iPhone13,
            background: background)
    }

    static func specification(
        apps: [AppModel] = apps(40), persona: Persona = persona, device: DeviceModel = device(), days: Double = 2,
        warmup: SimDuration = .zero, seed: UInt64 = 7, replication: Int = 0, tables: TableSet = [],
        eviction: String = "jetsam", scheduling: String = "opportunistic", readsFuture: Bool = false
    ) -> RunSpecification {
        RunSpecification(
            seed: seed, replication: replication, startWeekday: 0, duration: .days(days), warmup: warmup,
            device: device, apps: apps, persona: persona, tables: tables, readsFuture: readsFuture,
            makeEviction: { seed in makeEviction(eviction, seed) },
            makeScheduling: { seed in makeScheduling(scheduling, seed) })
    }

    private static func makeEviction(_ name: String, _ seed: UInt64) -> any EvictionPolicy {
        guard let entry = EvictionPolicies.all.first(where: { $0.descriptor.name == name }) else {
            preconditionFailure("no eviction policy \(name)")
        }
        return entry.make(
            PolicyArguments(values: entry.descriptor.parameters.map(\.defaultValue), seed: seed))
    }

    private static func makeScheduling(_ name: String, _ seed: UInt64) -> any SchedulingPolicy {
        guard let entry = SchedulingPolicies.all.first(where: { $0.descriptor.name == name }) else {
            preconditionFailure("no scheduling policy \(name)")
        }
        return entry.make(
            PolicyArguments(values: entry.descriptor.parameters.map(\.defaultValue), seed: seed))
    }
}

extension RunOutcome {
    /// A metric by name.
    func callAsFunction(_ name: String) -> Double {
        guard let index = MetricCatalog.catalogue.index(of: name) else { preconditionFailure("no metric \(name)") }
        return metrics[index]
    }
}

/// Keeps every row.
final class RowCollector: RowSink {
    var hours: [DeviceHourRow] = []
    var days: [AppDayRow] = []
    var events: [EventRow] = []
    var requests: [RequestRow] = []
    var decisions: [DecisionRow] = []
    var callbacks: [CallbackRecord] = []
    var appHours: [AppHourRow] = []
    var radio: [RadioRow] = []
    var battery: [BatteryRow] = []
    var predictions: [PredictionRow] = []
    var disk: [DiskRow] = []

    func write<Row>(_ row: Row, to table: Table<Row>) {
        switch row {
        case let row as DeviceHourRow: hours.append(row)
        case let row as AppDayRow: days.append(row)
        case let row as EventRow: events.append(row)
        case let row as RequestRow: requests.append(row)
        case let row as DecisionRow: decisions.append(row)
        case let row as CallbackRecord: callbacks.append(row)
        case let row as AppHourRow: appHours.append(row)
        case let row as RadioRow: radio.append(row)
        case let row as BatteryRow: battery.append(row)
        case let row as PredictionRow: predictions.append(row)
        case let row as DiskRow: disk.append(row)
        default: preconditionFailure("a row of an unknown table")
        }
    }
}
