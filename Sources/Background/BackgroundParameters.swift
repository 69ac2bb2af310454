// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// Limits that an OS profile sets on background work under any scheduling policy.
public struct BackgroundParameters: Sendable {
    /// Time that a refresh may take (Apple, "Choosing Background Strategies for Your App").
    public var refreshLimit = SimDuration.seconds(30)
    /// Time that a processing task may take.
    ///
    /// Developers plan for one to ten minutes (github ente-io/ente#12242 stops at 3:45, kmpworkmanager's notes say up
    /// to ten).
    public var processingLimit = SimDuration.minutes(10)
    /// Refresh requests that may be pending per app (Apple, BGTaskScheduler `submit(_:)`).
    public var pendingRefreshLimit = 1
    /// Processing requests that may be pending per app (same page).
    public var pendingProcessingLimit = 10
    /// How long a refresh request is kept after its earliest begin.
    ///
    /// Assumption: Apple states no limit.
    public var refreshLife = SimDuration.days(1)
    /// How long a processing request is kept after its floor: attempted within two days (BGTaskRequest.h).
    public var processingLife = SimDuration.days(2)
    /// Whether processing waits until the phone is not in use (Apple, BGProcessingTask documentation).
    public var processingNeedsIdleDevice = true
    /// Least time between the starts of two processing tasks of an app, if the second was requested after the first
    /// began.
    ///
    /// At night, a phone runs a task every half hour if the app requests it again at once. Assumption: 10 to 60 min.
    public var processingSpacing = SimDuration.minutes(30)
    /// Factor on the processor time of a processing task.
    public var processingShare = 1.0
    /// Whether Background App Refresh is on for the phone as a whole.
    public var refreshSwitch = true
    /// Whether Low Power Mode stops background launches (Apple Energy Guide; `backgroundRefreshStatus`).
    public var lowPowerModeStopsWork = true
    /// Thermal level from which on no scheduled work starts under any policy: critical.
    ///
    /// Only actions of the user go on at that level (Apple, `ProcessInfo.ThermalState`). The policy chooses what
    /// happens at the level serious.
    public static let stoppingThermalLevel: UInt8 = 3
    /// Thermal level from which no silent push launches its app: serious.
    ///
    /// Source: macOS log in "Mitigating Mac Enrollment Failures", 2020: thermalLevel >= 2.
    public static let pushStoppingThermalLevel: UInt8 = 2
    /// Whether an app that the user swiped away is launched only after its next open (Apple, App Programming Guide).
    public var forceQuitStopsWork = true
    /// Whether a pending refresh stays unchanged when the app requests one again, as periodic work does on Android.
    ///
    /// On iOS the new request replaces it.
    public var keepsPending = false
    /// Least time from one refresh to the earliest begin of the next (Android: 15 min, `JobInfo.java`).
    public var leastPeriod = SimDuration.zero
    /// Time until a request of the app on screen is checked again (assumption).
    public var foregroundRecheck = SimDuration.minutes(5)

    /// Time for which an app gets no work of a kind after such work reached its limit without reporting completion.
    ///
    /// The time doubles with each such run in a row; zero switches the delay off. Apple writes that such an app is
    /// "throttled for future requests" (WWDC22 session 10142); the figure is an assumption.
    public var throttle = SimDuration.hours(1)
    /// Probability that an app is killed for not reporting completion: it "may be" (Apple, `setTaskCompleted`);
    /// assumption.
    public var uncompletedKillShare = 0.5
    /// Share of refreshes that get only a few seconds.
    ///
    /// Expirations 2 to 5 s after the launch are on record (Apple developer forums, thread 780956), and most developers
    /// see none. The share is an assumption.
    public var shortGrantShare = 0.1
    /// Mean of the exponential time from a request's earliest begin until the system first checks it.
    ///
    /// Launches came 9, 18 and 40 s after the floor (transistorsoft/flutter_background_geolocation#295 and others).
    /// Others came 1, 2, 4 and 10 min after it (capacitor-background-fetch#29: 16, 17, 19 and 25 min for 15). The
    /// distribution is an assumption.
    public var notice = SimDuration.minutes(3)
    /// The longest throttling time; assumption.
    public var longestThrottle = SimDuration.day

    /// Battery level below which the phone does essential work only (Apple, WWDC20 session 10063).
    public var criticalLevel = 0.20
    /// Cores among which the load of a busy processor is spread (two large and four small ones since the A11).
    public var processorCores = 6.0
    /// Time for which launches are held back after a boot or a long absence (dasd logs: 300 s, ably-flutter README).
    public var herdWindow = SimDuration.seconds(300)
    /// Time for which launches are held back while the phone is in use (dasd logs: 900 s, ably-flutter README).
    public var herdWindowInUse = SimDuration.seconds(900)
    /// Length of a lock or a time without network after which launches are held back.
    ///
    /// Assumption: the logs name `lengthyNoNetwork` without a figure.
    public var longAbsence = SimDuration.hours(1)
    /// Time for which a task assertion keeps an app running since iOS 13 (Apple developer forums, thread 85066).
    public var assertionLimit = SimDuration.seconds(30)

    /// Work per day that the energy budget allows off the charger: one unit per refresh or minute of processing.
    ///
    /// A log shows 188 units of unknown size (The Eclectic Light Company, 14 February 2025). The figure is an
    /// assumption. With this figure, an app in daily use gets 3 to 30 refreshes a day, with gaps of hours, as
    /// developers report.
    public var energyBudget = 50.0
    /// Bytes a day that background work may move over cellular; assumption.
    public var cellularBudget = ByteCount.mebibytes(100)

    /// Pushes that run code.
    public var pushes = PushParameters()
    /// Alarms of apps, on systems that have them.
    public var alarms = AlarmParameters()
    /// Broadcasts to apps, on systems that have them.
    public var broadcasts = BroadcastParameters()
    /// Transfers that the system makes for apps.
    public var transfers = TransferParameters()
    /// Connections that are kept while the phone sleeps.
    public var connections = ConnectionParameters()
    /// Reloads of widgets.
    public var widgets = WidgetParameters()
    /// Continued processing.
    public var continued = ContinuedParameters()
    /// The older fetch interface: factors on the time until the next refresh after each of its three results.
    ///
    /// The longest such time is in periods of the app. Assumption: Apple states that results count, but not how
    /// (`performFetchWithCompletionHandler` documentation).
    public var fetch = FetchParameters()

    /// Creates the profile of a present phone.
    public init() {}
}

extension BackgroundParameters {
    /// The keys of the figures in files, with the values allowed.
    public static let keys: [FileKey<BackgroundParameters>] = [
        .time(\.refreshLimit, "refresh_limit"),
        .time(\.processingLimit, "processing_limit"),
        .integer(\.pendingRefreshLimit, "pending_refresh_limit", 0...1000, example: "1"),
        .integer(\.pendingProcessingLimit, "pending_processing_limit", 0...1000, example: "10"),
        .time(\.refreshLife, "refresh_life"),
        .time(\.processingLife, "processing_life"),
        .flag(\.processingNeedsIdleDevice, "processing_needs_idle_device"),
        .time(\.processingSpacing, "processing_spacing"),
        .number(\.processingShare, "processing_share", 0.001...100, example: "1"),
        .flag(\.refreshSwitch, "refresh_switch"),
        .flag(\.lowPowerModeStopsWork, "low_power_mode_stops_work"),
        .flag(\.forceQuitStopsWork, "force_quit_stops_work"),
        .flag(\.keepsPending, "keeps_pending"),
        .time(\.leastPeriod, "least_period"),
        .time(\.foregroundRecheck, "foreground_recheck", 1...9e9),
        .time(\.throttle, "throttle"),
        .time(\.longestThrottle, "longest_throttle"),
        .share(\.uncompletedKillShare, "uncompleted_kill_share"),
        .share(\.shortGrantShare, "short_grant_share"),
        .time(\.notice, "notice"),
        .share(\.criticalLevel, "critical_level"),
        .number(\.processorCores, "processor_cores", 0.5...64, example: "6"),
        .time(\.herdWindow, "herd_window"),
        .time(\.herdWindowInUse, "herd_window_in_use"),
        .time(\.longAbsence, "long_absence"),
        .time(\.assertionLimit, "assertion_limit"),
        .number(\.energyBudget, "energy_budget", 0...1e9, example: "200"),
        .bytes(\.cellularBudget, "cellular_budget"),
    ]
}
