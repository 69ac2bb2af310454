// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Power
import Vocabulary

/// One app on one day.
public struct AppDayRow: Sendable {
    /// Number of the day, from the run's first midnight.
    public var day = 0
    /// The app.
    public var app = AppID.system
    /// Number of opens by the user.
    public var opens: Int32 = 0
    /// Number of opens by resume.
    public var resumes: Int32 = 0
    /// Number of resumes of the app after the freezer had written it to flash.
    public var thawedOpens: Int32 = 0
    /// Number of times that the system prewarmed the app or read its files.
    public var prewarms: Int32 = 0
    /// Number of opens that found a prewarmed process.
    public var prewarmedOpens: Int32 = 0
    /// Number of warm launches.
    public var warm: Int32 = 0
    /// Number of cold launches.
    public var cold: Int32 = 0
    /// Time on screen in the visits that ended on the day, in seconds.
    public var foregroundSeconds = 0.0
    /// Time for which the user waited for the app to open, in seconds.
    public var waitSeconds = 0.0
    /// Number of refreshes that ran.
    public var refreshes: Int32 = 0
    /// Number of processing tasks that completed.
    public var processings: Int32 = 0
    /// Number of jetsam kills.
    public var kills: Int32 = 0
    /// Number of reloads of the app's widget.
    public var widgetReloads: Int32 = 0
    /// Time for which the calls that ended on the day kept the app running, in seconds.
    public var heldSeconds = 0.0
    /// Number of requests that the app submitted, including refused ones.
    public var submissions: Int32 = 0
    /// Number of runs of the app's background work that reached their limit.
    public var expirations: Int32 = 0
    /// Number of runs of the app's background work that failed.
    public var failures: Int32 = 0
    /// Time for which the app ran in the background, in seconds.
    public var backgroundSeconds = 0.0
    /// Time for which the app was suspended, in seconds.
    public var suspendedSeconds = 0.0
    /// Number of exits by category in the background, then in the foreground; empty if there are none.
    public var exits: [Int32] = []
    /// Number of memory warnings.
    public var warnings: Int32 = 0
    /// Time in the app that was lost with its process, in seconds.
    public var lostSeconds = 0.0
    /// Largest footprint at a change of state, in MiB.
    public var peakFootprintMiB = 0.0
    /// Number of pushes sent to the app.
    public var pushesSent: Int32 = 0
    /// Number of silent pushes among `pushesSent`.
    public var silentPushesSent: Int32 = 0
    /// Number of alerts shown and silent pushes delivered.
    public var pushesDelivered: Int32 = 0
    /// Number of silent pushes that the system dropped or replaced by newer ones.
    public var pushesDropped: Int32 = 0
    /// Sum of the times from sending to delivery over all pushes, in seconds.
    public var pushDelaySeconds = 0.0
    /// Number of completed background transfers.
    public var transfers: Int32 = 0
    /// Sum of the durations of background transfers, in seconds.
    public var transferSeconds = 0.0
    /// Sum over all opens of the age of the newest content that the app had not fetched, in seconds.
    public var freshnessSecondsSum = 0.0
    /// Bytes transferred, for each radio.
    public var bytes = RadioTable<Int64>(0)
    /// Number of heartbeats of the app's own connection.
    public var heartbeats: Int32 = 0
    /// Energy charged to the app in the foreground, in joules.
    public var foregroundJoules = 0.0
    /// Energy charged to the app otherwise, in joules.
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
        .count("resumes", "opens at which the app had a process", \.resumes),
        .count("thawed_opens", "resumes of the app after the freezer had written it to flash", \.thawedOpens),
        .count(
            "prewarms", "times the system built the process, or read its files, before the user opened the app",
            \.prewarms),
        .count("prewarmed_opens", "warm launches that used a prewarmed process", \.prewarmedOpens),
        .count("warm", "opens by warm launch", \.warm),
        .count("cold", "opens by cold launch", \.cold),
        .number(
            "foreground_s", "s", "time on screen; a whole visit counts on the day on which it ends",
            \.foregroundSeconds),
        .number("wait_s", "s", "time that the user waited for the app to open", \.waitSeconds),
        .count("refreshes", "background refreshes that succeeded", \.refreshes),
        .count("processings", "processing tasks that completed", \.processings),
        .number("background_s", "s", "time running in the background", \.backgroundSeconds),
        .number("suspended_s", "s", "time suspended", \.suspendedSeconds),
        .count("kills", "times jetsam killed the app", \.kills),
        .count("widget_reloads", "reloads of the app's widget", \.widgetReloads),
        .number(
            "held_s", "s",
            "time for which calls kept the app running; a whole call counts on the day on which it ends",
            \.heldSeconds),
        .count("submissions", "background requests that the app submitted, including refused ones", \.submissions),
        .count(
            "expirations", "background runs that were cut off, including runs for events such as calls",
            \.expirations),
        .count("failures", "background runs that failed, including runs for events such as calls", \.failures),
        .count("pushes_sent", "pushes sent to the app", \.pushesSent),
        .count("silent_pushes_sent", "silent pushes among pushes_sent", \.silentPushesSent),
        .count("pushes_delivered", "alerts shown, and silent pushes delivered to the app", \.pushesDelivered),
        .count(
            "pushes_dropped", "silent pushes that the system dropped or replaced; lost pushes do not count",
            \.pushesDropped),
        .number(
            "push_delay_s", "s", "time from sending to delivery, summed over delivered pushes", \.pushDelaySeconds),
        .count("transfers", "background transfers done", \.transfers),
        .number("transfer_s", "s", "time from submission to the end, summed over transfers", \.transferSeconds),
        .count("memory_warnings", "memory warnings", \.warnings),
        .number("peak_footprint_mib", "MiB", "largest footprint at a change of state", \.peakFootprintMiB),
        .number(
            "lost_work_s", "s",
            "time spent in the app since its last save, lost when the process "
                + "ended", \.lostSeconds),
        .number(
            "freshness_s", "s", "age of the newest content not yet fetched, summed over opens",
            \.freshnessSecondsSum),
    ]

    private static let bytes: [TableColumn<AppDayRow>] = Interface.allCases.reversed().map { radio in
        .integer("\(radio.name)_bytes", "B", "bytes over \(radio.network.words.network)") { $0.bytes[radio] }
    }

    private static let rest: [TableColumn<AppDayRow>] = [
        .count("heartbeats", "heartbeats of the app's own connection", \.heartbeats),
        .number(
            "foreground_energy_j", "J",
            "energy booked to the app while it is in the foreground, including the radio tails that follow",
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
            let setting =
                inForeground
                ? " while the app was on screen"
                : category.existsInForeground
                    ? " while the app was not on screen" : ", whether or not the app was on screen"
            let meaning = "ends of the process\(setting); category \(category.name)"
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
