// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// Android's limits for alarms of apps (AOSP `AlarmManagerService.java`, Android 12 and later).
public struct AlarmParameters: Sendable {
    /// Whether apps can have alarms; on iOS they cannot.
    public var areKept = false
    /// Largest delay of an inexact alarm, as a share of its interval or of the time until it is due (`maxTriggerTime`).
    public var windowShare = 0.75
    /// The longest window of an inexact alarm that does not repeat.
    public var longestWindow = SimDuration.hour
    /// The shortest window that an app may state (`MIN_WINDOW`).
    public var leastWindow = SimDuration.minutes(10)
    /// The shortest interval of a repeating alarm (`MIN_INTERVAL`).
    public var leastInterval = SimDuration.minute
    /// Whether the number of alarms depends on the app's standby bucket (`APP_STANDBY_QUOTAS`).
    public var isLimitedByBucket = true
    /// Number of inexact while-idle alarms that an app gets per hour in Doze or under the battery saver.
    ///
    /// Source: `ALLOW_WHILE_IDLE_COMPAT_QUOTA`.
    public var whileIdlePerHour = 7
    /// Number of exact while-idle alarms that an app gets per hour in Doze or under the battery saver.
    ///
    /// Source: `ALLOW_WHILE_IDLE_QUOTA`.
    public var exactWhileIdlePerHour = 72
    /// Time for which a receiver in the background may run (AOSP `BroadcastConstants.java`).
    public var runtime = SimDuration.minute

    /// Creates the figures of a phone without alarms.
    public init() {}

    /// The keys of these parameters in files, with their allowed values.
    public static let keys: [FileKey<AlarmParameters>] = [
        .flag(\.areKept, "kept"),
        .share(\.windowShare, "window_share"),
        .time(\.longestWindow, "longest_window"),
        .time(\.leastWindow, "least_window"),
        .time(\.leastInterval, "least_interval"),
        .flag(\.isLimitedByBucket, "limited_by_bucket"),
        .integer(\.whileIdlePerHour, "while_idle_per_hour", 1...720, example: "7"),
        .integer(\.exactWhileIdlePerHour, "exact_while_idle_per_hour", 1...720, example: "72"),
        .time(\.runtime, "runtime", 0.001...3600),
    ]
}

extension StandbyBucket {
    /// Number of alarms that an app in this bucket gets, and the time window for it (`DEFAULT_APP_STANDBY_QUOTAS`).
    var alarms: (count: Int, window: SimDuration) {
        switch self {
        case .active: (720, .hour)
        case .workingSet: (10, .hour)
        case .frequent: (2, .hour)
        case .rare: (1, .hour)
        case .restricted: (1, .day)
        }
    }
}
