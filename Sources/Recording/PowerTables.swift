import PhoneCore
import Quantities
import Vocabulary

/// The tables of radios, battery, apps by the hour and predictions.
enum PowerTables {
    static let appHours: [RowColumn<AppHourRow>] = [
        .init("hour", "h", .integer, "hours since the run's first midnight") { row, _, out in out.append(row.hour) },
        .init("app", "", .string, "app; system for what nobody in particular spends") { row, names, out in
            out.append(field: names.name(of: row.app))
        },
        .number(
            "foreground_energy_j", "J", "energy booked to the app on screen, its launches included", \.foregroundJoules),
        .number(
            "background_energy_j", "J", "energy booked to the app otherwise, its radio tails included",
            \.backgroundJoules),
        .number("idle_energy_j", "J", "energy of floor, paging and standby, which is the system's", \.idleJoules),
    ]

    static let radio: [RowColumn<RadioRow>] = [
        .init("t_s", "s", .number, "time since the run's first midnight") { row, _, out in out.append(row.time) },
        .text("radio", "wifi or cellular", \.radio),
        .text("state", "off, search, idle, promotion, active or tail, from now on", \.state),
        .number("power_w", "W", "what the radio draws from now on", \.watts),
        .init("app", "", .string, "who pays for it: the app, or system") { row, names, out in
            out.append(field: names.name(of: row.app))
        },
        .text("cause", "what the energy is booked to", \.cause),
    ]

    static let battery: [RowColumn<BatteryRow>] = [
        .init("t_s", "s", .number, "time since the run's first midnight") { row, _, out in out.append(row.time) },
        .count("battery_pct", "level shown to the user") { $0.percent },
        .flag("plugged_in", "1 on a charger", \.pluggedIn),
        .number("charge_w", "W", "power into the cell; negative when it gives", \.chargeWatts),
        .number("load_w", "W", "power of all components", \.loadWatts),
        .number("voltage_v", "V", "voltage at the terminals", \.volts),
        .number("battery_c", "degC", "temperature of battery and skin", \.celsius),
    ]

    static let predictions: [RowColumn<PredictionRow>] = [
        .number("from", "1", "lower end of the range of likelihood, included", \.from),
        .number("to", "1", "its upper end, excluded", \.to),
        .count("predictions", "predictions in the range, of one app for half an hour each", \.predictions),
        .number("predicted", "1", "their mean; empty without any", \.predicted),
        .number("opened", "1", "share of them that an open followed; empty without any", \.opened),
    ]
}
