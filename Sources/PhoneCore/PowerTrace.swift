// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Power
import Quantities
import Vocabulary

/// Energy of an app or of the system so far, in its foreground and its background account.
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

/// Last values in the tables of radios and battery, and the accounts at the last full hour.
struct PowerTrace {
    var radios: [RadioStatus?] = Array(repeating: nil, count: Interface.allCases.count)
    var battery = BatteryRow()
    /// The system's account, then those of the apps.
    var apps: [AppEnergy] = []
}

extension PhoneCore {
    /// Writes changes of radios and battery.
    ///
    /// The function only reads the state, so a table does not change results.
    package mutating func recordPower() {
        if book.tables.contains(.radio) {
            for interface in Interface.allCases { recordRadio(interface) }
        }
        if book.tables.contains(.battery) { recordBattery() }
    }

    private mutating func recordRadio(_ interface: Interface) {
        let status = power.status(of: interface)
        let index = Int(interface.rawValue)
        let last = book.trace.radios[index]
        guard last != status else { return }
        book.trace.radios[index] = status
        let joined = (status.joining - (last?.joining ?? .zero)).joules
        if joined > 0 {
            if status.phase == .idle { return write(status, of: interface, joules: joined) }
            // The system is charged for joining a network, even if an app sends at that instant.
            var idle = RadioStatus()
            idle.phase = .idle
            idle.power = power.standbyPower(of: interface)
            write(idle, of: interface, joules: joined)
        }
        write(status, of: interface, joules: (status.switching - (last?.switching ?? .zero)).joules)
    }

    private func write(_ status: RadioStatus, of interface: Interface, joules: Double) {
        var row = RadioRow()
        row.time = now
        row.radio = interface.name
        row.state = status.name
        row.watts = status.power.watts
        row.joules = joules
        row.app = status.app
        row.cause = status.cause.name
        book.sink?.write(row)
    }

    private mutating func recordBattery() {
        var status = power.batteryStatus
        let last = book.trace.battery
        let isSame =
            last.percent == power.percent && last.pluggedIn == power.isPluggedIn && last.screenOn == conditions.screenOn
            && (last.chargeWatts > 0) == (status.charging > .zero)
            && last.isDead == (power.isDead && !power.isRestarting)
            && last.isRestarting == power.isRestarting
        guard now == .zero || !isSame || now - last.time >= Self.longestGap else { return }
        status = power.batteryStatus(at: now)
        var row = BatteryRow()
        row.time = now
        row.percent = power.percent
        row.pluggedIn = power.isPluggedIn
        row.screenOn = conditions.screenOn
        row.isDead = power.isDead && !power.isRestarting
        row.isRestarting = power.isRestarting
        row.restartCause = power.isRestarting ? book.restartCause : nil
        row.chargeWatts = status.charging.watts
        row.loadWatts = status.load.watts
        row.volts = status.voltage.volts
        row.celsius = power.bodyTemperature(at: now).celsius
        book.trace.battery = row
        book.sink?.write(row)
    }

    /// Longest time between two rows of the battery; the next event after this time writes a row.
    private static var longestGap: SimDuration { .minutes(10) }
}
