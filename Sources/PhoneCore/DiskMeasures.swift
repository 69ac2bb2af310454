// SPDX-License-Identifier: GPL-3.0-or-later
import Measures

/// Measures of a phone's storage; zero on a phone without `disk` in its model.
package struct DiskMeasures: Sendable {
    let free: TimeShare
    let written: AppCount
    let purges: AppCount
    let purged: AppCount
    let fetchedAgain: AppCount
    let failedSaves: AppCount
    let failedWork: AppCount
    let updates: AppCount
    let updatesPutOff: AppCount
    let offloads: AppCount
    let installs: AppCount
    let refusedInstalls: AppCount

    package init(_ builder: inout MeasureBuilder) {
        free = builder.timeMean(
            "disk_free_mib_mean", unit: "MiB", .higher,
            "mean over time of the free space; 0 if the phone's model has no disk")
        written = builder.perDayOfApp(
            "disk_written_bytes_per_day", unit: "B/d", .lower,
            "bytes written by apps, their updates and their reinstallation; photos and memory that the system wrote "
                + "out do not count"
        )
        purges = builder.perDayOfApp(
            "cache_purges_per_day", .lower, "purges of an app's caches by the system to make room")
        purged = builder.perDayOfApp(
            "purged_bytes_per_day", unit: "B/d", .lower, "bytes of caches and tmp that the system purged")
        fetchedAgain = builder.perDayOfApp(
            "fetched_again_bytes_per_day", unit: "B/d", .lower,
            "bytes that apps fetched again because their caches had been purged")
        failedSaves = builder.perDayOfApp(
            "failed_saves_per_day", .lower, "visits after which the app could not save for lack of space")
        failedWork = builder.perDayOfApp(
            "work_without_room_per_day", .lower,
            "transfers, refreshes and processing tasks that failed for lack of space")
        updates = builder.perDayOfApp("app_updates_per_day", .neutral, "new versions of apps that were installed")
        offloads = builder.perDayOfApp(
            "offloads_per_day", .lower, "apps that the system removed because they had not been used for long")
        installs = builder.perDayOfApp(
            "reinstalls_per_day", .lower,
            "removed apps that were fetched again because the user wanted to visit them; this visit counts as missed")
        refusedInstalls = builder.perDayOfApp(
            "refused_installs_per_day", .lower,
            "failed attempts to install an app that the user wants, for lack of space; one attempt an hour")
        updatesPutOff = builder.perDayOfApp(
            "updates_put_off_per_day", .lower, "nights in which there was no space for a new version of an app")
    }

    /// The measures that count an event and its bytes; nil for what has no measure.
    func counts(_ event: DiskEvent) -> (rows: AppCount?, bytes: AppCount?) {
        switch event {
        case .begin: (nil, nil)
        case .write: (nil, written)
        case .saveFailed: (failedSaves, nil)
        case .workFailed: (failedWork, nil)
        case .purgeCaches: (purges, purged)
        case .purgeTemporary: (nil, purged)
        case .fetchAgain: (nil, fetchedAgain)
        case .update: (updates, written)
        case .updatePutOff: (updatesPutOff, nil)
        case .offload: (offloads, nil)
        case .install: (installs, written)
        case .bring: (nil, written)
        case .installRefused: (refusedInstalls, nil)
        case .swap: (nil, nil)
        }
    }
}
