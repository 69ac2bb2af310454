import Power
import Quantities
import Vocabulary

/// What an app, or the system, has spent so far, by side of its account.
struct AppEnergy {
    var foreground = 0.0
    var background = 0.0
    var idle = 0.0

    init() {}

    init(of app: AppID, in power: borrowing PowerSystem) {
        foreground = power.energy(of: app, .foreground).joules
        background = power.energy(of: app, .background).joules
        idle = power.energy(of: app, .idle).joules
    }
}

/// What was last written to the tables of radios and battery, and the accounts at the last full hour.
struct PowerTrace {
    var radios: [RadioStatus?] = [nil, nil]
    var battery = BatteryRow()
    /// The system's account, then the apps'.
    var apps: [AppEnergy] = []
}

extension PhoneModel {
    /// Writes what changed of radios and battery; it looks only, so that asking for a table changes no number.
    mutating func recordPower(at now: SimTime) {
        if tables.contains(.radio) {
            for interface in Interface.allCases { recordRadio(interface, at: now) }
        }
        if tables.contains(.battery) { recordBattery(at: now) }
    }

    private mutating func recordRadio(_ interface: Interface, at now: SimTime) {
        let status = power.status(of: interface)
        let place = Int(interface.rawValue)
        guard trace.radios[place] != status else { return }
        trace.radios[place] = status
        var row = RadioRow()
        row.time = now
        row.radio = interface == .wifi ? "wifi" : "cellular"
        row.state = status.name
        row.watts = status.power.watts
        row.app = status.app
        row.cause = status.cause.name
        sink?.write(row)
    }

    private mutating func recordBattery(at now: SimTime) {
        let status = power.batteryStatus
        let last = trace.battery
        let isSame =
            last.percent == power.percent && last.pluggedIn == power.isPluggedIn
            && (last.chargeWatts > 0) == (status.charging > .zero)
        guard now == .zero || !isSame || now - last.time >= Self.longestGap else { return }
        var row = BatteryRow()
        row.time = now
        row.percent = power.percent
        row.pluggedIn = power.isPluggedIn
        row.chargeWatts = status.charging.watts
        row.loadWatts = status.load.watts
        row.volts = status.voltage.volts
        row.celsius = power.bodyTemperature(at: now).celsius
        trace.battery = row
        sink?.write(row)
    }

    /// The battery is written this long after it was the last time at the latest, with the next event.
    private static var longestGap: SimDuration { .minutes(10) }

    /// Writes what the system and each app spent in an hour; nothing for those that spent nothing.
    mutating func writeAppHours(_ hour: Int, at now: SimTime) {
        power.flush(at: now)
        for place in trace.apps.indices {
            let app = place == 0 ? AppID.system : AppID(place - 1)
            let energy = AppEnergy(of: app, in: power)
            let before = trace.apps[place]
            trace.apps[place] = energy
            var row = AppHourRow()
            row.hour = hour
            row.app = app
            row.foregroundJoules = energy.foreground - before.foreground
            row.backgroundJoules = energy.background - before.background
            row.idleJoules = energy.idle - before.idle
            guard row.foregroundJoules + row.backgroundJoules + row.idleJoules > 0 else { continue }
            sink?.write(row)
        }
    }

    /// Energy of the app's background so far, for the rows of requests; zero when nobody asks for them.
    func backgroundEnergy(of app: AppID, at now: SimTime) -> Double {
        guard tables.contains(.requests) else { return 0 }
        return power.energy(of: app, .background, at: now).joules
    }
}
