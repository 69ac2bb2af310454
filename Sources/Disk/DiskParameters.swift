// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// Space on the phone's storage, and the system's rules when little space is left.
///
/// Apple publishes neither the order nor the thresholds of its purges. Those of Android are public and used for both
/// systems. Each of them is a key, so that an experiment can vary it.
public struct DiskParameters: Sendable {
    /// Choice of the app whose caches the system purges first.
    public enum Order: String, Sendable, CaseIterable {
        /// The app that was on screen longest ago.
        case leastRecent = "least-recent"
        /// The app with the largest caches.
        case largest
        /// The app farthest above its quota, until it reaches the next app's level, as on Android (`CacheTracker` in
        /// `installd`).
        ///
        /// Quotas depend on the time on screen (`CacheQuotaServiceImpl`).
        case quota
    }

    /// Advertised size of the phone's storage; assumption.
    public var capacity = ByteCount(128_000_000_000)
    /// Size of the system and its own apps; assumption: Apple's technical specifications state 12 to 17 GB.
    public var system = ByteCount(15_000_000_000)
    /// Free space at the start of a run; photos and other files of the user occupy the rest.
    public var free = ByteCount(38_400_000_000)
    /// Growth of photos and videos per day; the sizes are assumptions.
    ///
    /// 25 pictures a month (Synchronoss and 451 Research, 2016) of 3.5 MB each, and two minutes of video of 150 MB.
    public var photosPerDay = ByteCount(13_000_000)
    /// Free space below which an app's writes fail, median over apps.
    ///
    /// In the field, writes to one app's database failed at a median of 122 MB of free space, and at a 90th percentile
    /// of 204 MB (github Expensify/App#87869).
    public var reserve = ByteCount(150_000_000)
    /// Standard deviation of ln(reserve) over apps, from the same data.
    public var reserveSigma = 0.5
    /// Free space below which the system purges caches: 1.5 times 500 MiB; assumption for iOS.
    ///
    /// Source: Android, `DeviceStorageMonitorService` and `StorageManager`.
    public var purgeBelow = ByteCount.mebibytes(750)
    /// Free space at which purging stops: two times 500 MiB (same sources); assumption for iOS.
    public var purgeUntil = ByteCount.mebibytes(1000)
    /// Choice of the app whose caches are purged first; assumption for iOS.
    public var order = Order.leastRecent
    /// Whether the caches of an app that executes may be purged.
    ///
    /// Apple's older guide says never ("iOS Data Storage Guidelines"), but reports of developers differ. A suspended
    /// app is ended before its caches are purged, with the code 0xbaddd15c (Apple, "Understanding the exception types
    /// in a crash report").
    public var purgesRunning = false
    /// Free space below which the kernel kills all frozen processes (`disk-space-shortage`); assumption.
    ///
    /// Source of the rule: xnu `bsd/kern/kern_memorystatus_freeze.c`.
    public var freezerBelow = ByteCount(100_000_000)
    /// Share of purged caches that the next visit fetches again; assumption.
    ///
    /// Much of a cache is never read again (Liang et al.).
    public var fetchedAgain = 0.3
    /// Additional time of a launch after the app's caches were purged; assumption.
    public var rebuild = SimDuration.seconds(1)
    /// Space needed for an update, in multiples of the app's size: the new version next to the old one; assumption.
    public var updateRoom = 2.0

    /// Whether the system removes apps unused for long, but keeps their data, if purges do not free enough space.
    ///
    /// The user enables these removals ("Offload Unused Apps").
    public var offloads = false
    /// Time without a visit after which an app may be removed; assumption, 2 to 90 days: Apple states no value.
    ///
    /// An app without a visit in a run counts as used at the start of the run.
    public var offloadAfter = SimDuration.days(12)
    /// Whether memory that the freezer and the swap wrote out counts as used space, in compressed size; updated every
    /// hour.
    public var countsSwap = false

    /// Creates the storage of a phone with 128 GB; 30 % of it are free.
    public init() {}
}

extension DiskParameters {
    /// The keys in `disk`, with their allowed values.
    public static let keys: [FileKey<DiskParameters>] = [
        .bytes(\.capacity, "capacity", 1e9...1e13),
        .bytes(\.system, "system"),
        .bytes(\.free, "free", orShareOf: \.capacity),
        .bytes(\.photosPerDay, "photos_per_day"),
        .bytes(\.reserve, "reserve"),
        .number(\.reserveSigma, "reserve_sigma", 0...3, example: "0.5"),
        .bytes(\.purgeBelow, "purge_below"),
        .bytes(\.purgeUntil, "purge_until"),
        .choice(\.order, "order", "order of purges"),
        .flag(\.purgesRunning, "purges_running"),
        .bytes(\.freezerBelow, "freezer_below"),
        .share(\.fetchedAgain, "fetched_again"),
        .time(\.rebuild, "rebuild", 0...3600),
        .number(\.updateRoom, "update_room", 0...10, example: "2"),
        .flag(\.offloads, "offloads"),
        .time(\.offloadAfter, "offload_after", 0...3e7),
        .flag(\.countsSwap, "counts_swap"),
    ]
}
