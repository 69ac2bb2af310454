// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Power
import Vocabulary

/// One app over one day.
public struct AppDayRow: Sendable {
    /// Number of the day, from the run's first midnight.
    public var day = 0
    /// The app.
    public var app = AppID.system
    /// Opens by the user.
    public var opens: Int32 = 0
    /// Opens by resume.
    public var resumes: Int32 = 0
    /// Number of `resumes` of an app that the freezer had written to flash.
    public var thawedOpens: Int32 = 0
    /// Times the system built the app's process before the user opened it.
    public var prewarms: Int32 = 0
    /// Opens that found a prewarmed process.
    public var prewarmedOpens: Int32 = 0
    /// Opens by warm launch.
    public var warm: Int32 = 0
    /// Opens by cold launch.
    public var cold: Int32 = 0
    /// Time on screen, in seconds.
    public var foregroundSeconds = 0.0
    /// Time waited for the app to open, in seconds.
    public var waitSeconds = 0.0
    /// Refreshes that ran.
    public var refreshes: Int32 = 0
    /// Processing tasks that completed.
    public var processings: Int32 = 0
    /// Jetsam kills.
    public var kills: Int32 = 0
    /// Reloads of the app's widget.
    public var widgetReloads: Int32 = 0
    /// Time that calls kept the app running, in seconds.
    public var heldSeconds = 0.0
    /// Requests that the app submitted, refused ones included.
    public var submissions: Int32 = 0
    /// Runs of the app's background work that were cut off.
    public var expirations: Int32 = 0
    /// Runs of the app's background work that failed.
    public var failures: Int32 = 0
    /// Time that the app ran in the background, in seconds.
    public var backgroundSeconds = 0.0
    /// Time that the app was suspended, in seconds.
    public var suspendedSeconds = 0.0
    /// Exits by category in the background, then in the foreground; empty without any.
    public var exits: [Int32] = []
    /// Memory warnings.
    public var warnings: Int32 = 0
    /// Time in the app that was lost with its process, in seconds.
    public var lostSeconds = 0.0
    /// Largest footprint at a change of state, in MiB.
    public var peakFootprintMiB = 0.0
    /// Pushes sent to the app.
    public var pushesSent: Int32 = 0
    /// Silent pushes among `pushesSent`.
    public var silentPushesSent: Int32 = 0
    /// Alerts shown, and silent pushes delivered to the app.
    public var pushesDelivered: Int32 = 0
    /// Silent pushes that never reached the app.
    public var pushesDropped: Int32 = 0
    /// Sum over pushes of the time from sending to delivery, in seconds.
    public var pushDelaySeconds = 0.0
    /// Background transfers done.
    public var transfers: Int32 = 0
    /// Sum over background transfers of their durations, in seconds.
    public var transferSeconds = 0.0
    /// Sum over opens of the age of the newest content not yet fetched, in seconds.
    public var freshnessSecondsSum = 0.0
    /// Bytes moved, by radio.
    public var bytes = RadioTable<Int64>(0)
    /// Heartbeats of the app's own connection.
    public var heartbeats: Int32 = 0
    /// Energy booked to the app while in the foreground, in joules.
    public var foregroundJoules = 0.0
    /// Energy booked to the app otherwise, in joules.
    public var backgroundJoules = 0.0

    /// Creates an empty day.
    public init() {}
}

extension AppDayRow: TableRow {
    /// One row per app and day.
    public static let table = PhoneTables.table(
        "app_days", "one row per run, day and app",
        time: "day", key: ["day", "app"],
        columns + bytes + rest + exits(inForeground: true) + exits(inForeground: false))

    private static let columns: [TableColumn<AppDayRow>] = [
        .integer("day", "d", "days since the run's first midnight", \.day),
        .app("app", "app", \.app),
        .count("opens", "opens by the user", \.opens),
        .count("resumes", "opens of a living process", \.resumes),
        .count("thawed_opens", "the part of resumes in which the app was frozen to flash", \.thawedOpens),
        .count("prewarms", "times the system built the process before the user opened the app", \.prewarms),
        .count("prewarmed_opens", "the part of warm in which a prewarmed process existed", \.prewarmedOpens),
        .count("warm", "opens by warm launch", \.warm),
        .count("cold", "opens by cold launch", \.cold),
        .number("foreground_s", "s", "time on screen", \.foregroundSeconds),
        .number("wait_s", "s", "time waited for the app to open", \.waitSeconds),
        .count("refreshes", "background refreshes that succeeded", \.refreshes),
        .count("processings", "processing tasks that completed", \.processings),
        .number("background_s", "s", "time running in the background", \.backgroundSeconds),
        .number("suspended_s", "s", "time suspended", \.suspendedSeconds),
        .count("kills", "times jetsam killed the app", \.kills),
        .count("widget_reloads", "reloads of the app's widget", \.widgetReloads),
        .number("held_s", "s", "time that calls kept the app running", \.heldSeconds),
        .count("submissions", "background requests that the app submitted, including refused ones", \.submissions),
        .count("expirations", "runs of background work, including events, that were cut off", \.expirations),
        .count("failures", "runs of background work, including events, that failed", \.failures),
        .count("pushes_sent", "pushes sent to the app", \.pushesSent),
        .count("silent_pushes_sent", "the part of pushes_sent that is silent", \.silentPushesSent),
        .count("pushes_delivered", "alerts shown, and silent pushes delivered to the app", \.pushesDelivered),
        .count("pushes_dropped", "silent pushes that never reached the app", \.pushesDropped),
        .number(
            "push_delay_s", "s", "sum over delivered pushes of the time since they were sent", \.pushDelaySeconds),
        .count("transfers", "background transfers done", \.transfers),
        .number("transfer_s", "s", "sum over transfers of the time from submission to the end", \.transferSeconds),
        .count("memory_warnings", "memory warnings", \.warnings),
        .number("peak_footprint_mib", "MiB", "largest footprint at a change of state", \.peakFootprintMiB),
        .number("lost_work_s", "s", "time in the app that was lost with its process", \.lostSeconds),
        .number(
            "freshness_s", "s", "sum over opens of the age of the newest content not yet fetched",
            \.freshnessSecondsSum),
    ]

    private static let bytes: [TableColumn<AppDayRow>] = Interface.allCases.reversed().map { radio in
        .integer("\(radio.name)_bytes", "B", "bytes over \(radio.network.words.network)") { $0.bytes[radio] }
    }

    private static let rest: [TableColumn<AppDayRow>] = [
        .count("heartbeats", "heartbeats of the app's own connection", \.heartbeats),
        .number(
            "foreground_energy_j", "J",
            "energy booked to the app in the foreground, including the radio tails after it",
            \.foregroundJoules),
        .number(
            "background_energy_j", "J",
            "energy booked to the app while it is not in the foreground", \.backgroundJoules),
    ]

    /// Exits by category, as MetricKit counts them (Apple, MXAppExitMetric).
    private static func exits(inForeground: Bool) -> [TableColumn<AppDayRow>] {
        let categories = ExitCategory.allCases
        return categories.filter { !inForeground || $0.existsInForeground }.map { category in
            let index = Int(category.rawValue) + (inForeground ? categories.count : 0)
            let side = inForeground ? "fg" : "bg"
            let meaning = "ends of the process \(inForeground ? "on screen" : "unseen"): \(category.name)"
            return .count("exits_\(side)_\(category.name)", meaning) { row in
                row.exits.isEmpty ? 0 : Int(row.exits[index])
            }
        }
    }
}

extension TableSet {
    /// One row per app and day.
    public static let appDays = AppDayRow.table.set
}
