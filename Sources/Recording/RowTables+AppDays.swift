import PhoneCore
import Vocabulary

extension RowTables {
    static let appDays: [RowColumn<AppDayRow>] =
        [
            .init("day", "d", .integer, "days since the run's first midnight") { row, _, out in out.append(row.day) },
            .init("app", "", .string, "app") { row, names, out in out.append(field: names.name(of: row.app)) },
            .count("opens", "opens by the user") { Int($0.opens) },
            .count("resumes", "opens of a living process") { Int($0.resumes) },
            .count("warm", "opens by warm launch") { Int($0.warm) },
            .count("cold", "opens by cold launch") { Int($0.cold) },
            .number("foreground_s", "s", "time on screen", \.foregroundSeconds),
            .number("wait_s", "s", "time waited for the app to open", \.waitSeconds),
            .count("refreshes", "background refreshes that ran") { Int($0.refreshes) },
            .count("processings", "processing tasks that completed") { Int($0.processings) },
            .number("background_s", "s", "time running in the background", \.backgroundSeconds),
            .number("suspended_s", "s", "time suspended", \.suspendedSeconds),
            .count("kills", "times jetsam killed it") { Int($0.kills) },
            .count("widget_reloads", "reloads of its widget") { Int($0.widgetReloads) },
            .number("held_s", "s", "time that calls held it running", \.heldSeconds),
            .count("submissions", "background requests that it submitted, refused ones included") {
                Int($0.submissions)
            },
            .count("expirations", "runs of its background work, events included, that were cut off") {
                Int($0.expirations)
            },
            .count("failures", "runs of its background work, events included, that failed") { Int($0.failures) },
            .count("pushes_sent", "pushes sent to it") { Int($0.pushesSent) },
            .count("pushes_delivered", "alerts shown, and silent pushes handed to it") { Int($0.pushesDelivered) },
            .count("pushes_dropped", "silent pushes that never reached it") { Int($0.pushesDropped) },
            .number(
                "push_delay_s", "s", "sum over delivered pushes of the time since they were sent", \.pushDelaySeconds),
            .count("transfers", "background transfers done") { Int($0.transfers) },
            .number("transfer_s", "s", "sum over their submissions of the time until done", \.transferSeconds),
            .count("memory_warnings", "memory warnings") { Int($0.warnings) },
            .number("peak_footprint_mib", "MiB", "largest footprint seen when its state changed", \.peakFootprintMiB),
            .number("lost_work_s", "s", "time in the app that was lost with its process", \.lostSeconds),
            .number(
                "freshness_s", "s", "sum over opens of the age of the newest content not yet fetched",
                \.freshnessSecondsSum),
            .number("foreground_energy_j", "J", "energy booked to the app in the foreground", \.foregroundJoules),
            .number("background_energy_j", "J", "energy booked to the app otherwise", \.backgroundJoules),
        ] + exits(inForeground: true) + exits(inForeground: false)

    /// Exits by category, as MetricKit counts them (Apple, MXAppExitMetric).
    private static func exits(inForeground: Bool) -> [RowColumn<AppDayRow>] {
        let categories = ExitCategory.allCases
        return categories.filter { !inForeground || $0.existsInForeground }.map { category in
            let place = Int(category.rawValue) + (inForeground ? categories.count : 0)
            let side = inForeground ? "fg" : "bg"
            let meaning = "ends of its process \(inForeground ? "on screen" : "unseen"): \(category.name)"
            return .count("exits_\(side)_\(category.name)", meaning) { row in
                row.exits.isEmpty ? 0 : Int(row.exits[place])
            }
        }
    }
}
