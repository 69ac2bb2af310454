// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Vocabulary

/// Energy of one app, or of the system, in one hour.
public struct AppHourRow: Sendable {
    /// Hours since the run's first midnight.
    public var hour = 0
    /// The app; `system` for energy that belongs to no app.
    public var app = AppID.system
    /// Energy charged to the app while it was on screen, in joules.
    public var foregroundJoules = 0.0
    /// Energy charged to the app otherwise, in joules.
    public var backgroundJoules = 0.0
    /// Energy of the suspend floor, of paging and of radio standby, in joules; only for the system.
    public var idleJoules = 0.0

    /// Creates an empty hour.
    public init() {}
}

extension AppHourRow: TableRow {
    /// One row per hour and app that used energy in it.
    public static let table = PhoneTables.table(
        "app_hours", "one row per run, hour and app that spent energy", time: "hour", key: ["hour", "app"], columns)

    private static let columns: [TableColumn<AppHourRow>] = [
        .integer("hour", "h", "hours since the run's first midnight", \.hour),
        .app("app", "app, or system for energy that belongs to no app", \.app),
        .number(
            "foreground_energy_j", "J",
            "energy booked to the app on screen, including its launches and the radio tails that follow",
            \.foregroundJoules),
        .number(
            "background_energy_j", "J",
            "energy booked to the app while it is not on screen, including the radio tails that follow",
            \.backgroundJoules),
        .number(
            "idle_energy_j", "J",
            "energy of suspend power, always-on display, paging and radio standby, booked to the system",
            \.idleJoules),
    ]
}

extension TableSet {
    /// One row per hour and app that used energy in it.
    public static let appHours = AppHourRow.table.set
}
