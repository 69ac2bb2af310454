// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Quantities

/// State of the battery at an event, or about ten minutes after the previous row if no event occurs.
///
/// Events are steps of one per cent, start and end of charging, death and revival, and changes of the screen.
public struct BatteryRow: Sendable {
    /// Time of the row.
    public var time = SimTime.zero
    /// Level shown to the user, in percent.
    public var percent = 0
    /// Whether the phone is on a charger.
    public var pluggedIn = false
    /// Whether the screen is on.
    public var screenOn = false
    /// Whether the phone is off because the battery is empty.
    public var isDead = false
    /// Whether the phone is off for a restart.
    public var isRestarting = false
    /// Cause of the restart; nil unless the phone is off for a restart.
    public var restartCause: RestartCause?
    /// Power into the cell, in watts; negative when it discharges.
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
    /// One row per step of the battery and change of the screen, and at least every ten minutes.
    public static let table = PhoneTables.table(
        "battery",
        "one row per battery step of one percent, per change of the screen and per ten minutes", time: "t_s", columns)

    private static let columns: [TableColumn<BatteryRow>] = [
        .time("t_s", "time since the run's first midnight", \.time),
        .integer("battery_pct", "%", "level shown to the user", \.percent),
        .flag("plugged_in", "1 while on a charger", \.pluggedIn),
        .flag("screen_on", "1 while the screen is on", \.screenOn),
        .flag("dead", "1 while the phone is off because the battery is empty", \.isDead),
        .flag("restarting", "1 from the time the phone is switched off until it is on again", \.isRestarting),
        .text("restarted_by", "reason for the current restart: user, upgrade or crash of the system; else empty") {
            $0.restartCause?.rawValue ?? ""
        },
        .number("charge_w", "W", "power into the cell at this instant; negative when discharging", \.chargeWatts),
        .number("load_w", "W", "power of all components", \.loadWatts),
        .number("voltage_v", "V", "voltage at the terminals at this instant", \.volts),
        .number("battery_c", "degC", "temperature of battery and skin", \.celsius),
    ]
}

extension TableSet {
    /// One row per step of the battery and change of the screen, and at least every ten minutes.
    public static let battery = BatteryRow.table.set
}
