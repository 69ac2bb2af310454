// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Quantities

/// The battery at a step of one per cent, when charging begins or ends, when it dies or revives, when the screen goes
/// on or off, and about every ten minutes.
public struct BatteryRow: Sendable {
    /// When.
    public var time = SimTime.zero
    /// Level shown to the user, in percent.
    public var percent = 0
    /// Whether it is on a charger.
    public var pluggedIn = false
    /// Whether the screen is on.
    public var screenOn = false
    /// Whether the phone is off for want of charge.
    public var isDead = false
    /// Whether the phone was switched off and will be on again.
    public var isRestarting = false
    /// Why, as long as it is off for that.
    public var restartCause: RestartCause?
    /// Power into the cell, in watts; negative when it gives.
    public var chargeWatts = 0.0
    /// Power of all components, in watts.
    public var loadWatts = 0.0
    /// Voltage at the terminals, in volts.
    public var volts = 0.0
    /// Temperature of battery and skin, in °C.
    public var celsius = 0.0

    /// Creates an empty row.
    public init() {}
}

extension BatteryRow: TableRow {
    /// One row per step of the battery, change of the screen and ten minutes.
    public static let table = PhoneTables.table(
        "battery", "one row per step of one percent, change of the screen and ten minutes", time: "t_s", columns)

    private static let columns: [TableColumn<BatteryRow>] = [
        .time("t_s", "time since the run's first midnight", \.time),
        .integer("battery_pct", "%", "level shown to the user", \.percent),
        .flag("plugged_in", "1 on a charger", \.pluggedIn),
        .flag("screen_on", "1 while the screen is on", \.screenOn),
        .flag("dead", "1 while the phone is off for want of charge", \.isDead),
        .flag("restarting", "1 from when the phone is switched off until it is on again", \.isRestarting),
        .text("restarted_by", "why it was switched off, as long as it is: user, upgrade or crash of the system") {
            $0.restartCause?.rawValue ?? ""
        },
        .number("charge_w", "W", "power into the cell at this instant; negative when it gives", \.chargeWatts),
        .number("load_w", "W", "power of all components", \.loadWatts),
        .number("voltage_v", "V", "voltage at the terminals at this instant", \.volts),
        .number("battery_c", "degC", "temperature of battery and skin", \.celsius),
    ]
}

extension TableSet {
    /// One row per step of the battery, change of the screen and ten minutes.
    public static let battery = BatteryRow.table.set
}
