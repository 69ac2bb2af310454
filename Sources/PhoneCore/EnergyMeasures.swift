// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Power
import Quantities

/// The gauges of the energy ledger, and the metrics computed from them.
package struct EnergyMeasures: Sendable {
    let used: AppGauge
    let wall: Gauge
    let charged: Gauge
    let adapter: Gauge
    let background: Gauge
    let playback: Gauge
    let tail: Gauge
    let relaunch: Gauge
    let wakeups: Gauge
    let terminals: Gauge
    let screenOff: Gauge
    let lost: Gauge
    let stored: Gauge
    let display: Gauge
    let network: Gauge
    let backgroundNetwork: Gauge
    let screenOffWork: Gauge
    let highestTemperature: Gauge
    let ledgerError: Gauge
    let apps: AppEnergyMeasures
    let levelAt22: Count
    let nightsAt22: Count
    /// Whether the battery is dead.
    package let dead: TimeShare
    /// Whether the thermal state is serious or critical.
    let hot: TimeShare

    init(_ builder: inout MeasureBuilder, refreshes: AppCount) {
        let used = builder.appGauge()
        self.used = used
        builder.appMetric(
            "energy_wh_per_day", "Wh/d", .lower,
            "energy that the phone used from the battery's terminals or directly from the charger"
        ) { Energy.joules($0[used]).wattHours / $0.days }
        wall = builder.wattHours("wall_wh_per_day", .neutral, "energy drawn from the wall")
        background = builder.wattHours(
            "background_energy_wh_per_day", .lower, "energy booked to background tasks, pushes and heartbeats")
        playback = builder.wattHours(
            "playback_energy_wh_per_day", .lower, "energy booked to music and navigation after the user left their app")
        tail = builder.wattHours(
            "radio_tail_energy_wh_per_day", .lower, "energy of radios that stay on after traffic (tails)")
        relaunch = builder.wattHours(
            "relaunch_energy_wh_per_day", .lower, "energy of warm and cold launches by the user")
        (charged, adapter) = (builder.gauge(), builder.gauge())
        let (charged, adapter, wall) = (charged, adapter, wall)
        builder.metric(
            "charging_efficiency", "1", .higher,
            "energy into the cell and the running phone, divided by the energy drawn from the wall"
        ) { ($0.atEnd(charged) - $0.atStart(charged) + $0.atEnd(adapter) - $0.atStart(adapter)) / $0[wall] }
        let wakeups = builder.gauge()
        self.wakeups = wakeups
        builder.perDay("wakeups_per_day", .lower, "times the phone left its suspend state", of: wakeups)
        (levelAt22, nightsAt22) = (builder.count(), builder.count())
        builder.mean(
            "battery_pct_at_22h", "%", .higher, "mean over days of the battery level at 22:00", levelAt22,
            over: nightsAt22, spread: .momentary)
        dead = builder.hoursPerDay("dead_hours_per_day", .lower, "time with a dead battery")
        let highest = builder.gauge()
        highestTemperature = highest
        builder.metric(
            "max_temperature_c", "degC", .lower, "highest temperature of skin and battery", spread: .momentary
        ) { $0.atEnd(highest) }
        hot = builder.hoursPerDay("hot_hours_per_day", .lower, "time at thermal state serious or critical")
        (terminals, lost, stored) = (builder.gauge(), builder.gauge(), builder.gauge())
        display = builder.gauge()
        (backgroundNetwork, screenOffWork) = (builder.gauge(), builder.gauge())
        screenOff = builder.wattHours(
            "screen_off_energy_wh_per_day", .lower,
            "energy that the battery delivered at its terminals while the display was off")
        network = builder.wattHours(
            "network_energy_wh_per_day", .lower, "energy of both radios, without their standby")
        ledgerError = builder.gauge()
        apps = AppEnergyMeasures(&builder)
        declareShares(&builder, refreshes)
    }

    /// Declares the shares and sizes that validation experiments use.
    private func declareShares(_ builder: inout MeasureBuilder, _ refreshes: AppCount) {
        let meters = self
        builder.metric("display_energy_share", "1", .neutral, "energy of the display, as a share of all energy") {
            $0[meters.display] / $0[meters.used]
        }
        builder.metric(
            "screen_off_energy_share", "1", .lower,
            "share of the energy at the battery's terminals that was delivered while the display was off"
        ) { $0[meters.screenOff] / $0[meters.terminals] }
        builder.metric(
            "network_j_per_refresh", "J", .lower,
            "energy of both radios above standby, divided by the refreshes that succeeded",
            spread: .uneven(fewest: 80)
        ) { $0[refreshes] == 0 ? .nan : $0[meters.network] / $0[refreshes] }
        builder.metric(
            "background_network_share", "1", .lower,
            "share of network_energy_wh_per_day that background work, pushes and transfers cause, including the tails "
                + "after them"
        ) { $0[meters.backgroundNetwork] / $0[meters.network] }
        builder.metric(
            "screen_off_apps_share", "1", .lower,
            "screen_off_energy_share without the energy of suspend power, always-on display, paging and radio standby"
        ) { $0[meters.screenOffWork] / $0[meters.terminals] }
        builder.metric(
            "energy_imbalance", "1", .lower,
            "largest relative error of the energy accounts: the difference between the ledger and the energy at the "
                + "terminals and the adapter, or the error of the cell's own balance",
            range: 0 ... .infinity
        ) { max($0.atEnd(meters.ledgerError), meters.cellError($0)) }
    }

    /// Relative error of the cell's energy balance.
    ///
    /// The error is the change of the stored energy minus the expected change, divided by the energy moved. The
    /// expected change is energy in minus energy out minus heat.
    private func cellError(_ reading: Reading) -> Double {
        let moved = reading[terminals] + reading[charged]
        let expected = reading[charged] - reading[terminals] - reading[lost]
        return abs(reading[stored] - expected) / max(1, moved)
    }

    /// Reads the gauges; call this after a flush of the power system.
    func read(_ power: borrowing PowerSystem, ledgerError error: Double, into measures: inout RunMeasures) {
        let whole = power.ledgerEnergy.joules
        measures.set(used, whole)
        for app in measures.watched { measures.set(used, of: app, power.energy(of: app).joules) }
        apps.read(power, whole: whole, into: &measures)
        measures.set(wall, power.wallEnergy.joules)
        measures.set(charged, power.chargedEnergy.joules)
        measures.set(adapter, power.adapterEnergy.joules)
        let causes: [Cause] = [.backgroundTask, .push, .connection]
        measures.set(playback, power.energy(for: .playback).joules)
        measures.set(background, causes.reduce(0) { $0 + power.energy(for: $1).joules })
        measures.set(tail, power.energy(for: .tail).joules)
        measures.set(relaunch, power.energy(for: .relaunch).joules)
        measures.set(wakeups, Double(power.wakeups))
        measures.set(terminals, power.terminalEnergy.joules)
        measures.set(screenOff, power.terminalEnergyScreenOff.joules)
        measures.set(lost, power.cellLoss.joules)
        measures.set(stored, power.storedEnergy.joules)
        measures.set(display, power.energy(of: .display).joules)
        measures.set(screenOffWork, power.terminalEnergyScreenOffWork.joules)
        measures.set(highestTemperature, power.highestTemperature.celsius)
        measures.set(ledgerError, error)
        readNetwork(power, into: &measures)
    }

    private func readNetwork(_ power: borrowing PowerSystem, into measures: inout RunMeasures) {
        var all = 0.0
        var inBackground = 0.0
        for interface in Interface.allCases {
            for cause in Cause.allCases where cause != .idle {
                let joules = power.energy(of: interface.component, cause: cause).joules
                all += joules
                if cause.scope == .background { inBackground += joules }
            }
        }
        measures.set(network, all)
        measures.set(backgroundNetwork, inBackground - power.foregroundTailEnergy.joules)
    }
}

extension MeasureBuilder {
    /// Declares a gauge in joules and the metric in watt-hours per simulated day.
    fileprivate mutating func wattHours(
        _ name: String, _ better: Metric.Direction, _ definition: String
    ) -> Gauge {
        let own = gauge()
        metric(name, "Wh/d", better, definition) { Energy.joules($0[own]).wattHours / $0.days }
        return own
    }
}
