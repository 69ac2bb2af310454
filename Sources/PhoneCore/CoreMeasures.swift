// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Power
import Processes
import Quantities
import Vocabulary

/// Measures of the core itself: process ends, memory, traffic, events.
///
/// Energy is in `EnergyMeasures`.
package struct CoreMeasures: Sendable {
    /// Spread of kills: if memory is short, a few users have thousands of kills and others have almost none
    /// (docs/statistics.md).
    private static let storms = Metric.Spread.uneven(fewest: 80)

    // Process ends.
    let kills: AppCount
    let systemKills: Count
    /// Kills for each reason, in the order of `KillReason`, and kills whose victim the eviction policy chose.
    let reasons: [AppCount]
    let chosen: AppCount
    let exitsBackground: [AppCount]
    let exitsForeground: [AppCount?]
    let lostWork: AppCount
    /// Lost work, by `LossCause`.
    let lostTo: [AppCount]
    let cutSaves: AppCount
    let lowPowerSaves: AppCount

    // Memory.
    let reclaimedWindows: Gauge
    let warnings: AppCount
    let pressure: TimeShare
    let residentApps: TimeShare
    let lowestAvailable: Gauge
    let frozen: Gauge
    let thawed: Gauge
    let written: Gauge

    // Events and background fetches.
    let eventLaunches: AppCount
    package let refreshes: AppCount
    package let wastedRefreshes: AppCount
    let fetchOccasions: Count
    let traffic: [AppCount]
    package let energy: EnergyMeasures
    let disk: DiskMeasures

    package init(_ builder: inout MeasureBuilder) {
        kills = builder.perDayOfApp("kills_per_day", .lower, "processes of apps that jetsam killed")
        systemKills = builder.perDay(
            "system_kills_per_day", .lower, "daemons and extensions that jetsam killed", spread: Self.storms)
        let reasons = KillReason.allCases.map { reason in
            builder.perDayOfApp(
                reason.metricName, .lower,
                "processes of any kind, including daemons and extensions, that jetsam killed for the reason "
                    + "\(reason.name)",
                spread: reason == .pageShortage ? Self.storms : .even)
        }
        self.reasons = reasons
        chosen = builder.appCount()
        builder.share(
            "policy_decided_kill_share", .neutral,
            "share of kills, including kills of daemons and extensions, for which the eviction policy chose the "
                + "victim; other victims are above a limit, long idle, frozen, or in a band that dies as a whole",
            chosen, of: reasons)
        exitsBackground = ExitCategory.allCases.map { category in
            let setting =
                category.existsInForeground
                ? " while the app was not on screen" : ", whether or not the app was on screen"
            return builder.perDayOfApp(
                "exits_bg_\(category.name)_per_day", .lower, "ends of processes\(setting); category \(category.name)")
        }
        exitsForeground = ExitCategory.allCases.map { category in
            guard category.existsInForeground else { return nil }
            return builder.perDayOfApp(
                "exits_fg_\(category.name)_per_day", .lower,
                "ends of processes while the app was on screen; category \(category.name)")
        }
        lostWork = builder.perDayOfApp(
            "lost_work_s_per_day", unit: "s/d", .lower,
            "time that the user spent in an app since its last save, lost when the app's process ended")
        lostTo = LossCause.allCases.map { cause in
            builder.perDayOfApp(
                "lost_work_\(cause)_s_per_day", unit: "s/d", .lower,
                "the part of lost_work_s_per_day \(cause.meaning)")
        }
        cutSaves = builder.perDayOfApp(
            "cut_saves_per_day", .lower,
            "saves that were cut off because the app was suspended or ended, so that a part of the work was not saved")
        lowPowerSaves = builder.perDayOfApp(
            "low_power_saves_per_day", .neutral,
            "saves that an app on screen made because the battery became low or Low Power Mode began")
        let windows = builder.gauge()
        reclaimedWindows = windows
        builder.perDay(
            "reclaimed_windows_per_day", .lower,
            "windows in the background whose memory the system reclaimed before it killed any process", of: windows)
        warnings = builder.perDayOfApp("memory_warnings_per_day", .lower, "memory warnings delivered to apps")
        pressure = builder.timeMean(
            "pressure_warning_share", .lower,
            "share of time at pressure level warning or critical; levels depend on how much memory is compressed")
        residentApps = builder.timeMean(
            "resident_apps_mean", unit: "apps", .higher, "mean over time of the number of apps with a process")
        let lowest = builder.gauge()
        lowestAvailable = lowest
        builder.metric(
            "ram_growth_mib", "MiB", .lower,
            "largest amount of memory needed beyond the RAM; above 0 only for policies without eviction"
        ) { max(0, -$0.atEnd(lowest)) }
        (frozen, thawed, written) = Self.freezerGauges(&builder)
        eventLaunches = builder.perDayOfApp(
            "event_launches_per_day", .neutral,
            "launches and resumes in the background for pushes, calls, movements, accessories, transfers, alarms, "
                + "broadcasts and delayed continued tasks; refresh and processing tasks do not count")
        refreshes = builder.perDayOfApp("refreshes_per_day", .neutral, "background refreshes that succeeded")
        wastedRefreshes = builder.appCount()
        builder.share(
            "wasted_refresh_share", .lower,
            "share of the successful refreshes that fetched nothing new, or whose content the user had not seen "
                + "before the next background fetch by a refresh or silent push",
            wastedRefreshes, of: [refreshes])
        fetchOccasions = builder.perDay(
            "fetch_occasions_per_day", .lower,
            "times outside the user's sessions at which apps fetched content in the background; fetches while a radio "
                + "stays on count once, but the first fetch after a session always counts"
        )
        traffic = Interface.allCases.map { interface in
            builder.perDayOfApp(
                "\(interface.name)_bytes_per_day", unit: "B/d", interface.network.isMetered ? .lower : .neutral,
                "bytes over the interface \(interface.name)")
        }
        energy = EnergyMeasures(&builder, refreshes: refreshes)
        disk = DiskMeasures(&builder)
    }

    private static func freezerGauges(
        _ builder: inout MeasureBuilder
    ) -> (frozen: Gauge, thawed: Gauge, written: Gauge) {
        let (frozen, thawed, written) = (builder.gauge(), builder.gauge(), builder.gauge())
        builder.perDay("frozen_per_day", .neutral, "processes that the freezer wrote to flash", of: frozen)
        builder.perDay("thawed_per_day", .neutral, "frozen processes that were resumed", of: thawed)
        builder.perDay(
            "flash_written_mib_per_day", unit: "MiB/d", .lower,
            "memory that the freezer and app swap wrote to flash, before compression", of: written)
        return (frozen, thawed, written)
    }

    /// Reads the gauges from the parts of the phone.
    func read(_ processes: ProcessTable, into measures: inout RunMeasures, at now: SimTime) {
        let totals = processes.statistics(at: now)
        measures.set(reclaimedWindows, Double(totals.disconnectedWindows))
        measures.set(frozen, Double(totals.frozen))
        measures.set(thawed, Double(totals.thawed))
        measures.set(written, totals.written.mebibytes)
        measures.set(lowestAvailable, processes.lowestAvailable.mebibytes)
    }
}
